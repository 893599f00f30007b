"""Empty the scratch folder of a submission, whatever is in it."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress


def empty(folder: str) -> None:
    """Remove everything in a folder, at any depth, except what cannot be removed.

    Folders are taken apart from the top, since they may be nested too deeply for a recursion. No
    link is followed.
    """
    refused: set[str] = set()
    while names := set(os.listdir(folder)) - refused:
        for name in names:
            try:
                _remove(folder, os.path.join(folder, name))
            except OSError:
                refused.add(name)


def _remove(folder: str, path: str) -> None:
    """Remove a file, or a folder whose contents move up into ``folder``."""
    if not os.path.isdir(path) or os.path.islink(path):
        os.unlink(path)
        return
    _open(path)
    for name in os.listdir(path):
        inner = os.path.join(path, name)
        _open(inner)  # moving a folder writes to it: its parent changes
        os.rename(inner, os.path.join(folder, secrets.token_hex(12)))
    os.rmdir(path)


def _open(path: str) -> None:
    with suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, 0o700)
