"""Files with marks, which only their owner may read and write."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from coursekit.command import make_folder
from coursekit.errors import CoursekitError


def owner_only(path: str, flags: int) -> int:
    """Open a file for its owner alone, if it is new: an ``opener`` of `open`."""
    return os.open(path, flags, 0o600)


def make_private_folder(path: Path) -> Path:
    """Make a folder with mode 0700 unless it exists; raise `CoursekitError` for a file there."""
    is_new = not path.exists()
    make_folder(path)
    if is_new:
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
