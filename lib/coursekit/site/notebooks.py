"""Write every chapter as a notebook into the site, with the wheel that its first cell installs."""

from __future__ import annotations

import json
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
from coursekit.site.project import Project, fingerprint, sources

#: What the first cell of a notebook installs, in place of the published wheel. Tests set it.
SOURCE = "COURSE_INSTALL_SOURCE"


def write_notebooks(project: Project, wheel: Path) -> None:
    """Fill ``notebooks/`` of the site, and lay ``binder/`` beside it for the published branch.

    A notebook is made again only if its chapter or something that all of them are made of changed.
    """
    folder, stamp = project.html / "notebooks", project.build / "notebooks.json"
    folder.mkdir(parents=True, exist_ok=True)
    known = json.loads(stamp.read_text()) if stamp.exists() else {}
    done: dict[str, str] = {}
    site = site_url((project.settings().get("repository") or {}).get("url") or "")
    if not site:
        say("  no Colab and Binder buttons: `repository: url:` in _config.yml is empty")
    try:
        bank = load_bank(project.root / "exercises")
        references = book_references(project.book, bank.values(), site)
        common = fingerprint(_behind_all(project), repr(references))
        for chapter in filter(project.is_notebook, project.chapters()):
            file = folder / f"{chapter.stem}.ipynb"
            source = install_source(chapter, wheel, site)
            key = done[file.name] = fingerprint([chapter], common, str(source))
            if known.get(file.name) == key and file.exists():
                continue
            made = chapter_notebook(chapter, bank, install=source, references=references, site=site)
            nbformat.write(made, file)
    except CoursekitError as error:
        raise BuildError(f"notebooks: {error}") from None
    for old in folder.iterdir():
        if old.name not in done:
            old.unlink()
    shutil.copy2(wheel, folder)
    stamp.write_text(json.dumps(done))
    shutil.copytree(project.root / "binder", project.html / "binder", dirs_exist_ok=True)


def _behind_all(project: Project) -> list[Path]:
    """Return the files that every notebook depends on."""
    folders = (project.root / "exercises", project.root / "lib" / "coursekit")
    pictures = sources(project.book / "assets")
    return pictures + [file for folder in folders for file in sources(folder, ".py")]


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
