"""``coursekit grade`` from the outside: what it writes, prints and survives."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import psutil
import pytest

from coursekit.cli import main
from tests.isolation import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, STUDENTS, grade_words, hand_in, notebook, rows_of


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


def _busy(submitted, results):
    """Return a run that a submission holds up, and all processes below it."""
    work = submitted / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook("import time\ntime.sleep(60)"))
    process = _start(grade_words(submitted, results))
    while not results.exists() or b"\n" not in results.read_bytes():
        assert process.poll() is None
        time.sleep(0.05)
    return process, psutil.Process(process.pid).children(recursive=True)


def test_stopped_by_hand_it_ends_soon_and_leaves_nothing(submitted, tmp_path):
    process, below = _busy(submitted, tmp_path / "results.jsonl")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert psutil.wait_procs(below, timeout=60)[1] == []


@pytest.mark.usefixtures("unconfined")
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


def test_a_killed_run_leaves_no_process_and_the_next_one_goes_on(submitted, tmp_path):
    # Where the file was cut off is `test_rows.py`'s matter.
    whole, results = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    assert main(grade_words(submitted, whole)) == 0
    process, below = _busy(submitted, results)
    assert any("fork_server" in _command(process) for process in below)
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, timeout=60)[1] == []
    first = results.read_text().partition("\n")[0]
    (submitted / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb").unlink()
    assert main(grade_words(submitted, results)) == 0
    assert rows_of(results) == rows_of(whole)
    assert first in results.read_text().splitlines()


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # a submission's process that has just ended
        return ""


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    # Where tests run in the background, Ctrl-C is ignored, and children would inherit that.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("unconfined")
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
        ([CHAPTER, "class", "--results", "r", "--secret", "picture"], "picture: not a text file"),
        ([CHAPTER, "class", "--results", "short", "--secret", "short"], "expected two files"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "short").write_text("short")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff\xfe")
    hand_in(tmp_path / "class", "anton", notebook("x = 1"))
    assert main(["grade", *arguments, "--exercises", str(BANK)]) == 2
    captured = capsys.readouterr().err.strip().splitlines()
    assert line in captured[-1]
    assert captured[-1].startswith("coursekit: ")
