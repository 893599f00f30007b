"""The grader's conversation with a submission: what answering may cost the grader."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace

import pytest

from coursekit.grade.session import Session, SessionOver
from coursekit.grade.wire import Channel
from coursekit.sandbox.sandbox import Ending

from .conftest import LIMITS


class _Sandbox:
    """A sandbox whose submission answers every request with many values."""

    def __init__(self, values: int) -> None:
        self._values, self._threads = values, []

    def fork(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        self._threads.append(threading.Thread(target=self._answer, args=(theirs,)))
        self._threads[-1].start()
        return ours

    def _answer(self, sock: socket.socket) -> None:
        with sock:
            channel = Channel(sock, LIMITS)
            try:
                while True:
                    header, _ = channel.receive()
                    body = {"t": "dict", "v": [["ok", [0] * self._values]]}
                    channel.send({"token": header["token"], "body": body})
            except (EOFError, OSError):
                return

    def seconds_used(self) -> float:
        return 0.0

    def seconds_queued(self) -> float:
        return 0.0

    def end(self) -> Ending:
        for thread in self._threads:
            thread.join()
        return Ending(signal=9)


def _requests(session: Session, count: int) -> None:
    for _ in range(count):
        session.request(LIMITS.call_seconds, do="names", names=["double"])


def test_answers_that_keep_the_grader_busy_end_a_submission_outside_of_checks_too():
    session = Session(_Sandbox(19_000), replace(LIMITS, check_seconds=0.05))
    with pytest.raises(SessionOver) as over:
        _requests(session, 2000)
    assert over.value.status == "timeout"
    assert "kept the grader busy for more than 0.05 seconds" in over.value.reason


def test_many_ordinary_answers_do_not():
    session = Session(_Sandbox(3), LIMITS)
    _requests(session, 300)
    session.close()
    assert session.over is None
