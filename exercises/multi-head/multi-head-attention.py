"""Put the pieces together. Three matrices make queries, keys and values; their columns are cut
into heads; each head attends for itself; the heads' outputs stand side by side and a fourth matrix
mixes them.

Write `multi_head_attention`. Queries come from `x`, keys and values from `y`, which may have
another length. The heads' width need not be `d_model / num_heads`. In `mask`, True means *may
attend*, and all heads share it. No biases.
"""

import numpy as np

from attn import MultiHeadAttention
from coursekit import check, exercise, expect_close, expect_shape, wrong

exercise(
    id="multi-head-attention",
    chapter="multi-head",
    title="Multi-head attention",
    withhold=[
        "attn.MultiHeadAttention",
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "What is the shape of `x @ w_query`, and what must it be before scores can be computed "
        "for each head on its own?",
        "Cut the last axis into `(num_heads, head_dim)` and move the heads before the tokens: "
        "`(batch, num_heads, tokens, head_dim)`. Then scores for all heads are one `@`.",
        "Scores are `(batch, num_heads, num_queries, num_keys)`. A mask of shape `(batch, "
        "num_queries, num_keys)` needs an axis for the heads: `mask[:, None]`. "
        "Where it is False, the score becomes `-np.inf`, before the softmax.",
    ],
    misconceptions={
        "wrong-scale": "The scores were divided by √d_model. Each head compares vectors of width "
        "head_dim, and that is the width whose square root counts.",
        "unscaled": "The scores were not divided by √head_dim.",
        "no-output-projection": "The heads stand side by side, but W^O has not mixed them yet.",
        "inverted-mask": "The mask is read the other way round, as nn.MultiheadAttention reads it. "
        "Here True means: may attend.",
        "mask-ignored": "The mask has no effect.",
        "mask-on-heads": "With as many sentences as heads, the mask of sentence b was applied to "
        "head b. The mask needs an axis for the heads: (batch, 1, num_queries, num_keys).",
        "reshape-only": "Heads were made by a reshape alone, which mixes tokens. Cut the features "
        "first, then exchange two axes.",
        "one-wide-head": "This is one head of the full width: the features were never cut.",
        "self-only": "Keys and values were made from x. They come from y.",
        "value-from-x": "Values were made from x. Keys and values both come from y.",
        "merge-reshape-only": "The heads were merged by a reshape alone: bring the tokens before "
        "the heads first.",
    },
)


def multi_head_attention(
    x,
    y,
    w_query,
    w_key,
    w_value,
    w_output,
    num_heads,
    mask=None,
):
    """Return attention of x to y, shape (batch, num_queries, d_model).

    x: (batch, num_queries, d_model)   y: (batch, num_keys, d_model)
    w_query, w_key, w_value: (d_model, num_heads * head_dim)
    w_output: (num_heads * head_dim, d_model)
    mask: (batch, num_queries, num_keys) or None, True = may attend
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


def _layer(rng, d_model, num_heads, head_dim):
    """A layer of the library with random weights; the library is held to PyTorch's by its tests."""
    layer = MultiHeadAttention(d_model, num_heads, head_dim, bias=False, rng=rng, dtype=np.float64)
    return layer, [2 * layer.w_query, 2 * layer.w_key, layer.w_value, layer.w_output]


def _reference(layer, parts, x, y, mask=None):
    layer.w_query, layer.w_key, layer.w_value, layer.w_output = parts
    return layer(x, y, mask=mask)


def _attend(query, key, value, mask=None, scale=1.0):
    scores = query @ key.swapaxes(-1, -2) * scale
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value


def _variants(x, y, parts, num_heads, mask=None):
    """What the known mistakes compute."""
    w_query, w_key, w_value, w_output = parts
    head_dim = w_query.shape[1] // num_heads
    scale = 1 / head_dim**0.5

    def cut(tokens):
        return tokens.reshape(*tokens.shape[:2], num_heads, head_dim).swapaxes(1, 2)

    def glue(heads):
        return heads.swapaxes(1, 2).reshape(heads.shape[0], heads.shape[2], -1)

    query, key, value = cut(x @ w_query), cut(y @ w_key), cut(y @ w_value)
    shared = None if mask is None else mask[:, None]
    heads = _attend(query, key, value, shared, scale)
    out = {
        "no-output-projection": glue(heads),
        "unscaled": glue(_attend(query, key, value, shared)) @ w_output,
        "wrong-scale": glue(_attend(query, key, value, shared, x.shape[-1] ** -0.5)) @ w_output,
        "one-wide-head": _attend(
            x @ w_query, y @ w_key, y @ w_value, mask, w_query.shape[1] ** -0.5
        )
        @ w_output,
        "merge-reshape-only": heads.reshape(*x.shape[:2], -1) @ w_output,
    }
    raw = [
        (tokens @ matrix).reshape(len(x), num_heads, -1, head_dim)
        for tokens, matrix in ((x, w_query), (y, w_key), (y, w_value))
    ]
    if mask is None:
        out["reshape-only"] = glue(_attend(*raw, None, scale)) @ w_output
    else:
        out["mask-ignored"] = glue(_attend(query, key, value, None, scale)) @ w_output
        out["inverted-mask"] = glue(_attend(query, key, value, ~shared, scale)) @ w_output
    if x.shape[1] == y.shape[1]:
        own = cut(x @ w_value)
        out["self-only"] = glue(_attend(query, cut(x @ w_key), own, shared, scale)) @ w_output
        out["value-from-x"] = glue(_attend(query, key, own, shared, scale)) @ w_output
    return out


@check(points=1)
def shape(multi_head_attention):
    """Width 11 with 3 heads of 7: the heads need not divide the width"""
    rng = np.random.default_rng(1)
    _, parts = _layer(rng, 11, 3, 7)
    x, y = rng.normal(size=(2, 5, 11)), rng.normal(size=(2, 13, 11))
    expect_shape(
        multi_head_attention(x, y, *parts, 3),
        (2, 5, 11),
        what="multi_head_attention(…)",
        mistakes={"no-output-projection": (2, 5, 21), "self-only": (2, 13, 11)},
    )


@check(points=2)
def right_values(multi_head_attention):
    """The library's values with the same weights"""
    rng = np.random.default_rng(2)
    layer, parts = _layer(rng, 10, 2, 5)
    x, y = rng.normal(size=(3, 7, 10)), rng.normal(size=(3, 7, 10))
    expect_close(
        multi_head_attention(x, y, *parts, 2),
        _reference(layer, parts, x, y),
        atol=1e-5,
        what="multi_head_attention(…)",
        mistakes=_variants(x, y, parts, 2),
    )


@check(points=1)
def mask_is_shared_by_heads(multi_head_attention):
    """2 sentences, 2 heads: each sentence has its own mask, whatever the head"""
    rng = np.random.default_rng(3)
    layer, parts = _layer(rng, 6, 2, 3)
    x, y = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 6))
    mask = np.arange(7) < np.array([3, 6])[:, None, None]
    mask = np.repeat(mask, 5, axis=1)
    mistakes = _variants(x, y, parts, 2, mask)
    query, key, value = (
        (tokens @ matrix).reshape(2, -1, 2, 3).swapaxes(1, 2)
        for tokens, matrix in zip((x, y, y), parts, strict=False)
    )
    crossed = _attend(query, key, value, mask, 3**-0.5)
    mistakes["mask-on-heads"] = crossed.swapaxes(1, 2).reshape(2, 5, 6) @ parts[3]
    expect_close(
        multi_head_attention(x, y, *parts, 2, mask),
        _reference(layer, parts, x, y, mask),
        atol=1e-5,
        what="multi_head_attention(…, mask)",
        mistakes=mistakes,
    )


@check(points=1, hidden=True)
def other_sizes(multi_head_attention, rng):
    """Other weights and sizes, a mask for every pair"""
    layer, parts = _layer(rng, 13, 5, 2)
    x, y = rng.normal(size=(3, 7, 13)), rng.normal(size=(3, 11, 13))
    mask = rng.random((3, 7, 11)) < 0.6
    mask[..., 2] = True
    expect_close(
        multi_head_attention(x, y, *parts, 5, mask),
        _reference(layer, parts, x, y, mask),
        atol=1e-5,
        what="multi_head_attention(…, mask)",
    )


WRONG = {
    "scaled by the full width": wrong(
        replace={"head_dim**0.5": "np.sqrt(x.shape[-1])"},
        rejected_by=["right_values", "mask_is_shared_by_heads"],
        misconception="wrong-scale",
    ),
    "not scaled": wrong(
        replace={" / head_dim**0.5": ""},
        rejected_by=["right_values", "mask_is_shared_by_heads"],
        misconception="unscaled",
    ),
    "no W^O": wrong(
        replace={"return merged @ w_output": "return merged"},
        rejected_by=["shape", "right_values"],
        misconception="no-output-projection",
    ),
    "True hides": wrong(
        replace={
            "np.where(mask[:, None], scores, -np.inf)": "np.where(mask[:, None], -np.inf, scores)"
        },
        rejected_by=["mask_is_shared_by_heads"],
        misconception="inverted-mask",
    ),
    "forgets the mask": wrong(
        replace={"np.where(mask[:, None], scores, -np.inf)": "scores"},
        rejected_by=["mask_is_shared_by_heads"],
        misconception="mask-ignored",
    ),
    "the mask lands on the heads": wrong(
        replace={"mask[:, None]": "mask"},
        rejected_by=["mask_is_shared_by_heads"],
        misconception="mask-on-heads",
    ),
    "heads by reshape alone": wrong(
        replace={
            "(batch, -1, num_heads, head_dim).swapaxes(1, 2)": "(batch, num_heads, -1, head_dim)"
        },
        rejected_by=["right_values"],
        misconception="reshape-only",
    ),
    "one wide head": wrong(
        replace={
            "head_dim = w_query.shape[1] // num_heads": "num_heads, head_dim = 1, w_query.shape[1]"
        },
        rejected_by=["right_values"],
        misconception="one-wide-head",
    ),
    "keys and values from x": wrong(
        replace={"heads(y @ w_key), heads(y @ w_value)": "heads(x @ w_key), heads(x @ w_value)"},
        rejected_by=["right_values"],
        misconception="self-only",
    ),
    "merged by reshape alone": wrong(
        replace={"(weights @ value).swapaxes(1, 2).reshape": "(weights @ value).reshape"},
        rejected_by=["right_values"],
        misconception="merge-reshape-only",
    ),
}

ALSO_RIGHT = {
    "a loop over heads": """
        def multi_head_attention(x, y, w_query, w_key, w_value, w_output, num_heads, mask=None):
            outputs = []
            parts = (np.split(w, num_heads, axis=1) for w in (w_query, w_key, w_value))
            for q, k, v in zip(*parts):
                scores = (x @ q) @ (y @ k).transpose(0, 2, 1) / np.sqrt(q.shape[1])
                if mask is not None:
                    scores = np.where(mask, scores, -np.inf)
                shares = np.exp(scores - scores.max(-1, keepdims=True))
                outputs.append(shares / shares.sum(-1, keepdims=True) @ (y @ v))
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
