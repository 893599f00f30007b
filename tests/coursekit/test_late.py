"""Late work: days in the course's time zone, and times that nobody can believe."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from coursekit.cli import main

from .test_policy import DUE, exported, handed_in

__all__ = ["exported"]  # a fixture

BERLIN = """
timezone = "Europe/Berlin"
extensions = "extensions.csv"
[late]
percent_per_day = 10
[assignments.numbers]
duedate = """


@pytest.mark.parametrize("written", ["", "{offset}"])
@pytest.mark.parametrize(
    ("due", "offset", "days", "time", "late"),
    [
        ("2026-10-24T23:59:00", "+02:00", "0", "2026-10-24T21:59:00+00:00", 0),
        ("2026-10-24T23:59:00", "+02:00", "2", "2026-10-26T22:30:00+00:00", 0),  # 23:30 there
        ("2026-10-24T23:59:00", "+02:00", "2", "2026-10-26T22:59:01+00:00", 1),
        ("2026-10-24T23:59:00", "+02:00", "0", "2026-10-25T22:59:00+00:00", 1),  # after 25 hours
        ("2026-10-24T23:59:00", "+02:00", "0", "2026-10-25T22:59:01+00:00", 2),
        ("2026-10-25T02:30:00", "+02:00", "0", "2026-10-25T00:50:00+00:00", 1),
        ("2026-10-25T02:30:00", "+02:00", "0", "2026-10-25T01:29:00+00:00", 1),  # 2:29 once more
        ("2026-03-28T23:59:00", "+01:00", "1", "2026-03-29T21:59:00+00:00", 0),
        ("2026-03-28T23:59:00", "+01:00", "1", "2026-03-29T21:59:01+00:00", 1),
        ("2026-03-28T23:59:00", "+01:00", "0", "2026-03-29T21:59:00+00:00", 1),  # after 23 hours
        ("2026-03-28T23:59:00", "+01:00", "0", "2026-03-29T22:59:00+00:00", 2),
        ("2026-03-28T02:30:00", "+01:00", "1", "2026-03-29T01:30:00+00:00", 0),  # no 2:30 that day
    ],
)
def test_days_are_those_of_the_course_s_time_zone(exported, due, offset, days, time, late, written):
    Path("extensions.csv").write_text(f"assignment,student_id,days\nnumbers,ada,{days}\n")
    policy = BERLIN + due + written.format(offset=offset)
    (ada,) = exported(policy, handed_in("ada", time))
    assert float(ada["late_submission_penalty"]) == pytest.approx(0.3 * late)


@pytest.mark.parametrize("time", ["1970-01-01T00:00:00+00:00", "2299-01-01T00:00:00+00:00"])
@pytest.mark.parametrize("format", ["nbgrader", "totals"])
def test_a_time_far_from_the_due_date_is_looked_at_and_costs_nothing(results, capsys, time, format):
    Path("policy.toml").write_text(DUE)
    file = results(handed_in("ada", time), handed_in("bob", "2026-11-03T22:00:00+00:00"))
    words = ["export", str(file), "--format", format, "--policy", "policy.toml"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert (
        "1 submission with a time in doubt, to be looked at; nothing was taken off: ada" in told.err
    )
    ada, bob = csv.DictReader(io.StringIO(told.out))
    column = "score" if format == "nbgrader" else "total (%)"
    assert (float(ada[column]), float(bob[column])) in [(3, 2.7), (100, 90)]


def test_a_time_in_doubt_is_told_where_nothing_is_due(results, capsys):
    file = results(handed_in("ada", None, time_doubt="its timestamp.txt cannot be read: 'x'"))
    assert main(["stats", str(file)]) == 0
    assert "ada (its timestamp.txt cannot be read: 'x')" in capsys.readouterr().err
