"""Landlock: have the kernel refuse file access by path, TCP and signals to a process for good.

Source: the kernel's ``Documentation/userspace-api/landlock.rst``. Rights that a kernel does not
know yet are left out; ABI 1 (Linux 5.13) is enough to protect the contents of files.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

from coursekit.sandbox import linux

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
# execute, read file, read directory
_READ = 1 << 0 | 1 << 2 | 1 << 3
# The rights that apply to a file that is not a directory: execute, write, read, truncate, ioctl.
_FILE_ONLY = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("access", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """Return the kernel's Landlock version, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return linux.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except (OSError, AttributeError):
        return 0


def _all_rights(version: int) -> int:
    bits = 13 + (version >= 2) + (version >= 3) + (version >= 5)
    return (1 << bits) - 1


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Confine this process and its children for good.

    Parameters
    ----------
    readable : iterable of str
        Files and folders that may be read and executed; those that do not exist are skipped.
    writable : iterable of str
        Files and folders in which everything is allowed. TCP is refused altogether (ABI 4), and so
        are signals and abstract sockets to processes outside (ABI 6).
    """
    version = abi()
    rights = _all_rights(version)
    net = 3 if version >= 4 else 0
    attributes = _Ruleset(rights, net, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = linux.syscall(
        _CREATE, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    try:
        for path in readable:
            _allow(ruleset, path, _READ & rights)
        for path in writable:
            _allow(ruleset, path, rights)
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        linux.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            access &= _FILE_ONLY
        rule = _PathRule(access, parent)
        arguments = (ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule))
        linux.syscall(_ADD_RULE, *arguments, ctypes.c_uint32(0))
    finally:
        os.close(parent)
