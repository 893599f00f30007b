"""Which mechanisms confine a submission at each level, and the order in which they take effect.

===========  ============================================================================
user         a user namespace of the fork server's own (if it does not run as root)
root         a private root: nothing but the interpreter, packages and scratch space
pid          processes of its own: it sees and signals no others, and they end with it
net          a network of its own, without any interface
ipc          System V and POSIX queues and shared memory of its own
uid          a user id that nothing else has (if the fork server runs as root)
landlock     files refused by path, and signals; a second line behind the private root
seccomp      refuses system calls that no notebook needs, those for sockets included
rlimits      bounds on memory, processor time, processes, open files, file size
===========  ============================================================================

At level ``sandbox`` all of them are in force (landlock where the kernel has it), or nothing is run.
At ``partial`` only those of the last four that work here are, at ``none`` only rlimits.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coursekit.sandbox import landlock, linux, private_root, seccomp
from coursekit.sandbox.limits import ProcessLimits

LEVELS = ("sandbox", "partial", "none")
_NAMESPACES = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC
#: The user id in a user namespace: 0 would get capabilities back with every program it starts.
_INNER_ID = 1000


@dataclass(frozen=True)
class Config:
    """How a fork server is confined, and what its forks may read and write.

    Attributes
    ----------
    level : str
        One of `LEVELS`.
    readable, hidden : sequence of str
        Paths that the interpreter needs; real paths below them that must not be visible.
    scratch : str
        The folder that submissions may write to.
    uid : int or None
        The user id that a submission gets; None if it keeps ours.
    """

    level: str
    readable: Sequence[str]
    hidden: Sequence[str]
    scratch: str
    uid: int | None


class Restrictions:
    """The mechanisms that are in force, and how a process puts itself under them."""

    def __init__(self, config: Config, limits: ProcessLimits) -> None:
        self._config, self._limits = config, limits
        filter = seccomp.build() if config.level != "none" else None
        self._filter = None if filter is None or filter.missing else filter.program
        self.mechanisms = self._mechanisms()

    def apply(self) -> None:
        """Put this process under all of them, irrevocably; call it in the innermost fork."""
        if "root" in self.mechanisms:
            linux.unshare(linux.CLONE_NEWNS)
            private_root.mount_own(self._limits.scratch_bytes)
        os.chdir(self._config.scratch)
        _limit(self._limits)
        self._drop_privileges()
        if "landlock" in self.mechanisms:
            self._restrict_paths()
        if "seccomp" in self.mechanisms and self._filter is not None:
            linux.filter_system_calls(self._filter)

    def _restrict_paths(self) -> None:
        config = self._config
        devices = tuple(f"/dev/{name}" for name in private_root.DEVICES)
        if "root" in self.mechanisms:
            landlock.restrict(("/",), (config.scratch, "/dev/null", "/dev/shm"))
        else:
            landlock.restrict((*config.readable, *devices), (config.scratch, "/dev/null"))

    def _drop_privileges(self) -> None:
        if "uid" in self.mechanisms and self._config.uid is not None:
            os.setgroups([])
            os.setresgid(*[self._config.uid] * 3)
            os.setresuid(*[self._config.uid] * 3)
        # After the drop: this limit counts a user's processes, and does not apply to root. In a
        # user namespace, the fork server and the supervisor count as that user's, too.
        own = 2 if "user" in self.mechanisms else 0
        _set(resource.RLIMIT_NPROC, self._limits.processes + own)
        if sys.platform == "linux" and self._config.level != "none":
            if "user" in self.mechanisms:
                linux.drop_capabilities()
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
            # A process that keeps a piece of a huge page keeps all of it, which is counted nowhere.
            linux.prctl(linux.PR_SET_THP_DISABLE, 1)

    def _mechanisms(self) -> tuple[str, ...]:
        if self._config.level == "none":
            return ("rlimits",)
        possible = {
            "uid": self._config.uid is not None,
            "landlock": landlock.abi() > 0,
            "seccomp": self._filter is not None,
        }
        last = [name for name, is_there in possible.items() if is_there]
        if self._config.level == "sandbox":
            first = () if self._config.uid is not None else ("user",)
            return (*first, "root", "pid", "net", "ipc", *last, "rlimits")
        self.mechanisms = ()
        return (*(name for name in last if self._works(name)), "rlimits")

    def _works(self, name: str) -> bool:
        self.mechanisms = (name,)
        return _succeeds(self.apply)


def enter_sandbox(config: Config) -> None:
    """Enter namespaces and a private root for good; this process must have one thread.

    Returns in a child, the first process of its PID namespace. This process waits for the child,
    and ends with the same status.

    Raises
    ------
    linux.RefusedError
        The kernel refuses a step; the text says which.
    """
    filter = seccomp.build()
    if filter is None:
        raise linux.RefusedError(0, "pyseccomp or the library libseccomp is not installed")
    if filter.missing:
        names = ", ".join(filter.missing)
        raise linux.RefusedError(
            0, f"libseccomp cannot refuse {names} here; expected libseccomp 2.5 or newer"
        )
    _unshare(as_user=config.uid is None)
    child = os.fork()
    if child:
        _wait_and_end(child)
    linux.prctl(linux.PR_SET_PDEATHSIG, 9)
    private_root.enter(config.readable, config.hidden, for_others=config.uid is not None)


def _unshare(as_user: bool) -> None:
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(_NAMESPACES | (linux.CLONE_NEWUSER if as_user else 0))
    if not as_user:
        return
    maps = {
        "setgroups": "deny",
        "uid_map": f"{_INNER_ID} {uid} 1",
        "gid_map": f"{_INNER_ID} {gid} 1",
    }
    for name, text in maps.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _wait_and_end(child: int) -> None:
    """Be only the parent of the PID namespace's first process."""
    os.closerange(3, 256)  # with an open end here, the grader would not notice the child's death
    status = os.waitpid(child, 0)[1]
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _succeeds(action: Callable[[], None]) -> bool:
    """Whether ``action`` runs in a fork without an error."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def address_space() -> int:
    """Return the bytes of address space that this process has now (0 where unknown)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _limit(limits: ProcessLimits) -> None:
    # With 0, a crash would still start the program that the kernel pipes cores to.
    _set(resource.RLIMIT_CORE, 1)
    _set(resource.RLIMIT_CPU, int(limits.total_seconds) + 5)
    _set(resource.RLIMIT_FSIZE, limits.file_bytes)
    _set(resource.RLIMIT_NOFILE, limits.open_files)
    _set(resource.RLIMIT_MEMLOCK, 0)
    if sys.platform == "linux":
        _set(resource.RLIMIT_NICE, 0)
        _set(resource.RLIMIT_RTPRIO, 0)
        _set(resource.RLIMIT_AS, address_space() + limits.memory)


def _set(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (bound, bound))
