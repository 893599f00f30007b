"""Show how far a long run has come: a line from time to time, with the time left."""

from __future__ import annotations

import sys
import time

_LINE_SECONDS = 10.0


class Progress:
    """Prints a line of a run of ``total`` steps, called ``title``, from time to time."""

    def __init__(self, total: int, title: str) -> None:
        self._total, self._title = total, title
        self._done = self._fresh = 0
        self._start = self._last_line = time.monotonic()

    def step(self, fresh: bool = True) -> None:
        """Count a step; ``fresh=False``: made before, so that it tells nothing of the speed."""
        self._done += 1
        self._fresh += fresh
        now = time.monotonic()
        if now - self._last_line >= _LINE_SECONDS and self._done < self._total:
            self._last_line = now
            rate = max(self._fresh, 1) / (now - self._start)
            left = (self._total - self._done) / rate
            print(
                f"{self._title}: {self._done} of {self._total}, {rate:.1f} a second, "
                f"about {_span(left)} left",
                file=sys.stderr,
                flush=True,
            )


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
