"""Decide what becomes of a student's former row: no mark changes silently."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from coursekit.judge.verdict import Status, Verdict
from coursekit.row import Former, Row


class Change(NamedTuple):
    """A student's row before and after a run: points earned, and points to earn."""

    student: str
    before: tuple[float, float]
    after: tuple[float, float]

    @property
    def is_lower(self) -> bool:
        """Whether points were lost."""
        return self.after[0] < self.before[0]


def change_of(old: Row, new: Row) -> Change | None:
    """Return how a student's points changed; None where they did not."""
    before, after = (old.score, old.max_score), (new.score, new.max_score)
    return None if before == after else Change(new.student, before, after)


def is_same_work(old: Row, new: Row) -> bool:
    """Whether two rows of a student are of the same work, as far as they say."""
    return old.work in ("", new.work)


def settled(old: Row, new: Row, keep_higher: bool = False) -> Row:
    """Return the new row with what the former one had.

    Of the same work it keeps, by exercise, the best other result. ``keep_higher`` lets the better
    one count, where the exercise's checks have the same names and points as before. Other work
    becomes an attempt.
    """
    earlier = (*old.attempts, replace(old, attempts=()))
    same = [row for row in earlier if is_same_work(row, new)]
    others = [row for row in earlier if row not in same and _is_attempt(row)]
    row = _regraded(same[-1], new, keep_higher) if same else new
    return replace(row, attempts=tuple(others))


def raised(row: Row) -> Row:
    """Return a row in which every former result that is higher counts, as with ``keep_higher``."""
    results = _results(row)
    former = dict(row.former)
    for exercise, other in row.former.items():
        now = results.get(exercise)
        if now is not None and _may_replace(other, now):
            results[exercise] = replace(other, is_newer=False)
            former[exercise] = replace(now, is_newer=True)
    return _with_results(row, results, former)


def _is_attempt(row: Row) -> bool:
    return not row.withdrawn and (row.score > 0 or row.needs_manual)


def _regraded(old: Row, new: Row, keep_higher: bool) -> Row:
    results, before = _results(new), _results(old)
    former: dict[str, Former] = {}
    for exercise in dict.fromkeys([*results, *before, *old.former]):
        now = results.get(exercise)
        known = [r for r in (before.get(exercise), old.former.get(exercise)) if r is not None]
        best = max(known, key=lambda result: result.points, default=None)
        if best is not None and (now is None or _size(best) != _size(now)):
            former[exercise] = replace(best, is_newer=False)
    row = _with_results(new, results, former)
    return raised(row) if keep_higher else row


def _size(result: Former) -> tuple[float, float]:
    return result.points, result.max_points


def _may_replace(other: Former, now: Former) -> bool:
    return other.points > now.points and _questions(other.checks) == _questions(now.checks)


def _questions(checks: Collection[Verdict]) -> dict[str, float]:
    return {check.check: check.max_points for check in checks}


def _results(row: Row) -> dict[str, Former]:
    """Return what a row found, by exercise."""
    checks: dict[str, list[Verdict]] = {}
    for verdict in row.checks:
        checks.setdefault(verdict.exercise, []).append(verdict)
    return {
        exercise: Former(
            version=row.version_of(exercise),
            check_hash=row.check_hashes.get(exercise, ""),
            checks=tuple(own),
        )
        for exercise, own in checks.items()
    }


def _with_results(row: Row, results: Mapping[str, Former], former: Mapping[str, Former]) -> Row:
    """Return a row with these results, from which its points follow."""
    found = {(v.exercise, v.check): v for result in results.values() for v in result.checks}
    checks = tuple(found[verdict.exercise, verdict.check] for verdict in row.checks)
    return replace(
        row,
        checks=checks,
        score=round(sum(check.points for check in checks), 6),
        max_score=round(sum(check.max_points for check in checks), 6),
        needs_manual=any(check.status is Status.MANUAL for check in checks),
        versions={**row.versions, **{e: result.version for e, result in results.items()}},
        check_hashes={
            **row.check_hashes,
            **{e: result.check_hash for e, result in results.items() if result.check_hash},
        },
        former=dict(former),
    )
