"""Published notebooks with the newest of everything that pip finds today, on every Python.

Nothing is pinned here, neither by requirements.txt nor by the lower bounds of pyproject.toml. Where
these tests fail and the others do not, a library or a Python has changed what the course relies on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.site.project import Project

from .conftest import by_extras

#: The Pythons that the course is for. One that this machine lacks is skipped.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: Chapters with figures, explorables and exercises that need torch besides.
WITH_TORCH = ("windows", "masking", "self-and-cross")
PATHS = Project(Path(__file__).resolve().parents[2]).notebooks()


@pytest.mark.heavy
@pytest.mark.parametrize("python", PYTHONS)
def test_runs_with_the_newest_on_every_python(
    new_environment: Callable[..., Any],
    interpreter: Callable[[str], str],
    unpacked: Path,
    python: str,
) -> None:
    new = new_environment("newest", constraints=None, python=interpreter(python))
    new.run_all(unpacked, by_extras(unpacked)["notebook"])
    assert "torch" not in new.versions()


@pytest.mark.heavy
def test_chapters_with_torch_run_with_the_newest(
    new_environment: Callable[..., Any], unpacked: Path
) -> None:
    new = new_environment("newest", constraints=None, python=sys.executable)
    new.lend("torch")  # some gigabytes: the tests' own
    new.run_all(unpacked, [PATHS[name].removesuffix(".ipynb") for name in WITH_TORCH])
