"""The results file: resumable wherever a run was cut off, in order at the end, locked."""

from __future__ import annotations

import json
import resource
import signal
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade.rows import ResultsFile, key_of
from coursekit.row import ALWAYS, FIELDS


def row(student: str, assignment: str = "masking", **changes: Any) -> dict[str, Any]:
    """Return a complete row."""
    values = dict.fromkeys(FIELDS, 0) | {"student": student, "assignment": assignment}
    values |= {"key": f"key-{student}", "limits": {}, "reason": "", "timestamp": None}
    return values | {"checks": []} | changes


def test_a_row_is_on_disk_before_the_next(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results:
        results.add(row("anton"))
        assert json.loads(path.read_text())["student"] == "anton"


@pytest.mark.parametrize("keep", range(0, 700, 9))
def test_a_file_cut_anywhere_is_continued(tmp_path, keep):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    students = ["anton", "berta", "carla", "dora"]
    with ResultsFile(whole) as results:
        for student in students:
            results.add(row(student))
        results.finish()
    cut.write_bytes(whole.read_bytes()[:keep])
    with ResultsFile(cut) as results:
        for student in reversed(students):
            if results.stored("masking", student) is None:
                results.add(row(student))
        results.finish()
    assert cut.read_bytes() == whole.read_bytes()


def test_newer_work_replaces_the_older_and_other_chapters_stay(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results:
        results.add(row("berta"))
        results.add(row("anton", "heads"))
        results.add(row("berta", key="newer", score=5))
        assert results.stored("masking", "berta").key == "newer"
        assert [r.score for r in results.rows("masking")] == [5]
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
        *("not json\n", "[1]\n", '{"key": 1}\n', '{"key": "a"}\n'),
        # A secret, a notebook, somebody's record: one line, and no newline at its end.
        *("e3b0c44298fc1c149afbf4c8996fb924", '{"cells": [], "nbformat": 4}', '{"key": "a"}'),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(CoursekitError, match="line 1 is not a result"):
        ResultsFile(path)
    assert path.read_text() == text


def test_rows_from_several_threads_are_whole(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results, ThreadPoolExecutor(8) as pool:
        students = [f"s{number:04}" for number in range(1200)]
        list(pool.map(lambda s: results.add(row(s, reason=s * 20)), students))
        assert [r.student for r in results.rows("masking")] == students
        results.finish()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [r["student"] for r in lines] == students


def test_rows_are_read_whole_while_others_are_written(tmp_path):
    # As workers do that look for what was graded before.
    students = [f"student-{n}" for n in range(20)]

    def read(student: str) -> set[str]:
        return {results.row("masking", student).student for _ in range(50)}

    with ResultsFile(tmp_path / "results.jsonl") as results, ThreadPoolExecutor(8) as pool:
        for student in students:
            results.add(row(student, reason=student * 300))
        reading = [pool.submit(read, student) for student in students]
        for student in students * 5:
            results.add(row(student, reason=student * 300))
        assert [done.result() for done in reading] == [{student} for student in students]


def test_a_large_class_takes_no_memory(tmp_path):
    def size(count: int) -> int:
        with ResultsFile(tmp_path / f"{count}.jsonl") as results:
            tracemalloc.start()
            for number in range(count):
                results.add(row(f"s{number:05}"))
                assert results.stored("masking", f"s{number:05}")
            assert sum(1 for _ in results.rows("masking")) == count
            results.finish()
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return peak

    assert size(5000) < size(500) + 20_000


def test_withdrawn_work_keeps_its_row_and_is_not_among_the_rows(tmp_path):
    path = tmp_path / "results.jsonl"
    with ResultsFile(path) as results:
        for student in ("anton", "berta"):
            results.add(row(student, score=3, withdrawn=False))
        results.mark_withdrawn("masking", "anton", True)
        results.finish()
    with ResultsFile(path) as results:
        assert [r.student for r in results.rows("masking")] == ["berta"]
        assert results.stored("masking", "anton").withdrawn
        results.mark_withdrawn("masking", "anton", False)
        assert [(r.student, r.score) for r in results.rows("masking")] == [
            ("anton", 3),
            ("berta", 3),
        ]


def test_a_full_disk_is_one_line_and_the_next_run_goes_on(tmp_path):
    path = tmp_path / "results.jsonl"
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
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
        assert list(results.students("masking")) == ["anton"]
        results.add(row("berta"))
        assert list(results.students("masking")) == ["anton", "berta"]


def test_half_a_character_in_a_name_is_not_a_result(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(row("\ud800")) + "\n")
    with pytest.raises(CoursekitError, match="line 1 is not a result"):
        ResultsFile(path)


def test_keys_keep_their_parts_apart():
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("a", b"b") == key_of("a", "b")


def test_lines_from_before_versions_are_read_and_stay_as_they_are(tmp_path):
    path = tmp_path / "results.jsonl"
    old = {name: value for name, value in row("anton").items() if name in ALWAYS}
    path.write_text(json.dumps({name: old[name] for name in FIELDS if name in ALWAYS}) + "\n")
    before = path.read_bytes()
    with ResultsFile(path) as results:
        assert results.stored("masking", "anton").key == "key-anton"
        (read,) = results.rows("masking")
        assert (read.course, dict(read.versions)) == ("", {})
        results.finish()
        assert path.read_bytes() == before
        results.mark_withdrawn("masking", "anton", True)
    (*_, last) = path.read_text().splitlines()
    assert json.loads(last) == old | {"withdrawn": True}
