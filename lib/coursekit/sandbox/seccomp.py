"""seccomp: refuse the system calls that no notebook needs and that attacks do.

Needs ``pyseccomp`` and the system's libseccomp.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

#: Calls that inspect or signal other processes, change the restrictions, use memory or queue
#: requests that no limit counts, open files by handle instead of name, watch files, or ask which
#: pages others have read.
_FORBIDDEN = tuple(
    """
    ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd
    mount umount2 pivot_root move_mount fsopen fsconfig fsmount fspick open_tree mount_setattr
    setns unshare chroot keyctl add_key request_key bpf perf_event_open userfaultfd
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_destroy
    shmget shmat msgget semget mq_open memfd_create memfd_secret vmsplice splice tee
    name_to_handle_at open_by_handle_at fanotify_init inotify_init inotify_init1
    mincore cachestat lookup_dcookie move_pages migrate_pages
    init_module finit_module delete_module kexec_load kexec_file_load swapon reboot
    quotactl quotactl_fd acct syslog personality modify_ldt
    """.split()  # noqa: SIM905 -- eighty quoted words are harder to read
)
#: A socket pair needs none of these, and Python's own event loop needs only a socket pair.
_SOCKETS = ("socket", "connect", "bind", "listen", "accept", "accept4")
#: Calls that do nothing and report success. The scheduler divides time among sessions first: a
#: session of its own would get a share of its own, whatever its priority. Locks on the files of
#: packages, and which of their pages are in memory, would be visible to other submissions.
_WITHOUT_EFFECT = ("setsid", "flock", "fadvise64", "readahead", "sync", "syncfs")
#: fcntl's commands of the same kinds: locks, leases, notification.
_LOCKS = (5, 6, 7, 36, 37, 38)
_WATCHES = (1024, 1026)
#: Socket options: SO_SNDBUF, SO_RCVBUF and their forced variants. Buffers keep their usual size.
_BUFFER_SIZES = (7, 8, 32, 33)
_NEW_NAMESPACE = 0x7E020080
#: Calls that an older libseccomp does not know by name. Their numbers are those of every machine.
_NUMBERS = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "clone3": 435, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
    "quotactl_fd": 443, "memfd_secret": 447, "cachestat": 451,
}  # fmt: skip

#: The newest call that has been reviewed, Linux 6.7's ``futex_requeue``; from 424 on, numbers are
#: those of every machine. To review the next ones: refuse them above or let them pass, test them.
NEWEST_REVIEWED = 456
#: Instructions of the kernel's filters: load a word, go on if it is at least a constant, return.
_LOAD, _AT_LEAST, _RETURN = 0x20, 0x35, 0x06
_FAILS = 0x0005_0000

#: A rule: the error that the call returns (0: success), its name, conditions on its arguments.
Rule: TypeAlias = tuple[int, str, tuple[Any, ...]]


@dataclass(frozen=True)
class Filter:
    """A filter's program, to be loaded in each fork.

    Attributes
    ----------
    program : bytes
        Instructions of 8 bytes each.
    missing : tuple of str
        Calls of this machine that libseccomp could not be told to refuse.
    """

    program: bytes
    missing: tuple[str, ...]


@cache
def build() -> Filter | None:
    """Return the filter, None where pyseccomp or libseccomp is not installed."""
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):
        return None
    rules = pyseccomp.SyscallFilter(defaction=pyseccomp.ALLOW)
    missing = []
    for error, name, conditions in (*_refusals(pyseccomp), *_pretences(pyseccomp)):
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number < -1:  # libseccomp knows the call, and this machine does not have it
            continue
        number = _NUMBERS.get(name, -1) if number < 0 else number
        try:
            rules.add_rule(pyseccomp.ERRNO(error), number, *conditions)
        except (OSError, ValueError):
            missing.append(name)
    with os.fdopen(os.memfd_create("filter"), "w+b") as file:  # there may be no writable folder
        rules.export_bpf(file)
        file.seek(0)
        return Filter(_nothing_newer() + file.read(), tuple(dict.fromkeys(missing)))


def _nothing_newer() -> bytes:
    """Return instructions before all others: a call that nobody has reviewed does not exist.

    Programs take ``ENOSYS`` for an older kernel and do without the call.
    """
    steps = (
        (_LOAD, 0, 0, 0),  # the call's number
        (_AT_LEAST, 0, 1, NEWEST_REVIEWED + 1),
        (_RETURN, 0, 0, _FAILS | errno.ENOSYS),
    )
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _refusals(pyseccomp: Any) -> Iterator[Rule]:
    """Yield the rules for calls that fail."""
    for name in _FORBIDDEN:
        yield errno.EPERM, name, ()
    for name in _SOCKETS:
        yield errno.EACCES, name, ()
    yield errno.EACCES, "socketpair", (pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX),)
    for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):  # datagrams can be sent to a name
        yield errno.EACCES, "socketpair", (pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xF, kind),)
    for command in _WATCHES:
        yield errno.EPERM, "fcntl", (_equals(pyseccomp, 1, command),)
    # A limit of 1 byte keeps a crash from starting the program that the machine pipes cores to,
    # outside of the sandbox; a limit of 0 would not.
    yield errno.EPERM, "setrlimit", (_equals(pyseccomp, 0, resource.RLIMIT_CORE),)
    is_set = pyseccomp.Arg(2, pyseccomp.NE, 0)
    yield errno.EPERM, "prlimit64", (_equals(pyseccomp, 1, resource.RLIMIT_CORE), is_set)
    # Their flags ask whether a page is in memory; without flags, older calls do the same work.
    for name in ("preadv2", "pwritev2"):
        yield errno.ENOSYS, name, ()
    # glibc falls back from clone3, whose flags a filter cannot see, to clone, whose flags it can.
    yield errno.ENOSYS, "clone3", ()
    for bit in range(32):
        if _NEW_NAMESPACE >> bit & 1:
            flag = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 1 << bit, 1 << bit)
            yield errno.EPERM, "clone", (flag,)


def _pretences(pyseccomp: Any) -> Iterator[Rule]:
    """Yield the rules for calls that do nothing and report success."""
    for name in _WITHOUT_EFFECT:
        yield 0, name, ()
    for option in _BUFFER_SIZES:
        yield 0, "setsockopt", (_equals(pyseccomp, 2, option),)
    for command in _LOCKS:
        yield 0, "fcntl", (_equals(pyseccomp, 1, command),)
    # A child whose end is ignored takes the record of its processor time with it.
    yield 0, "rt_sigaction", (_equals(pyseccomp, 0, signal.SIGCHLD),)


def _equals(pyseccomp: Any, position: int, value: int) -> Any:
    """Return the condition that an argument of 32 bits has a value.

    A register has 64 bits, and the kernel ignores the upper half of such an argument: a comparison
    of the whole register could be evaded by setting a bit there.
    """
    return pyseccomp.Arg(position, pyseccomp.MASKED_EQ, 0xFFFF_FFFF, value)
