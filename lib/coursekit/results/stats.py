"""``coursekit stats``: item analysis, check by check."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from coursekit.command import Subparsers, add_command
from coursekit.results.marks import add_marks_options, read_marks
from coursekit.results.read import CheckRow, Result
from coursekit.verdict import Status

Name: TypeAlias = tuple[str, str]
Row: TypeAlias = dict[Name, CheckRow]

#: What is no misconception about the subject.
_NOT_TRIED = ("not-started", "not-defined")


@dataclass(frozen=True)
class Item:
    """How a class did on one check.

    Attributes
    ----------
    share : float
        Mean of points earned over points to earn, 0 to 1: 1 is easy. (Item analysis calls this
        the difficulty.)
    discrimination : float
        Correlation, over the students, of this share with that of all other checks; NaN where
        all students did alike. Near 0 or below: the check measures something else.
    misconceptions : sequence of (str, int)
        The commonest, with the number of students.
    """

    assignment: str
    exercise: str
    check: str
    students: int
    share: float
    discrimination: float
    not_tried: int
    misconceptions: tuple[tuple[str, int], ...]


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "stats",
        run,
        """
        Show how a class did: for each check the share of its points that was earned, how well it
        tells strong answers from weak ones (its correlation with the rest of the points), and the
        commonest misconceptions. Points are those earned, before what late work loses. --figure
        draws the same.
        """,
        "coursekit stats results.jsonl --figure stats.svg",
    )
    add_marks_options(parser)
    parser.add_argument("--figure", metavar="IMAGE", type=Path, help="draw it: .svg, .png or .pdf")


def run(args: argparse.Namespace) -> int:
    """Print the table, and draw it where asked to."""
    results, _ = read_marks(args)
    found = items(results)
    print("\n".join(lines(results, found)))
    if args.figure is not None:
        from coursekit.results.stats_figure import draw

        draw(found, args.figure)
        print(f"\nfigure: {args.figure}")
    return 0


def items(results: Iterable[Result]) -> list[Item]:
    """Return the analysis of every check, by assignment, in the order of the checks.

    A submission that could not be read or run has no answers and is left out, and so is prose
    that waits for a person.
    """
    counted = [result for result in results if result.checks and result.status != "unreadable"]
    found = []
    for assignment in dict.fromkeys(result.assignment for result in counted):
        found += _assignment_items([r for r in counted if r.assignment == assignment])
    return found


def _assignment_items(results: Sequence[Result]) -> list[Item]:
    rows: list[Row] = [{(c.exercise, c.check): c for c in result.checks} for result in results]
    most = {name: check.max_points for row in rows for name, check in row.items()}
    prose = {name for row in rows for name, check in row.items() if check.status is Status.MANUAL}
    graded = [name for name in most if most[name] > 0 and name not in prose]
    shares = np.array([[_points(row, name) / most[name] for name in graded] for row in rows])
    weighed = shares * [most[name] for name in graded]
    return [
        _item(results[0].assignment, name, rows, shares[:, at].mean(), _discrimination(weighed, at))
        for at, name in enumerate(graded)
    ]


def _item(
    assignment: str, name: Name, rows: Sequence[Row], share: float, discrimination: float
) -> Item:
    told = Counter(row[name].misconception for row in rows if name in row)
    not_tried = sum(told.pop(id, 0) for id in _NOT_TRIED)
    told.pop(None, None)
    return Item(
        assignment=assignment,
        exercise=name[0],
        check=name[1],
        students=len(rows),
        share=float(share),
        discrimination=discrimination,
        not_tried=not_tried,
        misconceptions=tuple((str(id), count) for id, count in told.most_common(3)),
    )


def _points(row: Row, name: Name) -> float:
    return row[name].points if name in row else 0.0


def _discrimination(points: NDArray[np.float64], place: int) -> float:
    """Return the correlation of one check with the others' sum; points: (students, checks)."""
    own = points[:, place]
    rest = np.delete(points, place, axis=1).sum(axis=1)
    if own.std() == 0 or rest.std() == 0:
        return float("nan")
    return float(np.corrcoef(own, rest)[0, 1])


def lines(results: Sequence[Result], found: Sequence[Item]) -> list[str]:
    """Return the table, each assignment below a line that sums it up."""
    width = max((len(f"{item.exercise} · {item.check}") for item in found), default=0)
    text: list[str] = []
    for assignment in dict.fromkeys(result.assignment for result in results):
        text += [*([""] if text else []), _summary(assignment, results)]
        text.append(f"  {'check':<{width}}  share  discr.  not tried  commonest misconceptions")
        text += [_line(item, width) for item in found if item.assignment == assignment]
    return text


def _summary(assignment: str, results: Sequence[Result]) -> str:
    own = [result for result in results if result.assignment == assignment]
    states = Counter(result.status for result in own)
    told = ", ".join(f"{count} {status}" for status, count in states.most_common())
    mean = np.mean([result.raw_score for result in own])
    most = max(result.max_score for result in own)
    return f"{assignment}: {len(own)} submissions ({told}); mean {mean:.2f} of {most:g} points"


def _line(item: Item, width: int) -> str:
    name = f"{item.exercise} · {item.check}"
    told = ", ".join(f"{id} ({count})" for id, count in item.misconceptions)
    discrimination = "–" if np.isnan(item.discrimination) else f"{item.discrimination:.2f}"
    return (
        f"  {name:<{width}}  {item.share:>5.0%}  {discrimination:>6}  {item.not_tried:>9}  {told}"
    ).rstrip()
