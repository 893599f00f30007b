"""A cache holds latents without positions, `latent` of shape `(num_keys, d_latent)`. Head $h$ has
the matrices `w_key[h]` and `w_value[h]`, of shape `(d_latent, head_dim)`, and its keys and values
would be `latent @ w_key[h]` and `latent @ w_value[h]`. Attend without computing them. `query` has
shape `(heads, num_queries, head_dim)`. Return three arrays:

- the latents' queries, `(heads, num_queries, d_latent)`: their dot products with the latents equal
  those of the queries with the keys, not scaled;
- the latents mixed by the weights, `(heads, num_queries, d_latent)`;
- the output of each head, `(heads, num_queries, head_dim)`.

Divide the scores by $\\sqrt{\\text{head\\_dim}}$: queries and keys would have that width,
although no key is computed. Scores may be as large as $10^4$; you may use `attn.softmax`. Leave the
arguments as they are.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="absorbed-scores",
    chapter="attention-memory",
    title="Latent attention: absorb the projections",
    withhold=["attn.MultiHeadLatentAttention"],
    hints=[
        "$q \\cdot (c\\,W) = q\\,(c\\,W)^\\top$. Which two of the three factors can be multiplied "
        "before any latent is known?",
        "`query @ w_key.swapaxes(-1, -2)` has shape `(heads, num_queries, d_latent)`. The latents "
        "are compared with it, and then the latents are mixed.",
        "`scaled_dot_product_attention(latent_query, latent, latent, scale=head_dim**-0.5)` mixes "
        "the latents; `@ w_value` comes after it.",
    ],
)


def attend_latents(query, latent, w_key, w_value):
    """Return the latents' queries, the mixed latents, and the output.

    query: (heads, num_queries, head_dim)   latent: (num_keys, d_latent)
    w_key, w_value: (heads, d_latent, head_dim)
    """
    # BEGIN SOLUTION
    latent_query = query @ w_key.swapaxes(-1, -2)  # (heads, num_queries, d_latent)
    scale = query.shape[-1] ** -0.5
    mixed = scaled_dot_product_attention(latent_query, latent, latent, scale=scale)
    return latent_query, mixed, mixed @ w_value
    # END SOLUTION


_NAMES = ("the array of the latents' queries", "the array of mixed latents", "the output")


def _expect(function, *inputs):
    with np.errstate(all="ignore"):
        result = call_keeping_inputs(function, *inputs)
    expect(
        isinstance(result, tuple | list) and len(result) == 3,
        "attend_latents should return three arrays.",
        "returns-nothing" if result is None else None,
    )
    result = [as_array(part, name) for part, name in zip(result, _NAMES, strict=True)]
    query, latent, w_key, w_value = inputs
    keys, values = latent @ w_key, latent @ w_value  # as if they were computed
    wide = (*query.shape[:2], latent.shape[1])
    shapes, expected = [part.shape for part in result], [wide, wide, query.shape]
    exchanged = shapes != expected and sorted(shapes) == sorted(expected)
    expect(not exchanged, f"the results have shapes {shapes}.", "other-order")
    for part, shape, name in zip(result, expected, _NAMES, strict=True):
        expect_shape(part, shape, what=name)
    finite = all(np.isfinite(part).all() for part in result)
    expect(finite, "The results hold NaN or infinity.", "overflow")
    size = np.abs(query).max()
    expect_close(
        result[0] @ latent.T / size,
        query @ keys.swapaxes(-1, -2) / size,
        what="the product of the latents' queries and the latents",
    )
    right = (scaled_dot_product_attention(query, keys, part) for part in (latent[None], values))
    for name, seen, part in zip(_NAMES[1:], result[1:], right, strict=True):
        expect_close(seen, part, what=name)


def _draw(rng, heads, queries, keys, latents, head_dim):
    w_key, w_value = 0.5 * rng.normal(size=(2, heads, latents, head_dim))
    return (
        rng.normal(size=(heads, queries, head_dim)),
        rng.normal(size=(keys, latents)),
        w_key,
        w_value,
    )


@check(points=3, success_message="The outputs are the same, and no key or value was ever computed.")
def three_heads(attend_latents):
    """Three heads, two queries, seven latents of width 5, heads of width 11"""
    _expect(attend_latents, *_draw(np.random.default_rng(1), 3, 2, 7, 5, 11))


@check(points=1, success_message="This holds whether the latent or a head is wider.")
def wide_latents(attend_latents):
    """Two heads of width 3, latents of width 13; scores of about 1e4"""
    query, *rest = _draw(np.random.default_rng(2), 2, 5, 3, 13, 7)
    _expect(attend_latents, query, *rest)
    _expect(attend_latents, 3e3 * query, *rest)


@check(points=1, hidden=True)
def other_sizes(attend_latents, rng):
    """Other sizes"""
    _expect(attend_latents, *_draw(rng, 5, 3, 11, 2, 7))


_ATTENDED = "scaled_dot_product_attention(latent_query, latent, latent, scale=scale)"
mistake(
    "scaled-by-latent",
    "The scores were divided by √d_latent. The score is still the dot product of a query and a "
    "key of width head_dim: its scale is √head_dim.",
    {"query.shape[-1] ** -0.5": "latent.shape[-1] ** -0.5"},
)
mistake("unscaled", "The scores were not divided by √head_dim.", {"query.shape[-1] ** -0.5": "1.0"})
mistake(
    "scaled-by-d",
    "The scores were divided by head_dim; the definition divides by its square root.",
    {"query.shape[-1] ** -0.5": "1 / query.shape[-1]"},
)
mistake(
    "scaled-query",
    "The first result is already scaled. It should be the queries times the transposed w_key, not "
    "scaled.",
    {"return latent_query,": "return latent_query * scale,"},
)
mistake(
    "value-matrix-in-query",
    "The queries were multiplied by w_value. Keys are made with w_key.",
    {"query @ w_key": "query @ w_value"},
)
mistake(
    "key-matrix-in-output",
    "The mixed latents were multiplied by w_key. Values are made with w_value.",
    {"mixed @ w_value": "mixed @ w_key"},
)
mistake(
    "heads-exchanged",
    "The heads got each other's w_key: head h uses w_key[h].",
    {"w_key.swapaxes": "w_key[::-1].swapaxes"},
)
mistake(
    "first-head-for-all",
    "The first head's w_key was used for all heads.",
    {"w_key.swapaxes": "w_key[:1].swapaxes"},
)
mistake(
    "hard",
    "All weight went to the best latent. The softmax gives some to each latent.",
    {_ATTENDED: "latent[(latent_query @ latent.T).argmax(axis=-1)]"},
)
mistake(
    "uniform",
    "All latents got the same weight.",
    {"mixed = ": "mixed = 0 * latent_query + latent.mean(axis=0)\n    unused = "},
)
mistake(
    "wrong-axis",
    "The softmax was taken over the queries. The weights of each query should sum to 1.",
    {
        "mixed = ": "s = latent_query @ latent.T * scale\n"
        "    e = np.exp(s - s.max(axis=-2, keepdims=True))\n"
        "    mixed = e / e.sum(axis=-2, keepdims=True) @ latent\n    unused = "
    },
)
mistake(
    "other-order",
    "The three results are in the wrong order. Return queries, mixed latents, output.",
    {
        "return latent_query, mixed, mixed @ w_value": (
            "return mixed @ w_value, latent_query, mixed"
        )
    },
)
mistake(
    "overflow",
    "The results are not all finite: `np.exp` of a score above 709 is infinite, and infinity "
    "divided by infinity is NaN. Subtract the largest score of each query before it, as "
    "`attn.softmax` does.",
    {
        "mixed = ": "e = np.exp(latent_query @ latent.T * scale)\n"
        "    mixed = e / e.sum(axis=-1, keepdims=True) @ latent\n    unused = "
    },
)
mistake(
    "no-softmax",
    "The scores were used as weights, without a softmax.",
    {_ATTENDED: "latent_query @ latent.T * scale @ latent"},
)

ALSO_RIGHT = {
    "by einsum": """
        def attend_latents(query, latent, w_key, w_value):
            first = np.einsum("hqd,hcd->hqc", query, w_key)
            scores = np.einsum("hqc,kc->hqk", first, latent) / np.sqrt(query.shape[-1])
            e = np.exp(scores - scores.max(axis=-1, keepdims=True))
            mixed = np.einsum("hqk,kc->hqc", e / e.sum(axis=-1, keepdims=True), latent)
            return first, mixed, np.einsum("hqc,hcd->hqd", mixed, w_value)
    """,
    "head by head": """
        def attend_latents(query, latent, w_key, w_value):
            parts = []
            for q, wk, wv in zip(query, w_key, w_value):
                first = q @ wk.T
                mixed = scaled_dot_product_attention(first, latent, latent, scale=len(q.T) ** -0.5)
                parts.append((first, mixed, mixed @ wv))
            return tuple(np.stack(part) for part in zip(*parts))
    """,
}
