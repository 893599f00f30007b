"""Files that a page leads to and does not have in it: what it weighs stays small.

Data for its scripts are a script that fills a variable: pages opened from a folder may load nothing
else. A deck of cards is for readers. All stand in folders of the pages' static files.
"""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

#: The folders: what code exercises are checked with; decks of cards.
CHECKS, DECKS = "coursekit-checks", "coursekit-cards"


def keep(env: BuildEnvironment, folder: str, name: str, text: str) -> str:
    """Keep a file of a page until files are written; return its address.

    Parameters
    ----------
    env : BuildEnvironment
        Sphinx's, at the page.
    folder : str
        `CHECKS` or `DECKS`.
    name : str
        The name of the file.
    text : str
        What is in it.
    """
    _files(env).setdefault(env.docname, {})[f"{folder}/{name}"] = text
    return f"{folder}/{name}"


def keep_checks(env: BuildEnvironment, name: str, data: object) -> None:
    """Keep what an exercise is checked with; ``name`` is the file's and changes with the data."""
    value = json.dumps(data, ensure_ascii=False)
    keep(env, CHECKS, name, f'(window.coursekitChecks ??= {{}})["{name}"] = {value};\n')


def _files(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Return, for each page, its files: text by address."""
    files: dict[str, dict[str, str]] = vars(env).setdefault("coursekit_later", {})
    return files


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _files(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    _files(env).update({page: made for page, made in _files(other).items() if page in pages})


def _write(app: Sphinx, fault: Exception | None) -> None:
    """Write the files of all pages, and none besides."""
    if fault is not None:
        return
    static = Path(app.outdir, "_static")
    wanted = {name: text for made in _files(app.env).values() for name, text in made.items()}
    for old in [path for folder in (CHECKS, DECKS) for path in (static / folder).glob("*")]:
        if f"{old.parent.name}/{old.name}" not in wanted:
            old.unlink()
    for name, text in wanted.items():
        file = static / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def register(app: Sphinx) -> None:
    """Register with Sphinx what writes the files."""
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _write)
