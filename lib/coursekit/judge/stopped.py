"""Stop an answer that runs too long or is interrupted, and say in one line where it was."""

from __future__ import annotations

import linecache
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any

#: How long an answer and its checks may run in the page and in a notebook; as in ``python.ts``.
SECONDS = 8.0
#: An answer that catches the first alarm hears the next one.
_AGAIN = 0.5
#: What tracebacks call a learner's code.
FILE = "your code"
#: What is said behind the reason for a stop.
LOOP = "The usual reason is a loop that never ends"


class TimeUpError(BaseException):
    """Raised in learner code that runs too long. No ``except Exception`` catches it."""


class StoppedError(KeyboardInterrupt):
    """The learner has interrupted a check; the text is for them. What runs after it stops, too."""

    def _render_traceback_(self) -> list[str]:
        # IPython prints this in place of a traceback: a learner needs the message, not our frames.
        return [str(self)]


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """Raise `TimeUpError` after so many seconds by the clock, or `SECONDS`, where the system can.

    Python runs signal handlers in the main thread alone, Windows has no such timer, and the page
    replaces its worker. An outer limit stays.
    """
    seconds = SECONDS if seconds is None else seconds
    is_main = threading.current_thread() is threading.main_thread()
    can = hasattr(signal, "setitimer") and sys.platform != "emscripten" and is_main
    if not can or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise TimeUpError(f"the code was still running after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def stoppable() -> Iterator[None]:
    """Run an answer and its checks; an interrupt is told in one line.

    Raises
    ------
    StoppedError
        The kernel was interrupted.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        if where := line_in(error, FILE):
            raise StoppedError(f"Stopped. {LOOP}: {where}") from None
        raise StoppedError("Stopped before the check was through.") from None


def line_in(error: BaseException, *files: str) -> str:
    """Return the innermost line of ``files`` that an error passed through; "" if there is none."""
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename in files
    ]
    if not places:
        return ""
    file, line = places[-1]
    source = linecache.getline(file, line).strip()
    return f"line {line}{': ' if source else ''}{source}"
