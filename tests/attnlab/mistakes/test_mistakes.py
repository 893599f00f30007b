"""What mistakes compute: by hand for one case, apart from each other and from what is right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import attn
from attnlab import mistakes
from attnlab.mistakes import EXPLANATIONS, Mistake

RNG = np.random.default_rng(0)
# A different prime for each axis: no two mistakes look alike because two sizes are the same.
QUERY, KEY, VALUE = (RNG.normal(size=size) for size in ((3, 7), (5, 7), (5, 11)))
MASK = np.array([[1, 1, 0, 1, 1], [1, 0, 1, 1, 0], [0, 1, 1, 1, 1]], bool)
HEADS = RNG.normal(size=(2, 3, 5, 7))  # (batch, num_heads, tokens, head_dim)
MODEL = {"w_query": (13, 21), "w_key": (13, 21), "w_value": (13, 21), "w_output": (21, 13)}
WEIGHTS = {name: RNG.normal(size=shape) for name, shape in MODEL.items()}
TOKENS = RNG.normal(size=(5, 13))


def _multi_head(**options) -> np.ndarray:
    layer = attn.MultiHeadAttention.from_parameters({**WEIGHTS}, num_heads=3)
    return layer(TOKENS, **options)


CASES: dict[str, tuple[np.ndarray, Mapping[str, Mistake]]] = {
    "attention": (
        attn.scaled_dot_product_attention(QUERY, KEY, VALUE),
        mistakes.of_attention(QUERY, KEY, VALUE),
    ),
    "masked": (
        attn.scaled_dot_product_attention(QUERY, KEY, VALUE, mask=MASK),
        mistakes.of_attention(QUERY, KEY, VALUE, mask=MASK),
    ),
    "causal": (
        attn.scaled_dot_product_attention(QUERY, KEY, VALUE, causal=True),
        mistakes.of_attention(QUERY, KEY, VALUE, causal=True),
    ),
    "weights": (attn.attention_weights(QUERY, KEY), mistakes.of_weights(QUERY, KEY)),
    "scores": (attn.scaled_dot_score(QUERY, KEY), mistakes.of_scores(QUERY, KEY)),
    "plain scores": (attn.dot_score(QUERY, KEY), mistakes.of_scores(QUERY, KEY, scale=1.0)),
    "softmax": (attn.softmax(QUERY), mistakes.of_softmax(QUERY)),
    "causal mask": (attn.causal_mask(3, 5), mistakes.of_causal_mask(3, 5)),
    "square mask": (attn.causal_mask(5, 5), mistakes.of_causal_mask(5, 5)),
    "split": (attn.split_heads(TOKENS[:, :12], 3), mistakes.of_split_heads(TOKENS[:, :12], 3)),
    "merge": (attn.merge_heads(HEADS), mistakes.of_merge_heads(HEADS)),
    "window": (
        attn.sliding_window_mask(19, 19, 3) | attn.global_mask(19, [0, 7]),
        mistakes.of_window_mask(19, 3, [0, 7]),
    ),
    "multi-head": (_multi_head(), mistakes.of_multi_head(TOKENS, WEIGHTS, 3)),
    "causal heads": (
        _multi_head(causal=True),
        mistakes.of_multi_head(TOKENS, WEIGHTS, 3, causal=True),
    ),
}


def _values(made: Mapping[str, Mistake]) -> dict[str, np.ndarray]:
    """Return what the mistakes give that these arguments allow."""
    values = {}
    for id, mistake in made.items():
        try:
            with np.errstate(all="ignore"):
                values[id] = np.asarray(mistake())
        except ValueError:  # a product whose shapes do not fit: the mistake cannot be made
            continue
    return values


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.allclose(a, b, equal_nan=True)


@pytest.mark.parametrize("name", CASES)
def test_no_mistake_is_right_or_looks_like_another(name: str) -> None:
    right, made = CASES[name]
    values = _values(made)
    assert values
    assert [id for id, value in values.items() if _alike(value, right)] == []
    pairs = combinations(values, 2)
    assert [pair for pair in pairs if _alike(values[pair[0]], values[pair[1]])] == []


@pytest.mark.parametrize("name", CASES)
def test_each_is_explained(name: str) -> None:
    for id, mistake in CASES[name][1].items():
        assert mistake.explanation == EXPLANATIONS[id]


def test_every_explanation_is_of_a_mistake() -> None:
    folder = Path(mistakes.__file__).parent
    modules = [path for path in folder.glob("*.py") if path.stem != "explanations"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    assert [id for id in EXPLANATIONS if f'"{id}"' not in code] == []


def test_arguments_that_the_answer_changes_later_do_not_matter() -> None:
    query = QUERY.copy()
    made = mistakes.of_attention(query, KEY, VALUE)
    before = made["unscaled"]()
    query += 1
    assert np.array_equal(made["unscaled"](), before)


def test_by_hand() -> None:
    query, key, value = np.array([[2.0, 0.0]]), np.array([[1.0, 0], [0, 1.0]]), np.eye(2)
    made = mistakes.of_attention(query, key, value, scale=1.0)
    np.testing.assert_allclose(made["no-softmax"](), [[2.0, 0.0]])
    np.testing.assert_allclose(made["base-two"](), [[4 / 5, 1 / 5]])
    np.testing.assert_allclose(made["uniform"](), [[0.5, 0.5]])
    np.testing.assert_allclose(made["wrong-axis"](), [[1.0, 1.0]])
    np.testing.assert_allclose(made["not-normalised"](), [[np.e**2, 1.0]])
