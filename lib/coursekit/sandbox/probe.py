"""The trial before the first submission: what must be possible in the sandbox, and what must not.

It runs in a process that is confined like a submission's. A machine on which honest work would
fail, or hostile work succeed, is refused before anything is graded.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import pkgutil
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from coursekit.sandbox import linux

#: Rarely used modules of the standard library, some in Python, some compiled.
_SELDOM = ("colorsys", "wave", "sched", "cmd", "mmap", "_lsprof", "readline", "audioop")
#: Submodules that need more than their package, or have effects when they are imported.
_NOT_TRIED = frozenset({"conftest", "tests", "testing", "test", "setup", "distutils", "f2py"})
_MOST_READ = 200


#: Long enough for the supervisor to inspect this process and one that it started (seconds).
_INSPECTED_SECONDS = 0.15


def be_watched() -> None:
    """Start a process and wait, so that a supervisor which may not watch both reports it."""
    child = os.fork()
    time.sleep(_INSPECTED_SECONDS)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def find_fault(readable: Sequence[str], hidden: Sequence[str], mechanisms: Sequence[str]) -> str:
    """Return what is wrong here, in a sentence; "" for nothing.

    Parameters
    ----------
    readable : sequence of str
        Folders from which Python imports.
    hidden : sequence of str
        Files and folders of the class and of the exercises.
    mechanisms : sequence of str
        The mechanisms that should be in force; see `coursekit.sandbox.restrictions`.
    """
    try:
        _read(readable)
        _import_more()
    except (OSError, ImportError) as error:
        return f"learners' processes cannot import what is installed here: {_reason(error)}"
    return next((f"a learner's process {fault}" for fault in _faults(mechanisms, hidden)), "")


def _reason(error: BaseException) -> str:
    name = getattr(error, "filename", None)
    if isinstance(error, PermissionError) and name:
        path = os.path.abspath(str(name))
        parents = reversed(Path(path).parents)
        closed = next((parent for parent in parents if not os.access(parent, os.X_OK)), None)
        command = f"chmod a+x {closed}" if closed else f"chmod -R a+rX {path}"
        return (
            f"only its owner may read {closed or path}, and they run as another user. "
            f"Let others read it: {command}"
        )
    return " ".join(str(error).split())


def _read(folders: Sequence[str]) -> None:
    for folder in folders:
        with os.scandir(folder) as entries:
            files = [e.path for e in entries if e.name.endswith((".py", ".so")) and _is_here(e)]
        for path in files[:_MOST_READ]:
            with open(path, "rb"):
                pass


def _is_here(entry: os.DirEntry[str]) -> bool:
    """Whether a file stands in its folder itself: Debian's ``sitecustomize.py`` is in ``/etc``."""
    outside = entry.is_symlink() and os.path.realpath(entry.path).startswith("/etc/")
    return not outside and entry.is_file()


def _import_more() -> None:
    """Import modules that the fork server has not imported, to show that it is possible."""
    for name in _SELDOM:
        if name in sys.stdlib_module_names and name not in sys.modules:
            _import(name)
    for name in [n for n in sys.modules if "." not in n and n not in sys.stdlib_module_names]:
        paths = list(getattr(sys.modules[name], "__path__", ()))
        if paths:
            _read([path for path in paths if os.path.isabs(path)])
            _import_one(_candidates(name, paths))


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        # Debian leaves out some parts of the standard library; then there is no file either.
        if importlib.machinery.PathFinder.find_spec(name) is not None:
            raise


def _candidates(package: str, paths: Sequence[str]) -> Iterator[str]:
    for module in pkgutil.iter_modules(paths, package + "."):
        last = module.name.rpartition(".")[2]
        is_tried = not last.startswith("_") and last not in _NOT_TRIED
        if is_tried and module.name not in sys.modules:
            yield module.name


def _import_one(names: Iterator[str]) -> None:
    """Import the first that can be imported; optional dependencies of others may be missing."""
    for _, name in zip(range(5), names, strict=False):
        with suppress(Exception):
            importlib.import_module(name)
            return


def _faults(mechanisms: Sequence[str], hidden: Sequence[str]) -> Iterator[str]:
    """Yield what this process can do although it must not be able to."""
    if "seccomp" in mechanisms and _succeeds(lambda: socket.socket(socket.AF_UNIX).close()):
        yield "can open a socket"
    if "root" in mechanisms:
        yield from (f"can see into {path}" for path in hidden if _shows_something(path))
        if _succeeds(lambda: os.close(os.open("/probe", os.O_CREAT | os.O_WRONLY))):
            yield "can write to /"
        if _succeeds(lambda: os.utime("/proc/self/exe", (1, 1))):
            yield "can change the interpreter's file"
    if "pid" in mechanisms and os.getpid() != 1:
        yield "is not the first of its own processes"
    if {"user", "uid"} & set(mechanisms) and 0 in (os.getuid(), os.geteuid()):
        yield "runs as root"
    if {"user", "uid"} & set(mechanisms) and linux.has_capabilities():
        yield "has capabilities"


def _shows_something(path: str) -> bool:
    try:
        return bool(os.listdir(path) if os.path.isdir(path) else os.stat(path).st_size)
    except OSError:
        return False


def _succeeds(action: Callable[[], None]) -> bool:
    try:
        action()
    except OSError:
        return False
    return True
