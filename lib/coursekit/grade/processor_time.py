"""Bound the processor time that a piece of work takes in this process."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ProcessorTimeUp(BaseException):
    """The work took too long. No ``except Exception`` catches it."""


class Budget:
    """So many ``seconds`` of this process's time, from now on, for all steps of some work."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.process_time() + seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Leave what the block takes out of this budget, and of what `at_most` bounds."""
        seconds, _ = signal.setitimer(signal.ITIMER_PROF, 0)
        start = time.process_time()
        try:
            yield
        finally:
            self._end += time.process_time() - start
            signal.setitimer(signal.ITIMER_PROF, seconds)

    def left(self) -> float:
        """Return the seconds that are left, 0 or more."""
        return max(self._end - time.process_time(), 0.0)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `ProcessorTimeUp` when the block has used that much processor time, 0 or more.

    Python runs signal handlers only in the main thread; in other threads nothing is bounded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise ProcessorTimeUp

    if seconds <= 0:
        raise ProcessorTimeUp
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
