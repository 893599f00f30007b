"""``coursekit stats``: item analysis, check by check."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coursekit.colours import colours
from coursekit.command import Subparsers, add_command, counted, decimal
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.judge.verdict import Status
from coursekit.results.grade import Grade
from coursekit.results.grades import add_grades_options, read_grades
from coursekit.results.items import Item, items, readable
from coursekit.results.versions import cohorts
from coursekit.row import Row


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "stats",
        run,
        """
        Show how a class did: the distribution of its scores, and for each check the share of its
        points that was earned, its correlation with the points of the other exercises (does it
        tell strong answers from weak ones?), how many did not start, and the commonest
        misconceptions; then the code that most of those have whose answer a check refused. Points
        are those earned, before what late work loses. --figure draws the first three.
        """,
        "coursekit stats results.jsonl --figure stats.svg",
    )
    add_grades_options(parser)
    parser.add_argument("--figure", metavar="IMAGE", type=Path, help="draw it: .svg, .png or .pdf")


def run(args: argparse.Namespace) -> int:
    """Print the table, and draw it where asked to."""
    grades = read_grades(args).grades
    analysed = items(grades)
    print("\n".join(lines(grades, analysed)))
    if args.figure is not None:
        shares = {name: [_share(row) for row in own] for name, own in cohorts(grades).items()}
        draw(analysed, shares, args.figure)
        print(f"\nfigure: {args.figure}")
    return 0


def lines(rows: Sequence[Row], analysed: Sequence[Item]) -> list[str]:
    """Return the table, each assignment below lines that sum it up."""
    width = max((len(f"{item.exercise} · {item.check}") for item in analysed), default=0)
    text: list[str] = []
    for assignment, own in cohorts(rows).items():
        text += [*([""] if text else []), *_summary(assignment, own)]
        text.append(f"  {'check':<{width}}  share  discr.  not started  commonest misconceptions")
        checks = [item for item in analysed if item.assignment == assignment]
        text += [_line(item, width) for item in checks]
        text += [*_without_discrimination(checks), *_wrong_answers(checks)]
    return text


def _summary(assignment: str, rows: Sequence[Row]) -> list[str]:
    missing = sum(row.is_missing for row in rows)
    rows = [row for row in rows if not row.is_missing]
    if not rows:
        return [f"{assignment}: no submission; {missing} without a notebook"]
    statuses = Counter(row.status for row in rows)
    status = ", ".join(f"{count} {name}" for name, count in statuses.most_common())
    mean = np.mean([row.score for row in rows])
    max_score = max(row.max_score for row in rows)
    base = len(readable(rows))
    text = [
        f"{assignment}: {counted(len(rows), 'submission')} ({status}); "
        f"mean of all {mean:.2f} of {counted(max_score, 'point')}"
        + (f"; {missing} without a notebook, left out" if missing else ""),
        f"  {_distribution(rows)}",
        f"  below: the {base} that could be read; what was not started or not run counts as 0",
    ]
    if any(check.status is Status.MANUAL for row in rows for check in row.checks):
        text.append("  left out: prose that still waits for a person in some submission")
    return text


def _distribution(rows: Sequence[Row]) -> str:
    """Return the quartiles of the scores, and how many are in each fifth of the points."""
    scores = [row.score for row in rows]
    low, middle, high = (decimal(value, 2) for value in np.percentile(scores, [25, 50, 75]))
    shares = [_share(row) for row in rows]
    # Rounded: 0.6 of the points belongs to the fourth fifth, whatever floats make of it.
    fifths = Counter(min(max(int(round(5 * share, 6)), 0), 4) for share in shares)
    counts = ", ".join(f"{20 * n}–{20 * n + 20} %: {fifths[n]}" for n in range(5))
    return f"median {middle}, middle half {low} to {high}; submissions by share: {counts}"


def _share(row: Row) -> float:
    most = row.max_score or (row.extra_points if isinstance(row, Grade) else 0.0)
    return row.score / most if most else 0.0


def _without_discrimination(items: Sequence[Item]) -> list[str]:
    if not any(np.isnan(item.discrimination) for item in items):
        return []
    if len({item.exercise for item in items}) == 1:
        return ["  –: there is no other exercise with which to compare this one"]
    return ["  –: all submissions did alike in the check, or in the other exercises"]


def _wrong_answers(items: Sequence[Item]) -> list[str]:
    text = []
    for item in items:
        if item.answer:
            share = f"{item.answers} of {item.wrong} wrong answers"
            text.append(f"  {item.exercise} · {item.check}, the same code in {share}:")
            text += [f"      {line}" for line in item.answer.splitlines()]
    return text


def _line(item: Item, width: int) -> str:
    name = f"{item.exercise} · {item.check}"
    common = ", ".join(f"{id} ({count})" for id, count in item.misconceptions)
    discrimination = "–" if np.isnan(item.discrimination) else f"{item.discrimination:.2f}"
    return (
        f"  {name:<{width}}  {item.share:>5.0%}  {discrimination:>6}  {item.not_started:>11}  "
        f"{common}"
    ).rstrip()


# --- the figure ----------------------------------------------------------------------------------

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _LINE = (colours()[name][0] for name in ("ink", "line"))


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
