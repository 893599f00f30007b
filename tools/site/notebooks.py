"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat

from coursekit.bank import Bank, load_bank
from coursekit.errors import CoursekitError
from coursekit.notebook import add_install_cell, chapter_notebook
from coursekit.notebook.install import requirements, wheel_names
from coursekit.notebook.references import References, book_references
from tools.site.environment import BuildError, say
from tools.site.needs import needs
from tools.site.offline.folder import write_zip
from tools.site.project import Project, fingerprint, sources
from tools.site.theme import archive_name, install_commands, install_notes

README = """\
{title}: every chapter as a notebook

You need Python 3.11 or newer. In this folder, run

{commands}

{more}
In a Jupyter that you have already, open a notebook: its first cell installs what the chapter needs.
"""


def write_notebooks(project: Project, wheels: list[Path]) -> None:
    """Fill ``notebooks/`` of the site, and copy ``binder/`` beside it for the published branch.

    Parameters
    ----------
    project : Project
        The course.
    wheels : list of Path
        The course's own, and that which brings coursekit if it is another.
    """
    folder = project.html / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        site = project.address()
        if not project.repository():
            say("  no Colab and Binder buttons: `repository: url:` in _config.yml is empty")
        names = _write_chapters(project, folder, site)
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    for old in folder.iterdir():
        if old.name not in names:
            old.unlink()
    for wheel in wheels:
        shutil.copy2(wheel, folder)
    files = [*(folder / name for name in names), *wheels]
    content = {path.name: path.read_bytes() for path in files}
    content["README.txt"] = _readme(project).encode()
    write_zip(folder / archive_name(project), content)
    if (project.root / "binder").is_dir():
        shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def _write_chapters(project: Project, folder: Path, site: str) -> list[str]:
    """Write the notebooks that changed; return the file names of all.

    A notebook is made again only if its chapter or something that all of them are made of changed.
    """
    stamp = project.build / "notebook-keys.json"
    written = json.loads(stamp.read_text()) if stamp.exists() else {}
    bank = load_bank(project.root / "exercises")
    chapters = list(filter(project.is_notebook, project.chapters()))
    references = replace(
        book_references(project.book, bank.values(), site),
        beside=tuple(chapter.stem for chapter in chapters),
    )
    wheels = " ".join(wheel_names(project.course))
    common = fingerprint(_behind_all(project), repr(references), wheels)
    keys = {f"{chapter.stem}.ipynb": fingerprint([chapter], common) for chapter in chapters}
    due = [
        chapter
        for chapter, (name, key) in zip(chapters, keys.items(), strict=True)
        if written.get(name) != key or not (folder / name).exists()
    ]
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(_write_chapter, project, folder, references, site), due))
    stamp.write_text(json.dumps(keys))
    return list(keys)


def _write_chapter(
    project: Project, folder: Path, references: References, site: str, chapter: Path
) -> None:
    bank = _bank(project.root / "exercises")
    notebook = chapter_notebook(chapter, bank, references=references, site=site)
    add_install_cell(notebook, *to_install(project, chapter, notebook, site))
    nbformat.write(notebook, folder / f"{chapter.stem}.ipynb")


@cache  # once in each process of the pool
def _bank(folder: Path) -> Bank:
    return load_bank(folder)


def _readme(project: Project) -> str:
    """Return the text beside all notebooks."""
    return README.format(
        title=project.config()["title"],
        commands=indent("\n".join(install_commands(project)), "    "),
        more="\n".join([*install_notes(project.notebook_extras), ""]),
    )


def _behind_all(project: Project) -> list[Path]:
    """Return the files that every notebook depends on."""
    folders = [project.root / "exercises", *project.packages.values()]
    files = [file for each in folders for file in sources(each, ".py", ".json")]
    return [*sources(project.book / "assets"), *files, project.root / "pyproject.toml"]


def to_install(
    project: Project, chapter: Path, notebook: Any, site: str
) -> tuple[set[str], list[str]]:
    """Return the modules that a chapter's notebook uses, and what pip installs for them.

    From the wheels, not from the repository: the wheels have the bundled front end. The published
    ones where ``site`` says at which address they are, else those beside the notebook.

    Raises
    ------
    BuildError
        If the notebook imports what its extras do not bring.
    """
    modules, chosen = needs(project, chapter, notebook.cells)
    listed = ",".join(chosen)
    if site:
        return modules, requirements(project.course, f"{site}notebooks/", listed)
    own, *others = wheel_names(project.course)
    return modules, [f"{own}[{listed}]" if listed else own, *others]
