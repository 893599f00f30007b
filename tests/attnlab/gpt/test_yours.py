"""The reader's own functions write: what they answer is the course's GPT, if they are right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attnlab import gpt
from attnlab.explorables import YourWriter
from attnlab.gpt import END, load, next_token, to_tokens
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.yours import NAMES, answer
from tests.course import BANK

TEXT = to_tokens("once there was an old fox named Mara , who lived")


def solved() -> dict[str, Any]:
    """Return the namespace of a reader who has solved all steps."""
    names: dict[str, Any] = {}
    last = BANK["gpt-8-writing"]
    for step in (*last.used, last):
        exec(f"{step.setup}\n{step.solution}", names)
    return names


def test_a_solved_chapter_reads_and_writes_as_the_course_does() -> None:
    names = solved()
    before = dict(names)
    read = answer(names, {"tokens": TEXT, "first": 3})
    logits, maps = gpt.gpt(np.array(TEXT), load()), attention_maps(np.array(TEXT), load())
    np.testing.assert_allclose(read["logits"], logits[3:], atol=1e-4)
    np.testing.assert_allclose(read["weights"], np.moveaxis(maps, 2, 0)[3:], atol=1e-4)
    for draw in (0.1, 0.9):
        wrote = answer(names, {"tokens": TEXT, "temperature": 0.8, "draw": draw})
        assert wrote["token"] == next_token(logits[-1], 0.8, draw)
        after = gpt.gpt(np.array([*TEXT, wrote["token"]]), load())
        np.testing.assert_allclose(wrote["logits"], after[-1:], atol=1e-4)
        assert wrote["weights"].shape == (1, 4, 4, len(TEXT) + 1)
    calls = dict(zip(NAMES, wrote["calls"], strict=True))
    # Once to choose, once to read on: 4 blocks each time.
    assert (calls["write"], calls["next_token"], calls["gpt"], calls["attend"]) == (1, 1, 2, 8)
    assert names == before  # the wrappers are gone


def test_weights_are_told_only_where_softmax_tells_them() -> None:
    names = solved()
    names["attend"] = gpt.attend  # it calls a softmax of its own
    assert set(answer(names, {"tokens": TEXT, "first": 0})) == {"logits", "calls"}


def test_the_end_is_not_read() -> None:
    names = solved()
    names["write"] = lambda tokens, model, draws, temperature: [*tokens, END]
    assert set(answer(names, {"tokens": TEXT, "temperature": 0.8, "draw": 0.5})) == {
        "token", "calls",
    }  # fmt: skip


def test_names_come_back_when_a_function_fails() -> None:
    names = solved()
    names["block"] = block = lambda *_: 1 / 0
    with pytest.raises(ZeroDivisionError):
        answer(names, {"tokens": TEXT, "first": 0})
    assert names["block"] is block


def test_a_notebook_is_answered_by_its_kernel() -> None:
    figure = YourWriter(solved())
    figure.asked = {"number": 3, "asked": {"tokens": TEXT, "temperature": 0.0, "draw": 0.5}}
    assert figure.answered["number"] == 3
    best = int(gpt.gpt(np.array(TEXT), load())[-1].argmax())
    assert figure.answered["values"]["token"] == best


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        ({"gpt": None}, "TypeError: 'NoneType' object is not callable"),
        ({"write": lambda *_: 1 / 0}, "ZeroDivisionError: division by zero"),
        ({"write": BANK["gpt-8-writing"].starter}, "It writes once all its functions are written."),
    ],
)
def test_why_it_is_not_ready_is_one_line(change: dict[str, Any], trouble: str) -> None:
    names = solved()
    for name, value in change.items():
        if isinstance(value, str):
            exec(value, names)
        else:
            names[name] = value
    assert YourWriter(names).trouble == trouble
