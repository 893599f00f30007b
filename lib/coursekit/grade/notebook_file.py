"""A submitted notebook: its cells, read from bytes that may be anything."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SKIPPED = "skip-execution"
#: How many cells are read, and how much code is run (characters). Outputs are not read at all, and
#: text costs no time: an honest notebook with large pictures has a hundredth of this in code.
_MOST_CELLS = 2000
_MOST_CODE_CELLS = 500
_MOST_CODE = 5_000_000
#: What other files begin with that are handed in instead, or saved under a notebook's name.
_KINDS = {
    r"\s*<[a-z!?]": "a web page",
    "%PDF": "a PDF",
    r"\{\\rtf": "a text in RTF",
    "\x1f\x8b": "compressed with gzip",
    "PK\x03\x04": "a zip",
    "\x89PNG|\xff\xd8\xff|GIF8|....ftyp": "a picture or a film",
}
_CONFLICT = re.compile(r"^<{7} .*^>{7} ", re.MULTILINE | re.DOTALL)
#: How Colab keeps a picture in a text.
_PICTURE = re.compile(r"data:image/[^)>\s\"']+")
#: No exercise has been changed so often.
_LAST_VERSION = 9999


class UnreadableError(Exception):
    """These bytes are not a notebook that can be graded; the text tells what they are."""


@dataclass(frozen=True)
class Cell:
    """One cell: its source, and its role according to its metadata (empty where there is none).

    ``version`` is that of its exercise when the notebook was handed out, 0 for an impossible one.
    ``pictures`` are those in a text cell, of which the source has the names.
    """

    source: str
    is_code: bool
    is_text: bool = False
    pictures: int = 0
    grade_id: str = ""
    exercise: str = ""
    role: str = ""
    item: str = ""
    version: int = 1


def read_notebook(data: bytes) -> tuple[list[Cell], list[str]]:
    """Return the cells in ``data``, and reasons for a person to look; raises `UnreadableError`.

    Editors and old tools produce other encodings, other kernels and nbformat 3. These are read all
    the same, with a warning.
    """
    text, warnings = _text(data)
    try:
        content = json.loads(text)
        if isinstance(content, str):
            content = json.loads(content)
            warnings.append("it is JSON within a text of JSON")
    except RecursionError:
        raise UnreadableError("is nested too deeply to be a notebook") from None
    except ValueError as error:
        if kind := _kind(text):
            raise UnreadableError(f"is {kind}, not a notebook") from None
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableError(f"is not JSON{where}; expected a notebook file") from None
    cells, version = _cells(content)
    if version < 4:
        warnings.append(f"it is of the old notebook format {version}")
    language = _language(content)
    if language not in ("", "python", "python3", "ipython"):
        warnings.append(f"its kernel is {language}, and it was run as Python")
    read = [_cell(c) for c in cells]
    _refuse_large([cell.source for cell in read if cell.is_code])
    return read, warnings


def holds_notebook(data: bytes) -> bool:
    """Whether bytes are a notebook, whatever their file is called."""
    try:
        return bool(read_notebook(data))
    except UnreadableError:
        return False


def kind_of(data: bytes) -> str:
    """Return what bytes are that are no notebook, such as "a web page"."""
    return _kind(data.decode("latin-1")) or "some other file"


def _kind(text: str) -> str:
    for start, kind in _KINDS.items():
        if re.match(start, text, re.IGNORECASE | re.DOTALL):
            return kind
    return "a file with git's marks of a conflict" if _CONFLICT.search(text) else ""


def _refuse_large(code: list[str]) -> None:
    """Refuse what would keep a grader busy: it reads all code before it runs any."""
    if len(code) > _MOST_CODE_CELLS:
        raise UnreadableError(
            f"has {len(code)} cells of code; at most {_MOST_CODE_CELLS} are run. Hand in a "
            "notebook with fewer (text and outputs do not count)"
        )
    size = sum(map(len, code))
    if size > _MOST_CODE:
        raise UnreadableError(
            f"has {size / 1e6:.1f} million characters of code; at most {_MOST_CODE / 1e6:g} "
            "million are run. Hand in a notebook with less (text and outputs do not count)"
        )


def _text(data: bytes) -> tuple[str, list[str]]:
    if not data.strip():
        raise UnreadableError("is empty; expected a notebook file")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16"), ["it is encoded as UTF-16, not UTF-8"]
        except UnicodeDecodeError:
            raise UnreadableError("is neither UTF-8 nor UTF-16 text") from None
    warnings = ["zero bytes at its end were left out"] if data.endswith(b"\0") else []
    data = data.rstrip(b"\0")
    try:
        return data.decode("utf-8-sig"), warnings
    except UnicodeDecodeError:
        warnings.append("it is not encoded as UTF-8, and was read as Latin-1")
        return data.decode("latin-1"), warnings


def _cells(content: Any) -> tuple[list[dict[str, Any]], int]:
    if not isinstance(content, dict):
        raise UnreadableError("is JSON but not a notebook: it holds no object")
    version = content.get("nbformat", 4)
    cells = content.get("cells")
    if cells is None and isinstance(content.get("worksheets"), list):
        sheets = [s for s in content["worksheets"] if isinstance(s, dict)]
        cells = [c for s in sheets for c in _list(s.get("cells"))]
    if not isinstance(cells, list):
        raise UnreadableError("is JSON but not a notebook: it has no cells")
    if len(cells) > _MOST_CELLS:
        raise UnreadableError(
            f"has {len(cells)} cells; at most {_MOST_CELLS} are read. Hand in a notebook with fewer"
        )
    return [c for c in cells if isinstance(c, dict)], version if type(version) is int else 4


def _cell(cell: dict[str, Any]) -> Cell:
    metadata = _dict(cell.get("metadata"))
    ours, theirs = _dict(metadata.get("coursekit")), _dict(metadata.get("nbgrader"))
    source = cell.get("source", cell.get("input", ""))
    is_text = cell.get("cell_type") != "code"
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source, inside = _PICTURE.subn("a picture", _str(source)) if is_text else (_str(source), 0)
    return Cell(
        source=source,
        is_text=is_text,
        pictures=inside + len(_dict(cell.get("attachments"))),
        # nbclient skips these cells, too: what takes minutes and earns nothing.
        is_code=cell.get("cell_type") == "code" and _SKIPPED not in _list(metadata.get("tags")),
        grade_id=_str(theirs.get("grade_id")) or _str(cell.get("id")),
        exercise=_str(ours.get("exercise")),
        role=_str(ours.get("role")),
        item=_str(ours.get("item")),
        version=_version(ours.get("version")),
    )


def _language(content: Any) -> str:
    metadata = _dict(content.get("metadata"))
    kernel, info = _dict(metadata.get("kernelspec")), _dict(metadata.get("language_info"))
    return (_str(info.get("name")) or _str(kernel.get("language")))[:40].lower()


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _version(value: Any) -> int:
    if type(value) is not int or value < 1:
        return 1
    return value if value <= _LAST_VERSION else 0


def _str(value: Any) -> str:
    return value if isinstance(value, str) else ""
