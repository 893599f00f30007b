"""Load data of a page when they are wanted, so that the page itself stays light.

Each file is a script that fills a variable: pages opened from a folder may load nothing else. It
stands in a folder of the pages' static files, and its name changes with what is in it.
"""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from coursekit.page.nodes import for_browser

#: The questions of the lists of cards; what code exercises are checked with.
CARDS, CHECKS = "coursekit-cards", "coursekit-checks"
_VARIABLES = {CARDS: "coursekitCards", CHECKS: "coursekitChecks"}


def keep(env: BuildEnvironment, folder: str, name: str, data: object) -> str:
    """Keep a page's data until files are written; return the address of its file.

    Parameters
    ----------
    env : BuildEnvironment
        Sphinx's, at the page.
    folder : str
        `CARDS` or `CHECKS`.
    name : str
        The name of the file, with ``.js``, and the key of the data in the variable.
    data : object
        What the script gets, ready for JSON.
    """
    value = json.dumps(data, ensure_ascii=False)
    text = f'(window.{_VARIABLES[folder]} ??= {{}})["{name}"] = {value};\n'
    _files(env).setdefault(env.docname, {})[f"{folder}/{name}"] = text
    return f"{folder}/{name}"


def _files(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Return, for each page, the scripts with its data: text by address."""
    files: dict[str, dict[str, str]] = vars(env).setdefault("coursekit_deferred", {})
    return files


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _files(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    _files(env).update({page: made for page, made in _files(other).items() if page in pages})


def _write(app: Sphinx, fault: Exception | None) -> None:
    """Write the scripts with the data of all pages, and none besides."""
    if fault is not None or not for_browser(app.builder):
        return
    static = Path(app.outdir, "_static")
    wanted = {name: text for made in _files(app.env).values() for name, text in made.items()}
    for old in [path for folder in _VARIABLES for path in (static / folder).glob("*.js")]:
        if f"{old.parent.name}/{old.name}" not in wanted:
            old.unlink()
    for name, text in wanted.items():
        file = static / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():  # the name says what is in it
            file.write_text(text, encoding="utf-8")


def register(app: Sphinx) -> None:
    """Register with Sphinx what writes the files."""
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _write)
