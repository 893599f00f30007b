"""Item analysis: how a class did on each check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from coursekit.grade.wrong_answers import answer_to
from coursekit.judge.verdict import NOT_STARTED, Status, Verdict
from coursekit.results.versions import cohorts
from coursekit.row import Row, RowStatus

#: Exercise and check.
Name: TypeAlias = tuple[str, str]
Verdicts: TypeAlias = dict[Name, Verdict]

_MOST_MISCONCEPTIONS = 3
#: How many must have the same code for it to be called common.
_FEWEST = 2
#: Points that differ by less are equal: sums of floats.
_ALIKE = 1e-9


@dataclass(frozen=True)
class Item:
    """How a class did on one check.

    Attributes
    ----------
    students : int
        The submissions that could be read: the base of all that follows.
    share : float
        Mean of points earned over points to earn, 0 to 1: 1 is easy. (Item analysis calls this
        the difficulty.)
    discrimination : float
        Correlation, over the students, of these points with those of all other exercises; NaN
        where there is no other exercise, or where all students did alike. Near 0 or below: the
        check measures something else.
    not_started : int
        Students who left the starter as it was. They count in ``share``, with 0 points.
    misconceptions : sequence of (str, int)
        The commonest, with the number of students.
    wrong : int
        Students whose answer the check refused.
    answer : str
        The commonest code among theirs; "" where no two have the same.
    answers : int
        How many have it.
    """

    assignment: str
    exercise: str
    check: str
    students: int
    share: float
    discrimination: float
    not_started: int
    misconceptions: tuple[tuple[str, int], ...]
    wrong: int
    answer: str
    answers: int


def readable(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of submissions that could be read: the others have no answers."""
    unanswered = (RowStatus.UNREADABLE, RowStatus.NOT_SUBMITTED)
    return [row for row in rows if row.checks and row.status not in unanswered]


def items(rows: Iterable[Row]) -> list[Item]:
    """Return the analysis of every check, by assignment, in the order of the checks.

    Where exercises were graded in several versions, `cohorts` parts the assignment.
    Submissions that could not be read are left out, and so is prose that waits for a person.
    """
    return [
        item
        for label, own in cohorts(rows).items()
        if (answered := readable(own))
        for item in _assignment_items(label, answered)
    ]


def _assignment_items(label: str, rows: Sequence[Row]) -> list[Item]:
    students: list[Verdicts] = [{(c.exercise, c.check): c for c in row.checks} for row in rows]
    max_points = {name: c.max_points for own in students for name, c in own.items()}
    waiting = {n for own in students for n, c in own.items() if c.status is Status.MANUAL}
    graded = [name for name in max_points if max_points[name] > 0 and name not in waiting]
    shares = np.array(
        [[_points(own, name) / max_points[name] for name in graded] for own in students]
    )
    points = shares * [max_points[name] for name in graded]
    items = []
    for at, name in enumerate(graded):
        others = [other[0] != name[0] for other in graded]
        discrimination = _discrimination(points[:, at], points[:, others].sum(axis=1))
        items.append(_item(label, name, rows, students, shares[:, at].mean(), discrimination))
    return items


def _item(
    assignment: str,
    name: Name,
    rows: Sequence[Row],
    students: Sequence[Verdicts],
    share: float,
    discrimination: float,
) -> Item:
    counts = Counter(own[name].misconception for own in students if name in own)
    not_started = counts.pop(NOT_STARTED, 0)
    counts.pop(None, None)
    wrong, answer, answers = _commonest(rows, students, name)
    return Item(
        assignment=assignment,
        exercise=name[0],
        check=name[1],
        students=len(students),
        share=float(share),
        discrimination=discrimination,
        not_started=not_started,
        misconceptions=tuple((str(id), n) for id, n in counts.most_common(_MOST_MISCONCEPTIONS)),
        wrong=wrong,
        answer=answer,
        answers=answers,
    )


def _points(verdicts: Verdicts, name: Name) -> float:
    return verdicts[name].points if name in verdicts else 0.0


def _commonest(
    rows: Sequence[Row], students: Sequence[Verdicts], name: Name
) -> tuple[int, str, int]:
    """Return how many answers a check refused, the commonest code of them, and how many have it."""
    exercise, check = name
    refused = [
        row for row, own in zip(rows, students, strict=True) if name in own and own[name].is_wrong
    ]
    codes = Counter(answer_to(check, row.answers.get(exercise, "")) for row in refused)
    codes.pop("", None)
    answer, answers = max(codes.items(), key=lambda code: (code[1], code[0]), default=("", 0))
    if answers < _FEWEST:
        answer, answers = "", 0
    return len(refused), answer, answers


def _discrimination(own: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Return the correlation of a check's points with those of other exercises, by student."""
    if np.ptp(own) < _ALIKE or np.ptp(others) < _ALIKE:
        return float("nan")
    return float(np.corrcoef(own, others)[0, 1])
