"""seccomp: system calls that no notebook needs and that attacks do.

They fail with an error. Needs ``pyseccomp`` and the system's libseccomp.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
from functools import cache
from typing import Any

#: Looking into or signalling other processes, changing the restrictions, memory and requests that
#: no limit counts, files by handle instead of name, watching files, asking what others have read.
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
#: A socket pair needs none of these. Python's own event loop needs no more than a socket pair.
_SOCKETS = ("socket", "connect", "bind", "listen", "accept", "accept4")
#: Calls that do nothing and say that they did. The scheduler shares time among sessions first: a
#: session of its own would be a share of its own, whatever its priority. Locks on the files of
#: packages, and which of their pages are in memory, would be seen by other submissions.
_WITHOUT_EFFECT = ("setsid", "flock", "fadvise64", "readahead", "sync", "syncfs")
#: fcntl's commands of the same kinds: locks, leases, notification.
_LOCKS = (5, 6, 7, 36, 37, 38)
_WATCHES = (1024, 1026)
#: Socket options: SO_SNDBUF, SO_RCVBUF and their forced twins. Buffers keep their usual size.
_BUFFER_SIZES = (7, 8, 32, 33)
_NEW_NAMESPACE = 0x7E020080


@cache
def build() -> bytes | None:
    """Return the filter's program, to be loaded in each fork; None where libseccomp is missing."""
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):
        return None
    made = pyseccomp.SyscallFilter(defaction=pyseccomp.ALLOW)
    refuse = pyseccomp.ERRNO(errno.EPERM)
    for name in _FORBIDDEN:
        _add(made, refuse, name)
    for name in _SOCKETS:
        _add(made, pyseccomp.ERRNO(errno.EACCES), name)
    not_unix = pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX)
    _add(made, pyseccomp.ERRNO(errno.EACCES), "socketpair", not_unix)
    for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):  # datagrams can be sent to a name
        of_kind = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xF, kind)
        _add(made, pyseccomp.ERRNO(errno.EACCES), "socketpair", of_kind)
    for option in _BUFFER_SIZES:
        size = pyseccomp.Arg(2, pyseccomp.EQ, option)
        _add(made, pyseccomp.ERRNO(0), "setsockopt", size)
    for name in _WITHOUT_EFFECT:
        _add(made, pyseccomp.ERRNO(0), name)
    for command in _LOCKS:
        _add(made, pyseccomp.ERRNO(0), "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    for command in _WATCHES:
        _add(made, refuse, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    # A child whose end is ignored takes the count of its processor time with it.
    ends = pyseccomp.Arg(0, pyseccomp.EQ, signal.SIGCHLD)
    _add(made, pyseccomp.ERRNO(0), "rt_sigaction", ends)
    # Their flags ask whether a page is in memory; without flags, older calls do the same work.
    for name in ("preadv2", "pwritev2"):
        _add(made, pyseccomp.ERRNO(errno.ENOSYS), name)
    # glibc falls back from clone3, whose flags a filter cannot see, to clone, whose flags it can.
    _add(made, pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for bit in range(32):
        if _NEW_NAMESPACE >> bit & 1:
            _add(made, refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 1 << bit, 1 << bit))
    with os.fdopen(os.memfd_create("filter"), "w+b") as file:  # there may be no folder to write to
        made.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(made: Any, action: Any, name: str, *arguments: Any) -> None:
    try:
        made.add_rule(action, name, *arguments)
    except (OSError, ValueError):  # not a call of this machine
        return
