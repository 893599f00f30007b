"""A run that is ended from outside leaves no process and no file behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import psutil
import pytest

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook

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
    ("ending", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)]
)
@pytest.mark.parametrize("place", PLACES)
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
