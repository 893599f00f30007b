"""The workers: processes of this machine, or of dask's on many; each takes the next submission.

Who may connect to dask, and with which keys, is what its own settings say
(``distributed.comm.tls``). It sends again what was under way on a lost worker, and gives up on a
task whose workers keep dying. It blames what waited beside that one, too: so what it gives up on is
sent once more, alone, and if its worker dies then, its row gives the reason.
"""

from __future__ import annotations

import ipaddress
import logging
import queue
import socket
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.grade.grader import failed
from coursekit.grade.grader_process import GraderProcess
from coursekit.grade.task import Task, load_exercises
from coursekit.results import Outcome

#: A submission to grade: any label, the notebook's bytes, reasons for a person to look.
Job: TypeAlias = tuple[Any, bytes, tuple[str, ...]]
#: Its outcome: the label, the grader's part of the row, the isolation in force.
Done: TypeAlias = tuple[Any, dict[str, Any], str]


def grade_on_this_machine(
    task: Task, jobs: Iterable[Job], *, workers: int, alone: bool = False
) -> Iterator[Done]:
    """Yield the outcome of every job, as they come, from so many workers (one, if ``alone``).

    ``jobs`` is read as workers become free, and nothing that has been graded is kept.

    Raises
    ------
    GraderUnavailableError
        No grader can work on this machine.
    """
    graders = [GraderProcess(task) for _ in range(1 if alone else workers)]
    idle: queue.LifoQueue[GraderProcess] = queue.LifoQueue()  # few jobs start few graders
    for grader in graders:
        idle.put(grader)

    def grade(label: Any, data: bytes, warnings: tuple[str, ...]) -> Done:
        grader = idle.get()
        try:
            return label, grader.grade(data, warnings), grader.isolation
        finally:
            idle.put(grader)

    waiting, running = iter(jobs), set[Future[Done]]()
    threads = ThreadPoolExecutor(len(graders))
    try:
        while True:
            some = islice(waiting, 2 * len(graders) - len(running))
            running |= {threads.submit(grade, *job) for job in some}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    except BaseException:  # interrupted: do not wait for what is under way
        for grader in graders:
            grader.kill()
        threads.shutdown(cancel_futures=True)
        raise
    finally:
        for grader in graders:  # with its thread, the system would kill it
            grader.close()
        threads.shutdown()


# --- a cluster ------------------------------------------------------------------------------------

_CONNECT_SECONDS = 30.0
#: Submissions that each worker has waiting: it never runs out, and few are in memory at once.
_WAITING = 8


def grade_on_cluster(
    task: Task, jobs: Iterable[Job], *, address: str, alone: bool = False
) -> Iterator[Done]:
    """Yield the outcome of every job, as they come, from the workers of a dask scheduler.

    ``alone`` sends one job at a time, with nothing else under way.

    Raises
    ------
    CoursekitError
        There is no scheduler at ``address``, or something would travel unencrypted.
    GraderUnavailableError
        A worker's machine cannot grade.
    """
    waiting = iter(jobs)
    first = next(waiting, None)
    if first is None:
        return
    client = connect(address)
    blamed: list[Job] = []
    try:
        some = [first]
        while some:
            yield from _mapped(client, task, some, blamed)
            count = 1 if alone else _WAITING * max(sum(client.nthreads().values()), 1)
            some = list(islice(waiting, count))
        for job in blamed:
            dead: list[Job] = []
            yield from _mapped(client, task, [job], dead)
            if dead:
                reason = "the workers that graded it did not survive; a person should look"
                row = failed(load_exercises(task), Outcome.CRASHED, reason).as_json()
                yield job[0], row, ""
    except (OSError, CancelledError) as error:
        raise CoursekitError(
            f"the scheduler at {address} is gone ({type(error).__name__}); what was graded is "
            "kept: run the same command again"
        ) from None
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def _mapped(client: Any, task: Task, jobs: list[Job], blamed: list[Job]) -> Iterator[Done]:
    """Yield the outcomes of some jobs; add those to ``blamed`` whose workers have died."""
    from distributed import KilledWorker, as_completed

    check_address(client.scheduler_info()["address"], *client.nthreads())
    _, data, warnings = zip(*jobs, strict=True)
    futures = client.map(grade_one, data, warnings, task=task, pure=False)
    of = dict(zip(futures, jobs, strict=True))
    for future in as_completed(futures, loop=client.loop):
        try:
            yield of[future][0], *future.result()
        except KilledWorker:
            blamed.append(of[future])
        future.release()


def connect(address: str) -> Any:
    """Return a client of the scheduler at an address.

    Raises
    ------
    CoursekitError
        There is none, it does not take our keys, or the connection would not be encrypted.
    """
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("distributed", "cluster") from None
    check_address(address)
    for name in ("distributed.client", "distributed.comm", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we say in one line what is wrong
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error.__cause__ or error).split())[:200]
        raise CoursekitError(
            f"no dask scheduler at {address} ({reason or type(error).__name__}); expected one that "
            "runs there, with the keys of dask's own settings, distributed.comm.tls, for tls://"
        ) from None


def check_address(*addresses: str) -> None:
    """Refuse addresses to which exercises, secret and submissions would travel for all to read."""
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme not in ("tls", "tcp") or not parts.hostname or not parts.port:
            raise CoursekitError(f"--dask {address}: expected tls://HOST:8786")
        if parts.scheme == "tcp" and not _is_this_machine(parts.hostname):
            raise CoursekitError(
                f"{address}: another machine can reach this, and anyone on the way could read the "
                "exercises, the secret and the submissions; expected tls://HOST:8786, with keys in "
                "dask's own settings, distributed.comm.tls, or all of it on 127.0.0.1"
            )


def _is_this_machine(host: str) -> bool:
    with suppress(OSError, UnicodeError):
        found = {str(place[4][0]) for place in socket.getaddrinfo(host, None)}
        return all(ipaddress.ip_address(ip.partition("%")[0]).is_loopback for ip in found)
    return False


# --- on a dask worker --------------------------------------------------------------------------

#: Each thread's grader and its task: the system ends a grader with the thread that began it.
_own = threading.local()


def grade_one(data: bytes, warnings: tuple[str, ...], task: Task) -> tuple[dict[str, Any], str]:
    """Return one submission's (row, isolation); the grader stays for the next one of the task."""
    if getattr(_own, "task", None) != task:
        if hasattr(_own, "grader"):
            _own.grader.close()
        _own.task, _own.grader = task, GraderProcess(task)
    return _own.grader.grade(data, warnings), _own.grader.isolation
