"""seccomp: system calls that no notebook needs and that attacks do.

They fail with EPERM. Optional: used where ``pyseccomp`` and libseccomp are installed.
"""

from __future__ import annotations

import errno
import socket
import tempfile
from typing import Any

#: Looking into or signalling other processes, changing the walls, memory that no limit counts.
FORBIDDEN = tuple(
    """
    ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd
    mount umount2 pivot_root move_mount fsopen fsconfig fsmount open_tree mount_setattr
    setns unshare chroot keyctl add_key request_key bpf perf_event_open userfaultfd
    io_uring_setup io_uring_enter io_uring_register shmget msgget semget mq_open
    memfd_create memfd_secret
    init_module finit_module delete_module kexec_load swapon reboot quotactl acct
    """.split()  # noqa: SIM905 -- forty quoted words are harder to read
)
_NEW_NAMESPACE = 0x7E020080


def build() -> bytes | None:
    """Return the filter's program, to be loaded in each fork; None where libseccomp is missing."""
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):
        return None
    made = pyseccomp.SyscallFilter(defaction=pyseccomp.ALLOW)
    refuse = pyseccomp.ERRNO(errno.EPERM)
    for name in FORBIDDEN:
        _add(made, pyseccomp, refuse, name)
    # glibc falls back from clone3, whose flags a filter cannot see, to clone, whose flags it can.
    _add(made, pyseccomp, pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for bit in range(32):
        if _NEW_NAMESPACE >> bit & 1:
            flag = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 1 << bit, 1 << bit)
            _add(made, pyseccomp, refuse, "clone", flag)
    network = pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX)
    _add(made, pyseccomp, pyseccomp.ERRNO(errno.EACCES), "socket", network)
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(made: Any, pyseccomp: Any, action: Any, name: str, *arguments: Any) -> None:
    try:
        made.add_rule(action, name, *arguments)
    except (OSError, ValueError):  # not a call of this machine
        return
