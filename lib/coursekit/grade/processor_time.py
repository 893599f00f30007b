"""Bound the processor time of a piece of work in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ProcessorTimeUp(BaseException):
    """The work took too long. No ``except Exception`` catches it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `ProcessorTimeUp` when the block has used that much processor time.

    Python runs signal handlers only in the main thread; in other threads nothing is bounded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise ProcessorTimeUp

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
