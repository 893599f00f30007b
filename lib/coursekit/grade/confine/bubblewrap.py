"""The command that starts a zygote in bubblewrap: no network, no files but its own, own processes.

Two traps. Bubblewrap makes missing parent folders 0700, so that after a uid drop inside it nothing
below them could be read: parents are made first, 0755. And a zygote started as root keeps the few
capabilities with which it gives each fork a uid and namespaces of its own; the forks lose them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

SCRATCH = "/scratch"
_KEPT = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")


@cache
def usable() -> tuple[str, ...] | None:
    """Return the options with which bubblewrap works here, or None."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    for options in _variants():
        trial = [program, *options, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
        try:
            done = subprocess.run([*trial, "true"], capture_output=True, timeout=20, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return (program, *options)
    return None


def _variants() -> list[tuple[str, ...]]:
    common = ("--die-with-parent", "--new-session", *_NAMESPACES)
    keep = tuple(word for cap in _KEPT for word in ("--cap-add", cap))
    as_user = (*common, "--unshare-user")
    return [(*common, "--cap-drop", "ALL", *keep), as_user] if os.geteuid() == 0 else [as_user]


def command(readable: Sequence[str]) -> list[str]:
    """Return the words before the zygote's own command.

    Parameters
    ----------
    readable : sequence of str
        Absolute paths that the zygote and its forks may read; missing ones are left out.
    """
    options = usable()
    assert options is not None
    words = [*options, "--dev", "/dev", "--proc", "/proc", "--perms", "0755", "--dir", SCRATCH]
    made: set[str] = {"/"}
    for path in _outermost(readable):
        words += _parents(path, made)
        words += ["--ro-bind", os.path.realpath(path), path]
        made.add(path)
    return [*words, "--chdir", SCRATCH, "--"]


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return the existing paths that lie below no other, parents first."""
    kept: list[str] = []
    for path in sorted({os.path.abspath(p) for p in paths if os.path.exists(p)}):
        if not _below(path, kept):
            kept.append(path)
    return kept


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _parents(path: str, made: set[str]) -> list[str]:
    words: list[str] = []
    for parent in reversed(Path(path).parents):
        if str(parent) not in made:
            words += ["--perms", "0755", "--dir", str(parent)]
            made.add(str(parent))
    return words
