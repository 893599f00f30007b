"""The workers of one machine: each takes the next submission when it is free."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from coursekit.grade.grader_process import GraderProcess
from coursekit.grade.task import Task

#: A submission to grade: any label, the notebook's bytes, reasons for a person to look.
Job: TypeAlias = tuple[Any, bytes, tuple[str, ...]]
#: Its outcome: the label, the grader's part of the row, the isolation in force.
Done: TypeAlias = tuple[Any, dict[str, Any], str]


def grade_on_this_machine(
    task: Task, jobs: Iterable[Job], *, workers: int, alone: bool = False
) -> Iterator[Done]:
    """Yield the outcome of every job, as they come, from so many workers (one, if ``alone``).

    ``jobs`` is read as workers become free, and nothing that has been graded is kept.

    Raises
    ------
    GraderUnavailableError
        No grader can work on this machine.
    """
    count = 1 if alone else workers
    pool = _Pool(task, jobs)
    threads = [threading.Thread(target=pool.work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    working = count
    try:
        while working:
            outcome = pool.outcomes.get()
            if isinstance(outcome, Exception):
                raise outcome
            if outcome is None:
                working -= 1
            else:
                yield outcome
    finally:
        pool.is_stopped = True
        if working:  # interrupted: do not wait for what is under way
            pool.kill()
        for thread in threads:
            thread.join(timeout=5.0)
        pool.close()


class _Pool:
    """What the workers' threads share.

    ``outcomes`` holds what they have done, an exception that ended one, or None where one found no
    more jobs. It is bounded, so that a slow writer slows the workers and rows do not pile up.
    """

    def __init__(self, task: Task, jobs: Iterable[Job]) -> None:
        self._task, self._jobs = task, iter(jobs)
        self._lock = threading.Lock()
        self._graders: list[GraderProcess] = []
        self.outcomes: queue.Queue[Done | Exception | None] = queue.Queue(maxsize=64)
        self.is_stopped = False

    def work(self) -> None:
        """Be one worker: grade until there is nothing left."""
        try:
            # The first job first: a batch with nothing left to do starts no grader.
            job = self._next()
            grader = self._start_grader() if job else None
            while job is not None and grader is not None:
                label, data, warnings = job
                self._put((label, grader.grade(data, warnings), grader.isolation))
                job = self._next()
            if grader is not None and not self.is_stopped:
                # In this thread: the system kills a grader when the thread that started it ends.
                grader.close()
        except Exception as error:
            self._put(error)
        else:
            self._put(None)

    def kill(self) -> None:
        """Kill all graders, whatever they are doing."""
        for grader in self._graders:
            grader.kill()

    def close(self) -> None:
        """End all graders and collect their processes."""
        for grader in self._graders:
            grader.close()

    def _start_grader(self) -> GraderProcess:
        grader = GraderProcess(self._task)
        with self._lock:
            self._graders.append(grader)
        if self.is_stopped:  # while it started
            grader.kill()
        return grader

    def _next(self) -> Job | None:
        with self._lock:
            return None if self.is_stopped else next(self._jobs, None)

    def _put(self, outcome: Done | Exception | None) -> None:
        while not self.is_stopped:
            with suppress(queue.Full):
                self.outcomes.put(outcome, timeout=0.2)
                return
