"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat

from coursekit.bank.load import load_bank
from coursekit.errors import CoursekitError
from coursekit.notebooks import Install, add_install_cell, chapter_notebook
from coursekit.notebooks.install import wheel_names
from coursekit.notebooks.packed import files_of, write_zip
from coursekit.notebooks.references import book_references
from coursekit.quoted import filled
from tools.site.environment import BuildError, say
from tools.site.executed import Outputs, to_read
from tools.site.header_buttons import archive_name
from tools.site.needs import Reach, extras
from tools.site.project import Project, fingerprint, sources
from tools.site.start_notebook import START, start_notebook

#: The folder of the notebooks with their outputs, to be read where nothing runs.
TO_READ = "to-read"
#: What the zip of one chapter is made of, by the chapter; the page makes it.
ZIPS = "zips.json"


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
        extras_of = _Chapters(project, folder, site).write()
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    common = Install(tuple(w.name for w in wheels), project.settings.notebook_extras, _at(site))
    start = start_notebook(project, extras_of)
    add_install_cell(start, common, at=2)
    nbformat.write(start, folder / START)
    for wheel in wheels:
        shutil.copy2(wheel, folder)
    names = [START, *extras_of, *(wheel.name for wheel in wheels)]
    _remove_others(folder, names)
    title = project.config()["title"]
    files = {name: (folder / name).read_bytes() for name in names}
    write_zip(folder / archive_name(project.settings), files | files_of(title, common, START))
    zips = {
        path: _zip(project, path, replace(common, extras=tuple(chosen)))
        for path, chosen in extras_of.items()
        if not path.startswith(TO_READ)
    }
    (folder / ZIPS).write_text(json.dumps(zips), encoding="utf-8")
    if (project.root / "binder").is_dir():
        shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def _remove_others(folder: Path, names: list[str]) -> None:
    """Remove what an earlier build wrote and this one did not."""
    for old in sorted(folder.rglob("*"), reverse=True):
        if old.is_file() and old.relative_to(folder).as_posix() not in names:
            old.unlink()
        elif old.is_dir() and not any(old.iterdir()):
            old.rmdir()


@dataclass(frozen=True)
class _Chapters:
    """The chapters of a course on their way into a folder as notebooks."""

    project: Project
    folder: Path
    site: str

    def write(self) -> dict[str, list[str]]:
        """Write the notebooks that changed; return the extras that each needs, by its path.

        A notebook is made again only if its chapter, its outputs or something that all of them are
        made of changed.
        """
        project = self.project
        stamp = project.build / "notebook-keys.json"
        written = json.loads(stamp.read_text()) if stamp.exists() else {}
        bank = load_bank(project.root / "exercises")
        references = book_references(project.book, bank.values(), self.site)
        paths = project.notebooks()
        wheels = " ".join(wheel_names(project.settings.course))
        behind = _behind_all(project)
        common = fingerprint(behind, repr(references), repr(paths), wheels, _at(self.site))
        outputs, done = Outputs(project), {}
        for name, path in paths.items():
            chapter = project.book / f"{name}.md"
            text = filled(chapter, chapter.read_text(encoding="utf-8"))
            key = fingerprint([], common, text, outputs.key(name))
            about = written.get(path, {})
            copy = f"{TO_READ}/{PurePosixPath(path).name}"
            is_there = all((self.folder / each).exists() for each in (path, copy))
            if about.get("key") != key or not is_there:
                beside = replace(references, beside=_as_seen_from(path, paths))
                made = chapter_notebook(chapter, bank, references=beside, site=self.site)
                install = to_install(project, name, made, self.site)
                about = {"key": key, "extras": list(install.extras)}
                self._save(deepcopy(made), install, path)
                to_read(made, outputs.of(chapter), f"../{path}")
                self._save(made, install, copy)
            done[path] = done[copy] = about
        stamp.write_text(json.dumps(done))
        return {path: about["extras"] for path, about in done.items()}

    def _save(self, notebook: Any, install: Install, path: str) -> None:
        add_install_cell(notebook, replace(install, folder="../" * path.count("/")))
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)


def _as_seen_from(path: str, paths: Mapping[str, str]) -> dict[str, str]:
    """Return the paths of notebooks, relative to the folder of one of them."""
    own = os.path.dirname(path) or "."
    return {name: os.path.relpath(other, own).replace(os.sep, "/") for name, other in paths.items()}


def _zip(project: Project, path: str, install: Install) -> dict[str, Any]:
    """Return what the zip of one chapter is made of."""
    stem = PurePosixPath(path).stem
    title = f"{project.config()['title']}: {stem}"
    texts = {name: text.decode() for name, text in files_of(title, install, path).items()}
    name = f"{project.settings.course.distribution}-{stem}"
    return {"name": name, "files": [path, *install.wheels], "texts": texts}


def _behind_all(project: Project) -> list[Path]:
    """Return the files that every notebook depends on: what it needs shows in all packages."""
    folders = [project.root / "exercises", *(project.packages[name] for name in project.packages)]
    files = sources(project.book / "assets") + [f for each in folders for f in sources(each, ".py")]
    return [*files, project.root / "pyproject.toml"]


def _at(site: str) -> str:
    """Return the address of the folder with the wheels."""
    return f"{site}notebooks/" if site else ""


def to_install(project: Project, name: str, notebook: Any, site: str) -> Install:
    """Return what the notebook made of a chapter needs, and where that comes from.

    From the wheels, not from the repository: the wheels have the bundled front end.

    Raises
    ------
    BuildError
        If the notebook uses what nothing in ``pyproject.toml`` installs.
    """
    reach = Reach(project.packages, notebook.cells)
    chosen = extras(project, name, reach.modules)
    return Install(tuple(wheel_names(project.settings.course)), tuple(chosen), _at(site))
