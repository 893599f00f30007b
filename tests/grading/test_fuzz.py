"""Mutated notebooks and mutated messages: each gets a row, in bounded time."""

from __future__ import annotations

import inspect
import random

import pytest

from .attacks.attack import ANY
from .conftest import FULL, RIGHT, code, notebook

GOOD = notebook(
    code(RIGHT["double"], nbgrader={"grade_id": "double-answer", "solution": True}),
    *RIGHT.values(),
    {"cell_type": "markdown", "source": ["# Prose\n", "é"], "metadata": {}},
)


def mutated(data: bytes, random: random.Random) -> bytes:
    """Return the bytes with a few small or large changes."""
    text = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at, span = random.randrange(len(text) or 1), random.choice([1, 1, 2, 10, 100])
        kind = random.randrange(5)
        if kind == 0:
            text[at : at + span] = random.randbytes(span)
        elif kind == 1:
            del text[at : at + span]
        elif kind == 2:
            text[at:at] = text[at : at + span] * random.choice([1, 2, 50])
        elif kind == 3:
            words = [b"null", b"[]", b"{}", b'"', b"1e999", b"\\ud800", b"\\u0000", b"-", b"true"]
            text[at : at + span] = random.choice(words)
        else:
            keys = [b'"source"', b'"cells"', b'"metadata"', b'"cell_type"', b'"nbgrader"']
            text = text.replace(random.choice(keys), random.choice(keys))
    return bytes(text)


def _notebooks(grade, seeds) -> None:
    for seed in seeds:
        row = grade(mutated(GOOD, random.Random(seed)))
        assert row["status"] in (*ANY, "unreadable"), seed
        assert 0 <= row["score"] <= FULL
        assert row["max_score"] == 10.0


#: Breaks the server's own messages, one in two, in the ways that `mutated` knows.
SABOTAGE = """
import random, sys
frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "Server":
    frame = frame.f_back
channel = frame.f_locals["self"]._channel
{mutated}
class Socket:
    def __init__(self, real): self.real = real
    def __getattr__(self, name): return getattr(self.real, name)
    def sendall(self, data):
        chance = random.Random({seed} + len(data))
        header = 12 * chance.randrange(2)
        if chance.random() < 0.5:
            data = data[:header] + mutated(data[header:], chance)
        self.real.sendall(data)
channel._socket = Socket(channel._socket)
"""


def _messages(grade, seeds) -> None:
    source = inspect.getsource(mutated).replace(": random.Random", "")
    for seed in seeds:
        row = grade(SABOTAGE.format(mutated=source, seed=seed), *RIGHT.values())
        assert row["status"] in ANY, seed
        assert 0 <= row["score"] <= FULL
    assert grade(*RIGHT.values())["score"] == FULL


def test_mutated_notebooks_are_rows(grade):
    _notebooks(grade, range(60))


def test_mutated_messages_are_rows(grade):
    _messages(grade, range(8))


@pytest.mark.heavy
def test_many_mutated_notebooks_are_rows(grade):
    _notebooks(grade, range(1000, 3000))


@pytest.mark.heavy
def test_many_mutated_messages_are_rows(grade):
    _messages(grade, [*range(8, 25), *range(1000, 1040)])
