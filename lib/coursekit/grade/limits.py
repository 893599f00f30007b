"""How much one submission may use: time, memory, processes, and what it may send."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from coursekit.sandbox.limits import MIB, ProcessLimits


@dataclass(frozen=True)
class Limits(ProcessLimits):
    """Bounds on one submission. Times are seconds of processor time; sizes are bytes.

    ``check_seconds`` bounds the grader's own time: that of one check, callbacks included, and that
    of decoding all answers of one submission; ``total_seconds`` bounds that of all its checks and
    of reading its code; ``grader_seconds`` is what all of it may add by the clock.
    ``message_bytes`` bounds one message, ``items`` the values in it, ``depth`` their nesting, and
    ``messages`` how many a submission may exchange.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    check_seconds: float = 30.0
    grace_seconds: float = 1.0
    grader_seconds: float = 60.0
    notebook_bytes: int = 20 * MIB
    message_bytes: int = 64 * MIB
    header_bytes: int = 8 * MIB
    depth: int = 24
    items: int = 200_000
    messages: int = 20_000

    @property
    def most_seconds(self) -> float:
        """How long one try of a submission takes at most, by the clock."""
        return self.wall_factor * self.total_seconds + self.grader_seconds


# --- processor time -------------------------------------------------------------------------------


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
