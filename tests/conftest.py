"""What all tests share: where the project is, and the site that `make book` built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project() -> Project:
    """Return the course itself."""
    return Project(ROOT)


@pytest.fixture(scope="session")
def site(project: Project) -> Path:
    """Return the folder of the built site."""
    if not (project.html / "index.html").exists():
        pytest.fail("no site in _build/html: run `make book` first", pytrace=False)
    return project.html
