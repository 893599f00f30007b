"""Put one submission behind every wall that this zygote can build.

Each wall has a word; a probe finds out once which of them stand here, and from then on a wall that
should stand and does not stops the fork before any learner code runs.

==========  ============================================================================
user        a user namespace of its own (where the zygote is not root)
pid         its own processes: it sees and signals no other, and they end with it
net         its own network, without any interface (where bubblewrap has not done it)
mount       fresh scratch space of bounded size, gone with it
uid         a user id of its own (where the zygote is root)
landlock    files by path; see `coursekit.grade.confine.landlock`
seccomp     system calls; see `coursekit.grade.confine.seccomp`
rlimits     memory, processor time, processes, open files, file size
==========  ============================================================================
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coursekit.grade.confine import landlock, linux, seccomp
from coursekit.grade.limits import Limits

WORDS = ("user", "pid", "net", "mount", "uid", "landlock", "seccomp", "rlimits")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Ground:
    """Where a zygote stands: what its forks may read and write, and what it is allowed to do."""

    readable: tuple[str, ...]
    scratch: str
    uid: int | None
    in_bubblewrap: bool
    wanted: tuple[str, ...] = WORDS


def ground_from_json(told: dict[str, Any]) -> Ground:
    """Return the ground whose fields were sent as a JSON object."""
    lists = {name: tuple(told[name]) for name in ("readable", "wanted")}
    return Ground(**{**told, **lists})


class Walls:
    """The walls that stand here, and how to go behind them."""

    def __init__(self, ground: Ground, limits: Limits) -> None:
        self._ground, self._limits = ground, limits
        self._filter = seccomp.build() if "seccomp" in ground.wanted else None
        self._address_space = _address_space() + limits.memory
        self._home = os.open("/proc/self/ns/pid", os.O_RDONLY) if sys.platform == "linux" else -1
        self.words: tuple[str, ...] = self._find()

    @property
    def needs_keeper(self) -> bool:
        """Whether a process is needed between the zygote and a submission.

        Root can begin a PID namespace for its next child alone, and be its parent. Elsewhere
        somebody must enter the user namespace, or wait for orphans.
        """
        return "pid" not in self.words or "user" in self.words

    def fork(self) -> int:
        """Fork, where no keeper is needed, into a PID namespace of its own; like `os.fork`."""
        linux.unshare(linux.CLONE_NEWPID)
        child = -1
        try:
            child = os.fork()
        finally:
            if child:  # also where the fork was refused: the next one must find things as they were
                linux.setns(self._home, linux.CLONE_NEWPID)
        return child

    def become_keeper(self) -> None:
        """Make this process one whose next child is a submission."""
        if "user" in self.words:
            _unshare_user(linux.CLONE_NEWPID if "pid" in self.words else 0)
        elif sys.platform == "linux":
            linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)

    def close_in(self) -> None:
        """Raise every other wall around this process; call it in the innermost fork."""
        inner = linux.CLONE_NEWIPC if "pid" in self.words else 0
        inner |= linux.CLONE_NEWNET if "net" in self.words else 0
        if inner:
            linux.unshare(inner)
        if "mount" in self.words:
            self._mount_scratch()
        os.chdir(self._ground.scratch)
        if "rlimits" in self.words:
            _limit(self._limits, self._address_space)
        self._drop_privileges()
        if "landlock" in self.words:
            readable = (*self._ground.readable, *DEVICES, "/proc")
            # Where /dev/shm is everybody's, what is left there would outlive the submission.
            shared = ("/dev/shm",) if "mount" in self.words else ()
            writable = (self._ground.scratch, "/dev/null", *shared)
            landlock.restrict(readable, writable)
        if "seccomp" in self.words and self._filter is not None:
            linux.filter_system_calls(self._filter)

    def _mount_scratch(self) -> None:
        # Here and not in the keeper, who must go on seeing its own /proc.
        linux.unshare(linux.CLONE_NEWNS)
        linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
        flags = linux.MS_NOSUID | linux.MS_NODEV
        options = f"size={self._limits.scratch_bytes},nr_inodes=4096,mode=1777"
        for target in (self._ground.scratch, "/dev/shm"):
            if os.path.isdir(target):
                linux.mount("scratch", target, "tmpfs", flags, options)
        try:
            linux.mount("proc", "/proc", "proc", flags | linux.MS_NOEXEC)
        except linux.RefusedError:  # some kernels refuse it to a nested user namespace: none, then
            linux.mount("none", "/proc", "tmpfs", flags, "size=4k,mode=0555")

    def _drop_privileges(self) -> None:
        if "uid" in self.words and self._ground.uid is not None:
            os.setgroups([])
            os.setresgid(*[self._ground.uid] * 3)
            os.setresuid(*[self._ground.uid] * 3)
        if "rlimits" in self.words:
            # After the drop: this limit counts a user's processes, and binds no root.
            _set(resource.RLIMIT_NPROC, self._limits.processes)
        if sys.platform == "linux":
            if "user" in self.words:
                linux.drop_capabilities()
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)

    # --- which of them stand ----------------------------------------------------------------

    def _find(self) -> tuple[str, ...]:
        """Try the walls in forks, strongest first, and return the words of those that stood."""
        rest = [w for w in self._possible() if w in self._ground.wanted]
        inner = ("pid", "net", "mount")
        for dropped in ((), ("net",), ("net", "mount"), ("user", *inner), ("user", *inner, "uid")):
            words = tuple(w for w in rest if w not in dropped)
            if self._stand(words):
                return words
        return tuple(w for w in rest if self._stand((w,)))

    def _possible(self) -> list[str]:
        linux_only = {
            "user": os.geteuid() != 0,
            "pid": True,
            "net": not self._ground.in_bubblewrap,
            "mount": True,
            "landlock": landlock.abi() > 0,
            "seccomp": self._filter is not None,
        }
        words = [w for w in WORDS if sys.platform == "linux" and linux_only.get(w)]
        if self._ground.uid is not None:
            words.append("uid")
        return [*words, "rlimits"]

    def _stand(self, words: tuple[str, ...]) -> bool:
        self.words = words
        try:
            if not self.needs_keeper:
                return _succeeds(self.fork, self.close_in)
            return _succeeds(os.fork, lambda: _as_keeper(self))
        except OSError:
            return False


def _as_keeper(walls: Walls) -> None:
    walls.become_keeper()
    if not _succeeds(os.fork, walls.close_in):
        raise OSError


def _succeeds(fork: Callable[[], int], action: Callable[[], None]) -> bool:
    """Whether ``action`` runs in a fork without an error."""
    child = fork()
    if child == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _unshare_user(flags: int) -> None:
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(flags | linux.CLONE_NEWUSER)
    maps: list[tuple[str, str]] = [
        ("setgroups", "deny"),
        ("uid_map", f"1000 {uid} 1"),
        ("gid_map", f"1000 {gid} 1"),
    ]
    for name, text in maps:
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _address_space() -> int:
    """Return the bytes of address space that this process has now (0 where unknown)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _limit(limits: Limits, address_space: int) -> None:
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_CPU, int(limits.total_seconds) + 5)
    _set(resource.RLIMIT_FSIZE, limits.file_bytes)
    _set(resource.RLIMIT_NOFILE, limits.open_files)
    if sys.platform == "linux":
        _set(resource.RLIMIT_AS, address_space)


def _set(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (bound, bound))
