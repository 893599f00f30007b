"""Which submissions a run grades, how it confines them, and what it records of that."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import psutil
import pytest

from coursekit.cli import main
from coursekit.grade.cli import add_options, limits_of
from coursekit.grade.limits import Limits
from coursekit.sandbox.limits import MIB
from tests.isolation import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, STUDENTS, grade_words, hand_in, notebook, rows_of
from .handed_in import make_zip

SOLVED = notebook(*RIGHT.values())


def test_a_machine_without_a_sandbox_must_be_told_to_grade(tmp_path):
    submitted, results = tmp_path / "submitted", tmp_path / "r.jsonl"
    hand_in(submitted, "ada", SOLVED)
    refused = _in_a_container(grade_words(submitted, results))
    assert refused.returncode == 2
    assert "no sandbox here: unshare: Operation not permitted" in refused.stderr
    assert "--isolation partial" in refused.stderr
    assert not results.exists()
    done = _in_a_container(grade_words(submitted, results, "--isolation", "none"))
    assert done.returncode == 0, done.stderr
    (row,) = rows_of(results)
    assert (row["score"], row["isolation"].split("+")[0]) == (FULL, "none")


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


def test_rows_of_a_weaker_run_are_graded_again_in_a_sandbox(submitted, tmp_path, run):
    said = run(submitted, "--isolation", "none")
    assert "graded without a sandbox: 11 at level none" in said
    assert "11 graded now, 1 kept" in run(submitted)
    results = tmp_path / "r.jsonl"
    assert {row["isolation"].split("+")[0] for row in rows_of(results)} == {"", strongest_level()}
    before = results.read_bytes()
    run(submitted, "--isolation", "none")
    assert results.read_bytes() == before


def test_withdrawn_work_is_named_and_not_exported(submitted, tmp_path, run):
    run(submitted)
    work = submitted / STUDENTS[3]
    work.rename(tmp_path / "left")
    said = run(submitted)
    assert f"left out of exports: {STUDENTS[3]}\n" in said
    assert f": 11 rows of {CHAPTER} (2 graded," in said
    assert [r["student"] for r in rows_of(tmp_path / "r.jsonl") if r["withdrawn"]] == [STUDENTS[3]]
    (tmp_path / "left").rename(work)
    run(submitted)
    assert not any(row["withdrawn"] for row in rows_of(tmp_path / "r.jsonl"))


def test_one_student_or_one_status_is_graded_again(submitted, tmp_path, run):
    run(submitted, "--only", STUDENTS[3], "--only", STUDENTS[4])
    assert [row["student"] for row in rows_of(tmp_path / "r.jsonl")] == STUDENTS[3:5]
    out = run(submitted, "--only", STUDENTS[5])
    assert "1 submission: 1 graded now\n" in out
    assert f": 3 rows of {CHAPTER} (1 graded, 2 needs_review)\n" in out
    assert "no submission of nobody" in run(submitted, "--only", "nobody", status=2)
    run(submitted)
    again = run(submitted, "--again", "not_submitted", "--again", "crashed")
    assert "1 graded now, 11 kept" in again


def test_limits_are_options():
    parser = argparse.ArgumentParser()
    add_options(parser)
    words = "c class --results r --cell-seconds 1.5 --call-seconds 2 --total-seconds 3 --memory 4"
    told = limits_of(parser.parse_args([*words.split(), "--processes", "5"]))
    most = {"memory": 4 * MIB, "processes": 5}
    assert told == Limits(cell_seconds=1.5, call_seconds=2, total_seconds=3, **most)


def test_a_run_leaves_no_folder_behind_even_where_it_has_to_kill_its_graders(
    submitted, tmp_path, monkeypatch
):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)  # looked up again
    monkeypatch.setattr("coursekit.grade.grader_process._END_SECONDS", 0.0)
    assert main(grade_words(submitted, tmp_path / "r.jsonl", "--isolation", "none")) == 0
    assert list(folder.iterdir()) == []


# --- whose a file is ------------------------------------------------------------------------------


def scores(tmp_path: Path) -> dict[str, Any]:
    """Return each student's status and score."""
    rows = rows_of(tmp_path / "r.jsonl")
    return {row["student"]: (row["status"], row["score"]) for row in rows}


def test_a_class_without_a_point_is_a_warning(tmp_path, run):
    names = [f"ada/other/{CHAPTER}.ipynb", "bob/other/other.ipynb"]
    said = run(make_zip(tmp_path / "class.zip", dict.fromkeys(names, SOLVED)))
    assert "warning: no submission has earned a point; check that these are submissions" in said


def test_a_disk_that_fails_on_the_way_stops_the_batch_and_the_next_run_goes_on(
    tmp_path, monkeypatch, run
):
    folder = tmp_path / "submitted"
    bad = [hand_in(folder, student, SOLVED) for student in ("anton", "berta")][1]
    opened, real = [], os.open

    def failing(path: Any, *more: Any, **named: Any) -> int:
        if str(path) == str(bad):
            opened.append(path)
            if len(opened) == 1:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", failing)
    last = run(folder, status=2).splitlines()[-1]
    assert last.startswith(f"coursekit: {bad}: cannot be read (Input/output error); mend that,")
    assert "berta" not in scores(tmp_path)
    run(folder)
    assert scores(tmp_path) == dict.fromkeys(("anton", "berta"), ("graded", FULL))


@pytest.mark.parametrize("listed", ["Zo\u00eb", "Zoe\u0308"])
@pytest.mark.parametrize("handed_in", ["Zo\u00eb", "Zoe\u0308"])
def test_a_name_is_one_student_in_every_spelling(tmp_path, run, listed, handed_in):
    folder, lms = tmp_path / "class", tmp_path / "canvas.csv"
    path = hand_in(folder, handed_in, SOLVED)
    lms.write_text(f"Student,SIS Login ID\nZ,{listed}\n", encoding="utf-8")
    run(folder, "--lms-file", str(lms), "--only", listed)
    assert scores(tmp_path) == {"Zo\u00eb": ("graded", FULL)}
    # The same work from a system that spells names in the other way is not graded again.
    other = {"Zo\u00eb": "Zoe\u0308", "Zoe\u0308": "Zo\u00eb"}[handed_in]
    path.parents[1].rename(folder / other)
    assert "0 graded now, 1 kept" in run(folder, "--lms-file", str(lms))


# --- what the command prints ----------------------------------------------------------------------


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


@pytest.mark.usefixtures("unconfined")
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["arithmetik", ".", "--results", "r"], "did you mean arithmetic"),
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


# --- a run that is ended from outside -------------------------------------------------------------


#: Stops the grader's process for good; the coordinator, which reads the same file, goes on.
PAUSE = """
import os, signal, sys
if getattr(sys.modules["__main__"].__spec__, "name", "") == "coursekit.grade.grader_process":
    os.write(1, b"here\\n")
    signal.pause()
"""
PLACES = {
    "while it reads the exercises": ("@check(points=1.5)\n", f"{PAUSE}\n\n@check(points=1.5)\n"),
    "while it checks": ("    x = np.array(", f"{indent(PAUSE, '    ')}    x = np.array("),
}


@pytest.fixture
def _with_ctrl_c() -> Iterator[None]:
    """Let a run take Ctrl-C where these tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_with_ctrl_c")
@pytest.mark.parametrize(
    ("place", "ending", "status"),
    [
        ("while it reads the exercises", signal.SIGINT, 130),
        ("while it checks", signal.SIGTERM, -15),
        ("while it checks", signal.SIGKILL, -9),
    ],
)
def test_a_run_that_is_ended_leaves_no_process_and_no_file(tmp_path, place, ending, status):
    source = (BANK / CHAPTER / "double.py").read_text()
    before, after = PLACES[place]
    bank, class_, left = (tmp_path / name for name in ("bank", "class", "left"))
    (bank / CHAPTER).mkdir(parents=True)
    left.mkdir()
    (bank / CHAPTER / "double.py").write_text(source.replace(before, after, 1))
    hand_in(class_, "ada", notebook(RIGHT["double"]))
    words = ["grade", CHAPTER, str(class_), "--results", str(tmp_path / "r.jsonl")]
    words += ["--exercises", str(bank), "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "coursekit.cli", *words],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(left)},
    ) as run:
        assert run.stdout is not None
        while b"here" not in run.stdout.readline():
            assert run.poll() is None
        below = psutil.Process(run.pid).children(recursive=True)
        commands = str([process.cmdline() for process in below])
        assert ("fork_server" in commands) == (place == "while it checks")
        run.send_signal(ending)
        assert run.wait(timeout=60) == status
        assert psutil.wait_procs(below, timeout=60)[1] == []
    assert [str(path) for path in Path(left).rglob("*")] == []
