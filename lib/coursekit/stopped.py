"""Say in one line that a check was interrupted, and where the learner's code was."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any


class StoppedError(KeyboardInterrupt):
    """The learner has interrupted a check; the text is for them. What runs after it stops, too."""

    def _render_traceback_(self) -> list[str]:
        # IPython prints this in place of a traceback: a learner needs the message, not our frames.
        return [str(self)]


@contextmanager
def stoppable(names: Mapping[str, Any]) -> Iterator[None]:
    """Run checks; an interrupt is told in one line.

    Parameters
    ----------
    names : mapping of str to object
        What the learner has defined: ``globals()``.

    Raises
    ------
    StoppedError
        The kernel was interrupted.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        raise StoppedError(_said(error, names)) from None


def _said(error: KeyboardInterrupt, names: Mapping[str, Any]) -> str:
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals is names and frame.f_code.co_name != "<module>"
    ]
    if not places:
        return "Stopped before the check was through."
    file, line = places[-1]
    source = linecache.getline(file, line).strip()
    where = f"line {line} of your code{': ' if source else ''}{source}"
    return f"Stopped. The usual reason is a loop that never ends: {where}"
