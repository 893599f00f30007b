"""Grading on a real scheduler and two workers over TLS, while outsiders listen and connect."""

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
from pathlib import Path
from typing import Any

import psutil
import pytest

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade import cluster_connection
from coursekit.grade.cluster_connection import Connection
from coursekit.grade.cluster_keys import make_keys

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook
from .conftest import rows_of as rows
from .listener import Listener

pytestmark = pytest.mark.heavy

SECRET = "a-secret-that-nobody-may-overhear"
#: Part of a hidden check.
HIDDEN = "OPEN-SESAME"
CELL = "thought = 'what a student wrote'"


class Cluster:
    """A scheduler and two workers that talk to it through an `Listener`, as the coordinator does.

    With keys they are started by the very commands that ``coursekit cluster-keys`` printed; the
    second worker has its keys from dask's own configuration.
    """

    def __init__(self, folder: Path, printed: str = "", keys: Path | None = None) -> None:
        self._folder = folder
        self.port = _free_port()
        self.processes: list[subprocess.Popen[bytes]] = []
        scheduler, worker = _commands(printed)
        self.start([*scheduler, "--host", "127.0.0.1", "--port", str(self.port)])
        _wait_for(self.port)
        self.listener = Listener(self.port)
        self.address = f"{'tls' if keys else 'tcp'}://127.0.0.1:{self.listener.port}"
        worker = [word.replace("tls://HOST:8786", self.address) for word in worker]
        self.start([*worker, "--nworkers=1"])
        configured = ["worker", self.address, "--no-dashboard"] if keys else worker
        self.start([*configured, "--nworkers=1"], **({"DASK_CONFIG": str(keys)} if keys else {}))

    def start(self, words: list[str], **variables: str) -> None:
        """Start a scheduler or worker with its command."""
        self.processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=self._folder,
                env={**os.environ, "PYTHONWARNINGS": "ignore", **variables},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    def close(self) -> None:
        """End every process."""
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.listener.close()


def _commands(printed: str) -> tuple[list[str], list[str]]:
    """Return the printed commands that start scheduler and worker, or those without keys."""
    commands = [
        shlex.split(line)[1:] for line in printed.splitlines() if line.startswith("  dask ")
    ]
    if not commands:
        quiet = ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        commands = [["scheduler", *quiet], ["worker", "tls://HOST:8786", "--nthreads", "1", *quiet]]
    scheduler, worker = commands
    return scheduler, worker


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _wait_for(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for the cluster's keys, with a blank in its name."""
    return tmp_path_factory.mktemp("cluster") / "my keys"


@pytest.fixture(scope="module")
def encrypted(keys: Path) -> Iterator[Cluster]:
    """Return a cluster that was started with the printed commands."""
    words = [sys.executable, "-m", "coursekit.cli", "cluster-keys", str(keys)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    cluster = Cluster(keys.parent, done.stdout, keys)
    yield cluster
    cluster.close()


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Cluster]:
    """Return a cluster of this machine without keys."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.close()


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """Return the keys of another cluster."""
    make_keys(tmp_path / "others")
    return tmp_path / "others"


def _wait_for_workers(cluster: Cluster, keys: Path | None, count: int) -> None:
    connection = Connection(cluster.address, keys)
    while len(connection.nthreads()) < count:
        time.sleep(0.1)
    connection.close()


def words_for(tmp_path: Path, *where: str) -> list[str]:
    """Return the command that grades a class of twelve."""
    submitted = tmp_path / "submitted"
    if not submitted.exists():
        for number in range(12):
            cells = [CELL, *RIGHT.values()] if number % 3 == 0 else [CELL]
            hand_in(submitted, f"student-{number:02}", notebook(*cells))
        (tmp_path / "secret.txt").write_text(SECRET)
    results = tmp_path / f"{where[0].strip('-')}.jsonl"
    words = ["grade", CHAPTER, str(submitted), "--results", str(results), "--exercises", str(BANK)]
    return [*words, "--secret", str(tmp_path / "secret.txt"), *where]


def grade(tmp_path: Path, *where: str) -> list[dict[str, object]]:
    """Return the class's rows."""
    words = words_for(tmp_path, *where)
    assert main(words) == 0
    return rows(Path(words[words.index("--results") + 1]))


def test_the_rows_are_those_of_one_machine_and_nobody_can_listen(tmp_path, encrypted, keys):
    there = grade(tmp_path, "--dask", encrypted.address, "--dask-keys", str(keys))
    assert there == grade(tmp_path, "--jobs", "2")
    assert len(encrypted.listener.recorded) > 10_000
    for words in (SECRET, HIDDEN, CELL, "student-0", "grade_chunk"):
        assert words.encode() not in encrypted.listener.recorded


def test_without_keys_the_same_listener_reads_everything(tmp_path, plain):
    grade(tmp_path, "--dask", plain.address)
    for words in (SECRET, HIDDEN, CELL, "grade_chunk"):
        assert words.encode() in plain.listener.recorded


def test_a_worker_elsewhere_gets_nothing_unencrypted(tmp_path, plain, capsys):
    port = _free_port()  # it says that it is elsewhere, and listens here
    there = ["--listen-address", f"tcp://127.0.0.1:{port}", "--no-nanny", "--no-dashboard"]
    there += ["--contact-address", f"tcp://192.0.2.7:{port}"]
    plain.start(["worker", plain.address, *there])
    _wait_for_workers(plain, None, 3)
    plain.listener.recorded.clear()
    assert main(words_for(tmp_path, "--dask", plain.address)) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"the worker at tcp://192.0.2.7:{port} is neither" in last
    for words in (SECRET, HIDDEN, CELL, "grade_chunk"):
        assert words.encode() not in plain.listener.recorded


def test_only_this_machine_reaches_dask_s_dashboard(encrypted, keys):
    # They are neither encrypted nor protected by a key.
    _wait_for_workers(encrypted, keys, 2)
    for process in encrypted.processes[:2]:
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


def test_other_keys_are_one_line(encrypted, others):
    with pytest.raises(CoursekitError, match=r"was not started with the keys .*self-signed"):
        Connection(encrypted.address, others)


def test_a_certificate_of_another_authority_does_not_get_in(encrypted, keys, others, monkeypatch):
    # It trusts the scheduler, but the scheduler does not trust it.
    shutil.copy(keys / "ca.pem", others)
    from distributed.security import Security

    paths = {"tls_client_cert": str(others / "cert.pem"), "tls_client_key": str(others / "key.pem")}
    mixed = Security(require_encryption=True, tls_ca_file=str(others / "ca.pem"), **paths)
    monkeypatch.setattr(cluster_connection, "read_keys", lambda _: mixed)
    with pytest.raises(CoursekitError, match=r"was not started with the keys .*unknown ca"):
        Connection(encrypted.address, others)


def test_without_a_certificate_nobody_gets_an_answer(encrypted, keys):
    context = ssl.create_default_context(cafile=str(keys / "ca.pem"))
    context.check_hostname = False
    with (
        socket.create_connection(("127.0.0.1", encrypted.port)) as bare,
        context.wrap_socket(bare) as stranger,
        pytest.raises(ssl.SSLError, match="required"),
    ):
        stranger.recv(1)


def test_an_unencrypted_client_gets_no_answer(encrypted):
    with pytest.raises(CoursekitError, match=r"no dask scheduler at tcp.*--dask-keys"):
        Connection(encrypted.address.replace("tls", "tcp"))


def test_keys_for_a_scheduler_without_are_one_line(plain, encrypted, keys):
    with pytest.raises(CoursekitError, match=r"was not started with the keys"):
        Connection(plain.address.replace("tcp", "tls"), keys)
