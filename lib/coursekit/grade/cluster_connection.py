"""The connection to a dask cluster: encrypted, or within this machine.

It carries exercises, the secret and submissions, and anyone who can connect to a scheduler without
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
#: How long to wait for a scheduler that has disappeared (seconds).
PATIENCE = 300.0
_MAKE_KEYS = "make keys, and see how to start the cluster with them: coursekit cluster-keys FOLDER"


class NoSchedulerError(CoursekitError):
    """There is no scheduler at an address, or it refuses the connection."""


class Connection:
    """A dask client that sends nothing unencrypted to another machine.

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
        """The client's status in dask's words, such as ``"running"``."""
        return str(self._client.status)

    def submit(self, function: Any, *arguments: Any, pure: bool) -> Any:
        """Return the future of a call on some worker.

        Raises
        ------
        CoursekitError
            Other machines can reach scheduler or workers unencrypted; nothing was sent.
        OSError
            The scheduler is gone.
        """
        # Before each call: workers join later, and dask reconnects by itself to a new scheduler.
        self._refuse_exposed()
        return self._client.submit(function, *arguments, pure=pure)

    def nthreads(self) -> dict[str, int]:
        """Return the number of threads of each worker."""
        return dict(self._client.nthreads())

    def connect_again(self) -> None:
        """Wait for a scheduler that has disappeared.

        Raises
        ------
        CoursekitError
            It does not return, or may no longer be used.
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

    None where everything stays within this machine.

    Raises
    ------
    CoursekitError
        They must not be sent there; the text says what to do.
    """
    config = _dask_config()
    if fault := _address_fault(address, keys, config.get("distributed.comm.require-encryption")):
        raise CoursekitError(f"--dask {address}: {fault}")
    return read_keys(keys) if keys else None


def _address_fault(address: str, keys: Path | None, needs_encryption: bool) -> str:
    """Return why an address must not be used, and what to do; "" if it may be."""
    scheme, _, place = address.partition("://")
    if scheme == "tls" and keys is None:
        return (
            "encrypted, and no keys were given; expected --dask-keys FOLDER as well; without a "
            "folder, " + _MAKE_KEYS
        )
    if scheme != "tls" and keys is not None:
        return "--dask-keys was given, which is for encrypted connections; expected tls://HOST:8786"
    if scheme not in ("tls", "tcp", "inproc") or not place:
        return "expected tls://HOST:8786, or tcp://127.0.0.1:8786 for a scheduler on this machine"
    if scheme != "inproc":
        _host_and_port(address)
    if scheme != "tcp":
        return ""
    if needs_encryption:
        return (
            "unencrypted, and dask's configuration requires encryption; expected tls://HOST:8786 "
            "and --dask-keys FOLDER"
        )
    if not _resolved(address):
        return "no machine of this name is known"
    if not _is_private(address):
        return (
            "another machine, unencrypted: anyone on the way could read the exercises, the secret "
            f"and the submissions; expected tls://HOST:8786: {_MAKE_KEYS}"
        )
    return ""


def _client(address: str, keys: Path | None) -> Any:
    distributed = _distributed()
    security = check_address(address, keys)
    # We report a lost worker or scheduler ourselves, in one line.
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
    """Return the text of the innermost cause that has one, in one line."""
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    texts = [getattr(cause, "verify_message", "") or str(cause) for cause in causes]
    return " ".join(next((text for text in reversed(texts) if text), repr(error)).split())[:200]


def _is_private(address: str) -> bool:
    """Whether traffic to an address is encrypted, or does not leave this machine."""
    scheme = address.partition("://")[0]
    if scheme != "tcp":
        return scheme in ("tls", "inproc")
    ips = _resolved(address)
    return bool(ips) and all(ipaddress.ip_address(ip).is_loopback for ip in ips)


def _resolved(address: str) -> list[str]:
    """Return the IP addresses of an address's host; none if its name is unknown."""
    host, port = _host_and_port(address)
    try:
        matches = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(place[0]).partition("%")[0] for *_, place in matches]


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
    """Return the address with the IP address that was checked, so that no other is used."""
    scheme = address.partition("://")[0]
    if scheme == "inproc":
        return address
    host, port = _host_and_port(address)
    if scheme == "tcp":
        ips = _resolved(address)
        host = next((ip for ip in ips if _listens(ip, port)), ips[0])
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _listens(ip: str, port: int) -> bool:
    try:
        socket.create_connection((ip, port), timeout=1).close()
    except OSError:
        return False
    return True
