"""The grades that count, for every command: results, a person's points, and the course's rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from pathlib import Path
from textwrap import dedent

from coursekit.command import counted, names
from coursekit.errors import CoursekitError
from coursekit.identifiers import identifier
from coursekit.results.grade import Grade
from coursekit.results.manual_scores import with_gradebook
from coursekit.results.policy import Assignment, Policy, read_policy
from coursekit.results.read import read_results
from coursekit.results.versions import changed, mixed
from coursekit.row import Row

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
class Grades:
    """The grades of a results file: the students' whose work counts, and the rows of the others."""

    grades: list[Grade]
    withdrawn: list[Row]
    policy: Policy


def add_grades_options(parser: argparse.ArgumentParser) -> None:
    """Add what every command that gives grades out takes, read by `read_grades`."""
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


def read_grades(
    args: argparse.Namespace, choose: Callable[[list[Row]], list[Row]] = list
) -> Grades:
    """Return the grades that the arguments ask for.

    ``choose`` picks among the rows. What was withdrawn, what still waits for a person and what in
    the policy matches nothing is named on stderr.
    """
    policy = read_policy(args.policy) if args.policy else Policy()
    stored = read_results(args.results)
    for line in _unmatched(policy, stored):
        print(f"{args.policy}: {line}; expected names as in {args.results}", file=sys.stderr)
    rows = choose(stored)
    withdrawn = [row for row in rows if row.withdrawn]
    grades = [Grade.from_row(row) for row in rows if not row.withdrawn]
    if withdrawn:
        students = names(row.student for row in withdrawn)
        print(f"{len(withdrawn)} no longer handed in, left out: {students}", file=sys.stderr)
    if not grades:
        raise CoursekitError(f"{args.results}: all work in it has been withdrawn")
    for line in filter(None, (mixed(grades), changed(grades))):
        print(line, file=sys.stderr)
    if args.gradebook:
        grades = with_gradebook(grades, args.gradebook)
    grades = apply_policy(grades, policy)
    if earlier := [grade.student for grade in grades if grade.is_earlier]:
        print(
            f"{counted(len(earlier), 'grade')} of an earlier attempt: {names(earlier)}",
            file=sys.stderr,
        )
    for line in _waiting(grades):
        print(line, file=sys.stderr)
    return Grades(grades, withdrawn, policy)


def _unmatched(policy: Policy, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what in the policy has no row, one line for all assignments and one for extensions."""
    known = {row.assignment for row in rows}
    if missing := [name for name in policy.assignments if name not in known]:
        yield f"no results for the assignments {names(missing)}"
    pairs = {(row.assignment, identifier(row.student)) for row in rows}
    if lost := [pair for pair in policy.extensions if pair not in pairs]:
        yield f"no results for the extensions of {names(f'{who} ({what})' for what, who in lost)}"


def _waiting(grades: Sequence[Grade]) -> Iterator[str]:
    """Yield what a person still has to do."""
    if prose := [grade.student for grade in grades if grade.is_ungraded]:
        yield f"{counted(len(prose), 'submission')} with prose to be graded: {names(prose)}"
    if outdated := [grade for grade in grades if grade.outdated]:
        shown = names(f"{grade.student} ({', '.join(grade.outdated)})" for grade in outdated)
        yield (
            f"{counted(len(outdated), 'submission')} with manual scores of an earlier version, "
            f"which still count: {shown}; confirm or clear them in formgrader"
        )


def apply_policy(grades: Iterable[Grade], policy: Policy) -> list[Grade]:
    """Return the grades with extra credit set apart and late work's penalty.

    Raises
    ------
    CoursekitError
        The rules name an exercise for extra credit that no submission has.
    """
    grades = list(grades)
    ruled = [_best(grade, policy) for grade in grades]
    for name in dict.fromkeys(grade.assignment for grade in ruled):
        own = [grade for grade in ruled if grade.assignment == name]
        _check_extra_credit(name, policy.of(name), own)
    handed_in = [grade for grade in ruled if not grade.is_missing]
    for line in (*_without_duedate(handed_in, policy), *_graded_unlike(grades, policy)):
        print(line, file=sys.stderr)
    for line in _about_times(handed_in):
        print(line, file=sys.stderr)
    if missing := [grade.student for grade in ruled if grade.is_missing]:
        print(f"{len(missing)} without a notebook, not graded: {names(missing)}", file=sys.stderr)
    return ruled


def _without_duedate(grades: Sequence[Grade], policy: Policy) -> Iterator[str]:
    """Yield in which assignments late work loses nothing because no due date is known."""
    due = {grade.assignment for grade in grades if grade.duedate is not None}
    ruled = dict.fromkeys(grade.assignment for grade in grades if policy.of(grade.assignment).late)
    if undated := [name for name in ruled if name not in due]:
        yield (
            f"nothing is taken off for late work in {names(undated)}: the policy has no due date "
            "for it, and no gradebook that has one was given"
        )


def _graded_unlike(grades: Sequence[Grade], policy: Policy) -> Iterator[str]:
    """Yield whose attempts are compared although different checks graded them."""
    best = [grade for grade in grades if policy.of(grade.assignment).attempts == "best"]
    if unlike := [grade.student for grade in best if grade.is_graded_unlike]:
        yield (
            f"{counted(len(unlike), 'student')} with attempts that different checks graded, "
            f"compared as they are: {names(unlike)}; to grade an earlier notebook with today's "
            "checks, put it back, grade it, then do so with the later one"
        )


def _about_times(grades: Sequence[Grade]) -> Iterator[str]:
    """Yield whose time of submission is not known, or not believed."""
    if late := [grade.student for grade in grades if grade.is_late_without_time]:
        yield (
            f"{counted(len(late), 'submission')} marked late by the LMS, without a time: "
            f"{names(late)}; nothing was taken off, so enter there what they lose"
        )
    if doubtful := [
        f"{grade.student} ({grade.time_doubt})" for grade in grades if grade.time_doubt
    ]:
        yield (
            f"{counted(len(doubtful), 'submission')} with a time in doubt, to be looked at; "
            f"nothing was taken off: {names(doubtful)}"
        )
    due = [grade for grade in grades if grade.duedate is not None and grade.timestamp is None]
    if timeless := [m.student for m in due if not (m.time_doubt or m.is_late_without_time)]:
        yield (
            f"{counted(len(timeless), 'submission')} without a time, counted as on time: "
            f"{names(timeless)}"
        )


def _check_extra_credit(name: str, rules: Assignment, grades: Sequence[Grade]) -> None:
    checks = {(check.exercise, check.check) for grade in grades for check in grade.checks}
    known = {exercise for exercise, _ in checks} | {"/".join(check) for check in checks}
    for wanted in rules.extra_credit:
        if checks and wanted not in known:
            raise CoursekitError(
                f"extra credit of {name}: no result has {wanted!r}; expected an exercise or "
                f"EXERCISE/CHECK, like {min(known)}"
            )


def _best(grade: Grade, policy: Policy) -> Grade:
    """Return the grade of the attempt that counts: the last, or the best less its penalty."""
    attempts = [_ruled(grade, policy)]
    if policy.of(grade.assignment).attempts == "best":
        attempts += [_ruled(grade.of_attempt(row), policy) for row in reversed(grade.attempts)]
    return max(attempts, key=lambda attempt: round(attempt.share, 9))  # the later one of equals


def _ruled(grade: Grade, policy: Policy) -> Grade:
    rules = policy.of(grade.assignment)
    grade = replace(grade, extra_credit=frozenset(rules.extra_credit))
    surplus = sum(check.max_points for check in grade.checks if grade.is_extra(check))
    most = round(grade.max_score - surplus, 6)
    grade = replace(grade, max_score=most, extra_points=round(surplus, 6))
    if grade.is_missing:
        return grade
    place = (grade.assignment, identifier(grade.student))
    extension = policy.extensions.get(place, timedelta())
    return _late(grade, rules, extension, policy.timezone)


def _late(grade: Grade, rules: Assignment, extension: timedelta, zone: tzinfo | None) -> Grade:
    duedate = grade.duedate if rules.duedate is None else rules.duedate
    if duedate is None:
        return grade
    # In a zone of its own, midnight stays midnight where a day has 23 or 25 hours.
    duedate = (duedate.astimezone(zone) if zone else duedate) + extension
    grade = replace(grade, duedate=duedate)
    if rules.late is None or grade.timestamp is None:
        return grade  # a penalty of nbgrader's own stays
    if grade.time_doubt or abs(grade.timestamp - duedate) > _YEAR:
        return replace(grade, time_doubt=grade.time_doubt or _FAR, late_submission_penalty=0.0)
    days = rules.late.days(grade.timestamp, duedate)
    penalty = rules.late.penalty(grade.score, days)
    return replace(grade, days_late=days, late_submission_penalty=penalty)
