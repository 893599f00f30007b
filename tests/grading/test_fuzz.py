"""Mutated notebooks: each gets a row, in bounded time. `test_values.py` mutates messages."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(1000, 3000), marks=pytest.mark.heavy)], ids=len
)
def test_mutated_notebooks_are_rows(grade, seeds):
    for seed in seeds:
        row = grade(mutated(GOOD, random.Random(seed)))
        assert row["status"] in (*ANY, "unreadable"), seed
        assert 0 <= row["score"] <= FULL
        assert row["max_score"] == 10.0
