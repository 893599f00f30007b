"""The results file: resumable wherever a run was cut off, in order at the end, locked."""

from __future__ import annotations

import json
import resource
import signal
from dataclasses import replace
from typing import Any

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.summary import Summary
from coursekit.results import Outcome, Row
from coursekit.verdict import Status, Verdict


def row(student: str, assignment: str = "masking", points: float = 0.0, **changes: Any) -> Row:
    """Return a row with these points of one check."""
    about = {"exercise": "e", "check": "c", "status": Status.PASSED}
    checks = (Verdict(**about, points=points, max_points=5.0),)
    made = Row(student=student, assignment=assignment, status=Outcome.GRADED, checks=checks)
    return replace(made, key=f"key-{student}", **changes)


def test_a_row_is_on_disk_before_the_next(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results:
        results.add(row("anton"))
        assert json.loads(path.read_text())["student"] == "anton"


@pytest.mark.parametrize("keep", range(0, 1700, 17))
def test_a_file_cut_anywhere_is_continued(tmp_path, keep):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    students = ["anton", "bérta", "carla", "dora"]
    with ResultsFile(whole) as results:
        for student in students:
            results.add(row(student))
        results.finish()
    cut.write_bytes(whole.read_bytes()[:keep])
    with ResultsFile(cut) as results:
        for student in reversed(students):
            if ("masking", student) not in results.rows:
                results.add(row(student))
        results.finish()
    assert cut.read_bytes() == whole.read_bytes()


def test_newer_work_replaces_the_older_and_other_chapters_stay(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results:
        results.add(row("berta"))
        results.add(row("anton", "heads"))
        results.add(row("berta", points=5.0))
        assert [r.score for r in results.of("masking")] == [5]
        results.finish()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(r["assignment"], r["student"], r["score"]) for r in rows] == [
        ("heads", "anton", 0),
        ("masking", "berta", 5),
    ]


def test_a_second_run_on_the_same_file_is_refused(tmp_path):
    with (
        ResultsFile(tmp_path / "results.jsonl"),
        pytest.raises(CoursekitError, match="another run"),
    ):
        ResultsFile(tmp_path / "results.jsonl")


@pytest.mark.parametrize(
    "text",
    [
        '{"key": "a"}\n',
        json.dumps(row("\ud800").as_json()) + "\n",
        # A secret, a notebook, somebody's list: one line, and no newline at its end.
        *("e3b0c44298fc1c149afbf4c8996fb924", '{"cells": [], "nbformat": 4}', '["key"]'),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(CoursekitError, match="line 1 is not a result"):
        ResultsFile(path)
    assert path.read_text() == text


def test_a_full_disk_is_one_line_and_the_next_run_goes_on(tmp_path):
    path = tmp_path / "results.jsonl"
    limit, before = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with ResultsFile(path) as results:
            results.add(row("anton"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limit[1]))
            with pytest.raises(CoursekitError, match=r"cannot be written \(File too large"):
                results.add(row("berta"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    with ResultsFile(path) as results:
        assert [r.student for r in results.of("masking")] == ["anton"]
        results.add(row("berta"))
        assert [r.student for r in results.of("masking")] == ["anton", "berta"]


def test_a_long_reason_is_cut_in_the_terminal_and_kept_in_the_row(tmp_path):
    with ResultsFile(tmp_path / "r") as results:
        results.add(row("ada", status=Outcome.CRASHED, reason="why " * 400))
        lines = [*Summary("masking").lines(results, tmp_path / "r")]
    (line,) = [line for line in lines if "crashed (" in line]
    assert len(line) < 400
    assert line.endswith("…)")
