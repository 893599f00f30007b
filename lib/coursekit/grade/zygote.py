"""A process that has imported what notebooks import, and forks once for each submission.

It has never imported a judge, a check or a solution: a fork inherits memory, and a frame walk finds
what is there. Cells do not pass through it either; they go straight to the fork.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from coursekit.grade import keeper
from coursekit.grade.confine.walls import Walls, ground_from_json
from coursekit.grade.learner.worker import serve
from coursekit.grade.limits import Limits
from coursekit.grade.scratch import empty

_MOST = 1 << 16


def main(control_fd: int, settings: dict[str, Any]) -> None:
    """Serve forks over ``control_fd`` until it closes."""
    control = socket.socket(fileno=control_fd)
    control.set_inheritable(False)
    # A bound on the judge's memory is not one on ours; each fork gets its own.
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    _preload(settings["preload"])
    ground = ground_from_json(settings["ground"])
    limits = Limits(**settings["limits"])
    walls = Walls(ground, limits)
    # What is imported stays in shared pages: the collector no longer writes to them.
    gc.collect()
    gc.freeze()
    _say(control, {"walls": walls.words})
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, _MOST, 1)
        if not message:
            return
        if descriptors:
            _say(control, _one(control, descriptors[0], walls, limits, ground.scratch))


def _preload(modules: list[str]) -> None:
    for name in modules:
        with suppress(Exception):
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _say(control: socket.socket, message: dict[str, Any]) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")


def _one(
    control: socket.socket, channel_fd: int, walls: Walls, limits: Limits, scratch: str
) -> dict[str, Any]:
    """Fork for one submission, wait for its end or the judge's word, and say how it ended."""
    run = _through_a_keeper if walls.needs_keeper else _directly
    try:
        return run(control, channel_fd, walls, limits)
    except OSError as error:
        return _not_confined(error)
    finally:
        os.close(channel_fd)
        if "mount" not in walls.words:
            empty(scratch)


def _not_confined(error: BaseException) -> dict[str, Any]:
    return {"end": "setup", "code": 0, "memory": False, "message": str(error)[:500]}


def _directly(
    control: socket.socket, channel_fd: int, walls: Walls, limits: Limits
) -> dict[str, Any]:
    baseline = keeper.sizes(os.getpid())
    child = walls.fork()
    if child == 0:
        _be_the_submission(channel_fd, walls, limits)
    return keeper.watch(child, control.fileno(), limits.memory, baseline)


def _through_a_keeper(
    control: socket.socket, channel_fd: int, walls: Walls, limits: Limits
) -> dict[str, Any]:
    life_read, life_write = os.pipe()
    report_read, report_write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(life_write)
        _keep(channel_fd, life_read, report_write, walls, limits)
    for descriptor in (life_read, report_write):
        os.close(descriptor)
    select.select([control.fileno(), report_read], [], [])
    os.close(life_write)  # the judge has spoken, or hung up, or it is over already
    text = os.read(report_read, _MOST)
    os.close(report_read)
    os.waitpid(child, 0)
    return dict(json.loads(text)) if text else _not_confined(OSError("its keeper is gone"))


def _keep(channel_fd: int, life: int, report: int, walls: Walls, limits: Limits) -> None:
    """Be the keeper: this process ends here."""
    try:
        baseline = keeper.sizes(os.getpid())
        walls.become_keeper()
        child = os.fork()
        if child == 0:
            _be_the_submission(channel_fd, walls, limits)
        os.close(channel_fd)
        told = keeper.watch(child, life, limits.memory, baseline)
    except BaseException as error:
        told = _not_confined(error)
    os.write(report, json.dumps(told).encode())
    os._exit(0)


def _be_the_submission(channel_fd: int, walls: Walls, limits: Limits) -> None:
    """Go behind the walls and serve: this process ends here."""
    code = keeper.NOT_CONFINED
    try:
        _keep_only(channel_fd)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        walls.close_in()
        code = 0
        serve(socket.socket(fileno=3), limits)
    finally:
        os._exit(code)


def _keep_only(channel_fd: int) -> None:
    """Leave three empty standard streams and the channel, as descriptor 3, and nothing else."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    kept = os.dup(channel_fd)
    while kept < 4:
        kept = os.dup(channel_fd)
    os.dup2(kept, 3)
    os.closerange(4, max(kept, 4096) + 1)
