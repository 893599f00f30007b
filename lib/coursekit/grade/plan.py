"""Plan which cells of a submission run, and after which of them each exercise is graded.

Cells are recognised by their metadata (a grade id, coursekit's own mark) or, where a learner has
lost that, by the names they define. Cells run from top to bottom, as in a notebook, so that the
last of several copies counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from coursekit.bank.model import Exercise
from coursekit.grade.notebook_file import Cell
from coursekit.judge.own_cells import MOST_PARSED, defined, may_bind
from coursekit.notebooks.cell_ids import Role, cell_id

#: Roles of cells that are ours, not the learner's: checks run in the grader, figures only show.
_OURS = frozenset({"attachment", "check", "figure", "restored", "install", "gate", "progress"})
Mark: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Step:
    """A code cell to run, what it defines of the answers, the exercises to grade after it.

    ``mark`` is the exercise that it belongs to and its role, both empty where that is unknown.
    """

    cell: Cell
    mark: Mark
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
    """Return the plan for a submission's cells."""
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
    steps = tuple(Step(cells[i], marks[i], defines[i], tuple(due.get(i, ()))) for i in runs)
    return Plan(steps, tuple(due.get(-1, ())))


def _marks_by_id(exercises: Sequence[Exercise]) -> dict[str, Mark]:
    """Return (exercise, role) by the id with which such a cell was released."""
    roles: tuple[Role, ...] = ("answer", "restored", "figure", "check")
    marks: dict[str, Mark] = {}
    for exercise in exercises:
        marks |= {cell_id(exercise.id, role): (exercise.id, role) for role in roles}
        ids = [cell_id(exercise.id, "check", check.name) for check in exercise.checks]
        marks |= dict.fromkeys(ids, (exercise.id, "check"))
    return marks


def _mark(cell: Cell, exercises: Sequence[Exercise], by_id: Mapping[str, Mark]) -> Mark:
    """Return (exercise, role) of a cell by its metadata or its id; empty where unknown."""
    if cell.role in ("attachment", "chapter", "install", "progress"):
        return "", cell.role
    if cell.role and any(cell.exercise == exercise.id for exercise in exercises):
        return cell.exercise, cell.role
    return by_id.get(cell.grade_id, ("", ""))


def _position(exercise: Exercise, marks: list[Mark], defines: list[frozenset[str]]) -> int:
    """Return the index of the cell after which the answer is complete, or -1."""
    by_mark = [
        i for i, (id, role) in enumerate(marks) if id == exercise.id and role in ("answer", "check")
    ]
    by_name = [i for i, names in enumerate(defines) if names & set(exercise.names)]
    return max(by_mark or by_name, default=-1)


def _defined(cells: Sequence[Cell], answers: Set[str]) -> Iterator[frozenset[str]]:
    """Yield which of the answers' names each cell's top level binds; none if it is not Python.

    Cells are read as long as the notebook's other cells have not been too long altogether.
    """
    left = MOST_PARSED
    for cell in cells:
        is_read = cell.is_code and len(cell.source) <= left and may_bind(cell.source, answers)
        left -= len(cell.source) if is_read else 0
        yield defined(cell.source, answers) if is_read else frozenset()
