"""Put the pieces together. Three matrices compute queries, keys and values. Their columns are split
into heads: with `head_dim = w_query.shape[1] / num_heads`, the first `head_dim` columns belong to
head 0, the next ones to head 1, and so on. Each head computes scaled dot-product attention
independently. The outputs of the heads are concatenated, and a fourth matrix mixes them.

Write `multi_head_attention`. Queries come from `x`, keys and values from `y`, which may have a
different length. `head_dim` need not be `d_model / num_heads`. In `mask`, True means *may attend*;
each sentence has its own mask, which all its heads share. The layer has no biases. Leave the
arguments unchanged. Scores may be large, including those of hidden keys.
"""

from functools import partial

import numpy as np

from attn import MultiHeadAttention
from attnlab import mistakes
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="multi-head-attention",
    chapter="masking",
    title="Multi-head attention",
    withhold=[
        "attn.MultiHeadAttention",
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
        "attnlab.minilm.swap.multi_head_attention",
    ],
    stand_in="attnlab.minilm.swap",
    hints=[
        "What is the shape of `x @ w_query`, and what must it be before each head can compute its "
        "own scores?",
        "Split the last axis into `(num_heads, head_dim)` and move the heads in front of the "
        "tokens: `(batch, num_heads, tokens, head_dim)`. Then one `@` gives the scores of all "
        "heads.",
        "Scores have shape `(batch, num_heads, num_queries, num_keys)`. A mask of shape `(batch, "
        "num_queries, num_keys)` needs an axis for the heads: `mask[:, None]`. Where it is False, "
        "the score becomes `-np.inf` before the softmax.",
    ],
)


def multi_head_attention(x, y, w_query, w_key, w_value, w_output, num_heads, mask=None):
    """Return attention from x to y, shape (batch, num_queries, d_model).

    x: (batch, num_queries, d_model)   y: (batch, num_keys, d_model)
    w_query, w_key, w_value: (d_model, num_heads * head_dim)
    w_output: (num_heads * head_dim, d_model)
    mask: (batch, num_queries, num_keys) or None, True = may attend; no row is all False
    """
    # BEGIN SOLUTION
    batch, num_queries, _ = x.shape
    head_dim = w_query.shape[1] // num_heads

    def heads(tokens):
        return tokens.reshape(batch, -1, num_heads, head_dim).swapaxes(1, 2)

    query, key, value = heads(x @ w_query), heads(y @ w_key), heads(y @ w_value)
    scores = query @ key.swapaxes(-1, -2) / head_dim**0.5
    if mask is not None:
        scores = np.where(mask[:, None], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    merged = (weights @ value).swapaxes(1, 2).reshape(batch, num_queries, -1)
    return merged @ w_output
    # END SOLUTION


_NAMES = ("w_query", "w_key", "w_value", "w_output")


def _case(seed, batch, num_queries, num_keys, d_model, num_heads, head_dim, masked=False):
    """A layer of the library, which its own tests compare with PyTorch's, and its arguments."""
    rng = np.random.default_rng(seed)
    layer = MultiHeadAttention(d_model, num_heads, head_dim, bias=False, rng=rng, dtype=np.float64)
    layer.w_query, layer.w_key = 2 * layer.w_query, 2 * layer.w_key
    x = rng.normal(size=(batch, num_queries, d_model))
    y = rng.normal(size=(batch, num_keys, d_model))
    mask = None
    if masked:
        mask = rng.random((batch, num_queries, num_keys)) < 0.6
        mask[..., 1] = True
    return layer, x, y, mask


def _call(multi_head_attention, layer, x, y, mask):
    weights = layer.parameters()
    given = (x, y, *(weights[name] for name in _NAMES), layer.num_heads)
    what = "multi_head_attention(…)" if mask is None else "multi_head_attention(…, mask)"
    given += () if mask is None else (mask,)
    seen = as_array(multi_head_attention(*given), what)
    if x.shape != y.shape:
        message = f"{what} has shape {y.shape}; expected {x.shape}."
        expect(seen.shape != y.shape, message, "rows-of-y")
    return expect_shape(seen, x.shape, what=what), what


def _compare(multi_head_attention, layer, x, y, mask):
    call = partial(call_keeping_inputs, multi_head_attention)
    seen, what = _call(call, layer, x, y, mask)
    expect_close(seen, layer(x, y, mask=mask), atol=1e-5, what=what)


@check(points=1)
def right_values(multi_head_attention):
    """Width 19, 3 heads of 7, 5 queries, 13 keys: the heads need not divide the width"""
    _compare(multi_head_attention, *_case(1, 2, 5, 13, d_model=19, num_heads=3, head_dim=7))


@check(points=2)
def as_many_queries_as_keys(multi_head_attention):
    """Keys and values come from y, even where x has as many tokens"""
    _compare(multi_head_attention, *_case(2, 3, 7, 7, d_model=10, num_heads=2, head_dim=5))


@check(points=1)
def mask_is_shared_by_heads(multi_head_attention):
    """2 sentences, 2 heads: each sentence has its own mask for all heads"""
    case = _case(3, 2, 5, 7, d_model=17, num_heads=2, head_dim=3, masked=True)
    _compare(multi_head_attention, *case)


def _finite(multi_head_attention, which, misconception):
    """Two sentences; token 3 of y has scores of thousands."""
    layer, x, y, _ = _case(4, 2, 5, 7, d_model=13, num_heads=3, head_dim=2)
    y[:, 3] *= 3e3
    mask = np.ones((2, 5, 7), dtype=bool)
    mask[..., 3] = which == "visible"
    seen, _ = _call(multi_head_attention, layer, x, y, mask)
    calm, _ = _call(multi_head_attention, layer, x, np.where(np.abs(y) > 1e2, 0.0, y), mask)
    if np.isfinite(calm).all():
        message = f"A {which} key with huge scores: the output holds NaN."
        expect(np.isfinite(seen).all(), message, misconception)
    what = f"the output with huge scores of a {which} key"
    atol = 1e-5 * max(1.0, float(np.abs(y).max()))
    expect_close(seen, layer(x, y, mask=mask), atol=atol, what=what)


@check(points=1)
def large_scores(multi_head_attention):
    """Scores in the thousands for a visible key"""
    _finite(multi_head_attention, "visible", "overflow")


@check(points=1, hidden=True)
def large_hidden_scores(multi_head_attention):
    """Scores in the thousands for a hidden key"""
    _finite(multi_head_attention, "hidden", "hidden-too-late")


@check(points=1, hidden=True)
def other_sizes(multi_head_attention, rng):
    """Other weights and sizes, a mask for every pair"""
    seed = int(rng.integers(1 << 30))
    case = _case(seed, 3, 7, 11, d_model=13, num_heads=5, head_dim=3, masked=True)
    _compare(multi_head_attention, *case)


def _shared(x, y, w_query, w_key, w_value, w_output, num_heads, mask=None):
    weights = dict(zip(_NAMES, (w_query, w_key, w_value, w_output), strict=True))
    return mistakes.of_multi_head(x, weights, num_heads, y=y, mask=mask)


_HIDE = "scores = np.where(mask[:, None], scores, -np.inf)"
_SPLIT = "(batch, -1, num_heads, head_dim).swapaxes(1, 2)"

shared_mistakes(mistakes.EXPLANATIONS, multi_head_attention=_shared)
mistake("mask-on-heads", "", {"mask[:, None]": "mask"})
mistake("one-head", "", {"head_dim = w_query": "num_heads = 1\n    head_dim = w_query"})
mistake(
    "interleaved-twice",
    "",
    {
        _SPLIT: "(batch, -1, head_dim, num_heads).transpose(0, 3, 1, 2)",
        "(weights @ value).swapaxes(1, 2)": "(weights @ value).transpose(0, 2, 3, 1)",
    },
)
mistake(
    "no-output-projection",
    "The product with w_output is missing. It mixes the heads' outputs and returns to the width of "
    "the tokens.",
    {"merged @ w_output": "merged"},
)
mistake(
    "rows-of-y",
    "The output has one row for each token of y. Queries come from x, so there is one row for each "
    "token of x.",
    {"batch, num_queries, _ = x.shape": "x = y\n    batch, num_queries, _ = x.shape"},
)
mistake(
    "overflow",
    "With large scores, the result is NaN: an exponential is infinite, or all exponentials in a "
    "row are 0. First subtract from each score the largest score in its row.",
    {"scores - scores.max(axis=-1, keepdims=True)": "scores"},
)
mistake(
    "hidden-too-late",
    "The score of a hidden key was used before it was hidden, so a huge score spoils the row. Hide "
    "the scores first, then take the maximum and the exponentials.",
    {
        _HIDE: "pass",
        "    weights = weights /": "    if mask is not None:\n"
        "        weights = weights * mask[:, None]\n    weights = weights /",
    },
)

ALSO_RIGHT = {
    "a loop over heads": """
        def multi_head_attention(x, y, w_query, w_key, w_value, w_output, num_heads, mask=None):
            outputs = []
            parts = (np.split(w, num_heads, axis=1) for w in (w_query, w_key, w_value))
            for q, k, v in zip(*parts):
                scores = (x @ q) @ (y @ k).transpose(0, 2, 1) / np.sqrt(q.shape[1])
                if mask is not None:
                    scores = np.where(mask, scores, -np.inf)
                weights = np.exp(scores - scores.max(-1, keepdims=True))
                outputs.append(weights / weights.sum(-1, keepdims=True) @ (y @ v))
            return np.concatenate(outputs, axis=-1) @ w_output
    """,
    "einsum, and the output as a sum over heads": """
        def multi_head_attention(x, y, w_query, w_key, w_value, w_output, num_heads, mask=None):
            d_model, width = w_query.shape
            head_dim = width // num_heads
            q, k, v = (w.reshape(d_model, num_heads, head_dim) for w in (w_query, w_key, w_value))
            scores = np.einsum("bid,dhe,bjf,fhe->bhij", x, q, y, k, optimize=True) / head_dim**0.5
            if mask is not None:
                scores = scores + np.where(mask, 0.0, -1e30)[:, np.newaxis]
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            out = w_output.reshape(num_heads, head_dim, d_model)
            return np.einsum("bhij,bjf,fhe,hed->bid", weights, y, v, out, optimize=True)
    """,
}
