"""Empty a scratch folder, or remove it, whatever submissions have left in it."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory


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


def discard(folder: TemporaryDirectory[str] | None) -> None:
    """Remove a folder, if there is one and it has not been removed before."""
    if folder is not None and os.path.exists(folder.name):
        empty(folder.name)
        folder.cleanup()


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
