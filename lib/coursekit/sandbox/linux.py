"""The Linux calls that Python 3.11 lacks. Importable on any system; callable on Linux."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1 << 5, 1 << 12, 1 << 14, 1 << 18
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE = 1, 36, 38, 41

_PR_SET_SECCOMP, _FILTER_MODE = 22, 2
_PR_CAP_AMBIENT, _RAISE = 47, 2
_CAPSET_VERSION_3 = 0x20080522
#: System calls that glibc does not wrap everywhere, by machine.
_CAPGET = {"x86_64": 125, "aarch64": 90}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442  # of every machine
_AT_FDCWD, _AT_RECURSIVE, _MNT_DETACH = -100, 0x8000, 2


class RefusedError(OSError):
    """The kernel refused a call that confines; the text names the call."""


@cache
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


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system of a ``kind`` on ``target``, with comma-separated options."""
    names = (name.encode() for name in (source, target, kind))
    result = _libc().mount(*names, ctypes.c_ulong(flags), options.encode())
    _checked(result, f"mount {kind or source} on {target}")


def mount_setattr(path: str, attributes: int) -> None:
    """Set attributes of a mount and of all mounts below it (Linux 5.12)."""
    fields = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    arguments = (ctypes.c_int(_AT_FDCWD), path.encode(), ctypes.c_uint(_AT_RECURSIVE))
    syscall(_MOUNT_SETATTR, *arguments, ctypes.byref(fields), ctypes.c_size_t(32))


def umount(path: str) -> None:
    """Remove a mount, and everything below it, from this namespace."""
    _checked(_libc().umount2(path.encode(), _MNT_DETACH), f"umount {path}")


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root file system, and move the former one to ``old``."""
    syscall(_number(_PIVOT_ROOT), new.encode(), old.encode())


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


def keep_capabilities() -> None:
    """Let the next program that this process executes keep the capabilities that it has now.

    For the superuser that is always so. In a user namespace, another user must raise each of them.
    """
    if os.geteuid() == 0:
        return
    header = (ctypes.c_uint32 * 2)(_CAPSET_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall(_number(_CAPGET), ctypes.byref(header), ctypes.byref(sets))
    sets[2], sets[5] = sets[1], sets[4]  # inheritable: what is permitted
    syscall(_number(_CAPSET), ctypes.byref(header), ctypes.byref(sets))
    for capability in range(64):
        if sets[1 + 3 * (capability // 32)] >> capability % 32 & 1:
            prctl(_PR_CAP_AMBIENT, _RAISE, capability)


def has_capabilities() -> bool:
    """Whether this process has a capability, or would pass one on; asked without reading files."""
    header = (ctypes.c_uint32 * 2)(_CAPSET_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall(_number(_CAPGET), ctypes.byref(header), ctypes.byref(sets))
    return any(sets)


def drop_capabilities() -> None:
    """Give up every capability of this process."""
    header = (ctypes.c_uint32 * 2)(_CAPSET_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    syscall(_number(_CAPSET), ctypes.byref(header), ctypes.byref(none))


def _number(by_machine: dict[str, int]) -> int:
    machine = os.uname().machine
    if machine not in by_machine:
        known = ", ".join(by_machine)
        raise RefusedError(errno.ENOSYS, f"machine {machine}: expected one of {known}")
    return by_machine[machine]
