"""The marks that count, for every command: results, a person's points, and the course's rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from pathlib import Path
from textwrap import dedent

from coursekit.command import counted
from coursekit.errors import CoursekitError
from coursekit.lms import identifier
from coursekit.results.manual_scores import with_gradebook
from coursekit.results.mark import Mark
from coursekit.results.policy import Assignment, Policy, read_policy
from coursekit.results.read import read_results
from coursekit.results.versions import changed, mixed
from coursekit.row import Row

_MOST_NAMES = 10
#: Further from its due date, no time of submission is believed.
_YEAR = timedelta(days=366)
_FAR = "its time of submission is more than a year from when it was due"
_POLICY_FORMAT = """

a policy file, in which every part may be left out:
  timezone = "Europe/Berlin"         # of due dates without an offset, and of days
  extensions = "extensions.csv"      # columns: assignment, student_id, days
  drop_lowest = 1                    # so many assignments of each student, in totals
  [late]
  percent_per_day = 10               # of the points earned, for each day begun
  grace_minutes = 15
  max_percent = 50
  [assignments.CHAPTER]
  duedate = 2026-11-02T23:59:00      # without quotes
  weight = 2                         # in totals; 1 by default
  attempts = "best"                  # of all that was handed in; "last" by default
  extra_credit = ["EXERCISE", "EXERCISE/CHECK"]
  late = {percent_per_day = 20}      # in place of [late]
"""


@dataclass(frozen=True)
class Marks:
    """The marks of a results file: the students' whose work counts, and the rows of the others."""

    marks: list[Mark]
    withdrawn: list[Row]
    policy: Policy


def add_marks_options(parser: argparse.ArgumentParser) -> None:
    """Add what every command that gives marks out takes, read by `read_marks`."""
    parser.add_argument(
        "results", metavar="FILE", type=Path, help="results file that `coursekit grade` wrote"
    )
    parser.add_argument(
        "--gradebook",
        metavar="URL",
        help="take the points from nbgrader's gradebook, with manual scores and comments",
    )
    parser.add_argument(
        "--policy",
        metavar="FILE.toml",
        type=Path,
        help="the course's rules: due dates, extensions, late work, extra credit, weights; the "
        "format is shown below",
    )
    parser.epilog = f"{parser.epilog or ''}{dedent(_POLICY_FORMAT).rstrip()}"


def read_marks(args: argparse.Namespace, choose: Callable[[list[Row]], list[Row]] = list) -> Marks:
    """Return the marks that the arguments ask for.

    ``choose`` picks among the rows. What was withdrawn, what still waits for a person and what in
    the policy matches nothing is named on stderr.
    """
    policy = read_policy(args.policy) if args.policy else Policy()
    stored = read_results(args.results)
    for line in _unmatched(policy, stored):
        print(f"{args.policy}: {line}; expected names as in {args.results}", file=sys.stderr)
    rows = choose(stored)
    withdrawn = [row for row in rows if row.withdrawn]
    marks = [Mark.from_row(row) for row in rows if not row.withdrawn]
    if withdrawn:
        students = names(row.student for row in withdrawn)
        print(f"{len(withdrawn)} no longer handed in, left out: {students}", file=sys.stderr)
    if not marks:
        raise CoursekitError(f"{args.results}: all work in it has been withdrawn")
    for line in filter(None, (mixed(marks), changed(marks))):
        print(line, file=sys.stderr)
    if args.gradebook:
        marks = with_gradebook(marks, args.gradebook)
    marks = apply_policy(marks, policy)
    if earlier := [mark.student for mark in marks if mark.is_earlier]:
        print(
            f"{counted(len(earlier), 'mark')} of an earlier attempt: {names(earlier)}",
            file=sys.stderr,
        )
    for line in _waiting(marks):
        print(line, file=sys.stderr)
    return Marks(marks, withdrawn, policy)


def _unmatched(policy: Policy, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what in the policy has no row, one line for all assignments and one for extensions."""
    known = {row.assignment for row in rows}
    if missing := [name for name in policy.assignments if name not in known]:
        yield f"no results for the assignments {names(missing)}"
    pairs = {(row.assignment, identifier(row.student)) for row in rows}
    if lost := [pair for pair in policy.extensions if pair not in pairs]:
        yield f"no results for the extensions of {names(f'{who} ({what})' for what, who in lost)}"


def _waiting(marks: Sequence[Mark]) -> Iterator[str]:
    """Yield what a person still has to do."""
    if prose := [mark.student for mark in marks if mark.is_ungraded]:
        yield f"{counted(len(prose), 'submission')} with prose to be graded: {names(prose)}"
    if outdated := [mark for mark in marks if mark.outdated]:
        shown = names(f"{mark.student} ({', '.join(mark.outdated)})" for mark in outdated)
        yield (
            f"{counted(len(outdated), 'submission')} with manual scores of an earlier version, "
            f"which still count: {shown}; confirm or clear them in formgrader"
        )


def names(students: Iterable[str]) -> str:
    """Return some names in one line; where there are many, the first of them."""
    unique = list(dict.fromkeys(students))
    return ", ".join(unique[:_MOST_NAMES]) + (", …" if len(unique) > _MOST_NAMES else "")


def apply_policy(marks: Iterable[Mark], policy: Policy) -> list[Mark]:
    """Return the marks with extra credit set apart and late work's penalty.

    Raises
    ------
    CoursekitError
        The rules name an exercise for extra credit that no submission has.
    """
    marks = list(marks)
    marked = [_best(mark, policy) for mark in marks]
    for name in dict.fromkeys(mark.assignment for mark in marked):
        own = [mark for mark in marked if mark.assignment == name]
        _check_extra_credit(name, policy.of(name), own)
    handed_in = [mark for mark in marked if not mark.is_missing]
    for line in (*_without_duedate(handed_in, policy), *_graded_unlike(marks, policy)):
        print(line, file=sys.stderr)
    for line in _about_times(handed_in):
        print(line, file=sys.stderr)
    if missing := [mark.student for mark in marked if mark.is_missing]:
        print(f"{len(missing)} without a notebook, not graded: {names(missing)}", file=sys.stderr)
    return marked


def _without_duedate(marks: Sequence[Mark], policy: Policy) -> Iterator[str]:
    """Yield in which assignments late work loses nothing because no due date is known."""
    due = {mark.assignment for mark in marks if mark.duedate is not None}
    ruled = dict.fromkeys(mark.assignment for mark in marks if policy.of(mark.assignment).late)
    if undated := [name for name in ruled if name not in due]:
        yield (
            f"nothing is taken off for late work in {names(undated)}: the policy has no due date "
            "for it, and no gradebook that has one was given"
        )


def _graded_unlike(marks: Sequence[Mark], policy: Policy) -> Iterator[str]:
    """Yield whose attempts are compared although different checks graded them."""
    best = [mark for mark in marks if policy.of(mark.assignment).attempts == "best"]
    if unlike := [mark.student for mark in best if mark.is_graded_unlike]:
        yield (
            f"{counted(len(unlike), 'student')} with attempts that different checks graded, "
            f"compared as they are: {names(unlike)}; to grade an earlier notebook with today's "
            "checks, put it back, grade it, then do so with the later one"
        )


def _about_times(marks: Sequence[Mark]) -> Iterator[str]:
    """Yield whose time of submission is not known, or not believed."""
    if late := [mark.student for mark in marks if mark.is_late_without_time]:
        yield (
            f"{counted(len(late), 'submission')} marked late by the LMS, without a time: "
            f"{names(late)}; nothing was taken off, so enter there what they lose"
        )
    if doubtful := [f"{mark.student} ({mark.time_doubt})" for mark in marks if mark.time_doubt]:
        yield (
            f"{counted(len(doubtful), 'submission')} with a time in doubt, to be looked at; "
            f"nothing was taken off: {names(doubtful)}"
        )
    due = [mark for mark in marks if mark.duedate is not None and mark.timestamp is None]
    if timeless := [m.student for m in due if not (m.time_doubt or m.is_late_without_time)]:
        yield (
            f"{counted(len(timeless), 'submission')} without a time, counted as on time: "
            f"{names(timeless)}"
        )


def _check_extra_credit(name: str, rules: Assignment, marks: Sequence[Mark]) -> None:
    checks = {(check.exercise, check.check) for mark in marks for check in mark.checks}
    known = {exercise for exercise, _ in checks} | {"/".join(check) for check in checks}
    for wanted in rules.extra_credit:
        if checks and wanted not in known:
            raise CoursekitError(
                f"extra credit of {name}: no result has {wanted!r}; expected an exercise or "
                f"EXERCISE/CHECK, like {min(known)}"
            )


def _best(mark: Mark, policy: Policy) -> Mark:
    """Return the mark of the attempt that counts: the last, or the best less its penalty."""
    attempts = [_marked(mark, policy)]
    if policy.of(mark.assignment).attempts == "best":
        attempts += [_marked(mark.of_attempt(row), policy) for row in reversed(mark.attempts)]
    return max(attempts, key=lambda attempt: round(attempt.share, 9))  # the later one of equals


def _marked(mark: Mark, policy: Policy) -> Mark:
    rules = policy.of(mark.assignment)
    mark = replace(mark, extra_credit=frozenset(rules.extra_credit))
    surplus = sum(check.max_points for check in mark.checks if mark.is_extra(check))
    most = round(mark.max_score - surplus, 6)
    mark = replace(mark, max_score=most, extra_points=round(surplus, 6))
    if mark.is_missing:
        return mark
    place = (mark.assignment, identifier(mark.student))
    extension = policy.extensions.get(place, timedelta())
    return _late(mark, rules, extension, policy.timezone)


def _late(mark: Mark, rules: Assignment, extension: timedelta, zone: tzinfo | None) -> Mark:
    duedate = mark.duedate if rules.duedate is None else rules.duedate
    if duedate is None:
        return mark
    # In a zone of its own, midnight stays midnight where a day has 23 or 25 hours.
    duedate = (duedate.astimezone(zone) if zone else duedate) + extension
    mark = replace(mark, duedate=duedate)
    if rules.late is None or mark.timestamp is None:
        return mark  # a penalty of nbgrader's own stays
    if mark.time_doubt or abs(mark.timestamp - duedate) > _YEAR:
        return replace(mark, time_doubt=mark.time_doubt or _FAR, late_submission_penalty=0.0)
    days = rules.late.days(mark.timestamp, duedate)
    penalty = rules.late.penalty(mark.score, days)
    return replace(mark, days_late=days, late_submission_penalty=penalty)
