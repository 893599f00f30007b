"""What becomes of grades needs nothing of POSIX: every command but `grade` runs on Windows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_manual_scores import URL, by_hand, empty, graded, with_prose

__all__ = ["empty", "graded"]

#: Runs commands where our code finds none of these modules. Others' code may: it asks for the
#: platform, which no test can change.
_WITHOUT = """
import json
import sys
from pathlib import Path

import coursekit

OURS = str(Path(coursekit.__file__).parent)
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


class Missing:
    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if name in POSIX and frame.f_code.co_filename.startswith(OURS):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
for name in POSIX:
    sys.modules.pop(name, None)
from coursekit.cli import main

for words in json.loads(sys.argv[1]):
    print("=====", flush=True)
    if status := main(words):
        sys.exit(f"{words} ended with {status}")
"""
_RULES = """
[late]
percent_per_day = 10
[assignments.numbers]
duedate = 2026-11-02T23:59:00+01:00
"""
_ALL = ("--gradebook", URL, "--policy", "policy.toml")


@pytest.fixture
def file(graded) -> str:
    """Return a class's results, of which a person has graded one."""
    late = "2026-11-03T23:59:00+01:00"
    file = graded(with_prose("ada", 2, 0, timestamp=late), with_prose("Łukasz", 2, 1))
    by_hand("ada", "twice-text-why", manual_score=2.5, comment="Well argued.")
    Path("policy.toml").write_text(_RULES, encoding="utf-8")
    Path("canvas.csv").write_text("Student,SIS Login ID\nA,ada\nB,Łukasz\n", encoding="utf-8")
    Path("moodle.csv").write_text("Username,Grade,Maximum Grade\nada,,6\nŁukasz,,6\n", "utf-8")
    return file


def run(*commands: list[str]) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "error", "-c", _WITHOUT, json.dumps(commands)]
    env = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "MPLBACKEND": "agg"}
    return subprocess.run(command, capture_output=True, env=env, check=False)


def test_listing(numbers, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(["list"], ["list", "numbers"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"double") == 2


def test_what_becomes_of_grades(file: str) -> None:
    to_print = [
        ["--format", "nbgrader"],
        ["--format", "totals"],
        ["--format", "canvas", "--lms-file", "canvas.csv"],
        ["--format", "moodle", "--lms-file", "moodle.csv"],
    ]
    to_files = {
        "stats.png": ["stats", file, "--figure", "stats.png", *_ALL],
        "out/ada.html": ["feedback", file, "-o", "out"],
        "all/ada.html": ["feedback", file, "-o", "all", *_ALL],
        "n.csv": ["export", file, "--format", "nbgrader", "-o", "n.csv"],
        "scope/ada": ["export", file, "--format", "gradescope", "-o", "scope", *_ALL],
    }
    printed = [["export", file, *words, *_ALL] for words in to_print]
    done = run(["stats", file], *to_files.values(), *printed)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr.decode()
    assert [made for made in to_files if Path(made).stat().st_size == 0] == []
    *_, first, second, third, fourth = done.stdout.decode("utf-8").split("=====")
    assert all("Łukasz" in said for said in (first, second, third, fourth))


def test_the_block_is_real(tmp_path: Path) -> None:
    done = run(["grade", "numbers", str(tmp_path), "--results", "r.jsonl"])
    assert b"No module named" in done.stderr
