"""``coursekit grade`` from the outside: what it writes, prints and survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from coursekit.cli import main
from coursekit.sandbox.sandbox import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, STUDENTS, code, hand_in, notebook, rows_of
from .conftest import grade_words as one_by_one


def grade_words(submitted: Path, results: Path, *more: str) -> list[str]:
    """Return the command's words, for two at a time."""
    return one_by_one(submitted, results, "--jobs", "2", *more)


def test_every_submission_has_its_row(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(grade_words(submitted, results)) == 0
    rows = rows_of(results)
    assert [row["student"] for row in rows] == STUDENTS
    assert rows[0]["status"] == "not_submitted"
    assert rows[0]["reason"] == f"it has no {CHAPTER}.ipynb"
    assert [row["score"] for row in rows[:4]] == [0.0, 0.0, 0.0, FULL]
    assert rows[3]["isolation"].startswith(strongest_level())
    captured = capsys.readouterr()
    assert "12 submissions: 12 graded now\n" in captured.out
    assert (
        f"{results}: 12 rows of {CHAPTER} (3 graded, 8 needs_review, 1 not_submitted)\n"
        in captured.out
    )
    assert "warning: no submission" not in captured.out
    assert f"  {STUDENTS[0]}: not_submitted (it has no {CHAPTER}.ipynb)\n" in captured.out
    assert f"isolation: {strongest_level()}" in captured.err
    assert "--secret" in captured.err


def test_many_empty_folders_among_notebooks(tmp_path):
    # The workers' threads write rows of what cannot be read while others are graded.
    folder, results = tmp_path / "submitted", tmp_path / "results.jsonl"
    for number in range(40):
        hand_in(folder, f"good-{number:02}", notebook(*RIGHT.values()))
        (folder / f"none-{number:02}").mkdir()
    assert main(grade_words(folder, results)) == 0
    scores = {row["student"]: row["score"] for row in rows_of(results)}
    assert scores == {f"good-{n:02}": FULL for n in range(40)} | {
        f"none-{n:02}": 0.0 for n in range(40)
    }


def _busy(submitted, results):
    """Return a run that a submission holds up, and all processes below it."""
    work = submitted / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook("import time\ntime.sleep(60)"))
    process = _start(grade_words(submitted, results))
    while not results.exists() or b"\n" not in results.read_bytes():
        time.sleep(0.05)
    return process, psutil.Process(process.pid).children(recursive=True)


def test_stopped_by_hand_it_ends_soon_and_leaves_nothing(submitted, tmp_path):
    process, below = _busy(submitted, tmp_path / "results.jsonl")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert psutil.wait_procs(below, timeout=30)[1] == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--exercises", "privat"], "no exercise folder at privat"),
        (["--secret", "{results}"], "given for --secret and for --results"),
    ],
)
def test_a_slip_is_reported_before_anything_is_graded(submitted, tmp_path, capsys, more, message):
    results = tmp_path / "results.jsonl"
    results.write_text("a secret without an end of line")
    more = [word.format(results=results) for word in more]
    assert main(grade_words(submitted, results, *more)) == 2
    assert message in capsys.readouterr().err
    assert results.read_text() == "a secret without an end of line"


def test_a_second_run_grades_only_what_is_new(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(grade_words(submitted, results)) == 0
    before = results.read_bytes()
    assert main(grade_words(submitted, results)) == 0
    assert results.read_bytes() == before
    assert "12 submissions: 0 graded now, 12 kept from an earlier run\n" in capsys.readouterr().out
    work = submitted / STUDENTS[1] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook(*RIGHT.values()))
    assert main(grade_words(submitted, results)) == 0
    assert "12 submissions: 1 graded now, 11 kept" in capsys.readouterr().out
    assert rows_of(results)[1]["score"] == FULL


@pytest.mark.heavy
def test_killed_at_many_points_it_goes_on_where_it_stopped(submitted, tmp_path):
    whole = tmp_path / "whole.jsonl"
    assert main(grade_words(submitted, whole)) == 0
    for count in (1, 4, 9):
        results = tmp_path / f"killed-{count}.jsonl"
        _kill_after(grade_words(submitted, results), results, count)
        lines = results.read_text().splitlines()
        assert main(grade_words(submitted, results)) == 0
        assert rows_of(results) == rows_of(whole)
        assert set(lines[:count]) <= set(results.read_text().splitlines())


def test_a_killed_run_leaves_no_process(submitted, tmp_path):
    process, below = _busy(submitted, tmp_path / "results.jsonl")
    assert any("fork_server" in _command(process) for process in below)
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, timeout=30)[1] == []


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # a submission's process that has just ended
        return ""


@pytest.mark.heavy
def test_killed_at_random_moments(submitted, tmp_path):
    whole, results = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    assert main(grade_words(submitted, whole)) == 0
    for tenth in range(1, 25, 3):
        results.unlink(missing_ok=True)
        process = _start(grade_words(submitted, results))
        time.sleep(tenth / 10)
        process.kill()
        process.wait()
        assert main(grade_words(submitted, results)) == 0
        assert rows_of(results) == rows_of(whole)


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    # Where tests run in the background, Ctrl-C is ignored, and children would inherit that.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
        signal.signal(signal.SIGINT, before)


def _kill_after(arguments: list[str], results: Path, count: int) -> None:
    process = _start(arguments)
    while process.poll() is None:
        if results.exists() and results.read_bytes().count(b"\n") >= count:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.005)
    process.wait()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["arithmetik", ".", "--results", "r"], "did you mean arithmetic"),
        ([CHAPTER, "nowhere", "--results", "r"], "nowhere: no such folder"),
        ([CHAPTER, "empty", "--results", "r"], "no submissions; expected"),
        ([CHAPTER, "empty", "--results", "no/folder/r"], "no submissions; expected"),
        ([CHAPTER, "class", "--results", "no/folder/r"], "there is no folder"),
        ([CHAPTER, "class", "--results", "class"], "not a file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "nowhere"], "nowhere: No such file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "short"], "at least 16"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "short").write_text("short")
    hand_in(tmp_path / "class", "anton", notebook("x = 1"))
    assert main(["grade", *arguments, "--exercises", str(BANK)]) == 2
    captured = capsys.readouterr().err.strip().splitlines()
    assert line in captured[-1]
    assert captured[-1].startswith("coursekit: ")


def _of(exercise: str) -> bytes:
    return notebook(code("x = 1", coursekit={"exercise": exercise, "role": "answer", "version": 1}))


@pytest.mark.parametrize(
    ("chapter", "data", "found"),
    [
        ("algebra", _of("triple"), "ana, who has algebra/algebra.ipynb"),
        (CHAPTER, _of("triple"), "ana, whose exercises are triple"),
    ],
)
def test_a_class_of_another_chapter_gets_no_rows(tmp_path, capsys, chapter, data, found):
    folder, results = tmp_path / "submitted", tmp_path / "results.jsonl"
    (folder / "0-nothing").mkdir(parents=True)
    for student in ("ana", "bo"):
        hand_in(folder, student, data, chapter)
    assert main(grade_words(folder, results)) == 2
    said = capsys.readouterr().err
    assert f"{folder}: nobody's work is of {CHAPTER}; found the work of {found}. " in said
    assert not results.exists()


def test_one_student_with_another_chapter_is_for_a_person(tmp_path):
    folder, results = tmp_path / "submitted", tmp_path / "results.jsonl"
    hand_in(folder, "ana", _of("triple"))
    marked = [
        code(right, coursekit={"exercise": id, "role": "answer"}) for id, right in RIGHT.items()
    ]
    hand_in(folder, "bo", notebook(*marked))
    (folder / "cy" / "algebra").mkdir(parents=True)
    (folder / "cy" / "algebra" / "algebra.ipynb").write_bytes(_of("triple"))
    assert main(grade_words(folder, results)) == 0
    ana, bo, cy = rows_of(results)
    assert ana["status"] == "needs_review"
    assert ana["reason"] == "it has no answer to any exercise of this chapter"
    assert bo["score"] == FULL
    assert cy["reason"] == f"it has no {CHAPTER}.ipynb; it has algebra/algebra.ipynb"
