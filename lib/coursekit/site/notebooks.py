"""Write every chapter as a notebook into the site."""

from __future__ import annotations

from pathlib import Path

import jupytext

from coursekit.site.project import Project


def write_notebooks(project: Project, wheel: Path) -> None:
    """Fill ``notebooks/`` of the site."""
    folder = project.html / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    for chapter in filter(project.is_notebook, project.chapters()):
        jupytext.write(jupytext.read(chapter), folder / f"{chapter.stem}.ipynb")
