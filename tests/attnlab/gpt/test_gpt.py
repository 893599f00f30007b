"""The GPT in NumPy against the one in torch, its texts, and readers' own functions in its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from attnlab import gpt
from attnlab.data import fables
from attnlab.explorables import YourWriter
from attnlab.gpt import END, load, next_token, parts, to_tokens
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.yours import NAMES, answer
from attnlab.models import fable_gpt
from tests.course import BANK

RNG = np.random.default_rng(5)


def test_the_stored_logits_are_those_of_the_stored_weights() -> None:
    tokens, logits = gpt.probe()
    assert len(tokens) == fable_gpt.PROBE_TOKENS
    np.testing.assert_allclose(gpt.gpt(tokens, gpt.load()), logits, atol=1e-4)


def test_what_is_saved_reads_in_numpy_as_in_torch(tmp_path, monkeypatch) -> None:
    from attnlab.gpt import trained

    vocabulary = list(fables.vocabulary())
    torch.manual_seed(0)
    model = fable_gpt.FableGPT(len(vocabulary)).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    monkeypatch.setattr(trained, "WEIGHTS", fable_gpt.save(model, tmp_path / "own.npz"))
    trained._stored.cache_clear()
    try:
        assert trained.words() == vocabulary
        tokens, logits = gpt.probe()
        np.testing.assert_allclose(gpt.gpt(tokens, gpt.load()), logits, atol=1e-4)
    finally:
        trained._stored.cache_clear()


def test_missing_weights_are_one_clear_line(tmp_path, monkeypatch) -> None:
    from attnlab.gpt import trained

    monkeypatch.setattr(trained, "WEIGHTS", tmp_path / "none.npz")
    trained._stored.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.models\.fable_gpt"):
        gpt.load()
    trained._stored.cache_clear()


def test_loss_is_torchs_and_leaves_padding_out() -> None:
    logits, tokens = RNG.normal(0, 3, size=(3, 7, 11)), RNG.integers(1, 11, size=(3, 7))
    tokens[1, 4:] = 0
    expected = nn.functional.cross_entropy(
        torch.from_numpy(logits[:, :-1]).flatten(0, 1),
        torch.from_numpy(tokens[:, 1:]).flatten(),
        ignore_index=0,
    )
    assert parts.next_token_loss(logits, tokens) == pytest.approx(float(expected), abs=1e-12)


def test_draws_have_the_probabilities() -> None:
    logits = np.array([0.5, 2.0, -1.0])
    draws = (np.arange(5000) + 0.5) / 5000
    chosen = [gpt.next_token(logits, 0.7, draw) for draw in draws]
    shares = np.bincount(chosen, minlength=3) / 5000
    np.testing.assert_allclose(shares, parts.softmax(logits / 0.7), atol=5e-4)
    assert gpt.next_token(logits, 0, 0.99) == 1
    assert gpt.next_token(logits, 1.0, 1.0) == 2  # rounding may leave the last end below 1


def test_writing_stops_at_the_end_and_keeps_what_was_given() -> None:
    start = gpt.to_tokens("once there was")
    text = gpt.write(start, gpt.load(), np.random.default_rng(5).random(180), 0.8)
    assert text[: len(start)] == start
    assert text.index(gpt.END) == len(text) - 1
    assert gpt.to_text(text).startswith("Once there was a")


def test_texts_read_well() -> None:
    text = "“ please give me the key , ” said Mara . “ no , ” said Leo , “ it is mine . ”"
    read = gpt.to_text(gpt.to_tokens(text))
    assert read == "“Please give me the key,” said Mara. “No,” said Leo, “it is mine.”"


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
