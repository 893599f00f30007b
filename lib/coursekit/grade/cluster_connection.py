"""The way to a dask cluster: encrypted, or else within this machine.

Exercises, the secret and submissions go over it, and anyone who can connect to a scheduler without
keys can run code on its workers. So ``tls://`` needs keys, and ``tcp://`` must lead to a scheduler
and workers that no other machine can reach.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.grade.cluster_keys import read_keys

_CONNECT_SECONDS = 10.0
#: How long to wait for a scheduler that has gone away (seconds).
PATIENCE = 300.0
_MAKE_KEYS = "make keys, and see how to start the cluster with them: coursekit cluster-keys FOLDER"


class NoSchedulerError(CoursekitError):
    """There is no scheduler at an address, or it does not let us in."""


class Connection:
    """A dask client that sends nothing in the clear to another machine.

    Parameters
    ----------
    address : str
        The scheduler's: ``tls://HOST:PORT``, or ``tcp://HOST:PORT`` of this machine.
    keys : Path, optional
        The folder that ``coursekit cluster-keys`` made, for ``tls://``.

    Raises
    ------
    CoursekitError
        `check_address` refuses the address.
    NoSchedulerError
        There is no scheduler, or it has other keys.
    """

    def __init__(self, address: str, keys: Path | None = None) -> None:
        self._address, self._keys = address, keys
        self._client = _client(address, keys)

    @property
    def status(self) -> str:
        """As dask names it, such as ``"running"``."""
        return str(self._client.status)

    def submit(self, function: Any, *arguments: Any, pure: bool) -> Any:
        """Return the future of a call on some worker.

        Raises
        ------
        CoursekitError
            Scheduler or workers are reached unencrypted from other machines; nothing was sent.
        OSError
            The scheduler is gone.
        """
        # Each time: workers come later, and dask reconnects on its own to a restarted scheduler.
        self._refuse_exposed()
        return self._client.submit(function, *arguments, pure=pure)

    def nthreads(self) -> dict[str, int]:
        """Return the number of threads of each worker."""
        return dict(self._client.nthreads())

    def connect_again(self) -> None:
        """Wait for a scheduler that has gone away.

        Raises
        ------
        CoursekitError
            It stays away, or may no longer be used.
        """
        self.close()
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._client = _client(self._address, self._keys)
                return
            except NoSchedulerError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(1.0)

    def close(self) -> None:
        """Leave the cluster."""
        with suppress(Exception):
            self._client.close(timeout=2)

    def _refuse_exposed(self) -> None:
        scheduler = self._client.scheduler_info()["address"]
        if not _is_private(scheduler):
            raise CoursekitError(
                f"the scheduler listens at {scheduler}, where other machines can reach it "
                "unencrypted; expected one of this machine alone (dask scheduler --host "
                f"127.0.0.1), or tls://: {_MAKE_KEYS}"
            )
        for worker in self.nthreads():
            if not _is_private(worker):
                raise CoursekitError(
                    f"the worker at {worker} is neither on this machine nor encrypted; expected "
                    f"tls:// for more than one machine: {_MAKE_KEYS}"
                )


def check_address(address: str, keys: Path | None) -> Any:
    """Return the ``Security`` for an address over which exercises and submissions may be sent.

    None where all stays within this machine.

    Raises
    ------
    CoursekitError
        The text says what to do.
    """
    config = _dask_config()
    scheme, _, place = address.partition("://")
    if scheme == "tls" and keys is None:
        raise CoursekitError(
            f"--dask {address}: encrypted, and no keys were given; expected --dask-keys FOLDER as "
            "well; without a folder, " + _MAKE_KEYS
        )
    if scheme != "tls" and keys is not None:
        raise CoursekitError(
            f"--dask {address}: --dask-keys was given, which is for encrypted connections; "
            "expected tls://HOST:8786"
        )
    if scheme not in ("tls", "tcp", "inproc") or not place:
        raise CoursekitError(
            f"--dask {address}: expected tls://HOST:8786, or tcp://127.0.0.1:8786 for a scheduler "
            "on this machine"
        )
    if scheme != "inproc":
        _host_and_port(address)
    if scheme == "tcp" and config.get("distributed.comm.require-encryption"):
        raise CoursekitError(
            f"--dask {address}: unencrypted, and dask's configuration requires encryption; "
            "expected tls://HOST:8786 and --dask-keys FOLDER"
        )
    if scheme == "tcp" and not _resolved(address):
        raise CoursekitError(f"--dask {address}: no machine of this name is known")
    if scheme == "tcp" and not _is_private(address):
        raise CoursekitError(
            f"--dask {address}: another machine, unencrypted, where anyone between could read the "
            f"exercises, the secret and the submissions; expected tls://HOST:8786: {_MAKE_KEYS}"
        )
    return read_keys(keys) if keys else None


def _client(address: str, keys: Path | None) -> Any:
    distributed = _distributed()
    security = check_address(address, keys)
    # A lost worker or scheduler is said by us, in one line.
    for name in ("distributed.client", "distributed.comm", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return distributed.Client(
            _pinned(address), timeout=_CONNECT_SECONDS, set_as_default=False, security=security
        )
    except distributed.comm.core.FatalCommClosedError as error:
        raise CoursekitError(
            f"the scheduler at {address} was not started with the keys in {keys} "
            f"({_reason(error)}); expected one that was: start it as coursekit cluster-keys says"
        ) from None
    except (OSError, ValueError, TimeoutError, RuntimeError) as error:
        expected = "with these keys"
        if keys is None:
            expected = "there without keys; with keys it is tls://HOST:8786 --dask-keys FOLDER"
        raise NoSchedulerError(
            f"no dask scheduler at {address} ({_reason(error)}); expected one that runs {expected}"
        ) from None


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("distributed", "cluster") from None
    return distributed


def _dask_config() -> Any:
    _distributed()
    import dask

    return dask.config


def _reason(error: BaseException) -> str:
    """Return the innermost cause that says something, in one line."""
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    said = [getattr(cause, "verify_message", "") or str(cause) for cause in causes]
    return " ".join(next((text for text in reversed(said) if text), repr(error)).split())[:200]


def _is_private(address: str) -> bool:
    """Whether what goes to an address is encrypted, or does not leave this machine."""
    scheme = address.partition("://")[0]
    if scheme != "tcp":
        return scheme in ("tls", "inproc")
    found = _resolved(address)
    return bool(found) and all(ipaddress.ip_address(ip).is_loopback for ip in found)


def _resolved(address: str) -> list[str]:
    """Return the IP addresses of an address's host, none where its name is not known."""
    host, port = _host_and_port(address)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(place[0]).partition("%")[0] for *_, place in found]


def _host_and_port(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise CoursekitError(f"--dask {address}: expected a host and a port, as in tls://HOST:8786")
    return host, port


def _pinned(address: str) -> str:
    """Return the address with the IP address that was looked at, so that no other is used."""
    scheme = address.partition("://")[0]
    if scheme == "inproc":
        return address
    host, port = _host_and_port(address)
    if scheme == "tcp":
        found = _resolved(address)
        host = next((ip for ip in found if _listens(ip, port)), found[0])
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _listens(ip: str, port: int) -> bool:
    try:
        socket.create_connection((ip, port), timeout=1).close()
    except OSError:
        return False
    return True
