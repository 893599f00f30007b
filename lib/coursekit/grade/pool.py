"""Several graders on one machine: each takes the next submission when it is free."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from coursekit.grade.grader_process import GraderProcess
from coursekit.grade.task import Task

#: What is to be graded: any label, the notebook's bytes, reasons for a person to look.
Job: TypeAlias = tuple[Any, bytes, tuple[str, ...]]
#: What comes back: the label, the grader's part of the row, the isolation in force.
Done: TypeAlias = tuple[Any, dict[str, Any], str]


def grade_all(
    task: Task, jobs: Iterable[Job], *, count: int, alone: bool = False
) -> Iterator[Done]:
    """Yield the outcome of every job, as they come, from ``count`` graders (one, if ``alone``).

    ``jobs`` is read as graders become free: what has been graded is not kept.

    Raises
    ------
    GraderStartError
        No grader can work on this machine.
    """
    count = 1 if alone else count
    pool = _Pool(task, jobs)
    threads = [threading.Thread(target=pool.work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    working = count
    try:
        while working:
            told = pool.told.get()
            if isinstance(told, Exception):
                raise told
            if told is None:
                working -= 1
            else:
                yield told
    finally:
        pool.stopped = True
        if working:  # broken off: nobody is waited for
            pool.end()
        for thread in threads:
            thread.join(timeout=5.0)
        pool.close()


class _Pool:
    """What the threads share."""

    def __init__(self, task: Task, jobs: Iterable[Job]) -> None:
        self._task, self._jobs = task, iter(jobs)
        self._lock = threading.Lock()
        self._graders: list[GraderProcess] = []
        # Bounded: a slow writer slows the graders, and rows do not pile up.
        self.told: queue.Queue[Done | Exception | None] = queue.Queue(maxsize=64)
        self.stopped = False

    def work(self) -> None:
        """Grade until there is nothing left."""
        try:
            # The first job first: a batch with nothing left to do starts no grader.
            job = self._next()
            grader_process = self._open() if job else None
            while job is not None and grader_process is not None:
                label, data, warnings = job
                row = grader_process.grade(data, warnings)
                while not self.stopped:
                    with suppress(queue.Full):
                        self.told.put((label, row, grader_process.isolation), timeout=0.2)
                        break
                job = self._next()
            if grader_process is not None and not self.stopped:
                # Here: a grader is killed when the thread that started it ends.
                grader_process.close()
        except Exception as error:
            self._tell(error)
        else:
            self._tell(None)

    def end(self) -> None:
        """End all graders, those at work too."""
        for grader_process in self._graders:
            grader_process.end()

    def close(self) -> None:
        """Take the graders' processes away."""
        for grader_process in self._graders:
            grader_process.close()

    def _open(self) -> GraderProcess:
        grader_process = GraderProcess(self._task)
        with self._lock:
            self._graders.append(grader_process)
        if self.stopped:  # while it started
            grader_process.end()
        return grader_process

    def _next(self) -> Job | None:
        with self._lock:
            return None if self.stopped else next(self._jobs, None)

    def _tell(self, what: Exception | None) -> None:
        if not self.stopped:
            self.told.put(what)
