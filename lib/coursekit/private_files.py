"""Files that hold marks: readable and writable by their owner alone, also when written again."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

from coursekit.command import make_folder
from coursekit.errors import CoursekitError

_OWNER_ONLY = 0o600
#: Windows has no such bits: there a file has the rights of its folder.
_HAS_MODES = os.name == "posix"


def make_private_folder(path: Path) -> Path:
    """Make a folder for its owner alone, unless it is there; a file in its way is one line."""
    is_new = not path.exists()
    make_folder(path)
    if is_new and _HAS_MODES:
        path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file for its owner alone: whoever reads it sees the old text or the new one.

    Raises
    ------
    CoursekitError
        It cannot be written; what was there before is there still.
    """
    if path.exists() and not path.is_file():  # /dev/stdout, say
        path.write_text(text, encoding="utf-8", newline="")
        return
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise CoursekitError(f"{path}: there is no folder {path.parent}")
    beside = None
    try:
        descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=".coursekit-")
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(beside, target)
    except OSError as error:
        if beside is not None:
            os.unlink(beside)
        raise CoursekitError(f"{path}: {error.strerror or error}") from None


def make_private(path: Path, keep: int = 0) -> None:
    """Make sure that a file is there, and for its owner alone.

    That others could write to it until now is said in one line: they may have.

    Parameters
    ----------
    path : Path
        The file, made where there is none.
    keep : int
        Bits of an existing file's mode that stay, ``0o070`` for a group that shares it.

    Raises
    ------
    CoursekitError
        Others may write to the file, and it belongs to somebody else.
    """
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _OWNER_ONLY))
    if not _HAS_MODES or not path.is_file():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    open_to_others = mode & 0o077 & ~keep
    if not open_to_others:
        return
    try:
        path.chmod(mode & ~open_to_others)
    except OSError:
        if open_to_others & 0o022:
            raise CoursekitError(
                f"{path}: others may write to it, and it is not yours to close; expected a file "
                "that only you can change: copy it, check what it says, and name the copy"
            ) from None
        return
    if open_to_others & 0o022:
        print(f"{path}: others could write to it until now; check what it says", file=sys.stderr)
