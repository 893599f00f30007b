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

#: Exit status of a submission's process that could not go behind its walls.
NOT_CONFINED = 97
_LOOK_SECONDS = 0.1


def watch(child: int, life: int, memory: int, baseline: tuple[int, int]) -> dict[str, Any]:
    """Wait for the end of ``child``; make it end when ``life`` is ready or memory runs out.

    Parameters
    ----------
    child : int
        Process id of the submission's first process.
    life : int
        A descriptor. That it can be read, or is closed, means: end it.
    memory : int
        Bytes that all processes of the submission may use together, beyond ``baseline`` each.
    baseline : tuple of int
        The `sizes` that each fork begins with.

    Returns
    -------
    dict
        ``end`` (``exit``, ``signal``, or ``setup`` where its walls did not stand), ``code``, and
        ``memory``: whether it used too much.
    """
    too_much = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        asked = _wait(child, life)
        too_much = too_much or _is_too_much(memory, baseline)
        if asked or too_much:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            break
    _end_orphans()
    signalled = os.WIFSIGNALED(status)
    code = os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)
    end = "signal" if signalled else "setup" if code == NOT_CONFINED else "exit"
    return {"end": end, "code": code, "memory": too_much}


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


def _is_too_much(memory: int, baseline: tuple[int, int]) -> bool:
    mapped, resident = _beyond(os.getpid(), baseline)
    # Shared pages that a process no longer looks at stay in use, and only what it has mapped tells
    # of them. One process cannot map more than ``memory``; its limits see to that.
    return resident > memory or mapped > 2 * memory


def _beyond(pid: int, baseline: tuple[int, int]) -> tuple[int, int]:
    """Return by how much all descendants of ``pid`` together exceed what they began with."""
    mapped = resident = 0
    for child in _children(pid):
        own, inner = sizes(child), _beyond(child, baseline)
        mapped += max(own[0] - baseline[0], 0) + inner[0]
        resident += max(own[1] - baseline[1], 0) + inner[1]
    return mapped, resident


def sizes(pid: int) -> tuple[int, int]:
    """Return the bytes that a process has mapped and holds; 0 where that cannot be read."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            mapped, resident = map(int, file.read().split()[:2])
    except (OSError, ValueError):
        return 0, 0
    page = os.sysconf("SC_PAGE_SIZE")
    return mapped * page, resident * page
