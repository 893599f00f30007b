"""Which submission is blamed when workers die: dask blames all that waited beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coursekit.grade.cluster import _Batch
from coursekit.grade.pool import Job

from .test_grader_process import poison_task


@dataclass(eq=False)
class Future:
    """A task that is over: finished, or blamed for its workers' deaths."""

    work: list[tuple[bytes, tuple[str, ...]]]
    client: Client

    def done(self) -> bool:
        return True

    @property
    def status(self) -> str:
        return "error" if self in self.client.blamed else "finished"

    def exception(self) -> Exception:
        return RuntimeError("its workers died")

    def result(self, timeout: float) -> list[tuple[dict[str, Any], str]]:
        return [({"status": "graded", "score": 1.0}, "full") for _ in self.work]


class Client:
    """A scheduler that blames every submission under way for the death of a worker."""

    status = "running"

    def __init__(self) -> None:
        self.sent: list[Future] = []
        self.blamed: set[Future] = set()

    def submit(self, _function: object, _told: object, work: Any, pure: bool) -> Future:
        future = Future(work, self)
        self.sent.append(future)
        recent = self.sent[-3:]
        if any(data == b"poison" for one in recent for data, _ in one.work):
            self.blamed.update(recent)
        return future

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}


class OneAtATime(Client):
    """Like `Client`, except that a submission sent alone is blamed only for itself."""

    def submit(self, _function: object, _told: object, work: Any, pure: bool) -> Future:
        future = super().submit(_function, _told, work, pure)
        if len(work) == 1 and self.batch._alone is not None:
            self.blamed.discard(future)
            if work[0][0] == b"poison":
                self.blamed.add(future)
        return future

    batch: _Batch


def test_a_neighbour_is_not_blamed():
    jobs: list[Job] = [(n, b"poison" if n == 5 else b"honest", ()) for n in range(12)]
    batch, client = _Batch(poison_task(), jobs), OneAtATime()
    client.batch = batch
    outcomes = {label: row for label, row, _ in batch.through(client)}
    assert len(outcomes) == 12
    assert outcomes.pop(5)["status"] == "crashed"
    assert {row["score"] for row in outcomes.values()} == {1.0}
    assert len({id(f) for f in client.blamed}) > 1, "the scheduler blamed no neighbour"
