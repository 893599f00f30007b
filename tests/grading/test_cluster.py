"""Grading on a real scheduler and two workers over TLS, while outsiders connect."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed.security import Security

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade import cluster_connection
from coursekit.grade.cluster import grade_on_cluster
from coursekit.grade.cluster_connection import Connection
from coursekit.grade.cluster_keys import make_keys
from coursekit.grade.grader_process import GraderUnavailableError
from coursekit.grade.pool import Job

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook
from .conftest import rows_of as rows
from .test_grader_process import RIGHT as RIGHT_DOSE
from .test_grader_process import poison_task

pytestmark = pytest.mark.heavy

SECRET = "a-secret-that-nobody-may-overhear"
CELL = "thought = 'what a student wrote'"


class Cluster:
    """A scheduler and two workers.

    They are started by the very commands that ``coursekit cluster-keys`` printed; the second worker
    has its keys from dask's own configuration.
    """

    def __init__(self, keys: Path, printed: str) -> None:
        self.keys, self.processes = keys, list[subprocess.Popen[bytes]]()
        lines = [line for line in printed.splitlines() if line.startswith("  dask ")]
        scheduler, worker = (shlex.split(line)[1:] for line in lines)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._start([*scheduler, "--host", "127.0.0.1", "--port", str(self.port)])
        self._wait_for_the_scheduler()
        self.address = f"tls://127.0.0.1:{self.port}"
        worker = [word.replace("tls://HOST:8786", self.address) for word in worker]
        self._start([*worker, "--nworkers=1"])
        configured = ["worker", self.address, "--no-dashboard", "--nworkers=1"]
        self._start(configured, DASK_CONFIG=str(keys))

    def _start(self, words: list[str], **variables: str) -> None:
        self.processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=self.keys.parent,
                env={**os.environ, "PYTHONWARNINGS": "ignore", **variables},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    def _wait_for_the_scheduler(self) -> None:
        while True:
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", self.port)).close()
            assert self.processes[0].poll() is None
            time.sleep(0.05)

    def connection(self) -> Connection:
        """Return a connection, once both workers are there."""
        connection = Connection(self.address, self.keys)
        connection._client.wait_for_workers(2)
        return connection

    def close(self) -> None:
        """End every process."""
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster that was started with the printed commands."""
    keys = tmp_path_factory.mktemp("cluster") / "my keys"  # with a blank in its name
    words = [sys.executable, "-m", "coursekit.cli", "cluster-keys", str(keys)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    with pytest.MonkeyPatch.context() as patch:
        # The scheduler has just been started, on a machine that may be busy.
        patch.setattr(cluster_connection, "_CONNECT_SECONDS", 60.0)
        cluster = Cluster(keys, done.stdout)
        try:
            cluster.connection().close()
            yield cluster
        finally:
            cluster.close()


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """Return the keys of another cluster."""
    make_keys(tmp_path / "others")
    return tmp_path / "others"


def grade(tmp_path: Path, *where: str) -> list[dict[str, Any]]:
    """Return a class's rows."""
    results = tmp_path / f"{where[0].strip('-')}.jsonl"
    words = ["grade", CHAPTER, str(tmp_path / "submitted"), "--results", str(results)]
    words += ["--exercises", str(BANK), "--secret", str(tmp_path / "secret.txt"), *where]
    assert main(words) == 0
    return rows(results)


def test_the_rows_are_those_of_one_machine(tmp_path, cluster):
    (tmp_path / "secret.txt").write_text(SECRET)
    for number in range(12):
        cells = [CELL, *RIGHT.values()] if number % 3 == 0 else [CELL]
        hand_in(tmp_path / "submitted", f"student-{number:02}", notebook(*cells))
    there = grade(tmp_path, "--dask", cluster.address, "--dask-keys", str(cluster.keys))
    assert there == grade(tmp_path, "--jobs", "2")


def test_only_this_machine_reaches_dask_s_dashboard(cluster):
    # Dashboards are neither encrypted nor protected by a key.
    for process in cluster.processes[:2]:
        places = _listening(process.pid)
        pages = {place for place in places if _answers_plainly(place.port)}
        assert pages
        assert {place.ip for place in pages} == {"127.0.0.1"}
        assert places - pages


def _listening(pid: int) -> set[Any]:
    process = psutil.Process(pid)
    return {
        connection.laddr
        for each in (process, *process.children(recursive=True))
        for connection in each.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }


def _answers_plainly(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port)) as asking, suppress(OSError):
        asking.sendall(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n")
        return asking.recv(4) == b"HTTP"
    return False


def test_other_keys_are_one_line(cluster, others):
    with pytest.raises(CoursekitError, match=r"was not started with the keys .*self-signed"):
        Connection(cluster.address, others)


def test_a_certificate_of_another_authority_does_not_get_in(cluster, others, monkeypatch):
    # It trusts the scheduler, but the scheduler does not trust it.
    shutil.copy(cluster.keys / "ca.pem", others)
    paths = {"tls_client_cert": str(others / "cert.pem"), "tls_client_key": str(others / "key.pem")}
    mixed = Security(require_encryption=True, tls_ca_file=str(others / "ca.pem"), **paths)
    monkeypatch.setattr(cluster_connection, "read_keys", lambda _: mixed)
    with pytest.raises(CoursekitError, match=r"was not started with the keys .*unknown ca"):
        Connection(cluster.address, others)


def test_without_a_certificate_nobody_gets_an_answer(cluster):
    context = ssl.create_default_context(cafile=str(cluster.keys / "ca.pem"))
    context.check_hostname = False
    with (
        socket.create_connection(("127.0.0.1", cluster.port)) as bare,
        context.wrap_socket(bare) as stranger,
        pytest.raises(ssl.SSLError, match="required"),
    ):
        stranger.recv(1)


def test_an_unencrypted_client_gets_no_answer(cluster):
    with pytest.raises(CoursekitError, match=r"no dask scheduler at tcp.*--dask-keys"):
        Connection(cluster.address.replace("tls", "tcp"))


# What follows kills workers; their nannies start others.


def test_what_kills_its_worker_is_one_row_and_nothing_else_is_lost(cluster):
    poison = notebook("def dose(): return 'kill its parent'")
    jobs: list[Job] = [(n, poison if n == 5 else RIGHT_DOSE, ()) for n in range(12)]
    done = grade_on_cluster(poison_task(), jobs, address=cluster.address, keys=cluster.keys)
    outcomes = {label: row for label, row, _ in done}
    assert len(outcomes) == 12
    assert outcomes.pop(5)["status"] == "crashed"
    assert {row["score"] for row in outcomes.values()} == {1.0}


def test_a_machine_that_cannot_grade_is_one_line(cluster):
    task, jobs = replace(poison_task(), files={"dose.py": "this is not Python"}), [("a", b"", ())]
    with pytest.raises(GraderUnavailableError, match=r"dose\.py"):
        list(grade_on_cluster(task, jobs, address=cluster.address, keys=cluster.keys))
