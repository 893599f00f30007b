"""Make the file to hand in from a notebook, and say what is not answered."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import time
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from coursekit.in_notebook.shown import Shown
from coursekit.judge.expect import CheckFailed
from coursekit.judge.shell import without_magics
from coursekit.judge.verdict import NOT_STARTED, PLACEHOLDER

#: Where the notebook to hand in is put.
FOLDER = "hand-in"
#: How long ago a file may have been saved that counts as saved just now (seconds).
_JUST_NOW = 120


def fingerprint(source: str) -> str:
    """Return by what a cell is known in which nothing has been written yet."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:8]


def hand_in(file: str, begun: Mapping[str, tuple[str, str]]) -> Shown:
    """Write ``hand-in/<file>`` from the saved notebook, and show what is not answered in it.

    Parameters
    ----------
    file : str
        Name of the notebook that was handed out. A copy under another name is found where Jupyter
        tells which notebook this is.
    begun : mapping
        Ids of the cells for answers to the exercise's title and their `fingerprint` at first.

    Raises
    ------
    CheckFailed
        `nbgrader validate` runs the notebook, and something is not answered.
    """
    path = Path(os.environ.get("JPY_SESSION_NAME") or file)
    path = path if path.is_file() else Path(path.name)
    if not path.is_file():
        return _shown(f"{file} is not in this folder: download the notebook and hand that in.")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    left = unanswered(notebook, begun)
    said = f"Not answered yet: {', '.join(left)}." if left else "Nothing is left blank."
    if os.environ.get("NBGRADER_VALIDATING"):
        if left:
            raise CheckFailed(said, NOT_STARTED)
        return _shown(f"{said} Whether the answers are right is decided when they are graded.")
    copy = Path(FOLDER, file)
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(path.read_bytes())
    saved = time.strftime("%H:%M", time.localtime(path.stat().st_mtime))
    lines = [said, f"Hand in {copy.as_posix()}: the notebook as it was saved at {saved}."]
    if time.time() - path.stat().st_mtime > _JUST_NOW:
        lines.append("If you have changed it since, save it and run this cell again.")
    return _shown(*lines)


def unanswered(notebook: Any, begun: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return the titles of exercises with a cell for an answer that is gone, empty or as before.

    A title is followed by what is missing where that is a part: names that are still ``...``, a
    function that is not written, or all of a cell that is not Python.
    """
    by_id, by_role = {}, {}
    for cell in notebook["cells"]:
        about = cell["metadata"].get("coursekit", {})
        parts = (about.get(part) for part in ("exercise", "role", "item"))
        by_role["-".join(filter(None, parts))] = by_id[cell.get("id")] = cell
    # A notebook that was once saved in an older format has other ids, or none.
    cells = by_role | by_id
    left = []
    for id, (title, before) in begun.items():
        source = "".join(cells[id]["source"]) if id in cells else ""
        if fingerprint(source) in (before, fingerprint("")):
            left.append(title)
        elif cells[id]["cell_type"] == "code" and (missing := _missing(source)):
            left.append(f"{title} ({missing})")
    return list(dict.fromkeys(left))


def _missing(source: str) -> str:
    """Return what of a code cell is not there yet; empty where nothing is seen to be missing."""
    try:
        tree = ast.parse(without_magics(source))
    except SyntaxError as error:
        return f"line {error.lineno} is not Python: {error.msg}"
    parts = []
    for line in tree.body:  # a function of one's own may well use `...`
        if isinstance(line, ast.Assign) and getattr(line.value, "value", None) is ...:
            parts += [ast.unparse(target) for target in line.targets]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and PLACEHOLDER in ast.unparse(node):
            parts.append(f"{node.name}()")
    return ", ".join(parts)


def _shown(*lines: str) -> Shown:
    html = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return Shown(html, "\n".join(lines))
