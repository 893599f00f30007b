"""A submitted notebook: its cells, read from bytes that may be anything, and which of them run."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE, ExerciseCell, Role, cell_id

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


@dataclass(frozen=True)
class NotebookFile:
    """The cells of a submission; ``warnings`` are reasons for a person to look."""

    cells: tuple[Cell, ...]
    warnings: tuple[str, ...] = field(default=())


def read_notebook(data: bytes) -> NotebookFile:
    """Return the cells in ``data``; raises `UnreadableError`.

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
    read = tuple(_cell(c) for c in cells)
    _refuse_large([cell.source for cell in read if cell.is_code])
    return NotebookFile(read, tuple(warnings))


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


# --- which cells run ------------------------------------------------------------------------------

#: Roles of cells that are ours, not the learner's: checks run in the grader, figures only show.
_OURS = frozenset({"check", "figure", "restored", "install"})
#: Longest cell that is parsed, and how much of a notebook is (characters): parsing takes a
#: microsecond for each, and some hundred times its length in memory.
_MOST_SOURCE = 200_000
_MOST_PARSED = 1_000_000
#: Cells up to this length are remembered: a class has most of its cells in common (characters).
_SHORT = 20_000
_LONG_FOREIGN = re.compile(r"[^\x00-\x7f]{1000}")
#: Exercise, role and item.
Mark: TypeAlias = tuple[str, str, str]
_UNKNOWN: Mark = ("", "", "")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Step:
    """A code cell to run, what it defines of the answers, the exercises to grade after it."""

    cell: Cell
    defines: frozenset[str]
    due: tuple[Exercise, ...]


@dataclass(frozen=True)
class Plan:
    """Which cells to run, in order, and which exercises to grade after each.

    Attributes
    ----------
    steps : tuple of Step
        The cells that run.
    last : tuple of Exercise
        Exercises for which the notebook has no cell; they are tried when all cells have run.
    """

    steps: tuple[Step, ...]
    last: tuple[Exercise, ...]


def plan(cells: Sequence[Cell], exercises: Sequence[Exercise]) -> Plan:
    """Return the plan for a submission's cells.

    They are recognised by their metadata (a grade id, coursekit's own mark) or, where a learner has
    lost that, by the names they define. They run from top to bottom, as in a notebook, so that the
    last of several copies counts.
    """
    answers = {name for exercise in exercises for name in exercise.names}
    by_id = _marks_by_id(exercises)
    marks = [_mark(cell, exercises, by_id) for cell in cells]
    defines = list(_defined(cells, answers))
    runs = [
        i
        for i, cell in enumerate(cells)
        if cell.is_code and cell.source.strip() and (marks[i][1] not in _OURS or defines[i])
    ]
    due: dict[int, list[Exercise]] = {}
    for exercise in exercises:
        position = _position(exercise, marks, defines)
        before = [i for i in runs if i <= position]
        due.setdefault(before[-1] if before else -1, []).append(exercise)
    steps = tuple(Step(cells[i], defines[i], tuple(due.get(i, ()))) for i in runs)
    return Plan(steps, tuple(due.get(-1, ())))


def _marks_by_id(exercises: Sequence[Exercise]) -> dict[str, Mark]:
    """Return exercise, role and item by the id with which such a cell was released."""
    roles: tuple[Role, ...] = ("answer", "restored", "figure", "check", "statement")
    prose: tuple[Role, ...] = ("statement", "text")
    places: list[tuple[str, Role, str]] = []
    for exercise in exercises:
        places += [(exercise.id, role, "") for role in roles]
        places += [(exercise.id, "check", check.name) for check in exercise.checks]
        places += [(exercise.id, role, q.name) for q in exercise.free_text for role in prose]
    return {cell_id(*place): place for place in places}


def _mark(cell: Cell, exercises: Sequence[Exercise], by_id: Mapping[str, Mark]) -> Mark:
    """Return a cell's exercise, role and item by its metadata or its id."""
    if cell.role == "install":
        return "", cell.role, ""
    if cell.role and any(cell.exercise == exercise.id for exercise in exercises):
        return cell.exercise, cell.role, cell.item
    return by_id.get(cell.grade_id, _UNKNOWN)


def _position(exercise: Exercise, marks: list[Mark], defines: list[frozenset[str]]) -> int:
    """Return the index of the cell after which the answer is complete, or -1."""
    by_mark = [
        i
        for i, (id, role, _) in enumerate(marks)
        if id == exercise.id and role in ("answer", "check")
    ]
    by_name = [i for i, names in enumerate(defines) if names & set(exercise.names)]
    return max(by_mark or by_name, default=-1)


def _defined(cells: Sequence[Cell], answers: Set[str]) -> Iterator[frozenset[str]]:
    """Yield which of the answers' names each cell's top level binds; none if it is not Python.

    Only a cell that has such a name in its text is parsed, up to a length and as long as the
    notebook's other cells have not been too long altogether.
    """
    left = _MOST_PARSED
    for cell in cells:
        size = len(cell.source)
        if (
            not (cell.is_code or cell.is_text)
            or size > min(_MOST_SOURCE, left)
            or not _may_define(cell.source, answers)
        ):
            yield frozenset()
            continue
        left -= size
        yield (_names if size < _SHORT else _names.__wrapped__)(cell.source) & answers


def _may_define(source: str, answers: Set[str]) -> bool:
    """Whether a cell is worth parsing, by its text alone."""
    if source.isascii():
        return any(name in source for name in answers)
    # Python takes some letters beyond ASCII for others: ``𝐱`` is the name ``x``. To find out, it
    # sorts each name's accents, in a time that grows with the square of their number.
    return not _LONG_FOREIGN.search(source)


@lru_cache(maxsize=512)
def _names(source: str) -> frozenset[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(name for node in _top_level(tree) for name in _bound(node))


def _top_level(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run in the cell's own scope."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def _bound(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.split(".")[0]]
    return []


# --- which cells are a learner's own --------------------------------------------------------------

#: The ids of a chapter's own text.
_CHAPTERS = re.compile(r"(?:cell|cards)-")


class Answer(NamedTuple):
    """What was handed in for a cell of the learner's own; ``doubt`` is why a person should look."""

    source: str
    pictures: int = 0
    doubt: str = ""


def answers_in(
    cells: Sequence[Cell], exercises: Sequence[Exercise], parts: Sequence[ExerciseCell]
) -> dict[str, Answer]:
    """Return what was handed in for the cells for code and prose, by the ids of these.

    ``parts`` are the cells of the exercises. Where a cell has lost its metadata, code is known by
    the names that it defines, and prose by its place below its question.
    """
    by_id = _marks_by_id(exercises)
    texts = [part for part in parts if not part.is_code and part.role != "text"]
    known = {_ends(part.source): (part.exercise, part.role, part.item) for part in texts}
    marks = [_mark(cell, exercises, by_id) for cell in cells]
    marks = [
        known.get(_ends(cell.source), mark) if cell.is_text and mark == _UNKNOWN else mark
        for cell, mark in zip(cells, marks, strict=True)
    ]
    is_marked = {mark[0] for mark in marks if mark[1] == "answer"}
    names = {name for e in exercises if e.id not in is_marked for name in e.names}
    defines = list(_defined(cells, names)) if names else [frozenset[str]()] * len(cells)
    found: dict[str, Answer | None] = {}
    for exercise in exercises:
        own = [i for i, mark in enumerate(marks) if mark[:2] == (exercise.id, "answer")]
        own = own or [i for i, names in enumerate(defines) if names & set(exercise.names)]
        found[cell_id(exercise.id, "answer")] = _code(cells[own[-1]], exercise) if own else None
        for question in exercise.free_text:
            prose = _prose(cells, marks, exercise.id, question.name)
            found[cell_id(exercise.id, "text", question.name)] = prose
    return {id: answer for id, answer in found.items() if answer is not None}


def _ends(source: str) -> tuple[str, ...]:
    """Return how a text begins and ends: what it refers to is named otherwise in some notebooks."""
    words = source.split()
    return (*words[:12], *words[-2:])


def _code(cell: Cell, exercise: Exercise) -> Answer:
    doubt = f"the answer to {exercise.id} stands in a text cell"
    return Answer(cell.source, doubt=doubt if cell.is_text else "")


def _prose(
    cells: Sequence[Cell], marks: Sequence[Mark], exercise: str, question: str
) -> Answer | None:
    own = [i for i, mark in enumerate(marks) if mark == (exercise, "text", question)]
    if own and _is_written(last := cells[own[-1]]):
        return Answer(last.source.strip(), last.pictures)
    above = own or [i for i, mark in enumerate(marks) if mark == (exercise, "statement", question)]
    if not above:
        return None
    below = range(above[-1] + 1, len(cells))
    theirs = [cells[i] for i in takewhile(lambda i: _is_new(cells[i], marks[i]), below)]
    if written := [cell for cell in theirs if _is_written(cell)]:
        source = "\n\n".join(cell.source.strip() for cell in written)
        doubt = f"the answer to {question} was found by its place, below its question"
        return Answer(source, sum(cell.pictures for cell in written), doubt)
    return Answer("") if own or theirs else None


def _is_written(cell: Cell) -> bool:
    return cell.source.strip() not in ("", WRITE_HERE)


def _is_new(cell: Cell, mark: Mark) -> bool:
    """Whether a cell is a text that the notebook was not handed out with, as far as is known."""
    return cell.is_text and mark == _UNKNOWN and not _CHAPTERS.match(cell.grade_id)
