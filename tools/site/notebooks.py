"""Write every chapter as a notebook into the site, with the wheel that its first cell installs.

A chapter needs the extras of that wheel that the setting ``notebook-extras`` names, unless its
front matter names others, as in ``extras: [notebook]``.
"""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import packages_distributions
from pathlib import Path
from textwrap import indent

import nbformat
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from coursekit.bank import load_bank
from coursekit.errors import CoursekitError, carrier
from coursekit.notebook import add_install_cell, chapter_notebook
from coursekit.notebook.install import requirements as published_requirements
from coursekit.notebook.install import wheel_names
from coursekit.notebook.references import References, book_references
from tools.site.environment import BuildError, say
from tools.site.offline import write_zip
from tools.site.project import Project, fingerprint, front_matter, sources
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

    ``wheels`` are the course's own, and that which brings coursekit if it is another.
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
    readme = README.format(
        title=project.config()["title"],
        commands=indent("\n".join(install_commands(project)), "    "),
        more="\n".join([*install_notes(project.notebook_extras), ""]),
    )
    content["README.txt"] = readme.encode()
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
    folders = [project.root / "exercises", *project.packages.values()]
    files = [file for each in folders for file in sources(each, ".py", ".json", ".txt")]
    files += [*sources(project.book / "assets"), project.root / "pyproject.toml"]
    common = fingerprint(files, repr(references), *wheel_names(project.course))
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
    notebook = chapter_notebook(chapter, bank, references=references, site=site, by_name=True)
    add_install_cell(notebook, *to_install(project, chapter, site))
    nbformat.write(notebook, folder / f"{chapter.stem}.ipynb")


_bank = cache(load_bank)  # once in each process of the pool


def to_install(project: Project, chapter: Path, site: str) -> tuple[set[str], list[str]]:
    """Return the modules that a chapter's notebook uses, and what pip installs for them.

    From the wheels, not from the repository: the wheels have the bundled front end. The published
    ones where ``site`` says at which address they are, else those beside the notebook.
    """
    modules, chosen = needs(project, chapter)
    listed = ",".join(chosen)
    if site:
        return modules, published_requirements(project.course, f"{site}notebooks/", listed)
    own, *others = wheel_names(project.course)
    return modules, [f"{own}[{listed}]" if listed else own, *others]


def requirements(project: Project) -> dict[str, dict[str, str]]:
    """Return pip's requirements by extra and distribution; "" is no extra."""
    optional = project.package.get("optional-dependencies", {})
    by_extra = {"": project.package.get("dependencies", []), **optional}
    return {
        extra: {canonicalize_name(Requirement(need).name): need for need in needs}
        for extra, needs in by_extra.items()
    }


def needs(project: Project, chapter: Path) -> tuple[set[str], list[str]]:
    """Return the modules that a chapter needs, directly or not, and its extras.

    A module that only some systems have comes with its extra and is left out.

    Raises
    ------
    BuildError
        If the course has no such extra.
    """
    known = requirements(project)
    extras = list(yaml.safe_load(front_matter(chapter)).get("extras", project.notebook_extras))
    if unknown := set(extras) - known.keys():
        raise BuildError(f"{chapter.stem}: extras has {min(unknown)}, which pyproject.toml has not")
    brought = {name: need for extra in ("", *extras) for name, need in known[extra].items()}
    brought.pop(canonicalize_name(carrier()), None)
    others = {_module(name) for name, need in brought.items() if ";" not in need}
    return {*project.packages} | others, extras


_modules = cache(packages_distributions)


def _module(distribution: str) -> str:
    """Return the module that a distribution brings: that of its name, if there is one."""
    own = distribution.replace("-", "_")
    all_modules = _modules().items()
    brought = [name for name, of in all_modules if distribution in {*map(canonicalize_name, of)}]
    return own if own in brought or not brought else min(brought, key=lambda name: name[:1] == "_")
