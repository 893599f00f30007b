"""A grader in a process of its own, which can be lost without losing the batch.

A submission's data can make a check run long or use much memory. So the grader's process is
bounded, and replaced when it fails: the submission gets a second try, and then a row with the
reason.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, replace
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.grade.attempt import Attempt
from coursekit.grade.grader import Grader, failed
from coursekit.grade.installed import installed
from coursekit.grade.limits import Limits
from coursekit.grade.notebook_file import Cell
from coursekit.grade.session import SessionOver
from coursekit.grade.task import Task, load_exercises, task_from_json
from coursekit.grade.wire import Channel, WireError
from coursekit.model import Exercise
from coursekit.results import Outcome
from coursekit.sandbox import linux
from coursekit.sandbox.interpreter import ONE_THREAD
from coursekit.sandbox.limits import MIB
from coursekit.sandbox.restrictions import address_space
from coursekit.sandbox.sandbox import Sandbox, SandboxError, UnavailableError
from coursekit.sandbox.scratch import discard

_START_SECONDS = 300.0
_SERVE = "coursekit.grade.learner.server:make_server"
#: What to do where the kernel refuses a sandbox.
WAYS_OUT = (
    "Without one, learner code could read and change whatever you can. Ways out: run as root; "
    "allow ordinary users namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0); in a container, start it with --cap-add "
    "SYS_ADMIN --cap-add SYS_PTRACE --cap-add SYS_NICE --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined; on macOS or "
    "Windows, use Linux in a virtual machine. For trusted work only: --isolation partial, or none"
)
_GRADER_MEMORY = 6 * 1024 * MIB
_END_SECONDS = 2.0
#: An import of PyTorch in a line of a notebook's JSON.
_IMPORTS_TORCH = re.compile(rb'(?:import|from) [^"\\]*\btorch\b')


class GraderUnavailableError(CoursekitError):
    """No grader can work here; the text is one line for the instructor."""


class GraderProcess:
    """A grader's process, seen from the worker that gives it submissions; the first one starts it.

    Attributes
    ----------
    isolation : str
        How submissions are confined, once one has been graded.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._channel: Channel | None = None
        self._is_killed = False
        self.isolation = ""

    def grade(self, data: bytes, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the grader's part of the row for a notebook's bytes; there always is one.

        Raises
        ------
        GraderUnavailableError
            The grader, or its sandbox, does not start, or was killed from here.
        """
        limits = self._task.limits
        for _ in range(2):
            channel = self._channel or self._start()
            try:
                channel.send({"warnings": warnings}, data, limits.grader_seconds)
                answer, _ = channel.receive(limits.most_seconds)
            except TimeoutError:  # it would take as long again
                self.close()
                reason = f"the grader itself took more than {limits.most_seconds:g} seconds"
                break
            except (OSError, EOFError, WireError):
                self.close()
                reason = "the grader itself failed on it, twice"
                continue
            return dict(answer["row"])
        reason += "; a person should look"
        return failed(load_exercises(self._task), Outcome.CRASHED, reason).as_json()

    def kill(self) -> None:
        """Kill the grader while another thread waits for its answer: that thread gets an error."""
        self._is_killed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the grader and everything below it."""
        if self._channel is not None:
            self._channel.close()  # a grader that is not stuck then cleans up after itself
            self._channel = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
            self._process.kill()
            self._process.wait()
        discard(self._scratch)

    def _start(self) -> Channel:
        if self._is_killed:
            raise GraderUnavailableError("the grader was stopped")
        ours, theirs = socket.socketpair()
        self._channel = Channel(ours, _wide(self._task.limits))
        try:
            with theirs:
                self._process = self._started(theirs.fileno())
            if self._is_killed:  # meanwhile
                self._process.kill()
            self._channel.send(asdict(self._task), b"", _START_SECONDS)
            hello, _ = self._channel.receive(_START_SECONDS)
            if "fatal" in hello:
                raise GraderUnavailableError(hello["fatal"])
            self.isolation = hello["isolation"]
            return self._channel
        except (ConnectionError, TimeoutError, EOFError):
            self.close()
            raise GraderUnavailableError("the grader's process does not start") from None
        except BaseException:
            self.close()
            raise

    def _started(self, descriptor: int) -> subprocess.Popen[bytes]:
        env = os.environ | ONE_THREAD
        if self._task.level != "sandbox":
            # Scratch folders lie in one of ours: a grader that is killed removes none, and its
            # submissions may write for a moment more. Their user, another one, passes through it.
            folder = tempfile.TemporaryDirectory(prefix="coursekit-", ignore_cleanup_errors=True)
            os.chmod(folder.name, 0o711)
            env["TMPDIR"] = folder.name
            self._scratch = folder
        # A process group of its own: Ctrl-C is for the coordinator, which ends the grader.
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "coursekit.grade.grader_process", str(descriptor)],
            pass_fds=[descriptor],
            stdin=subprocess.DEVNULL,
            env=env,
            process_group=0,
        )


def _wide(limits: Limits) -> Limits:
    """Return limits for messages between coordinator and grader, which trust each other."""
    return replace(limits, header_bytes=64 * MIB, message_bytes=256 * MIB)


# --- inside the process ------------------------------------------------------------------------


def main(descriptor: int) -> None:
    """Grade what comes over the socket until it closes."""
    _end_with_parent()
    channel = Channel(socket.socket(fileno=descriptor), Limits(header_bytes=64 * MIB))
    fields, _ = channel.receive()
    task = task_from_json(fields)
    channel.limits = _wide(task.limits)
    try:
        exercises = load_exercises(task)
        _bound_memory()
        grader = TaskGrader(task, exercises)
    except Exception as error:
        channel.send({"fatal": " ".join(str(error).split())})
        return
    channel.send({"isolation": grader.sandboxes[0].isolation})
    # Where a sandbox fails, another process is started, and tries the submission once more.
    with closing(grader), suppress(EOFError, SandboxError):
        while True:
            header, data = channel.receive()
            channel.send({"row": grader.grade(data, tuple(header["warnings"]))})


class TaskGrader:
    """A task's grader, and one in whose sandbox PyTorch is loaded once a notebook asks for it."""

    def __init__(self, task: Task, exercises: Sequence[Exercise]) -> None:
        self._task, self._exercises = task, exercises
        self.sandboxes: list[Sandbox] = []
        self._grader = self._made(task.preload)
        self._with_torch: Grader | None = None

    def close(self) -> None:
        """End the sandboxes."""
        for sandbox in self.sandboxes:
            sandbox.close()

    def _made(self, preload: tuple[str, ...]) -> Grader:
        task = replace(self._task, preload=preload)
        sandbox = open_sandbox(task)
        if not warm_up(self._exercises, sandbox, task.limits):
            sandbox.close()
            sandbox = open_sandbox(task)
        self.sandboxes.append(sandbox)
        return Grader(self._exercises, sandbox, task.limits, task.secret)

    def _grader_of(self, data: bytes) -> Grader:
        """Return the grader for a notebook: one with PyTorch loaded where a cell imports that.

        It is larger than what a submission may use, and few need a fork server that holds it.
        """
        preload = tuple(dict.fromkeys([*self._task.preload, *installed(["torch"])]))
        if preload == self._task.preload or not _IMPORTS_TORCH.search(data):
            return self._grader
        if self._with_torch is None:
            self._with_torch = self._made(preload)
        return self._with_torch

    def grade(self, data: bytes, warnings: tuple[str, ...]) -> dict[str, Any]:
        """Return the row of a notebook's bytes, as JSON; raises `SandboxError`."""
        try:
            grader = self._grader_of(data)
            return grader.grade(data, warnings).as_json() | {"is_idle": grader.was_idle}
        except MemoryError:
            reason = "the grader ran out of memory on its answers"
            return failed(self._exercises, Outcome.MEMORY, reason).as_json()


def warm_up(exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits) -> bool:
    """Preload what a process imports in which the exercises' own solutions are graded.

    That process is confined like any other and runs the course's code alone: no learner has a say
    in what is imported. The fork server learns names of modules, nothing of solutions and checks.
    Libraries put imports off: torch loads five hundred modules for the first ``backward()``, and
    without this every submission would pay for it.

    Returns
    -------
    bool
        Whether the solutions fare as well after it. A module that cannot be imported in the fork
        server may leave its library half loaded, and another sandbox is needed.

    Raises
    ------
    SandboxError
        No process can be confined.
    """
    modules, points = _solved(exercises, sandbox, limits)
    sandbox.preload(modules)
    return _solved(exercises, sandbox, limits)[1] == points


def _solved(
    exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits
) -> tuple[list[str], float]:
    """Grade the solutions; return the modules that their process has imported, and the points."""
    attempt = Attempt(exercises, sandbox, limits)
    modules: Any = []
    try:
        attempt.through([Cell(e.solution, True, exercise=e.id, role="answer") for e in exercises])
        modules = attempt.session.request(limits.call_seconds, do="modules")
    except SessionOver:  # a course whose solutions fail is graded all the same
        pass
    finally:
        attempt.close()
    return modules, sum(verdict.points for verdict in attempt.verdicts.values())


def open_sandbox(task: Task) -> Sandbox:
    """Return a sandbox for a task's submissions.

    Raises
    ------
    SandboxError
        This machine cannot provide it; the text says what is missing, and what can be done.
    """
    arguments = {"limits": asdict(task.limits), "withheld": task.withheld}
    try:
        return Sandbox(task.limits, task.level, _SERVE, arguments, task.preload, task.hidden)
    except UnavailableError as error:
        is_root = os.name == "posix" and os.geteuid() == 0
        ways = WAYS_OUT.replace("run as root; ", "") if is_root else WAYS_OUT
        raise UnavailableError(f"no sandbox here: {error}. {ways}") from None


def _end_with_parent() -> None:
    if sys.platform == "linux":
        parent = os.getppid()
        with suppress(OSError):
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator ends us


def _bound_memory() -> None:
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + _GRADER_MEMORY, hard))


if __name__ == "__main__":
    main(int(sys.argv[1]))
