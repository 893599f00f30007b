"""Empty the scratch folder of a submission, whatever it has built there."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress


def empty(folder: str) -> None:
    """Remove everything in a folder, however deep; what refuses to go stays.

    Folders nested beyond any recursion are taken apart from the top. No link is followed.
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
    with suppress(OSError):
        os.chmod(path, 0o700)
    for inner in os.listdir(path):
        os.rename(os.path.join(path, inner), os.path.join(folder, secrets.token_hex(12)))
    os.rmdir(path)
