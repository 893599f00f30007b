"""The parent of one submission: ends it when it must end, and all that it started.

Runs in the sandbox, outside the submission's own namespaces, where the submission cannot see it.
As root that is the zygote itself, elsewhere a process between the two.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from typing import Any

_LOOK_SECONDS = 0.1


def watch(child: int, life: int, memory: int, baseline: int) -> dict[str, Any]:
    """Wait for the end of ``child``; make it end when ``life`` is ready or memory runs out.

    Parameters
    ----------
    child : int
        Process id of the submission's first process.
    life : int
        A descriptor. That it can be read, or is closed, means: end it.
    memory : int
        Bytes that all processes of the submission may use together, beyond ``baseline`` each.
    baseline : int
        Resident bytes that each fork shares with the zygote.

    Returns
    -------
    dict
        ``end`` (``exit`` or ``signal``), ``code``, and ``memory``: whether it used too much.
    """
    too_much = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        asked = _wait(child, life)
        too_much = too_much or _resident(os.getpid(), baseline) > memory
        if asked or too_much:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            break
    _end_orphans()
    signalled = os.WIFSIGNALED(status)
    code = os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)
    return {"end": "signal" if signalled else "exit", "code": code, "memory": too_much}


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


def _end_orphans() -> None:
    """Kill what is left below this process, until nothing is."""
    for _ in range(10_000):
        for orphan in _children(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        return found
    return found


def _resident(pid: int, baseline: int) -> int:
    """Return the bytes that all descendants of ``pid`` hold beyond what they share."""
    total = 0
    for child in _children(pid):
        total += max(resident(child) - baseline, 0) + _resident(child, baseline)
    return total


def resident(pid: int) -> int:
    """Return a process's resident bytes; 0 where that cannot be read."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
