"""``coursekit stats``: how a class did, check by check."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coursekit.colours import colours
from coursekit.command import Subparsers, add_command, counted
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.reports.marks import add_results_options, of_assignments, present
from coursekit.results import Outcome, Row, read_results
from coursekit.verdict import NOT_STARTED, Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_MISCONCEPTIONS = 3
#: Points that differ by less are equal: sums of floats.
_ALIKE = 1e-9
_INK, _LINE = (colours()[name][0] for name in ("ink", "line"))


@dataclass(frozen=True)
class Item:
    """How a class did on one check.

    Attributes
    ----------
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
    """

    exercise: str
    check: str
    share: float
    discrimination: float
    not_started: int
    misconceptions: tuple[tuple[str, int], ...]


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "stats",
        run,
        """
        Show how a class did: the mean of its scores, and for each check the share of its points
        that was earned, its correlation with the points of the other exercises (does it tell strong
        answers from weak ones?), how many did not start, and the commonest misconceptions. Points
        are those earned, before what late work loses. --figure draws the scores and the checks.
        """,
        "coursekit stats results.jsonl --figure stats.svg --assignment masking",
    )
    add_results_options(parser)
    parser.add_argument("--figure", metavar="IMAGE", type=Path, help="draw it: .svg, .png or .pdf")


def run(args: argparse.Namespace) -> int:
    """Print the table, and draw it where asked to."""
    rows = present(of_assignments(read_results(args.results), args.assignment), args.results)
    by_assignment = {name: [*own] for name, own in groupby(rows, lambda row: row.assignment)}
    print("\n\n".join("\n".join(lines(own)) for own in by_assignment.values()))
    if args.figure is not None:
        analysed = [item for own in by_assignment.values() for item in items(own)]
        shares = {
            name: [row.score / row.max_score if row.max_score else 0.0 for row in own]
            for name, own in by_assignment.items()
        }
        draw(analysed, shares, args.figure)
        print(f"\nfigure: {args.figure}")
    return 0


def items(rows: Sequence[Row]) -> list[Item]:
    """Return the analysis of every check of one assignment, in the order of the checks.

    Submissions that could not be read are left out, and so is prose that waits for a person.
    """
    unanswered = (Outcome.UNREADABLE, Outcome.NOT_SUBMITTED)
    students = [
        {(check.exercise, check.check): check for check in row.checks}
        for row in rows
        if row.checks and row.status not in unanswered
    ]
    known = {name: check.max_points for own in students for name, check in own.items()}
    waiting = {n for own in students for n, check in own.items() if check.status is Status.MANUAL}
    graded = [name for name, most in known.items() if most > 0 and name not in waiting]
    points = np.array(
        [[own[name].points if name in own else 0.0 for name in graded] for own in students]
    )
    analysed = []
    for at, (exercise, check) in enumerate(graded):
        others = [other != exercise for other, _ in graded]
        counts = Counter(
            own[exercise, check].misconception for own in students if (exercise, check) in own
        )
        not_started = counts.pop(NOT_STARTED, 0)
        counts.pop(None, None)
        item = Item(
            exercise=exercise,
            check=check,
            share=float(points[:, at].mean() / known[exercise, check]),
            discrimination=_correlation(points[:, at], points[:, others].sum(axis=1)),
            not_started=not_started,
            misconceptions=tuple(
                (str(id), n) for id, n in counts.most_common(_MOST_MISCONCEPTIONS)
            ),
        )
        analysed.append(item)
    return analysed


def _correlation(own: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    if np.ptp(own) < _ALIKE or np.ptp(others) < _ALIKE:
        return float("nan")
    return float(np.corrcoef(own, others)[0, 1])


def lines(rows: Sequence[Row]) -> list[str]:
    """Return one assignment's table, below lines that sum it up."""
    name, missing = rows[0].assignment, sum(row.is_missing for row in rows)
    rows = [row for row in rows if not row.is_missing]
    if not rows:
        return [f"{name}: no submission; {missing} without a notebook"]
    statuses = Counter(row.status for row in rows)
    status = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    mean = np.mean([row.score for row in rows])
    readable = len(rows) - statuses[Outcome.UNREADABLE]
    text = [
        f"{name}: {counted(len(rows), 'submission')} ({status}); mean of all {mean:.2f} of "
        f"{counted(max(row.max_score for row in rows), 'point')}"
        + (f"; {missing} without a notebook, left out" if missing else ""),
        f"  below: the {readable} that could be read; what was not started or not run counts as 0",
    ]
    if any(row.needs_manual for row in rows):
        text.append("  left out: prose that still waits for a person in some submission")
    analysed = items(rows)
    width = max((len(f"{item.exercise} · {item.check}") for item in analysed), default=0)
    text.append(f"  {'check':<{width}}  share  discr.  not started  commonest misconceptions")
    text += [_line(item, width) for item in analysed]
    if any(np.isnan(item.discrimination) for item in analysed):
        is_alone = len({item.exercise for item in analysed}) == 1
        why = (
            "there is no other exercise with which to compare this one"
            if is_alone
            else "all submissions did alike in the check, or in the other exercises"
        )
        text.append(f"  –: {why}")
    return text


def _line(item: Item, width: int) -> str:
    name = f"{item.exercise} · {item.check}"
    common = ", ".join(f"{id} ({count})" for id, count in item.misconceptions)
    discrimination = "–" if np.isnan(item.discrimination) else f"{item.discrimination:.2f}"
    return (
        f"  {name:<{width}}  {item.share:>5.0%}  {discrimination:>6}  {item.not_started:>11}  "
        f"{common}"
    ).rstrip()


def draw(items: Sequence[Item], shares: Mapping[str, Sequence[float]], file: Path) -> None:
    """Draw the scores' distribution, and each check's share and discrimination, into a picture.

    ``shares`` has each submission's share of the points to earn, 0 to 1, by assignment.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "notebook") from None
    if file.suffix not in (".svg", ".png", ".pdf"):
        raise CoursekitError(f"{file}: expected a name that ends in .svg, .png or .pdf")
    heights = [2.0, 1 + 0.28 * len(items)]
    figure = Figure(figsize=(10, sum(heights)), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=heights)
    panels = grid[0, :].subgridspec(1, len(shares)).subplots(sharey=True, squeeze=False)[0]
    for axes, (name, own) in zip(panels, shares.items(), strict=True):
        _draw_scores(axes, own)
        if len(shares) > 1:
            axes.set_title(name, parse_math=False)
    panels[0].set_ylabel("submissions")
    left = figure.add_subplot(grid[1, 0])
    right = figure.add_subplot(grid[1, 1], sharey=left)
    right.tick_params(labelleft=False)
    places = range(len(items))
    left.barh(places, [100 * item.share for item in items], color=_INK, height=0.6)
    left.set(xlim=(0, 100), xlabel="points earned (%)", yticks=list(places))
    left.set_yticklabels([f"{item.exercise} · {item.check}" for item in items])
    left.set_ylim(len(items) - 0.4, -0.6)
    right.plot([item.discrimination for item in items], places, "o", color=_INK, clip_on=False)
    right.axvline(0, color=_INK, linewidth=0.8)
    right.set(xlim=(-1, 1), xticks=[-1, -0.5, 0, 0.5, 1], xlabel="discrimination (correlation)")
    for axes in (left, right):
        axes.grid(axis="x", color=_LINE)
        _tidy(axes)
    figure.savefig(file, dpi=150)


def _draw_scores(axes: Axes, shares: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    percent = [min(100 * share, 100.0) for share in shares]
    axes.hist(percent, bins=10, range=(0, 100), color=_INK, rwidth=0.9)
    axes.set(xlim=(0, 100), xlabel="score (%)")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=_LINE)
    _tidy(axes)


def _tidy(axes: Axes) -> None:
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
