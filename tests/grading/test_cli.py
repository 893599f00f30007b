"""``coursekit grade`` from the outside: what it writes, says and survives."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from coursekit.cli import main
from coursekit.sandbox.sandbox import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook

STUDENTS = [f"student-{number:02}" for number in range(12)]


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """Return a class in which every third student is right and the first handed in nothing."""
    folder = tmp_path / "submitted"
    for number, student in enumerate(STUDENTS):
        hand_in(
            folder, student, notebook(*RIGHT.values()) if number % 3 == 0 else notebook("x = 1")
        )
    (folder / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb").unlink()
    return folder


def words(submitted: Path, results: Path, *more: str) -> list[str]:
    """Return the command's words."""
    given = ["grade", CHAPTER, str(submitted), "--results", str(results), "--bank", str(BANK)]
    return [*given, "--jobs", "2", *more]


def rows(results: Path) -> list[dict[str, Any]]:
    """Return the rows without what differs from run to run."""
    found = [json.loads(line) for line in results.read_text().splitlines()]
    return [{k: v for k, v in row.items() if k != "seconds"} for row in found]


def test_every_submission_has_its_row(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(words(submitted, results)) == 0
    found = rows(results)
    assert [row["student"] for row in found] == STUDENTS
    assert found[0]["status"] == "unreadable"
    assert found[0]["reason"] == f"it has no {CHAPTER}.ipynb"
    assert [row["score"] for row in found[:4]] == [0.0, 0.0, 0.0, FULL]
    assert found[3]["isolation"].startswith(strongest_level())
    told = capsys.readouterr()
    assert "12 submissions" in told.out
    assert f"isolation: {strongest_level()}" in told.err
    assert "--secret" in told.err


def test_many_empty_folders_among_notebooks(tmp_path):
    # What cannot be read gets its row from the judges' threads, while others are graded.
    folder, results = tmp_path / "submitted", tmp_path / "results.jsonl"
    for number in range(40):
        hand_in(folder, f"good-{number:02}", notebook(*RIGHT.values()))
        (folder / f"none-{number:02}").mkdir()
    assert main(words(folder, results)) == 0
    scores = {row["student"]: row["score"] for row in rows(results)}
    assert scores == {f"good-{n:02}": FULL for n in range(40)} | {
        f"none-{n:02}": 0.0 for n in range(40)
    }


def _busy(submitted, results):
    """Return a run that a submission holds up, and all processes below it."""
    work = submitted / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook("import time\ntime.sleep(60)"))
    process = _start(words(submitted, results))
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
        (["--bank", "privat"], "no exercise folder at privat"),
        (["--secret", "{results}"], "given for --secret and for --results"),
    ],
)
def test_a_slip_is_said_before_anything_is_graded(submitted, tmp_path, capsys, more, message):
    results = tmp_path / "results.jsonl"
    results.write_text("a secret without an end of line")
    more = [word.format(results=results) for word in more]
    assert main(words(submitted, results, *more)) == 2
    assert message in capsys.readouterr().err
    assert results.read_text() == "a secret without an end of line"


def test_a_second_run_grades_only_what_is_new(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(words(submitted, results)) == 0
    before = results.read_bytes()
    assert main(words(submitted, results)) == 0
    assert results.read_bytes() == before
    assert "12 were graded before and kept" in capsys.readouterr().out
    work = submitted / STUDENTS[1] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook(*RIGHT.values()))
    assert main(words(submitted, results)) == 0
    assert "11 were graded before" in capsys.readouterr().out
    assert rows(results)[1]["score"] == FULL


def test_a_secret_regrades_and_does_not_show(submitted, tmp_path, capsys):
    results, secret = tmp_path / "results.jsonl", tmp_path / "secret.txt"
    assert main(words(submitted, results)) == 0
    keys = {row["key"] for row in rows(results)}
    secret.write_text("a secret of some length")
    assert main(words(submitted, results, "--secret", str(secret))) == 0
    assert not keys & {row["key"] for row in rows(results)}
    assert "a secret" not in results.read_text() + capsys.readouterr().out


def test_killed_at_many_points_it_goes_on_where_it_stopped(submitted, tmp_path):
    whole = tmp_path / "whole.jsonl"
    assert main(words(submitted, whole)) == 0
    for count in (1, 4, 9):
        results = tmp_path / f"killed-{count}.jsonl"
        _kill_after(words(submitted, results), results, count)
        kept = results.read_text().splitlines()
        assert main(words(submitted, results)) == 0
        assert rows(results) == rows(whole)
        assert set(kept[:count]) <= set(results.read_text().splitlines())


def test_a_killed_run_leaves_no_process(submitted, tmp_path):
    process, below = _busy(submitted, tmp_path / "results.jsonl")
    assert any("fork_server" in " ".join(found.cmdline()) for found in below)
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, timeout=30)[1] == []


@pytest.mark.heavy
def test_killed_at_random_moments(submitted, tmp_path):
    whole, results = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    assert main(words(submitted, whole)) == 0
    for tenth in range(1, 25):
        results.unlink(missing_ok=True)
        process = _start(words(submitted, results))
        time.sleep(tenth / 10)
        process.kill()
        process.wait()
        assert main(words(submitted, results)) == 0
        assert rows(results) == rows(whole)


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
        ([CHAPTER, "class", "--results", "class"], "is no file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "nowhere"], "nowhere: No such file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "short"], "at least 16"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "short").write_text("short")
    hand_in(tmp_path / "class", "anton", notebook("x = 1"))
    assert main(["grade", *arguments, "--bank", str(BANK)]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert line in told[-1]
    assert told[-1].startswith("coursekit: ")


def test_a_machine_without_a_sandbox_must_be_told_to_grade(submitted, tmp_path):
    results = tmp_path / "r.jsonl"
    refused = _in_a_container(words(submitted, results))
    assert refused.returncode == 2
    assert "no sandbox here: unshare: Operation not permitted" in refused.stderr
    assert "--isolation partial" in refused.stderr
    assert not results.exists()
    done = _in_a_container(words(submitted, results, "--isolation", "none"))
    assert done.returncode == 0, done.stderr
    assert {row["isolation"].split("+")[0] for row in rows(results)} == {"", "none"}


def _in_a_container(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the command where the kernel refuses namespaces, as in a usual container."""
    script = (
        "import errno, pyseccomp, sys\n"
        "f = pyseccomp.SyscallFilter(pyseccomp.ALLOW)\n"
        "f.add_rule(pyseccomp.ERRNO(errno.EPERM), 'unshare')\n"
        "f.load()\n"
        "from coursekit.cli import main\n"
        "sys.exit(main())"
    )
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rows_of_a_weaker_run_are_graded_again_in_a_sandbox(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(words(submitted, results, "--isolation", "none")) == 0
    assert "none: 11" in capsys.readouterr().out
    assert main(words(submitted, results)) == 0
    assert "1 were graded before and kept" in capsys.readouterr().out
    assert {row["isolation"].split("+")[0] for row in rows(results)} == {"", strongest_level()}
    before = results.read_bytes()
    assert main(words(submitted, results, "--isolation", "none")) == 0
    assert results.read_bytes() == before


def test_a_class_below_the_interpreter_cannot_be_seen(tmp_path):
    folder = Path(sys.prefix, f"coursekit-test-{os.getpid()}")
    try:
        peek = f"import os\nif os.listdir({str(folder)!r}): even = 'b'"
        hand_in(folder, "eve", notebook(peek))
        hand_in(folder, "anton", notebook(*RIGHT.values()))
        assert main(words(folder, tmp_path / "r.jsonl")) == 0
    finally:
        shutil.rmtree(folder)
    assert {row["student"]: row["score"] for row in rows(tmp_path / "r.jsonl")} == {
        "eve": 0.0,
        "anton": FULL,
    }


def test_who_has_left_is_named_and_not_exported(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(words(submitted, results)) == 0
    work = submitted / STUDENTS[3]
    work.rename(tmp_path / "left")
    assert main(words(submitted, results)) == 0
    assert f"left out of exports: {STUDENTS[3]}\n" in capsys.readouterr().out
    assert [r["student"] for r in rows(results) if r["withdrawn"]] == [STUDENTS[3]]
    (tmp_path / "left").rename(work)
    assert main(words(submitted, results)) == 0
    assert not any(row["withdrawn"] for row in rows(results))


def test_one_student_or_one_status_is_graded_again(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(words(submitted, results, "--only", STUDENTS[3], STUDENTS[4])) == 0
    assert [row["student"] for row in rows(results)] == STUDENTS[3:5]
    assert main(words(submitted, results, "--only", "nobody")) == 2
    assert "no submission of nobody" in capsys.readouterr().err
    assert main(words(submitted, results)) == 0
    capsys.readouterr()
    assert main(words(submitted, results, "--again", "unreadable")) == 0
    assert "11 were graded before and kept" in capsys.readouterr().out


def test_limits_are_options_and_stored(submitted, tmp_path):
    results = tmp_path / "results.jsonl"
    more = ["--cell-seconds", "0.5", "--memory", "300", "--only", STUDENTS[1]]
    slow = submitted / STUDENTS[1] / CHAPTER / f"{CHAPTER}.ipynb"
    slow.write_bytes(notebook("while True: pass"))
    assert main(words(submitted, results, *more)) == 0
    (row,) = rows(results)
    assert row["limits"] == {
        "cell_seconds": 0.5,
        "call_seconds": 10.0,
        "total_seconds": 180.0,
        "memory": 300,
        "processes": 32,
    }
    assert row["status"] == "timeout"
    assert "tried a second time alone" in row["reason"]
