"""The grader's side: start a fork server, request confined processes, learn how they ended."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.sandbox import interpreter, private_root
from coursekit.sandbox.limits import ProcessLimits
from coursekit.sandbox.restrictions import Config
from coursekit.sandbox.scratch import discard
from coursekit.sandbox.supervisor import descendants, queued, usage

_START_SECONDS = 120.0
_FIRST_UID = 0x7000_0000
_FEWEST_IDS = 60_000
#: Settings come over a descriptor: a submission can read the command line of its process.
_BOOT = (
    "import json, os, sys\n"
    "control, source = map(int, sys.argv[1:])\n"
    "text = b''\n"
    "while not text.endswith(b'\\n'): text += os.read(source, 1 << 16) or sys.exit('no settings')\n"
    "settings = json.loads(text); sys.path[:] = settings['path']; del text\n"
    "from coursekit.sandbox.fork_server import main; main(control, settings)"
)


class SandboxError(CoursekitError):
    """No confined process can be started, or the fork server has died; the text tells why."""


class UnavailableError(SandboxError):
    """This machine cannot provide the requested isolation; the text tells what is missing."""


@dataclass(frozen=True)
class Ending:
    """How a submission's process ended: the limit that it reached, if any; a signal or a status."""

    over: str = ""
    signal: int | None = None
    code: int | None = None


class Sandbox:
    """A fork server and the connection to it, for one submission at a time.

    Parameters
    ----------
    limits : ProcessLimits
        What each submission may use.
    level : str
        One of `coursekit.sandbox.restrictions.LEVELS`.
    serve : str
        ``module:function``. Called once in the fork server with ``arguments``, it returns the
        function that each submission's process calls with its end of the channel, a socket.
    arguments : mapping
        JSON values.
    preload : sequence of str
        Modules that the fork server imports before it forks. A submission must not choose them.
    hidden : sequence of str
        Files and folders that learner code must never see: those of exercises and of the class.

    Raises
    ------
    UnavailableError
        This machine cannot provide this level.
    SandboxError
        Honest work would fail in it, or it does not start.
    """

    def __init__(
        self,
        limits: ProcessLimits,
        level: str,
        serve: str,
        arguments: Mapping[str, Any],
        preload: Sequence[str] = (),
        hidden: Sequence[str] = (),
    ) -> None:
        self._limits, self.level = limits, level
        self._serve, self._arguments, self._preload = serve, dict(arguments), list(preload)
        self._hidden = [os.path.realpath(path) for path in hidden]
        self._path = interpreter.path_without(self._hidden)
        self._readable = interpreter.needed(self._path)
        # Without a private root nothing can be covered; in one, only paths that exist already.
        uncovered = [p for p in self._hidden if level == "partial" or not os.path.exists(p)]
        if level != "none":
            _refuse_overlap(self._readable, uncovered)
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._control, self._theirs = socket.socketpair()
        self.mechanisms: tuple[str, ...] = ()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @property
    def isolation(self) -> str:
        """The level and its mechanisms, as stored with each grade."""
        return "+".join([self.level, *self.mechanisms])

    def fork(self) -> socket.socket:
        """Return our end of a new submission's channel."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"fork\n"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise SandboxError("the process that starts submissions is gone") from None
        return ours

    def preload(self, modules: Sequence[str]) -> None:
        """Let the fork server import more modules, those that it can; no submission may be running.

        A submission must not choose them: they run code before anything is confined.
        """
        try:
            self._control.sendall(json.dumps(list(modules)).encode() + b"\n")
            self._receive(_START_SECONDS)
        except OSError:
            self._control.close()
            raise SandboxError("the process that starts submissions is gone") from None

    def seconds_used(self) -> float:
        """Return the processor time of all processes of the running submission."""
        return sum(usage(pid).seconds for pid in self._running())

    def seconds_queued(self) -> float:
        """Return how long they were ready to run while the machine had no processor for them."""
        return sum(queued(pid) for pid in self._running())

    def _running(self) -> Iterator[int]:
        assert self._process is not None
        top = self._process.pid
        if "pid" in self.mechanisms:  # our child is the waiting parent of the fork server
            top = next(descendants(top), top)
        return descendants(top)

    def end(self) -> Ending:
        """End the running submission with all its processes, and return how it ended."""
        try:
            self._control.sendall(b"end\n")
            report = self._receive(20.0)
        except OSError:
            self._control.close()
            raise SandboxError("the process that starts submissions is gone") from None
        if report["end"] == "setup":
            self._control.close()  # who asks again must not wait for a report that has been given
            reason = report.get("message") or "a restriction that was in force at the start failed"
            raise SandboxError(f"a submission could not be confined: {reason}")
        code = int(report["code"])
        if report["end"] == "signal":
            return Ending(over=report["over"], signal=code)
        return Ending(over=report["over"], code=code)

    def close(self) -> None:
        """End the fork server."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stderr is not None:
                self._process.stderr.close()
        discard(self._scratch)

    def _start(self) -> None:
        with self._theirs as theirs:
            settings = json.dumps(self._settings())
            command = [sys.executable, "-I", "-c", _BOOT, *[str(theirs.fileno())] * 2]
            self._process = subprocess.Popen(
                command,
                env=interpreter.environment(self._scratch_folder()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        try:
            self._control.sendall(settings.encode() + b"\n")
            report = self._receive(_START_SECONDS)
        except OSError:
            raise SandboxError(self._start_failure()) from None
        if "refused" in report:
            raise UnavailableError(report["refused"])
        if "fault" in report:
            raise SandboxError(report["fault"])
        self.mechanisms = tuple(report["mechanisms"])

    def _settings(self) -> dict[str, Any]:
        own_user = os.name == "posix" and os.geteuid() == 0 and self.level != "none"
        config = Config(
            level=self.level,
            readable=self._readable,
            hidden=self._hidden,
            scratch=self._scratch_folder(),
            uid=_spare_uid() if own_user else None,
        )
        folders = [path for path in self._path if os.path.isdir(path)]
        # A hidden folder that also holds the interpreter shows that, so the trial leaves it out.
        hidden = [
            p for p in self._hidden if not any(interpreter.holds(p, [r]) for r in self._readable)
        ]
        return {
            "path": self._path,
            "boot": _BOOT,
            "preload": self._preload,
            "serve": self._serve,
            "arguments": self._arguments,
            "limits": {f.name: getattr(self._limits, f.name) for f in fields(ProcessLimits)},
            "config": asdict(config),
            "trial": {"readable": folders, "hidden": hidden},
        }

    def _scratch_folder(self) -> str:
        if self.level == "sandbox":
            return private_root.SCRATCH
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="coursekit-")
            os.chmod(self._scratch.name, 0o777)
        return self._scratch.name

    def _receive(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        text = b""
        while not text.endswith(b"\n"):
            part = self._control.recv(1 << 16)
            if not part:
                raise ConnectionError
            text += part
        return dict(json.loads(text))

    def _start_failure(self) -> str:
        assert self._process is not None
        self._process.kill()
        assert self._process.stderr is not None
        error = self._process.stderr.read().decode("utf-8", "replace").strip()
        last = error.splitlines()[-1] if error else "it ended without a message"
        return f"no confined process can be started at level {self.level}: {last}"


def _refuse_overlap(readable: Sequence[str], hidden: Sequence[str]) -> None:
    for folder in readable:
        for path in hidden:
            if os.path.exists(folder) and interpreter.holds(folder, [path]):
                raise SandboxError(
                    f"{path} lies below {folder}, which learner code can read; move it elsewhere"
                )


def _spare_uid() -> int:
    """Return an unused user id: above all others, or one of the highest of a small namespace."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        ranges = [[int(word) for word in line.split()] for line in file]
    highest = max(start + length for start, _, length in ranges)
    if highest < _FEWEST_IDS:
        raise UnavailableError(f"{highest} user ids here; expected one for submissions alone")
    uid = _FIRST_UID + os.getpid()
    return uid if uid < highest else highest - 1 - os.getpid() % 1000
