"""Start a zygote as well confined as this machine allows, and ask it for forks."""

from __future__ import annotations

import json
import os
import site
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coursekit.grade.confine import bubblewrap, landlock
from coursekit.grade.confine.walls import WORDS, Ground
from coursekit.grade.limits import Limits
from coursekit.grade.scratch import empty
from coursekit.grade.wire import Channel

LEVELS = ("bubblewrap", "landlock", "none")
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
_HOME = str(Path(__file__).resolve().parents[2])
_START_SECONDS = 120.0
_FIRST_UID = 0x7000_0000
_BOOT = (
    "import json, sys; settings = json.loads(sys.argv[2]); sys.path[:] = settings.pop('path'); "
    "from coursekit.grade.zygote import main; main(int(sys.argv[1]), settings)"
)


class NurseryError(Exception):
    """No zygote can be started, or one has died; the text says what to do."""


@dataclass(frozen=True)
class Ending:
    """How a submission's process ended."""

    memory: bool = False
    signal: int | None = None
    code: int | None = None


class Nursery:
    """One zygote and the way to it. One submission at a time.

    Parameters
    ----------
    limits : Limits
        What each submission may use.
    level : str
        ``auto`` or one of `LEVELS`.
    preload : sequence of str
        Modules that the zygote imports before it forks.
    hidden : sequence of str
        Files and folders that learner code must never see: the bank's, and the class's.
    """

    def __init__(
        self,
        limits: Limits,
        level: str = "auto",
        preload: Sequence[str] = (),
        hidden: Sequence[str] = (),
    ) -> None:
        self._limits = limits
        self.level = best_level() if level == "auto" else level
        self._preload = list(preload)
        hidden = [os.path.realpath(path) for path in hidden]
        # `python -m` puts the folder it is started in on the path: that is anybody's home.
        kept = [p for p in sys.path if os.path.exists(p) and p != os.getcwd()]
        kept = [p for p in kept if not _holds(p, hidden)]
        self._path = list(dict.fromkeys([*kept, _HOME]))
        self._readable = tuple(_readable(self._path))
        if self.level != "none":
            _keep_apart(self._readable, hidden)
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._control, self._theirs = socket.socketpair()
        self.walls: tuple[str, ...] = ()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @property
    def isolation(self) -> str:
        """The level in force and its walls, as stored with each grade."""
        return "+".join(dict.fromkeys([self.level, *self.walls]))

    def fork(self) -> Channel:
        """Return a channel to a new submission's process."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"fork\n"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise NurseryError("the process that starts submissions is gone") from None
        return Channel(ours, self._limits)

    def end(self) -> Ending:
        """End the submission that runs, with all its processes, and say how it ended."""
        try:
            self._control.sendall(b"end\n")
            told = self._hear(20.0)
        except OSError:
            raise NurseryError("the process that starts submissions is gone") from None
        if told["end"] == "setup":
            reason = told.get("message") or "a wall that stood before does not stand now"
            raise NurseryError(f"a submission could not be confined: {reason}")
        code = int(told["code"])
        if told["end"] == "signal":
            return Ending(memory=bool(told["memory"]), signal=code)
        return Ending(memory=bool(told["memory"]), code=code)

    def close(self) -> None:
        """End the zygote."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stderr is not None:
                self._process.stderr.close()
        if self._scratch is not None:
            empty(self._scratch.name)
            self._scratch.cleanup()

    def _start(self) -> None:
        with self._theirs as theirs:
            settings = json.dumps(self._settings())
            words = [sys.executable, "-I", "-c", _BOOT, str(theirs.fileno()), settings]
            if self.level == "bubblewrap":
                words = bubblewrap.command(self._readable) + words
            self._process = subprocess.Popen(
                words,
                env=_environment(self._where()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        try:
            self.walls = tuple(self._hear(_START_SECONDS)["walls"])
        except OSError:
            raise NurseryError(self._why_not()) from None

    def _settings(self) -> dict[str, Any]:
        root = os.geteuid() == 0
        wanted = ("rlimits",) if self.level == "none" else WORDS
        ground = Ground(
            # All there is inside bubblewrap may be read: one rule is quicker than many.
            readable=("/",) if self.level == "bubblewrap" else self._readable,
            scratch=self._where(),
            uid=_FIRST_UID + os.getpid() if root and self.level != "none" else None,
            in_bubblewrap=self.level == "bubblewrap",
            wanted=wanted,
        )
        return {
            "path": self._path,
            "preload": self._preload,
            "limits": self._limits.as_json(),
            "ground": asdict(ground),
        }

    def _where(self) -> str:
        if self.level == "bubblewrap":
            return bubblewrap.SCRATCH
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="coursekit-")
            os.chmod(self._scratch.name, 0o777)
        return self._scratch.name

    def _hear(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        text = b""
        while not text.endswith(b"\n"):
            part = self._control.recv(1 << 16)
            if not part:
                raise ConnectionError
            text += part
        return dict(json.loads(text))

    def _why_not(self) -> str:
        assert self._process is not None
        self._process.kill()
        assert self._process.stderr is not None
        error = self._process.stderr.read().decode("utf-8", "replace").strip()
        last = error.splitlines()[-1] if error else "it ended without a word"
        return f"no confined process can be started at level {self.level}: {last}"


def best_level() -> str:
    """Return the strongest level that this machine has."""
    if bubblewrap.usable() is not None:
        return "bubblewrap"
    return "landlock" if landlock.abi() > 0 else "none"


def _readable(path: Sequence[str]) -> list[str]:
    """Return what a learner's Python needs to see: the system's libraries, Python's, and ours."""
    program = Path(sys.executable)
    programs = [str(program.parent), str(program.resolve().parent)]
    python = [sys.prefix, sys.base_prefix, *site.getsitepackages(), *programs]
    return [*_SYSTEM, *python, *(p for p in path if os.path.isdir(p))]


def _holds(folder: str, paths: Sequence[str]) -> bool:
    return any(Path(path).is_relative_to(os.path.realpath(folder)) for path in paths)


def _keep_apart(readable: Sequence[str], hidden: Sequence[str]) -> None:
    for folder in readable:
        for path in hidden:
            if os.path.exists(folder) and _holds(folder, [path]):
                raise NurseryError(
                    f"{path} lies below {folder}, which learner code can read; move it elsewhere"
                )


def _environment(scratch: str) -> dict[str, str]:
    """Return the zygote's environment: nothing of ours, whose variables may hold secrets."""
    kept = {k: os.environ[k] for k in ("OPENBLAS_CORETYPE", "LD_LIBRARY_PATH") if k in os.environ}
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    return {
        **kept,
        **threads,
        "PATH": "/usr/bin:/bin",
        "HOME": scratch,
        "TMPDIR": scratch,
        "MPLCONFIGDIR": scratch,
        "MPLBACKEND": "agg",
        "USER": "learner",
        "LOGNAME": "learner",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
