"""The marks that count: results, what a person gave, and the course's rules, for every command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from coursekit.command import counted
from coursekit.errors import CoursekitError
from coursekit.results.manual_scores import with_gradebook
from coursekit.results.policy import Assignment, Policy, read_policy
from coursekit.results.read import Result, read_results

_MOST_NAMES = 10


def add_marks_options(parser: argparse.ArgumentParser) -> None:
    """Add what every command that gives marks out takes, read by `read_marks`."""
    parser.add_argument("results", metavar="FILE", type=Path, help="what `coursekit grade` wrote")
    parser.add_argument(
        "--gradebook",
        metavar="URL",
        help="take the points from nbgrader's gradebook: those given by hand, and comments, count",
    )
    parser.add_argument(
        "--policy",
        metavar="FILE.toml",
        type=Path,
        help="the course's rules: due dates, extensions, late work, extra credit, weights",
    )


def read_marks(
    args: argparse.Namespace, choose: Callable[[list[Result]], list[Result]] = list
) -> tuple[list[Result], Policy]:
    """Return the results with all that counts, and the course's rules.

    ``choose`` picks those that are asked for. Who has handed in no longer is left out, and named
    on stderr.
    """
    policy = read_policy(args.policy) if args.policy else Policy()
    results = _handed_in(choose(read_results(args.results)), args.results)
    if args.gradebook:
        results = with_gradebook(results, args.gradebook)
    results = apply_policy(results, policy)
    if waiting := sum(result.needs_manual for result in results):
        print(f"{waiting} still have prose for a person to grade", file=sys.stderr)
    return results, policy


def _handed_in(results: Sequence[Result], file: Path) -> list[Result]:
    kept = [result for result in results if not result.withdrawn]
    if gone := [result.student for result in results if result.withdrawn]:
        print(f"{len(gone)} no longer handed in, left out: {names(gone)}", file=sys.stderr)
    if not kept:
        raise CoursekitError(f"{file}: nobody's work is handed in any longer")
    return kept


def names(students: Iterable[str]) -> str:
    """Return some names in one line; where there are many, the first of them."""
    found = list(dict.fromkeys(students))
    return ", ".join(found[:_MOST_NAMES]) + (", …" if len(found) > _MOST_NAMES else "")


def lateness(result: Result) -> str:
    """Return what a late submission lost, and of what; "" where it lost nothing."""
    lost = result.raw_score - result.score
    if not (result.days_late or lost):
        return ""
    late = f"{counted(result.days_late, 'day')} late" if result.days_late else "late"
    percent = f" (−{100 * lost / result.raw_score:g} %)" if lost else ""
    return (
        f"{result.raw_score:g} points earned; {late}: −{lost:g}{percent}; {result.score:g} count."
    )


def apply_policy(results: Iterable[Result], policy: Policy) -> list[Result]:
    """Return the results with extra credit told apart and late work's penalty.

    Raises
    ------
    CoursekitError
        The rules name an exercise for extra credit that no result has.
    """
    marked = [_marked(result, policy) for result in results]
    for name in dict.fromkeys(result.assignment for result in marked):
        own = [result for result in marked if result.assignment == name]
        _each_is_there(name, policy.of(name), own)
    timeless = [r.student for r in marked if r.duedate is not None and r.timestamp is None]
    if timeless:
        print(
            f"{len(timeless)} have no time of submission and count as in time: {names(timeless)}",
            file=sys.stderr,
        )
    return marked


def _each_is_there(name: str, rules: Assignment, results: Sequence[Result]) -> None:
    checks = {(check.exercise, check.check) for result in results for check in result.checks}
    known = {exercise for exercise, _ in checks} | {"/".join(check) for check in checks}
    for asked in rules.extra_credit:
        if checks and asked not in known:
            raise CoursekitError(
                f"extra credit of {name}: no result has {asked!r}; expected an exercise or "
                f"EXERCISE/CHECK, like {min(known)}"
            )


def _marked(result: Result, policy: Policy) -> Result:
    rules = policy.of(result.assignment)
    extra = frozenset(rules.extra_credit)
    checks = tuple(
        replace(
            check, extra_credit=bool({check.exercise, f"{check.exercise}/{check.check}"} & extra)
        )
        for check in result.checks
    )
    surplus = sum(check.max_points for check in checks if check.extra_credit)
    marked = replace(result, checks=checks, max_score=round(result.max_score - surplus, 6))
    return _late(marked, rules, policy.extensions.get((result.assignment, result.student)))


def _late(result: Result, rules: Assignment, extension: timedelta | None) -> Result:
    duedate = result.duedate if rules.duedate is None else rules.duedate
    if duedate is None:
        return result
    duedate += extension or timedelta()
    result = replace(result, duedate=duedate)
    if rules.late is None or result.timestamp is None:
        return result  # a penalty of nbgrader's own stays
    days = rules.late.days(result.timestamp, duedate)
    penalty = rules.late.penalty(result.raw_score, days)
    return replace(result, days_late=days, late_submission_penalty=penalty)
