"""Workers on many machines: chunks of submissions are dask tasks, graded beside dask's workers.

Only the coordinator writes rows, so nothing is written twice. Chunks that were under way on a lost
worker or scheduler are sent again. A chunk whose workers keep dying is sent again as single
submissions. One whose workers still die may only have waited beside the one that kills them, so it
is sent a last time with nothing else under way: if its worker dies then, its row gives the reason.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.grade.cluster_connection import Connection
from coursekit.grade.grader import failed
from coursekit.grade.grader_process import GraderProcess, GraderUnavailableError
from coursekit.grade.pool import Done, Job
from coursekit.grade.task import Task, load_exercises, task_from_json
from coursekit.row import RowStatus

_CHUNK = 8
_POLL_SECONDS = 0.02

Chunk: TypeAlias = list[Job]


def grade_on_cluster(
    task: Task,
    jobs: Iterable[Job],
    *,
    address: str,
    keys: Path | None = None,
    alone: bool = False,
) -> Iterator[Done]:
    """Yield the outcome of every job, as they come, from a dask cluster's workers.

    ``keys`` is the folder of keys for ``tls://``; ``alone`` sends one job at a time, with nothing
    else under way in the cluster.

    Raises
    ------
    CoursekitError
        There is no scheduler at ``address``, or something would go to another machine unencrypted.
    GraderUnavailableError
        A worker's machine cannot grade.
    """
    batch = _Batch(task, jobs, alone)
    if not batch.begin():
        return
    connection = Connection(address, keys)
    try:
        while not batch.is_finished:
            try:
                yield from batch.through(connection)
            except (OSError, RuntimeError, TimeoutError) as error:
                reason = type(error).__name__
                print(f"the scheduler is gone ({reason}); waiting for it", file=sys.stderr)
                connection.connect_again()
                batch.start_again()
    finally:
        connection.close()


class _Batch:
    """The chunks that wait to be sent, and those that are under way."""

    def __init__(self, task: Task, jobs: Iterable[Job], alone: bool = False) -> None:
        self._task, self._jobs = task, iter(jobs)
        self._one_by_one = alone
        self._task_fields = task.as_json()
        self._waiting: deque[Chunk] = deque()
        self._under_way: dict[Any, Chunk] = {}
        self._suspects: deque[Chunk] = deque()
        self._alone: Chunk | None = None
        self.is_finished = False

    def begin(self) -> bool:
        """Take the first jobs; return whether there are any."""
        if chunk := self._next():
            self._waiting.append(chunk)
        return bool(self._waiting)

    def through(self, client: Any) -> Iterator[Done]:
        """Yield outcomes until all is done; raises when the scheduler is lost."""
        window = 1 if self._one_by_one else 4
        while True:
            if client.status not in ("running", "connecting"):
                raise ConnectionError
            self._fill(client, window)
            if not self._under_way:
                self.is_finished = True
                return
            done = [future for future in self._under_way if future.done()]
            for future in done:
                yield from self._take(future)
            if done and not self._one_by_one:
                window = 2 * max(sum(client.nthreads().values()), 1) + 2
            if not done:
                time.sleep(_POLL_SECONDS)

    def start_again(self) -> None:
        """Put back what was under way."""
        self._waiting.extend(self._under_way.values())
        self._under_way.clear()
        self._alone = None

    def _fill(self, client: Any, window: int) -> None:
        if self._alone is not None:
            return
        while len(self._under_way) < window and (chunk := self._next()):
            self._send(client, chunk)
        if not self._under_way and self._suspects:
            self._alone = self._suspects.popleft()
            self._send(client, self._alone)

    def _send(self, client: Any, chunk: Chunk) -> None:
        work = [(data, warnings) for _, data, warnings in chunk]
        try:
            future = client.submit(grade_chunk, self._task_fields, work, pure=False)
        except BaseException:
            self._waiting.append(chunk)
            raise
        self._under_way[future] = chunk

    def _next(self) -> Chunk:
        if self._waiting:
            return self._waiting.popleft()
        return list(islice(self._jobs, 1 if self._one_by_one else _CHUNK))

    def _take(self, future: Any) -> Iterator[Done]:
        chunk = self._under_way.pop(future)
        alone, self._alone = self._alone is chunk, None
        if future.status == "finished":
            try:
                rows = future.result(timeout=60)
            except (OSError, TimeoutError, KeyError):  # the result was lost with its worker
                self._waiting.append(chunk)
                return
            for (label, _, _), (row, isolation) in zip(chunk, rows, strict=True):
                yield label, row, isolation
        elif future.status == "error":
            yield from self._after_error(future.exception(), chunk, alone)
        else:  # cancelled, or lost with its scheduler
            self._waiting.append(chunk)

    def _after_error(self, error: BaseException, chunk: Chunk, alone: bool) -> Iterator[Done]:
        if isinstance(error, GraderUnavailableError):
            raise error
        if len(chunk) > 1:
            self._waiting.extend([job] for job in chunk)
            return
        if not alone:
            # dask blames every task that waited on a worker for its death, innocent ones included.
            self._suspects.append(chunk)
            return
        reason = "the workers that graded it did not survive; a person should look"
        row = failed(load_exercises(self._task), RowStatus.CRASHED, reason).as_json()
        yield chunk[0][0], row, ""


# --- on a dask worker --------------------------------------------------------------------------

_idle: dict[str, list[GraderProcess]] = {}
_lock = threading.Lock()


def grade_chunk(
    task_fields: dict[str, Any], work: list[tuple[bytes, tuple[str, ...]]]
) -> list[tuple[dict[str, Any], str]]:
    """Return (row, isolation) of each submission in a chunk; the grader is kept for the next."""
    task = task_from_json(task_fields)
    grader = _idle_or_new(task)
    try:
        rows = [(grader.grade(data, warnings), grader.isolation) for data, warnings in work]
    except BaseException:
        grader.close()
        raise
    with _lock:
        _idle.setdefault(task.version, []).append(grader)
    return rows


def _idle_or_new(task: Task) -> GraderProcess:
    """Return a grader for a task, and end idle ones of other tasks."""
    with _lock:
        for version in [v for v in _idle if v != task.version]:
            for grader in _idle.pop(version):
                grader.close()
        if _idle.get(task.version):
            return _idle[task.version].pop()
    return GraderProcess(task)
