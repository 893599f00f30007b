"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat

from coursekit.bank import Bank, load_bank
from coursekit.errors import CoursekitError
from coursekit.notebook import Install, add_install_cell, chapter_notebook
from coursekit.notebook.install import requirements, wheel_names
from coursekit.notebook.references import book_references
from tools.site.environment import BuildError, say
from tools.site.needs import Reach, extras, oldest_python
from tools.site.project import Project, fingerprint, sources
from tools.site.theme import archive_name, install_commands, install_notes

#: What the first cell of a notebook installs, in place of the published wheel. Tests set it.
SOURCE = "COURSE_INSTALL_SOURCE"
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
        extras_of = _write_chapters(project, folder, site)
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    for old in folder.iterdir():
        if old.name not in extras_of:
            old.unlink()
    for wheel in wheels:
        shutil.copy2(wheel, folder)
    files = [*(folder / name for name in extras_of), *wheels]
    write_archive(folder / archive_name(project.settings), files, _readme(project, extras_of))
    if (project.root / "binder").is_dir():
        shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def _write_chapters(project: Project, folder: Path, site: str) -> dict[str, list[str]]:
    """Write the notebooks that changed; return the extras that each needs, by its file name.

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
    wheels = " ".join(wheel_names(project.settings.course))
    common = fingerprint(_behind_all(project), repr(references), wheels, _address(site))
    done: dict[str, Any] = {}
    for chapter in chapters:
        file = folder / f"{chapter.stem}.ipynb"
        key = fingerprint([chapter], common)
        before = written.get(file.name, {})
        if before.get("key") == key and file.exists():
            done[file.name] = before
            continue
        chosen = _write_chapter(project, chapter, bank, references, site, file)
        done[file.name] = {"key": key, "extras": chosen}
    stamp.write_text(json.dumps(done))
    return {name: about["extras"] for name, about in done.items()}


def _write_chapter(
    project: Project, chapter: Path, bank: Bank, references: Any, site: str, file: Path
) -> list[str]:
    """Write one notebook; return the extras that it needs."""
    notebook = chapter_notebook(chapter, bank, references=references, site=site)
    install = to_install(project, chapter.stem, notebook, site)
    add_install_cell(notebook, install)
    nbformat.write(notebook, file)
    return list(install.extras)


def _readme(project: Project, extras_of: dict[str, list[str]]) -> str:
    """Return the text beside all notebooks, which names those that need more than most."""
    settings = project.settings
    more = [
        f"The chapter {name} needs [{','.join(extras)}].\n"
        for name, extras in extras_of.items()
        if not set(extras) <= set(settings.notebook_extras)
    ]
    return README.format(
        title=project.config()["title"],
        commands=indent("\n".join(install_commands(settings)), "    "),
        more="\n".join([*install_notes(settings.notebook_extras), ""])
        + ("\n" + "".join(more) if more else ""),
    )


def _behind_all(project: Project) -> list[Path]:
    """Return the files that every notebook depends on: what it needs shows in all packages."""
    folders = [project.root / "exercises", *(project.packages[name] for name in project.packages)]
    files = [file for each in folders for file in sources(each, ".py", ".json")]
    return [*sources(project.book / "assets"), *files, project.root / "pyproject.toml"]


def _address(site: str) -> str:
    """Return where notebooks find the wheels: the folder of the site, or what a test says."""
    return os.environ.get(SOURCE) or (f"{site}notebooks/" if site else "")


def to_install(project: Project, name: str, notebook: Any, site: str) -> Install:
    """Return what the notebook ``made`` of a chapter uses, and where it comes from.

    From the wheels, not from the repository: the wheels have the bundled front end. The published
    ones where ``site`` says at which address they are, and in any case those beside the notebook.

    Raises
    ------
    BuildError
        If the notebook uses what nothing in ``pyproject.toml`` installs.
    """
    reach = Reach(project.packages, notebook.cells)
    modules, chosen = extras(project, name, reach.modules)
    course, address = project.settings.course, _address(site)
    listed, names = ",".join(chosen), wheel_names(course)
    if address.endswith("/"):
        published = requirements(course, address, listed)
    else:
        extra = f"[{listed}]" if chosen else ""
        published = [f"{course.distribution}{extra} @ {address}"] if address else []
    python = oldest_python(project.root)
    return Install(modules, tuple(published), tuple(names), tuple(chosen), python)


def write_archive(target: Path, files: list[Path], readme: str) -> None:
    """Write ``files`` and a README into one folder of a zip; the same content, the same bytes."""
    content = {path.name: path.read_bytes() for path in files} | {"README.txt": readme.encode()}
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(content):
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content[name], zipfile.ZIP_DEFLATED)
