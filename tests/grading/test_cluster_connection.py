"""Where exercises and submissions may be sent: encrypted, or within this machine."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import dask
import pytest

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade import cluster_connection
from coursekit.grade.cluster import grade_on_cluster
from coursekit.grade.cluster_connection import Connection, check_address
from coursekit.grade.cluster_keys import make_keys
from coursekit.grade.pool import Job

from .test_grader_process import poison_task

#: Addresses that are reserved for documentation.
ELSEWHERE = "tcp://192.0.2.7:8786"
JOBS: list[Job] = [(n, b"honest", ()) for n in range(20)]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Return the names that can be resolved beside numbers, and what each is resolved to."""
    known = {"localhost": ["::1", "127.0.0.1"], "here": ["127.0.1.1"], "there": ["192.0.2.7"]}
    known["both"] = ["127.0.0.1", "192.0.2.7"]
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        if host[0].isdigit() or ":" in host:
            return real(host, port, type=socket.SOCK_STREAM)
        if host not in known:
            raise socket.gaierror("not known")
        return [(0, 0, 0, "", (ip, port)) for ip in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "here", "127.9.9.9"])
def test_this_machine_needs_no_keys(host):
    assert check_address(f"tcp://{host}:8786", None) is None


def test_this_process_needs_no_keys():
    assert check_address("inproc://10.0.0.1/1/1", None) is None


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    ("address", "message"),
    [
        (ELSEWHERE, "another machine, unencrypted"),
        ("tcp://[2001:db8::7]:8786", "another machine, unencrypted"),
        ("tcp://0.0.0.0:8786", "another machine, unencrypted"),
        ("tcp://there:8786", "another machine, unencrypted"),
        ("tcp://both:8786", "another machine, unencrypted"),
        ("tcp://127.0.0.1@there:8786", "another machine, unencrypted"),
        ("tcp://nowhere:8786", "no machine of this name"),
        ("tls://there:8786", "--dask-keys FOLDER"),
        ("there:8786", "expected tls://HOST:8786"),
        ("ws://there:8786", "expected tls://HOST:8786"),
        ("tcp://127.0.0.1", "a host and a port"),
        ("tcp://127.0.0.1:many", "a host and a port"),
        ("tcp://:8786", "a host and a port"),
        ("tcp://[::1:8786", "a host and a port"),
        ("tcp://", "expected tls://HOST:8786"),
    ],
)
def test_other_machines_are_refused_in_one_line(tmp_path, capsys, address, message):
    results = tmp_path / "results.jsonl"
    words = ["grade", "arithmetic", str(tmp_path), "--results", str(results), "--dask", address]
    assert main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"coursekit: --dask {address}: ")
    assert message in err
    assert err.count("\n") == 1
    assert not results.exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--dask", "tcp://127.0.0.1:8786"], "expected tls://HOST:8786"),
        ([], "expected --dask tls://HOST:8786 as well"),
    ],
)
def test_keys_where_nothing_is_encrypted_are_a_slip(tmp_path, capsys, more, message):
    make_keys(tmp_path / "keys")
    words = ["grade", "x", str(tmp_path), "--results", "x.jsonl"]
    assert main([*words, "--dask-keys", str(tmp_path / "keys"), *more]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_an_encrypting_configuration_is_kept():
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(CoursekitError, match="dask's configuration requires encryption"),
    ):
        check_address("tcp://127.0.0.1:8786", None)


def test_a_name_is_looked_up_once(names):
    # A name server must not lead the connection elsewhere after the check.
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert cluster_connection._pinned(f"tcp://localhost:{port}") == f"tcp://127.0.0.1:{port}"


class Client:
    """A stand-in for a dask client, whose cluster can be reached under the given addresses."""

    status = "running"

    def __init__(self, scheduler: str = "tcp://127.0.0.1:8786", *workers: str) -> None:
        self.scheduler, self.workers = scheduler, list(workers)
        self.sent: list[Any] = []

    def scheduler_info(self) -> dict[str, Any]:
        return {"address": self.scheduler}

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def submit(self, *call: Any, pure: bool) -> Any:
        self.sent.append(call)
        return object()

    def close(self, timeout: float) -> None:
        pass


@pytest.mark.parametrize(
    ("client", "message"),
    [
        (Client(ELSEWHERE), "the scheduler listens at tcp://192.0.2.7"),
        (Client("tcp://127.0.0.1:1", "tcp://127.0.0.1:2", ELSEWHERE), "the worker at tcp://192.0"),
        (Client("tls://192.0.2.1:1", "tls://192.0.2.2:2", ELSEWHERE), "the worker at tcp://192.0"),
        (Client("tls://192.0.2.1:1", "ws://192.0.2.2:2"), "the worker at ws://192.0"),
    ],
)
def test_an_unencrypted_connection_to_workers_is_refused(monkeypatch, client, message):
    monkeypatch.setattr(cluster_connection, "_client", lambda *_: client)
    with pytest.raises(CoursekitError, match=message) as raised:
        list(grade_on_cluster(poison_task(), JOBS, address="tcp://127.0.0.1:8786"))
    assert "coursekit cluster-keys FOLDER" in str(raised.value)
    assert client.sent == []


def test_a_worker_that_joins_later_is_checked_too(monkeypatch):
    client = Client("tcp://127.0.0.1:1", "tcp://[::1]:2", "tls://192.0.2.2:3")
    monkeypatch.setattr(cluster_connection, "_client", lambda *_: client)
    connection = Connection("tcp://127.0.0.1:1")
    connection.submit(print, pure=False)
    client.workers.append(ELSEWHERE)
    with pytest.raises(CoursekitError, match="the worker at"):
        connection.submit(print, pure=False)
    assert len(client.sent) == 1


class Done:
    """A call that has been answered with a row for each submission."""

    status = "finished"

    def __init__(self, work: list[Any]) -> None:
        self._rows = [({"graded": data}, "") for data, _ in work]

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> list[Any]:
        return self._rows


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_with_a_lost_scheduler_no_job_is_lost(monkeypatch, calls):
    class Lost(Client):
        def submit(self, *call: Any, pure: bool) -> Any:
            if len(self.sent) == calls:
                raise ConnectionError
            self.sent.append(call)
            return Done(call[-1])

    clients = [Lost(), lost := Lost()]
    lost.submit = lambda *call, pure: Done(call[-1])  # type: ignore[method-assign]
    monkeypatch.setattr(cluster_connection, "_client", lambda *_: clients.pop(0))
    done = grade_on_cluster(poison_task(), JOBS, address="tcp://127.0.0.1:1")
    assert sorted(label for label, _, _ in done) == list(range(20))
    assert clients == []


def test_no_scheduler_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_connection, "_CONNECT_SECONDS", 0.5)
    make_keys(tmp_path / "keys")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for address, keys in (
        (f"tcp://127.0.0.1:{port}", None),
        (f"tls://127.0.0.1:{port}", Path(tmp_path, "keys")),
    ):
        message = r"no dask scheduler at .*(refused|Timed out)"
        with pytest.raises(CoursekitError, match=message) as raised:
            Connection(address, keys)
        assert "\n" not in str(raised.value)
