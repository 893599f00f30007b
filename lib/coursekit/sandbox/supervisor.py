"""Supervise one submission: end its processes at a limit or on request.

The supervisor runs in the sandbox, outside the submission's own PID namespace, where the
submission cannot see it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coursekit.sandbox.limits import ProcessLimits

_POLL_SECONDS = 0.05
#: How much may wait in a socket to be read: Linux's usual ``net.core.wmem_default`` (bytes).
_SOCKET_BUFFER = 212_992
#: The processes that a submission starts give way to every submission's first process, which does
#: the graded work.
_LOWEST_PRIORITY = 19


class UnwatchedError(OSError):
    """What a submission uses cannot be seen, so that nothing bounds it; the text tells why."""


@dataclass(frozen=True)
class Usage:
    """What a submission's processes use: seconds of processor time, bytes mapped and resident."""

    seconds: float = 0.0
    mapped: int = 0
    resident: int = 0


def watch(child: int, life: int, limits: ProcessLimits, baseline: Usage) -> dict[str, Any]:
    """Wait until ``child`` ends; end it when ``life`` becomes readable or a limit is reached.

    Parameters
    ----------
    child : int
        Process id of the submission's first process.
    life : int
        A descriptor. When it can be read, or its other end is closed, the submission must end.
    limits : ProcessLimits
        What all processes of the submission may use together.
    baseline : Usage
        What each fork uses when it begins.

    Returns
    -------
    dict
        ``end`` (``exit`` or ``signal``), ``code``, ``over``: the limit that it reached
        (``memory``, ``time``, ``unwatched`` if it cannot be seen any more, or empty), and
        ``message``: why it cannot be seen.
    """
    over = message = ""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        is_requested = _wait(child, life)
        try:
            over = over or _limit_reached(child, limits, baseline)
        except UnwatchedError as error:
            over, message = "unwatched", str(error)
        if is_requested or over:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            break
    end_orphans()
    signalled = os.WIFSIGNALED(status)
    code = os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)
    end = "signal" if signalled else "exit"
    return {"end": end, "code": code, "over": over, "message": message}


def _wait(child: int, life: int) -> bool:
    """Wait a moment, less if the child ends; return whether it must be ended."""
    watched = [life]
    process = -1
    if hasattr(os, "pidfd_open"):
        process = os.pidfd_open(child)
        watched.append(process)
    try:
        ready = select.select(watched, [], [], _POLL_SECONDS)[0]
    finally:
        if process >= 0:
            os.close(process)
    return life in ready


def end_orphans() -> None:
    """Kill the processes below this one until none is left."""
    for _ in range(10_000):
        for orphan in _children(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _limit_reached(child: int, limits: ProcessLimits, baseline: Usage) -> str:
    """Return the limit that the submission has reached, or ""; lower its children's priorities."""
    seconds = 0.0
    mapped = resident = 0
    pids = list(descendants(os.getpid()))
    if sys.platform == "linux" and child not in pids:
        raise UnwatchedError(
            "this kernel does not list a process's children, which must be counted"
        )
    for pid in pids:
        used = usage(pid)
        seconds += used.seconds
        mapped += max(used.mapped - baseline.mapped, 0)
        resident += max(used.resident - baseline.resident, 0)
    # The quick measure first: several processes can take much memory in a moment.
    if resident > limits.memory or mapped > 2 * limits.memory:
        return "memory"
    for pid in pids:
        _lower_priorities(pid, spared=child)
    if len(pids) > 1:  # shared memory counts once; a process that ran another program shares none
        resident = sum(_share(pid, usage(pid).resident) for pid in pids)
    resident += sum(map(_socket_bytes, pids))
    # Shared pages stay in use when a process no longer looks at them, and only its mapped memory
    # shows them. One process cannot map more than ``memory``: its rlimits prevent that.
    if resident > limits.memory or mapped > 2 * limits.memory:
        return "memory"
    return "time" if seconds > limits.total_seconds else ""


def _share(pid: int, resident: int) -> int:
    """Return a process's proportional share of memory, or else ``resident`` (bytes)."""
    with _may_be_gone(pid), open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return resident


def _socket_bytes(pid: int) -> int:
    """Return what the kernel may hold for a process's sockets, which no process's memory counts."""
    count = 0
    with _may_be_gone(pid):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with _may_be_gone(pid):
                count += os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
    return max(count - 1, 0) * _SOCKET_BUFFER  # the channel to the grader does not count


def _lower_priorities(pid: int, spared: int) -> None:
    """Lower the priority of all threads of a process, except the first thread of ``spared``."""
    with _may_be_gone(pid):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if int(thread) != spared:
                os.setpriority(os.PRIO_PROCESS, int(thread), _LOWEST_PRIORITY)


@contextlib.contextmanager
def _may_be_gone(pid: int) -> Iterator[None]:
    """Ignore errors of a process that has ended, but not a lack of permission to watch it."""
    try:
        yield
    except PermissionError as error:
        # A process that is about to end has no memory left, and belongs to the superuser.
        if sys.platform == "linux" and usage(pid).mapped:
            reason = f"{error.filename or 'its priority'}: {error.strerror}"
            raise UnwatchedError(f"the supervisor may not watch a submission ({reason})") from None
    except OSError:
        return


def descendants(pid: int) -> Iterator[int]:
    """Yield the process ids of a process's children, of their children, and so on."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            path = f"/proc/{pid}/task/{task}/children"
            # A thread may have just ended; the others are read all the same.
            with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
                children += [int(word) for word in file.read().split()]
    return children


def usage(pid: int) -> Usage:
    """Return what a process uses, its time including that of children it has waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            mapped, resident = map(int, file.read().split()[:2])
    except (OSError, ValueError):
        return Usage()
    ticks = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
    page = os.sysconf("SC_PAGE_SIZE")
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), mapped * page, resident * page)


def queued(pid: int) -> float:
    """Return how long a process's threads waited for a processor, all together (seconds)."""
    nanoseconds = 0
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            path = f"/proc/{pid}/task/{task}/schedstat"
            with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
                nanoseconds += int(file.read().split()[1])
    return nanoseconds / 1e9
