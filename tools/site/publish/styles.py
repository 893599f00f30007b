"""Make one small style sheet of those of the frame, the figures, the exercises and the course."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

from tools.site.environment import run_node
from tools.site.project import Project, fingerprint

_NAMES = re.compile(r'<([a-z][\w-]*)|\s(?:class|id)="([^"]*)"|\s([a-z][\w-]*)(?==)')
_CLASSES = re.compile(r'\bclass="([^"]*)')
_FIELD = re.compile(r"\{[^}]*\}")  # of an f-string
#: What publishing writes into staged pages.
_ADDED = {"ln", "long", "promise", "meta", "b", "i", "s", "inert"}
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_VARIABLE = re.compile(r"--[a-z][\w-]*")


def names_in(page: str) -> set[str]:
    """Return what a sheet can name in a page: elements, classes, ids, attributes and variables."""
    names: set[str] = set()
    for tag, classes, attribute in _NAMES.findall(page):
        names.update([tag, attribute, *classes.split()])
    return names | set(_VARIABLE.findall(page))


def classes_in(wheel: Path) -> set[str]:
    """Return the classes of what a wheel's Python writes, which a page has once it has run."""
    with zipfile.ZipFile(wheel) as whole:
        sources = [whole.read(name).decode() for name in whole.namelist() if name.endswith(".py")]
    written = (classes for source in sources for classes in _CLASSES.findall(source))
    return {name for classes in written for name in _WORD.findall(_FIELD.sub(" ", classes))}


def style_sheet(
    project: Project,
    files: list[Path],
    pages: list[str],
    scripts: list[Path],
    wheel: Path | None = None,
) -> str:
    """Return one style sheet with the rules of ``files`` that pages, scripts and a wheel use.

    The words of the pages' text are left out of account: a text edit needs no new sheet.
    """
    words = {name for page in pages for name in names_in(page)} | _ADDED
    for script in scripts:
        source = script.read_text(encoding="utf-8")
        words.update(_WORD.findall(source), _VARIABLE.findall(source))
    if wheel and wheel.exists():
        words |= classes_in(wheel)
    text = " ".join(sorted(words - {""}))
    tool = Path(__file__).with_name("styles.mjs")
    cached = project.cache / "styles" / f"{fingerprint([*files, tool], text)[:16]}.css"
    if not cached.exists():
        question = json.dumps({"files": [str(f) for f in files], "words": text})
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(run_node(tool, question, "style sheet"), encoding="utf-8")
    return cached.read_text(encoding="utf-8")
