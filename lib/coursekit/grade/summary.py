"""What a run came to, and the lines that ``coursekit grade`` prints at its end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.command import counted, decimal, names
from coursekit.grade.results_file import ResultsFile
from coursekit.results import Outcome, Row
from coursekit.sandbox.restrictions import LEVELS

#: How many rows a list names, and how much it says of each: a learner may have caused it.
_MOST_NAMES = 20
_LONGEST = 300


@dataclass
class Summary:
    """What a run did.

    Attributes
    ----------
    chapter : str
        The assignment's name.
    selected, kept, retimed : int
        Submissions that the run was asked for; of these, those whose row was up to date; of these,
        those whose time of submission is another one now.
    graded : set of str
        The students whose work was graded in this run.
    changed, resubmitted : list of (Row, Row)
        Rows before and after, where points differ: of the same work, and of other work.
    """

    chapter: str
    selected: int = 0
    kept: int = 0
    retimed: int = 0
    graded: set[str] = field(default_factory=set)
    changed: list[tuple[Row, Row]] = field(default_factory=list)
    resubmitted: list[tuple[Row, Row]] = field(default_factory=list)

    def note(self, old: Row | None, new: Row) -> None:
        """Note a row that this run has written."""
        self.graded.add(new.student)
        if old is not None and (old.score, old.max_score) != (new.score, new.max_score):
            (self.changed if old.is_same_work(new) else self.resubmitted).append((old, new))

    def lines(self, results: ResultsFile, path: Path) -> Iterator[str]:
        """Yield the lines for the instructor on the run and on the chapter's rows."""
        rows = results.of(self.chapter)
        counts = Counter(row.status for row in rows)
        statuses = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        yield self._run()
        yield from _changes("changed", self.changed)
        yield from _changes("handed in again", self.resubmitted)
        yield f"{path}: {counted(len(rows), 'row')} of {self.chapter} ({statuses or 'none'})"
        if rows and not any(row.score or row.needs_manual for row in rows):
            yield (
                f"warning: no submission has earned a point; check that these are submissions to "
                f"{self.chapter}, and that --layout is right"
            )
        levels = Counter(row.isolation.partition("+")[0] for row in rows)
        for level in LEVELS[1:]:
            if levels[level]:
                yield f"graded without a sandbox: {levels[level]} at level {level}"
        own = [row for row in results.rows.values() if row.assignment == self.chapter]
        if gone := sorted(row.student for row in own if row.withdrawn):
            yield f"no longer handed in, kept in the file and left out of exports: {names(gone)}"
        odd = [row for row in rows if row.status is not Outcome.GRADED]
        for row in odd[:_MOST_NAMES]:
            more = "…" * (len(row.reason) > _LONGEST)
            yield f"  {row.student}: {row.status} ({row.reason[:_LONGEST]}{more})"
        if len(odd) > _MOST_NAMES:
            yield "  and more, in the results file"
        if waiting := sum(row.needs_manual for row in rows):
            yield f"{counted(waiting, 'submission')} with prose to be graded"
        if late := [row.student for row in rows if row.marked_late]:
            yield f"marked LATE by Canvas: {names(late)}"

    def _run(self) -> str:
        parts = [f"{len(self.graded)} graded now"]
        if self.kept:
            again = f" ({self.retimed} with another time of submission)" if self.retimed else ""
            parts.append(f"{self.kept} kept from an earlier run{again}")
        return f"{counted(self.selected, 'submission')}: {', '.join(parts)}"


def _changes(what: str, changes: Sequence[tuple[Row, Row]]) -> Iterator[str]:
    """Yield the line that says whose points changed, those who lost most first."""
    if changes:
        ordered = sorted(changes, key=lambda pair: (pair[1].score - pair[0].score, pair[1].place))
        lower = sum(new.score < old.score for old, new in changes)
        yield f"{what}: {names([_change(*pair) for pair in ordered])}; lower: {lower}"


def _change(old: Row, new: Row) -> str:
    before, after = decimal(old.score), decimal(new.score)
    if old.max_score != new.max_score:
        before += f" of {decimal(old.max_score)}"
        after += f" of {decimal(new.max_score)}"
    return f"{new.student} {before} → {after}"


# --- while it runs --------------------------------------------------------------------------------

_LINE_SECONDS = 10.0


class Progress:
    """Prints a line of a run of ``total`` steps, called ``title``, from time to time."""

    def __init__(self, total: int, title: str) -> None:
        self._total, self._title = total, title
        self._done = self._fresh = 0
        self._start = self._last_line = time.monotonic()

    def step(self, fresh: bool = True) -> None:
        """Count a step; ``fresh=False``: made before, so that it tells nothing of the speed."""
        self._done += 1
        self._fresh += fresh
        now = time.monotonic()
        if now - self._last_line >= _LINE_SECONDS and self._done < self._total:
            self._last_line = now
            rate = max(self._fresh, 1) / (now - self._start)
            left = (self._total - self._done) / rate
            print(
                f"{self._title}: {self._done} of {self._total}, {rate:.1f} a second, "
                f"about {_span(left)} left",
                file=sys.stderr,
                flush=True,
            )


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
