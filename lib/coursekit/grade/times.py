"""A run's view of the times of submission: what each row has to say, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

from coursekit.grade.intake import Submission
from coursekit.grade.rows import HAND_IN, ResultsFile
from coursekit.grade.summary import names
from coursekit.grade.timestamps import AFTER, FILE, RECORD, as_text


class Times:
    """The times of one chapter's submissions.

    What a run finds goes into the row, whether the work is graded in this run or was before: a
    second run gives the row that a first one would. A run that finds no time, perhaps because the
    LMS's list was not given again, takes none away from the same work.

    Parameters
    ----------
    results : ResultsFile
        The rows of earlier runs.
    chapter : str
        The assignment's name.
    zone : tzinfo or None
        Of the clocks whose times come without one; None: this machine's, which is then told.
    """

    def __init__(self, results: ResultsFile, chapter: str, zone: tzinfo | None) -> None:
        self._results, self._chapter, self._zone = results, chapter, zone
        self._changed: dict[str, dict[str, Any]] = {}  # student: what the row has to say now
        self._lost: set[str] = set()
        self._late: set[str] = set()
        self._without_record: set[str] = set()
        self._doubts: dict[str, str] = {}
        self._latest_local: datetime | None = None

    def of(self, submission: Submission, *, is_kept: bool, same_work: bool) -> dict[str, Any]:
        """Return what a student's row has to say of its time of submission.

        Where the row is kept, `write` changes it. ``same_work`` is that of the row, which may be
        graded again.
        """
        student, found = submission.student, submission.hand_in.judged()
        stored = self._results.stored(self._chapter, student)
        before = stored.hand_in if stored else HAND_IN
        now: dict[str, Any] = {
            "timestamp": None if found.time is None else as_text(found.time),
            "time_source": found.source,
            "time_doubt": found.doubt,
            "marked_late": submission.is_marked_late,
        }
        if now["timestamp"] is None and before["timestamp"] is not None:
            if same_work:
                now |= {name: before[name] for name in now if name != "marked_late"}
            else:
                self._lost.add(student)
        elif now["timestamp"] == before["timestamp"] and before["time_doubt"] == AFTER:
            now["time_doubt"] = AFTER  # which passing time does not settle
        if same_work and (before["time_source"], now["time_source"]) == (RECORD, FILE):
            self._without_record.add(student)
        if is_kept and now != before:
            self._changed[student] = now
        if found.is_local and found.time is not None:
            self._latest_local = max(filter(None, (self._latest_local, found.time)))
        if submission.is_marked_late:
            self._late.add(student)
        if doubt := now["time_doubt"] or found.doubt:
            kept = "" if doubt == now["time_doubt"] else "; the time of an earlier run stays"
            self._doubts[student] = doubt + kept
        return now

    def write(self) -> int:
        """Write the kept rows again whose time is another one now; return how many."""
        for student, hand_in in self._changed.items():
            self._results.change(self._chapter, student, **hand_in)
        return len(self._changed)

    def lines(self) -> Iterator[str]:
        """Yield what to tell the instructor."""
        if self._latest_local is not None and self._zone is None:
            latest = self._latest_local.astimezone()
            yield (
                f"times without a time zone were read in this machine's, {latest:%Z} "
                f"(UTC{latest:%z}); the latest is {latest:%Y-%m-%d %H:%M}. If that is wrong, run "
                "the same command with --timezone, such as Europe/Berlin"
            )
        if self._late:
            yield f"marked LATE by Canvas: {names(sorted(self._late))}"
        if self._lost:
            yield (
                f"graded again, and without the time of submission that they had: "
                f"{names(sorted(self._lost))}; give the list that has it, with --lms-file"
            )
        if self._without_record:
            yield (
                f"their {RECORD} is gone, so that the file's last change counts: "
                f"{names(sorted(self._without_record))}; put it back if it was lost in copying"
            )
        if self._doubts:
            yield "times to look at; nothing is taken off for late work where one is in doubt:"
            shown = [f"{student} ({doubt})" for student, doubt in sorted(self._doubts.items())]
            yield f"  {names(shown)}"
