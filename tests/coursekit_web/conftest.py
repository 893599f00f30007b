"""A small Sphinx project that has every kind of exercise, built as any page of the course is."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from coursekit.bank import Bank, load_bank
from coursekit.model import Exercise
from coursekit.page.page_data import page_data

HERE = Path(__file__).parent
BANK = HERE / "bank"


def asked_of_python(exercise: Exercise, code: str) -> dict[str, Any]:
    """Return what the page asks of Python for an answer to an exercise, to check it."""
    data = page_data(exercise)
    return {
        "exercise": exercise.id,
        "before": [{"title": "earlier steps", "code": exercise.groundwork}],
        "setup": data["setup"],
        "code": code,
        "check_source": data["check_source"],
        "checks": [check["name"] for check in data["checks"]],
        "misconceptions": data["misconceptions"],
        "known": data["known"],
        "binds": list(data["binds"]),
        "files": [file["path"] for file in data["files"]],
    }


@dataclass(frozen=True)
class Built:
    """A built project: its output folder and its warnings, one a line."""

    out: Path
    warnings: list[str]

    def text(self, name: str) -> str:
        """Return a file of the output."""
        return (self.out / name).read_text(encoding="utf-8")


def build(folder: Path, assets: Path | None = None, **more: Any) -> Built:
    """Build the book in ``folder`` with our extension; ``assets`` are served as ``_static``."""
    settings = {
        "extensions": ["myst_parser", "sphinx.ext.mathjax", "coursekit.page"],
        # Sphinx keeps what it is not told for all later builds of the process, Jupyter Book's too.
        "source_suffix": {".md": "markdown"},
        "myst_enable_extensions": ["dollarmath", "colon_fence"],
        "coursekit_exercises": [str(BANK)],
        "coursekit_explorables": "figures",
        "html_static_path": [str(assets)] if assets else [],
        "mathjax_path": "none.js",
        "nitpicky": True,
        "html_theme": "basic",
        **more,
    }
    out, warnings = folder / "out", io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            folder, None, out, folder / "trees", "html", settings, status=None, warning=warnings
        )
        app.build()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue())
    return Built(out, plain.splitlines())


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Sphinx import the stand-in for the explorables."""
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture(scope="session")
def bank() -> Bank:
    """Return the exercises of the small project."""
    return load_bank(BANK)


@pytest.fixture(scope="session")
def sampler(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return the small project as HTML."""
    folder = tmp_path_factory.mktemp("book")
    shutil.copytree(HERE / "book", folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        return build(folder)


@pytest.fixture
def write_book(tmp_path: Path, figures: None) -> Callable[..., Built]:
    """Return a function that builds a book of one page."""

    def write(text: str, **settings: Any) -> Built:
        (tmp_path / "index.md").write_text(f"# Title\n\n{text}\n", encoding="utf-8")
        return build(tmp_path, **settings)

    return write
