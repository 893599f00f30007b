"""The few Linux calls that Python 3.11 does not have. Importable anywhere; callable on Linux."""

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38

_PR_SET_SECCOMP, _FILTER_MODE = 22, 2
_CAPSET_VERSION_3 = 0x20080522
_CAPSET = {"x86_64": 126, "aarch64": 91}


class RefusedError(OSError):
    """The kernel said no to a confining call; the text says to which."""


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise RefusedError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Move this process (for a PID namespace: its next children) into new namespaces."""
    _checked(_libc().unshare(flags), "unshare")


def setns(namespace: int, kind: int) -> None:
    """Enter the namespace that a file descriptor stands for."""
    _checked(_libc().setns(namespace, kind), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system."""
    args = (
        source.encode(),
        target.encode(),
        kind.encode(),
        ctypes.c_ulong(flags),
        options.encode(),
    )
    _checked(_libc().mount(*args), f"mount {kind or 'flags'} on {target}")


def prctl(option: int, *values: int) -> None:
    """Set one property of this process."""
    arguments = [ctypes.c_ulong(v) for v in (*values, 0, 0, 0)[:4]]
    _checked(_libc().prctl(option, *arguments), f"prctl {option}")


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def filter_system_calls(program: bytes) -> None:
    """Put this process under a seccomp filter, given as instructions of 8 bytes each."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    held = ctypes.create_string_buffer(program, len(program))
    filter = _Program(len(program) // 8, ctypes.addressof(held))
    prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(filter))


def syscall(number: int, *arguments: object) -> int:
    """Make a system call that libc does not wrap."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), f"syscall {number}")


def drop_capabilities() -> None:
    """Give up every capability of this process."""
    header = (ctypes.c_uint32 * 2)(_CAPSET_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    syscall(_CAPSET[os.uname().machine], ctypes.byref(header), ctypes.byref(none))
