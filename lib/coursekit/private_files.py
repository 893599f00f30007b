"""Write files with marks that only their owner may read and write, also when they are rewritten."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

from coursekit.command import make_folder
from coursekit.errors import CoursekitError

_OWNER_ONLY = 0o600
#: Windows has no mode bits; there a file inherits the permissions of its folder.
_HAS_MODES = os.name == "posix"


def make_private_folder(path: Path) -> Path:
    """Make a folder with mode 0700 unless it exists; raise `CoursekitError` for a file there."""
    is_new = not path.exists()
    make_folder(path)
    if is_new and _HAS_MODES:
        path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file with mode 0600, atomically: a reader sees the old text or the new one.

    Raises
    ------
    CoursekitError
        The file cannot be written; an existing one is unchanged.
    """
    if path.exists() and not path.is_file():  # for example /dev/stdout
        path.write_text(text, encoding="utf-8", newline="")
        return
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise CoursekitError(f"{path}: there is no folder {path.parent}")
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".coursekit-")
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            os.unlink(temporary)
        raise CoursekitError(f"{path}: {error.strerror or error}") from None


def make_private(path: Path, keep: int = 0) -> None:
    """Create a file with mode 0600, or take all other permissions from an existing one.

    Prints a warning if others could write to the existing file, since they may have done so.

    Parameters
    ----------
    path : Path
        The file.
    keep : int
        Mode bits that an existing file keeps, ``0o070`` for a group that shares it.

    Raises
    ------
    CoursekitError
        Others may write to the file, and its mode cannot be changed.
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
                f"{path}: others may write to it, and you may not change its permissions; expected "
                "a file that only you can change: copy it, check its content, and name the copy"
            ) from None
        return
    if open_to_others & 0o022:
        print(f"{path}: others could write to it until now; check its content", file=sys.stderr)
