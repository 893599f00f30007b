"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import nbformat

from coursekit.bank import load_bank
from coursekit.errors import DISTRIBUTION, CoursekitError
from coursekit.notebook import Install, add_install_cell, chapter_notebook
from coursekit.notebook.install import site_url
from coursekit.notebook.references import book_references
from tools.site.environment import BuildError, say
from tools.site.header_buttons import ARCHIVE
from tools.site.needs import Reach, extras
from tools.site.project import Project, fingerprint, sources

#: What the first cell of a notebook installs, in place of the published wheel. Tests set it.
SOURCE = "COURSE_INSTALL_SOURCE"
README = """\
{title}: every chapter as a notebook

You need Python 3.11 or newer. In this folder, run

    python -m pip install "{wheel}[notebook,torch]" jupyterlab
    jupyter lab

The chapter instructors.ipynb needs [notebook,torch,grading,cluster]. If you leave the first line
out and open a notebook in a Jupyter of yours, its first cell installs what that chapter needs.
"""


def write_notebooks(project: Project, wheel: Path) -> None:
    """Fill ``notebooks/`` of the site, and lay ``binder/`` beside it for the published branch.

    A notebook is made again only if its chapter or something that all of them are made of changed.
    """
    folder, stamp = project.html / "notebooks", project.build / "notebooks.json"
    folder.mkdir(parents=True, exist_ok=True)
    known = json.loads(stamp.read_text()) if stamp.exists() else {}
    done: dict[str, str] = {}
    try:
        site = site_url((project.settings().get("repository") or {}).get("url") or "")
        if not site:
            say("  no Colab and Binder buttons: `repository: url:` in _config.yml is empty")
        bank = load_bank(project.root / "exercises")
        references = book_references(project.book, bank.values(), site)
        common = fingerprint(_behind_all(project), repr(references), wheel.name, _address(site))
        for chapter in filter(project.is_notebook, project.chapters()):
            file = folder / f"{chapter.stem}.ipynb"
            key = done[file.name] = fingerprint([chapter], common)
            if known.get(file.name) == key and file.exists():
                continue
            made = chapter_notebook(chapter, bank, references=references, site=site)
            add_install_cell(made, to_install(project, chapter.stem, made, wheel, site))
            nbformat.write(made, file)
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    for old in folder.iterdir():
        if old.name not in done:
            old.unlink()
    shutil.copy2(wheel, folder)
    readme = README.format(title=project.settings()["title"], wheel=wheel.name)
    write_archive(folder / ARCHIVE, [*(folder / name for name in done), wheel], readme)
    stamp.write_text(json.dumps(done))
    shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def _behind_all(project: Project) -> list[Path]:
    """Return the files that every notebook depends on: what it needs shows in all of ``lib``."""
    folders = (project.root / "exercises", project.root / "lib")
    files = sources(project.book / "assets") + [f for each in folders for f in sources(each, ".py")]
    return [*files, project.root / "pyproject.toml"]


def _address(site: str) -> str:
    """Return where notebooks find the wheel: the folder of the site, or what a test says."""
    return os.environ.get(SOURCE) or (f"{site}notebooks/" if site else "")


def to_install(project: Project, name: str, made: Any, wheel: Path, site: str) -> Install:
    """Return what the notebook ``made`` of a chapter uses, and where it comes from.

    From the wheel, not from the repository: the wheel has the bundled front end. The published one
    where ``site`` says at which address that is, and in any case the one beside the notebook.

    Raises
    ------
    BuildError
        If the notebook uses what nothing in ``pyproject.toml`` installs.
    """
    reach = Reach(project.root / "lib", made.cells)
    modules, chosen = extras(project.root, name, reach.modules)
    address = _address(site)
    address += wheel.name if address.endswith("/") else ""
    source = f"{DISTRIBUTION}[{','.join(chosen)}] @ {address}" if address else ""
    return Install(modules, source, wheel.name, tuple(chosen))


def write_archive(target: Path, files: list[Path], readme: str) -> None:
    """Write ``files`` and a README into one folder of a zip; the same content, the same bytes."""
    content = {path.name: path.read_bytes() for path in files} | {"README.txt": readme.encode()}
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(content):
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content[name], zipfile.ZIP_DEFLATED)
