"""Show how far a long run has come: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LINE_SECONDS = 10.0


@contextmanager
def progress(total: int, title: str) -> Iterator[Callable[..., None]]:
    """Yield a function to be called after each of ``total`` steps.

    A call with ``fresh=False`` means that the step had been made before, and does not count for the
    speed of the work.
    """
    if sys.stderr.isatty():
        try:
            import rich.progress
        except ImportError:
            pass
        else:
            columns = (
                *rich.progress.Progress.get_default_columns(),
                rich.progress.MofNCompleteColumn(),
            )
            with rich.progress.Progress(*columns) as bar:
                task = bar.add_task(title, total=total)
                yield lambda fresh=True: bar.advance(task)
            return
    yield _Lines(total, title).step


class _Lines:
    """Prints a line from time to time, with the rate and the time left."""

    def __init__(self, total: int, title: str) -> None:
        self._total, self._title = total, title
        self._done = self._fresh = 0
        self._start = self._last_line = time.monotonic()

    def step(self, fresh: bool = True) -> None:
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
