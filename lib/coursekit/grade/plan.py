"""Which cells of a submitted notebook run, and which hold the answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from coursekit.grade.notebook_file import Cell
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE, ExerciseCell, Role, cell_id

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


def plan(cells: Sequence[Cell], exercises: Sequence[Exercise]) -> tuple[list[Step], list[Exercise]]:
    """Return the cells that run, in order, and the exercises for which there is no cell.

    They are recognised by their metadata (a grade id, coursekit's own mark) or, where a learner has
    lost that, by the names they define. They run from top to bottom, as in a notebook, so that the
    last of several copies counts.
    """
    answers = {name for exercise in exercises for name in exercise.names}
    marks = _marks(cells, exercises)
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
    steps = [Step(cells[i], defines[i], tuple(due.get(i, ()))) for i in runs]
    return steps, due.get(-1, [])


def _marks(cells: Sequence[Cell], exercises: Sequence[Exercise]) -> list[Mark]:
    """Return each cell's exercise, role and item, by metadata or by the id of the release."""
    roles: tuple[Role, ...] = ("answer", "restored", "figure", "check", "statement")
    prose: tuple[Role, ...] = ("statement", "text")
    places: list[tuple[str, Role, str]] = []
    for exercise in exercises:
        places += [(exercise.id, role, "") for role in roles]
        places += [(exercise.id, "check", check.name) for check in exercise.checks]
        places += [(exercise.id, role, q.name) for q in exercise.free_text for role in prose]
    by_id: dict[str, Mark] = {cell_id(*place): place for place in places}
    ids = {exercise.id for exercise in exercises}
    return [
        ("", "install", "")
        if cell.role == "install"
        else (cell.exercise, cell.role, cell.item)
        if cell.role and cell.exercise in ids
        else by_id.get(cell.grade_id, _UNKNOWN)
        for cell in cells
    ]


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
    texts = [part for part in parts if not part.is_code and part.role != "text"]
    known = {_ends(part.source): (part.exercise, part.role, part.item) for part in texts}
    marks = [
        known.get(_ends(cell.source), mark) if cell.is_text and mark == _UNKNOWN else mark
        for cell, mark in zip(cells, _marks(cells, exercises), strict=True)
    ]
    is_marked = {mark[0] for mark in marks if mark[1] == "answer"}
    names = {name for e in exercises if e.id not in is_marked for name in e.names}
    defines = list(_defined(cells, names)) if names else [frozenset[str]()] * len(cells)
    found: dict[str, Answer | None] = {}
    for exercise in exercises:
        own = [i for i, mark in enumerate(marks) if mark[:2] == (exercise.id, "answer")]
        own = own or [i for i, names in enumerate(defines) if names & set(exercise.names)]
        if own:
            doubt = f"the answer to {exercise.id} stands in a text cell"
            last = cells[own[-1]]
            answer = Answer(last.source, doubt=doubt if last.is_text else "")
            found[cell_id(exercise.id, "answer")] = answer
        for question in exercise.free_text:
            prose = _prose(cells, marks, exercise.id, question.name)
            found[cell_id(exercise.id, "text", question.name)] = prose
    return {id: answer for id, answer in found.items() if answer is not None}


def _ends(source: str) -> tuple[str, ...]:
    """Return how a text begins and ends: what it refers to is named otherwise in some notebooks."""
    words = source.split()
    return (*words[:12], *words[-2:])


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
    is_known = cell.role or mark != _UNKNOWN or _CHAPTERS.match(cell.grade_id)
    return cell.is_text and not is_known
