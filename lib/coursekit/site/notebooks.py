"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import jupytext
import nbformat

from coursekit.bank import load_bank
from coursekit.errors import DISTRIBUTION, CoursekitError
from coursekit.notebook import chapter_notebook
from coursekit.notebook.references import book_references
from coursekit.site.chrome import site_url
from coursekit.site.environment import BuildError, say
from coursekit.site.project import Project

#: What the first cell of a notebook installs, in place of the published wheel. Tests set it.
SOURCE = "COURSE_INSTALL_SOURCE"


def write_notebooks(project: Project, wheel: Path) -> None:
    """Fill ``notebooks/`` of the site, and lay ``binder/`` beside it for the published branch."""
    folder = project.html / "notebooks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy2(wheel, folder)
    site = site_url((project.settings().get("repository") or {}).get("url") or "")
    if not site:
        say("  no Colab and Binder buttons: `repository: url:` in _config.yml is empty")
    try:
        bank = load_bank(project.root / "exercises")
        references = book_references(project.book, bank.values(), site)
        for chapter in filter(project.is_notebook, project.chapters()):
            source = install_source(chapter, wheel, site)
            made = chapter_notebook(chapter, bank, install=source, references=references, site=site)
            nbformat.write(made, folder / f"{chapter.stem}.ipynb")
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def install_source(chapter: Path, wheel: Path, site: str) -> str | None:
    """Return what pip installs where a chapter runs and the library is missing.

    The published wheel, and not the repository: the wheel has the bundled front end. None where
    nothing says at which address the site is published.
    """
    given = os.environ.get(SOURCE)
    address = given or (f"{site}notebooks/{wheel.name}" if site else "")
    if not address:
        return None
    code = "".join(c.source for c in jupytext.read(chapter).cells if c.cell_type == "code")
    extras = ["notebook"]
    extras += ["torch"] if "torch" in code else []
    extras += ["grading", "cluster"] if "coursekit grade" in code else []
    return f"{DISTRIBUTION}[{','.join(extras)}] @ {address}"
