"""A process that has imported what notebooks import, and forks twice for each submission.

It never imports a grader, a check or a solution: a fork inherits its memory, where learner code
could find them by walking frames. Cells do not pass through it; they go straight to the
submission's process.
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
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import asdict, replace
from typing import Any

from coursekit.sandbox import linux, private_root, probe, supervisor
from coursekit.sandbox.limits import ProcessLimits
from coursekit.sandbox.restrictions import Config, Restrictions, enter_sandbox
from coursekit.sandbox.scratch import empty

_LONGEST_MESSAGE = 1 << 16


def main(control_fd: int, settings: dict[str, Any]) -> None:
    """Serve forks over ``control_fd`` until it closes.

    At level ``sandbox`` this runs twice: outside, to enter the sandbox, and then in a Python that
    was started inside. Otherwise ``/proc/self/exe`` would lead a submission to the machine's file.
    """
    control = socket.socket(fileno=control_fd)
    config = Config(**settings.pop("config"))
    if config.level == "sandbox" and not settings.get("is_inside"):
        _enter(control, config, settings)
        return
    if config.level == "sandbox":
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    elif sys.platform == "linux":
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    control.set_inheritable(False)
    # The bound on the grader's memory must not bound this process; each fork gets its own.
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    _preload(settings["preload"], config.level)
    server = ForkServer(control, config, ProcessLimits(**settings["limits"]), _serve(settings))
    trial = settings.pop("trial")
    settings.clear()
    server.try_out(trial)
    # A fork inherits this process's memory: from here on, it holds no name from the class.
    trial.clear()
    server.run()


def _enter(control: socket.socket, config: Config, settings: dict[str, Any]) -> None:
    """Enter the sandbox and become a Python that is started there; report a refusal."""
    try:
        enter_sandbox(config)
        inside = {**settings, "is_inside": True, "config": asdict(replace(config, hidden=()))}
        _exec_python(control, inside)
    except OSError as error:
        _send(control, {"refused": error.strerror or str(error)})


def _serve(settings: dict[str, Any]) -> Callable[[socket.socket], None]:
    """Return what each submission's process calls with its end of the channel."""
    module, _, function = settings["serve"].partition(":")
    make = getattr(importlib.import_module(module), function)
    serve: Callable[[socket.socket], None] = make(**settings["arguments"])
    return serve


def _exec_python(control: socket.socket, settings: dict[str, Any]) -> None:
    """Replace this process by a new Python with the same capabilities."""
    reading, writing = os.pipe()
    os.write(writing, json.dumps(settings).encode() + b"\n")
    os.close(writing)
    for descriptor in (control.fileno(), reading):
        os.set_inheritable(descriptor, True)
    linux.keep_capabilities()
    command = [sys.executable, "-I", "-c", settings["boot"], str(control.fileno()), str(reading)]
    os.execv(sys.executable, command)


def _preload(modules: list[str], level: str) -> None:
    """Import what can be imported."""
    with private_root.brief_scratch() if level == "sandbox" else nullcontext():
        for name in modules:
            with suppress(Exception):
                importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    # Keep imported modules in shared pages: the collector no longer writes to them.
    gc.collect()
    gc.freeze()


def _send(control: socket.socket, message: dict[str, Any]) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")


class ForkServer:
    """Answers ``fork`` on the control socket, one submission at a time.

    Parameters
    ----------
    control : socket.socket
        The connection to the grader.
    config : Config
        The level, and the paths that forks may read and write.
    limits : ProcessLimits
        What each submission may use.
    serve : callable
        What its process calls with its end of the channel.
    """

    def __init__(
        self,
        control: socket.socket,
        config: Config,
        limits: ProcessLimits,
        serve: Callable[[socket.socket], None],
    ) -> None:
        self._control, self._config, self._limits = control, config, limits
        self._serve = serve
        self._restrictions = Restrictions(config, limits)

    def try_out(self, trial: dict[str, list[str]]) -> None:
        """Try the sandbox and report which mechanisms are in force; end if something is wrong."""
        try:
            fault = self._fault(trial)
            report = {"fault": fault} if fault else {"mechanisms": self._restrictions.mechanisms}
        except OSError as error:
            report = {"refused": error.strerror or str(error)}
        _send(self._control, report)
        if "mechanisms" not in report:
            sys.exit(0)

    def run(self) -> None:
        """Serve until the grader closes the control socket."""
        waiting = b""
        while True:
            message, descriptors, _, _ = socket.recv_fds(self._control, _LONGEST_MESSAGE, 1)
            if not message:
                return
            if descriptors:
                _send(self._control, self._one(descriptors[0]))
                continue
            *lines, waiting = (waiting + message).split(b"\n")
            for modules in [line for line in lines if line != b"end"]:
                _preload(json.loads(modules), self._config.level)
                _send(self._control, {"preloaded": True})

    def _fault(self, paths: dict[str, list[str]]) -> str:
        """Return what is wrong in a process confined like a submission's; "" for nothing."""
        reading, writing = os.pipe()

        def attempt() -> None:
            probe.be_watched()
            fault = probe.find_fault(**paths, mechanisms=self._restrictions.mechanisms)
            os.write(writing, json.dumps({"fault": fault}).encode())

        report = self._in_supervisor(attempt, [writing], [])
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            answer = file.read()
        if report["end"] == "setup" or report["over"] == "unwatched":
            raise OSError(0, report["message"])
        if answer:
            return str(json.loads(answer)["fault"])
        raise OSError(0, report.get("message") or "a trial process ended without an answer")

    def _one(self, channel_fd: int) -> dict[str, Any]:
        """Fork for one submission, wait until it ends or is ended, and return how it ended."""

        def serve() -> None:
            self._serve(socket.socket(fileno=_only(channel_fd)))

        try:
            return self._in_supervisor(serve, [channel_fd], [self._control.fileno()])
        except OSError as error:
            return _not_confined(error)
        finally:
            os.close(channel_fd)
            if "root" not in self._restrictions.mechanisms:
                empty(self._config.scratch)

    def _in_supervisor(
        self, action: Callable[[], None], passed: list[int], until: list[int]
    ) -> dict[str, Any]:
        """Run ``action`` in a confined process below a supervisor; return how it ended.

        Only that process keeps the descriptors ``passed``. It is ended as soon as a descriptor of
        ``until`` can be read.
        """
        life_read, life_write = os.pipe()
        report_read, report_write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(life_write)
            self._supervise(action, passed, life_read, report_write)
        for descriptor in (life_read, report_write):
            os.close(descriptor)
        select.select([*until, report_read], [], [])
        os.close(life_write)  # asks the supervisor to end it, if it has not ended already
        text = os.read(report_read, _LONGEST_MESSAGE)
        os.close(report_read)
        os.waitpid(child, 0)
        if not text:  # the supervisor was killed: the processes that it watched are now ours
            supervisor.end_orphans()
            return _not_confined(OSError("its supervisor is gone"))
        return dict(json.loads(text))

    def _supervise(
        self, action: Callable[[], None], passed: list[int], life: int, report: int
    ) -> None:
        """Be the supervisor: this process ends here."""
        try:
            baseline = supervisor.usage(os.getpid())
            if "pid" in self._restrictions.mechanisms:
                linux.unshare(linux.CLONE_NEWPID)  # its child is the first process of a namespace
            elif sys.platform == "linux":
                linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
            confined_read, confined_write = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(confined_read)
                self._be_the_submission(action, confined_write)
            for descriptor in (*passed, confined_write):
                os.close(descriptor)
            ending = supervisor.watch(child, life, self._limits, baseline)
            if ending["end"] == "exit" and not os.read(confined_read, 1):
                ending = _not_confined(OSError(""))
        except BaseException as error:
            supervisor.end_orphans()  # no process may run unwatched
            ending = _not_confined(error)
        os.write(report, json.dumps(ending).encode())
        os._exit(0)

    def _be_the_submission(self, action: Callable[[], None], confined: int) -> None:
        """Apply the restrictions, say so on ``confined``, run ``action``: this process ends here.

        What runs after that cannot say anything there: an exit status could be anybody's.
        """
        code = 1
        try:
            os.setpgid(0, 0)  # a signal to its process group must not reach the grader
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            self._restrictions.apply()
            os.write(confined, b"x")
            os.close(confined)
            code = 0
            action()
        finally:
            os._exit(code)


def _not_confined(error: BaseException) -> dict[str, Any]:
    return {"end": "setup", "code": 0, "over": "", "message": str(error)[:500]}


def _only(channel_fd: int) -> int:
    """Close all descriptors but the channel's, which becomes 3; 0 to 2 are ``/dev/null``."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    copy = os.dup(channel_fd)
    while copy < 4:
        copy = os.dup(channel_fd)
    os.dup2(copy, 3)
    os.closerange(4, max(copy, 4096) + 1)
    return 3
