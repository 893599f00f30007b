"""A root file system that holds the interpreter, its packages and scratch space, and nothing else.

It is built in a mount namespace of its own, from read-only binds of what a learner's Python needs;
then ``pivot_root`` makes it the root, and the machine's own root is unmounted. A file that is not
in it has no name there, whatever its permissions are.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from coursekit.sandbox import linux

SCRATCH = "/scratch"
DEVICES = ("null", "zero", "full", "random", "urandom")
_STAGE = "/tmp"  # any folder works: it is covered for a moment, and only in our namespace
_OLD, _NEW = "/old", "/new"
#: Folders that programs write to by name; all of them are the scratch folder.
_ALIASES = ("/tmp", "/var/tmp")
_MOST_BINDS = 5000
_READ_ONLY_DEVICE = linux.MOUNT_ATTR_RDONLY | linux.MOUNT_ATTR_NOSUID
_READ_ONLY = linux.MOUNT_ATTR_RDONLY | linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV
_PROC = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC


def enter(readable: Sequence[str], hidden: Sequence[str], for_others: bool) -> None:
    """Make the private root of this process, which must be in a mount namespace of its own.

    Parameters
    ----------
    readable : sequence of str
        Absolute paths that appear, read-only, under their own names; missing ones are left out.
    hidden : sequence of str
        Real paths below these that must not appear: something empty takes their place.
    for_others : bool
        Whether submissions run as another user than the owner of these files.

    Raises
    ------
    linux.RefusedError
        The kernel refuses a step; the text says which.
    """
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("stage", _STAGE, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=0755,size=16m")
    for name in (_OLD, _NEW):
        os.mkdir(_STAGE + name, 0o755)
    # Moves the machine's root below /old, without anything covered.
    linux.pivot_root(_STAGE, _STAGE + _OLD)
    os.chdir("/")
    linux.mount("root", _NEW, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=0755,size=16m")
    _fill(readable, hidden, for_others)
    _add_system_files()
    linux.pivot_root(_NEW, _NEW + _OLD)
    os.chdir("/")
    linux.umount(_OLD)
    os.rmdir(_OLD)
    linux.mount("none", "/", "", linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY)


def _fill(readable: Sequence[str], hidden: Sequence[str], for_others: bool) -> None:
    """Bind the readable paths into the new root, and cover the hidden ones below them."""
    outermost = _outermost(readable)
    for path in outermost:
        for source, target in _binds(path, for_others):
            _bind(source, target)
    for path in hidden:
        for folder in outermost:  # under each of its names here
            real = _real(folder)
            if Path(path).is_relative_to(real):
                _cover(_NEW + folder + path[len(real.rstrip("/")) :])


@contextmanager
def brief_scratch() -> Iterator[None]:
    """Let the fork server write to the scratch folder for a while: some libraries do on import.

    Nothing of it is left for a submission, which gets a folder of its own in this place.
    """
    flags = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("scratch", SCRATCH, "tmpfs", flags, "size=1m,mode=0700")
    try:
        yield
    finally:
        linux.umount(SCRATCH)


def mount_own(scratch_bytes: int) -> None:
    """Give this process, in a mount namespace of its own, scratch space and a ``/proc``.

    The scratch folder may hold half of ``scratch_bytes``, shared memory the other half.
    """
    flags = linux.MS_NOSUID | linux.MS_NODEV
    options = f"size={scratch_bytes // 2},nr_inodes=4096,mode=1777"
    for target in (SCRATCH, "/dev/shm"):
        linux.mount("scratch", target, "tmpfs", flags, options)
    linux.mount("proc", "/proc", "proc", _PROC | linux.MS_RDONLY)
    for name in ("/proc/keys", "/proc/key-users"):  # the names of a user's keys
        if os.path.exists(name):
            linux.mount("/dev/null", name, "", linux.MS_BIND)


def _add_system_files() -> None:
    """Add devices, links and mount points that programs expect, and one for the old root."""
    for name in DEVICES:
        # The node, its times and its mode become read-only; the device can still be written to.
        _bind(f"{_OLD}/dev/{name}", f"/dev/{name}", _READ_ONLY_DEVICE)
    for folder in ("/dev/shm", "/proc", SCRATCH, _OLD):
        os.makedirs(_NEW + folder, 0o755, exist_ok=True)
    links = dict.fromkeys(_ALIASES, SCRATCH)
    links |= {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0"}
    links |= {"/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"}
    # This one is for the supervisors, in our PID namespace; a submission gets another. An ordinary
    # user may mount it only while the machine's own /proc is still visible.
    linux.mount("proc", _NEW + "/proc", "proc", _PROC)
    for path, target in links.items():
        os.makedirs(os.path.dirname(_NEW + path), 0o755, exist_ok=True)
        if not os.path.lexists(_NEW + path):  # an interpreter may be installed below /tmp
            os.symlink(target, _NEW + path)


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return the existing paths and their links' targets that are not below another of them."""
    named = {os.path.abspath(path) for path in paths}
    outermost: list[str] = []
    for path in sorted({*named, *(_real(path) for path in named)}):  # parents first
        is_below = any(Path(path).is_relative_to(folder) for folder in outermost)
        if os.path.exists(_OLD + _real(path)) and not is_below:
            outermost.append(path)
    return outermost


def _real(path: str) -> str:
    """Return where a path of the machine leads when links are followed, below ``/old``."""
    resolved = "/"
    pending = list(Path(path).parts[1:])
    for _ in range(1000):
        if not pending:
            break
        step = os.path.normpath(os.path.join(resolved, pending.pop(0)))
        try:
            target = os.readlink(_OLD + step)
        except OSError:
            resolved = step
            continue
        pending = [*Path(target).parts, *pending]
        if target.startswith("/"):
            resolved, pending = "/", pending[1:]
    return resolved


def _binds(path: str, for_others: bool) -> Iterator[tuple[str, str]]:
    """Yield (source, target) for a path, or for its entries if other users may not list it.

    A home or temporary folder is often closed to others although its contents are not.
    """
    pending = [(_OLD + _real(path), path)]
    for _ in range(_MOST_BINDS):
        if not pending:
            return
        source, target = pending.pop()
        if for_others and _is_closed_folder(source):
            names = os.listdir(source)
            pending += [(os.path.join(source, n), os.path.join(target, n)) for n in names]
        else:
            yield source, target


def _is_closed_folder(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISDIR(mode) and mode & 0o005 != 0o005


def _bind(source: str, target: str, attributes: int = _READ_ONLY) -> None:
    place = _NEW + target
    os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
    if os.path.islink(source):
        os.symlink(os.readlink(source), place)
        return
    if os.path.isdir(source):
        os.makedirs(place, 0o755, exist_ok=True)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
    linux.mount(source, place, "", linux.MS_BIND | linux.MS_REC)
    linux.mount_setattr(place, attributes)


def _cover(place: str) -> None:
    """Cover a file or folder, if there is one, with something empty."""
    if os.path.isdir(place):
        linux.mount("none", place, "tmpfs", linux.MS_RDONLY | linux.MS_NOSUID, "size=4k,mode=0555")
    elif os.path.exists(place):
        linux.mount(f"{_OLD}/dev/null", place, "", linux.MS_BIND)
