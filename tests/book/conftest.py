"""A small course in a folder of its own, built by the same steps as the real one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coursekit.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {name: python3, display_name: Python 3}
---

"""


class Course(Project):
    """A `Project` whose chapters a test writes."""

    def write(self, name: str, text: str, *, kernel: bool = True) -> None:
        """Write one chapter, with a kernel for its cells unless told otherwise."""
        (self.book / f"{name}.md").write_text((HEAD if kernel else "") + text, encoding="utf-8")


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that keeps the fonts for formulas, which take long to cut."""
    return tmp_path_factory.mktemp("katex")


@pytest.fixture
def course(tmp_path: Path, fonts: Path) -> Course:
    """Return a course of two chapters, ``first`` and ``second``, with a library of one module."""
    made = Course(tmp_path)
    (tmp_path / "lib" / "attn").mkdir(parents=True)
    (tmp_path / "lib" / "attn" / "__init__.py").write_text("")
    made.assets.mkdir(parents=True)
    made.cache.mkdir(parents=True)
    (made.cache / "katex").symlink_to(fonts)
    shutil.copytree(ROOT / "book" / "assets", made.book / "assets")
    shutil.copy(ROOT / "book" / "references.bib", made.book)
    for name in ("_config.yml", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("node_modules", "exercises"):
        (tmp_path / name).symlink_to(ROOT / name)
    toc = "format: jb-book\nroot: first\nchapters:\n- file: second\n"
    (tmp_path / "_toc.yml").write_text(toc)
    made.write("first", "# First\n\nA formula $x_1^2$.\n\n```{code-cell}\nprint(6 * 7)\n```\n")
    made.write("second", "# Second\n\n```{code-cell}\nimport attn\n\nprint('attention')\n```\n")
    return made
