"""Grading on a real dask scheduler with worker processes, of which some are killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.grade.cluster import grade_on_cluster
from coursekit.grade.pool import Job

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook
from .conftest import rows_of as rows
from .test_grader_process import RIGHT as RIGHT_DOSE
from .test_grader_process import poison_task

pytestmark = pytest.mark.heavy
SLOW = "import time\ntime.sleep(0.2)\n"


class Cluster:
    """A scheduler and its workers, each a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self._folder = folder
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in range(2)]

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        port = self.address.rsplit(":", 1)[1]
        return self._run("scheduler", "--host", "127.0.0.1", "--port", port)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._run("worker", self.address, "--nthreads", "1", "--death-timeout", "60")

    def _run(self, *words: str) -> subprocess.Popen[bytes]:
        program = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        return subprocess.Popen(
            [*program, "--no-dashboard"],
            cwd=self._folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill_worker(self) -> None:
        """Kill a worker with its nanny, and start another."""
        self._kill(self.workers.pop())
        self.workers.append(self._start_worker())

    def restart_scheduler(self) -> None:
        """Kill the scheduler and all workers, and start them again at the same address."""
        for process in (self.scheduler, *self.workers):
            self._kill(process)
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in range(2)]

    def close(self) -> None:
        """End every process."""
        for process in (*self.workers, self.scheduler):
            self._kill(process)

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Return a cluster of two workers."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.close()


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """Return a class of forty, each of which takes a moment."""
    for number in range(40):
        cells = [SLOW, *RIGHT.values()] if number % 3 == 0 else [SLOW]
        hand_in(tmp_path / "submitted", f"student-{number:02}", notebook(*cells))
    return tmp_path / "submitted"


def command(submitted: Path, results: Path, *where: str) -> list[str]:
    """Return the words of a grading command."""
    words = ["grade", CHAPTER, str(submitted), "--results", str(results), "--exercises", str(BANK)]
    return [*words, *where]


def graded_with(
    submitted: Path, tmp_path: Path, cluster: Cluster, accident: Callable[[], None]
) -> subprocess.Popen[bytes]:
    """Grade on the cluster, have an accident after ten rows, and wait for the end."""
    results = tmp_path / "results.jsonl"
    words = command(submitted, results, "--dask", cluster.address)
    process = subprocess.Popen([sys.executable, "-m", "coursekit.cli", *words])
    while not results.exists() or results.read_bytes().count(b"\n") < 10:
        assert process.poll() is None
        time.sleep(0.05)
    accident()
    process.wait(timeout=200)
    return process


def test_as_on_one_machine(submitted, tmp_path, cluster):
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert main(command(submitted, here, "--jobs", "2")) == 0
    assert main(command(submitted, there, "--dask", cluster.address)) == 0
    assert rows(there) == rows(here)


def test_a_killed_worker_loses_nothing(submitted, tmp_path, cluster):
    process = graded_with(submitted, tmp_path, cluster, cluster.kill_worker)
    assert process.returncode == 0
    _all_there_once(tmp_path)


def test_a_restarted_scheduler_loses_nothing(submitted, tmp_path, cluster):
    process = graded_with(submitted, tmp_path, cluster, cluster.restart_scheduler)
    assert process.returncode == 0
    _all_there_once(tmp_path)


def test_a_killed_coordinator_goes_on(submitted, tmp_path, cluster):
    results = tmp_path / "results.jsonl"
    words = command(submitted, results, "--dask", cluster.address)
    process = subprocess.Popen([sys.executable, "-m", "coursekit.cli", *words])
    while not results.exists() or results.read_bytes().count(b"\n") < 10:
        time.sleep(0.05)
    process.kill()
    process.wait()
    lines = results.read_bytes().splitlines()[:10]
    assert main(words) == 0
    _all_there_once(tmp_path)
    assert set(lines) <= set(results.read_bytes().splitlines())


def _all_there_once(tmp_path: Path) -> None:
    after = rows(tmp_path / "results.jsonl")
    assert [row["student"] for row in after] == [f"student-{n:02}" for n in range(40)]
    # Two of three hand in a notebook without any answer.
    answered = [n % 3 == 0 for n in range(40)]
    assert [row["status"] for row in after] == [
        "graded" if has else "needs_review" for has in answered
    ]
    assert [row["score"] > 0 for row in after] == [n % 3 == 0 for n in range(40)]


def test_what_kills_its_worker_is_one_row(cluster):
    poison = notebook("def dose(): return 'kill its parent'")
    jobs: list[Job] = [(n, poison if n == 5 else RIGHT_DOSE, ()) for n in range(12)]
    outcomes = {
        label: row
        for label, row, _ in grade_on_cluster(poison_task(), jobs, address=cluster.address)
    }
    assert len(outcomes) == 12
    assert outcomes.pop(5)["status"] == "crashed"
    assert {row["score"] for row in outcomes.values()} == {1.0}


def test_a_machine_that_cannot_grade_is_one_line(cluster):
    from coursekit.grade.grader_process import GraderUnavailableError

    task = replace(poison_task(), files={"dose.py": "this is not Python"})
    with pytest.raises(GraderUnavailableError, match=r"dose\.py"):
        list(grade_on_cluster(task, [("anton", RIGHT_DOSE, ())], address=cluster.address))
