"""The parent of one submission: ends it when it must end, and all that it started.

Runs in the sandbox, outside the submission's own PID namespace, where the submission cannot see it.
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

#: Exit status of a submission's process that could not put itself under its restrictions.
NOT_CONFINED = 97
_LOOK_SECONDS = 0.05
#: What may wait in a socket to be read: Linux's usual ``net.core.wmem_default`` (bytes).
_SOCKET_BUFFER = 212_992
#: What a submission starts gives way to everybody's first process, which does the graded work.
_LOWEST_PRIORITY = 19


@dataclass(frozen=True)
class Usage:
    """What a submission's processes use: seconds of processor time, bytes mapped and resident."""

    seconds: float = 0.0
    mapped: int = 0
    resident: int = 0


def watch(child: int, life: int, limits: ProcessLimits, baseline: Usage) -> dict[str, Any]:
    """Wait for the end of ``child``; make it end when ``life`` is ready or a limit is reached.

    Parameters
    ----------
    child : int
        Process id of the submission's first process.
    life : int
        A descriptor. That it can be read, or is closed, means: end it.
    limits : ProcessLimits
        What all processes of the submission may use together.
    baseline : Usage
        What each fork begins with.

    Returns
    -------
    dict
        ``end`` (``exit``, ``signal``, or ``setup`` where it could not be confined), ``code``, and
        ``over``: the limit that it reached (``memory``, ``time``, or empty).
    """
    over = ""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        asked = _wait(child, life)
        over = over or _limit_reached(child, limits, baseline)
        if asked or over:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            break
    end_orphans()
    signalled = os.WIFSIGNALED(status)
    code = os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)
    end = "signal" if signalled else "setup" if code == NOT_CONFINED else "exit"
    return {"end": end, "code": code, "over": over}


def _wait(child: int, life: int) -> bool:
    """Wait a moment, less if the child ends; return whether its end is asked for."""
    watched = [life]
    process = -1
    if hasattr(os, "pidfd_open"):
        process = os.pidfd_open(child)
        watched.append(process)
    try:
        ready = select.select(watched, [], [], _LOOK_SECONDS)[0]
    finally:
        if process >= 0:
            os.close(process)
    return life in ready


def end_orphans() -> None:
    """Kill what is left below this process, until nothing is."""
    for _ in range(10_000):
        for orphan in _children(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _limit_reached(child: int, limits: ProcessLimits, baseline: Usage) -> str:
    seconds = 0.0
    mapped = resident = 0
    found = list(descendants(os.getpid()))
    if sys.platform == "linux" and child not in found:
        raise OSError("this kernel does not tell a process's children, which must be counted")
    for pid in found:
        used = usage(pid)
        seconds += used.seconds
        mapped += max(used.mapped - baseline.mapped, 0)
        resident += max(used.resident - baseline.resident, 0)
    # First what is quickly known: several processes can take much in a moment.
    if resident > limits.memory or mapped > 2 * limits.memory:
        return "memory"
    for pid in found:
        _lower_priorities(pid, spared=child)
    if len(found) > 1:  # what they share counts once; what became another program shares nothing
        resident = sum(_share(pid, usage(pid).resident) for pid in found)
    resident += sum(map(_socket_bytes, found))
    # Shared pages that a process no longer looks at stay in use, and only what it has mapped tells
    # of them. One process cannot map more than ``memory``; its limits see to that.
    if resident > limits.memory or mapped > 2 * limits.memory:
        return "memory"
    return "time" if seconds > limits.total_seconds else ""


def _share(pid: int, resident: int) -> int:
    """Return a process's proportional share of memory (bytes), or all that is resident."""
    with _may_be_gone(pid), open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return resident


def _socket_bytes(pid: int) -> int:
    """Return what the kernel may hold for a process's sockets, which is part of nobody's memory."""
    count = 0
    with _may_be_gone(pid):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with _may_be_gone(pid):
                count += os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
    return max(count - 1, 0) * _SOCKET_BUFFER  # the channel to the grader is ours


def _lower_priorities(pid: int, spared: int) -> None:
    """Let all threads of a process give way, but for the first thread of ``spared``."""
    with _may_be_gone(pid):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if int(thread) != spared:
                os.setpriority(os.PRIO_PROCESS, int(thread), _LOWEST_PRIORITY)


@contextlib.contextmanager
def _may_be_gone(pid: int) -> Iterator[None]:
    """Go on where a process has ended; not where we may not look, which would protect nobody."""
    try:
        yield
    except PermissionError as error:
        # What is about to end has no memory left, and belongs to the superuser.
        if sys.platform == "linux" and usage(pid).mapped:
            what = f"{error.filename or 'its priority'}: {error.strerror}"
            raise OSError(f"the supervisor may not watch a submission ({what})") from None
    except OSError:
        return


def descendants(pid: int) -> Iterator[int]:
    """Yield the process ids of all that a process has started, and that what it started has."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            path = f"/proc/{pid}/task/{task}/children"
            # A thread may have just ended; the others are looked at all the same.
            with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    return found


def usage(pid: int) -> Usage:
    """Return what a process uses, and what those of its children used that it has waited for."""
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
