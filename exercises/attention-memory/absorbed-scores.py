"""A cache holds latents, `latent` of shape `(num_keys, d_latent)`, without positions. Head $h$ has
the matrices `w_key[h]` and `w_value[h]`, of shape `(d_latent, head_dim)`, and its keys and
values would be `latent @ w_key[h]` and `latent @ w_value[h]`. Attend without computing them.
`query` has shape `(heads, num_queries, head_dim)`. Return three arrays:

- the queries as the latents see them, `(heads, num_queries, d_latent)`: their dot products with
  the latents are those of the queries with the keys, not scaled;
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
    expect_parts,
    expect_shape,
)

exercise(
    title="Latent attention: absorb the projections",
    withhold=["attn.MultiHeadLatentAttention"],
    hints=[
        "$q \\cdot (c\\,W) = q\\,(c\\,W)^\\top$. Which two of the three factors can be multiplied "
        "before any latent is known?",
        "`query @ w_key.swapaxes(-1, -2)` has shape `(heads, num_queries, d_latent)`. It is what "
        "the latents are compared with, and the latents are what is mixed.",
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


MISTAKES = r"""
scaled-by-latent: `query.shape[-1]` → `latent.shape[-1]`
    The scores were divided by √d_latent. The score is still the dot product of a query and a key of
    width head_dim: its scale is √head_dim.
unscaled: `query.shape[-1] ** -0.5` → `1.0`
    The scores were not divided by √head_dim.
scaled-by-d: `** -0.5` → `** -1.0`
    The scores were divided by head_dim; the definition divides by its square root.
scaled-query: `return latent_query` → `return latent_query * scale`
    The first result is scaled already. It should be the queries times the transposed w_key, not
    scaled.
value-matrix-in-query: `query @ w_key` → `query @ w_value`
    The queries were multiplied by w_value. Keys are made by w_key.
key-matrix-in-output: `mixed @ w_value` → `mixed @ w_key`
    The mixed latents were multiplied by w_key. Values are made by w_value.
heads-exchanged: `w_key.swapaxes` → `w_key[::-1].swapaxes`
    The heads got each other's w_key: head h has w_key[h].
first-head-for-all: `w_key.swapaxes` → `w_key[:1].swapaxes`
    The first head's w_key was used for all heads.
hard: `scaled_dot_product_attention(latent_query, latent, latent, scale=scale)` →
  `latent[(latent_query @ latent.T).argmax(axis=-1)]`
    All weight went to the best latent. The softmax gives each latent some.
uniform: `scale=scale` → `scale=0.0`
    All latents got the same weight.
wrong-axis:
    ```
        mixed = scaled_dot_product_attention(latent_query, latent, latent, scale=scale)
    →
        scores = latent_query @ latent.T * scale
        weights = np.exp(scores - scores.max(axis=-2, keepdims=True))
        mixed = weights / weights.sum(axis=-2, keepdims=True) @ latent
    ```
    The softmax runs over the queries. The weights of each query sum to 1.
other-order: `latent_query, mixed, mixed @ w_value` → `mixed @ w_value, latent_query, mixed`
    The three results are in the wrong order. Return queries, mixed latents, output.
overflow:
    ```
        mixed = scaled_dot_product_attention(latent_query, latent, latent, scale=scale)
    →
        weights = np.exp(latent_query @ latent.T * scale)
        mixed = weights / weights.sum(axis=-1, keepdims=True) @ latent
    ```
    The results are not all finite: `np.exp` of a score above 709 is infinite, and infinity divided
    by infinity is NaN. Subtract the largest score of each query before it, as `attn.softmax` does.
no-softmax: `scaled_dot_product_attention(latent_query, latent, latent, scale=scale)` →
  `latent_query @ latent.T * scale @ latent`
    The scores were used as weights, without a softmax.
"""


_NAMES = ("the array of the latents' queries", "the array of mixed latents", "the output")


def _expect(function, *inputs):
    with np.errstate(all="ignore"):
        result = call_keeping_inputs(function, *inputs)
    result = expect_parts(result, 3, "attend_latents should return three arrays.")
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
    what = "the product of the latents' queries and the latents"
    right = query @ keys.swapaxes(-1, -2) / size
    expect_close(result[0] @ latent.T / size, right, what=what)
    for seen, part, name in zip(result[1:], (latent[None], values), _NAMES[1:], strict=True):
        expect_close(seen, scaled_dot_product_attention(query, keys, part), what=name)


def _draw(rng, heads, queries, keys, latents, head_dim):
    w_key, w_value = 0.5 * rng.normal(size=(2, heads, latents, head_dim))
    return (
        rng.normal(size=(heads, queries, head_dim)),
        rng.normal(size=(keys, latents)),
        w_key,
        w_value,
    )


@check(points=3, success_message="The same outputs, and no key or value was ever computed.")
def three_heads(attend_latents):
    """Three heads, two queries, seven latents of width 5, heads of width 11"""
    _expect(attend_latents, *_draw(np.random.default_rng(1), 3, 2, 7, 5, 11))


@check(points=1, success_message="It holds whichever is wider, the latent or a head.")
def wide_latents(attend_latents):
    """Two heads of width 3, latents of width 13; scores of about 1e4"""
    query, *rest = _draw(np.random.default_rng(2), 2, 5, 3, 13, 7)
    _expect(attend_latents, query, *rest)
    _expect(attend_latents, 3e3 * query, *rest)


@check(points=1, hidden=True)
def other_sizes(attend_latents, rng):
    """Other sizes"""
    _expect(attend_latents, *_draw(rng, 5, 3, 11, 2, 7))


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
