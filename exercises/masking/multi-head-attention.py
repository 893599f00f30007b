"""Put the pieces together. Three matrices compute queries, keys and values. Their columns are split
into heads: with `head_dim = w_query.shape[1] / num_heads`, the first `head_dim` columns belong to
head 0, the next ones to head 1, and so on. Each head computes scaled dot-product attention on its
own. The outputs of the heads are concatenated, and a fourth matrix mixes them.

Write `multi_head_attention`. Queries come from `x`, keys and values from `y`, which may have
another length. `head_dim` need not be `d_model / num_heads`. In `mask`, True means *may attend*;
each sentence has its own mask, which all its heads share. The layer has no biases. Leave the
arguments as they are. Scores may be large, also those of hidden keys.
"""

import numpy as np

from attn import MultiHeadAttention
from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, expect_shape

exercise(
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
        "What is the shape of `x @ w_query`, and what must it be before each head can compute "
        "scores on its own?",
        "Split the last axis into `(num_heads, head_dim)` and move the heads in front of the "
        "tokens: `(batch, num_heads, tokens, head_dim)`. Then one `@` gives the scores of all "
        "heads.",
        "Scores have shape `(batch, num_heads, num_queries, num_keys)`. A mask of shape `(batch, "
        "num_queries, num_keys)` needs an axis for the heads: `mask[:, None]`. "
        "Where it is False, the score becomes `-np.inf`, before the softmax.",
    ],
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


MISTAKES = r"""
rows-of-y: `x @ w_query` → `y @ w_query`,
  `(batch, num_queries, -1)` → `(batch, -1, num_heads * head_dim)`
    The output has one row for each token of y. Queries come from x, so there is one row for each
    token of x.
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    With large scores the result is NaN: an exponential is infinite, or all those of a row are 0.
    Subtract the largest score of its own row from each score first.
hidden-too-late: `np.where(mask[:, None], scores, -np.inf)` → `scores`,
  `keepdims=True))` → `keepdims=True)) * (1 if mask is None else mask[:, None])`
    The score of a hidden key was used before it was hidden, so a huge one spoils the row. Hide the
    scores first, then take the maximum and the exponentials.
head-dim-scale: `head_dim**0.5` → `x.shape[-1] ** 0.5`
unscaled: ` / head_dim**0.5` → ``
no-output-projection: `merged @ w_output` → `merged`
mask-inverted: `scores, -np.inf` → `-np.inf, scores`
mask-added: `np.where(mask[:, None], scores, -np.inf)` → `scores + mask[:, None]`
mask-after-softmax: `np.where(mask[:, None], scores, -np.inf)` → `scores`,
  `weights @ value` → `weights * (1 if mask is None else mask[:, None]) @ value`
no-mask: `np.where(mask[:, None], scores, -np.inf)` → `scores`
mask-on-heads: `mask[:, None]` → `mask`
    The mask of sentence b was applied to head b: its first axis met the heads. Give it an axis for
    the heads, (batch, 1, num_queries, num_keys).
first-mask-for-all: `mask[:, None]` → `mask[:1, None]`
reshape-without-swap: `-1, num_heads, head_dim).swapaxes(1, 2)` → `num_heads, -1, head_dim)`
one-head: `head_dim = w_query.shape[1] // num_heads` → `num_heads, head_dim = 1, w_query.shape[1]`
heads-averaged: `weights @ value` →
  `(weights @ value).mean(axis=1, keepdims=True).repeat(num_heads, axis=1)`
keys-and-values-from-x: `heads(y @` → `heads(x @`
    Keys and values were made from x. Both come from y.
values-from-x: `y @ w_value` → `x @ w_value`
    The values were made from x. Keys and values both come from y.
values-not-projected: `y @ w_value` → `y`
x-and-y-exchanged: (also rows-of-y) `batch, num_queries, _ =` →
  `x, y = y, x; batch, num_queries, _ =`
    x and y have exchanged their roles: queries come from x, keys and values from y.
merge-without-swap: `(weights @ value).swapaxes(1, 2)` → `(weights @ value)`
reshaped-twice: `-1, num_heads, head_dim).swapaxes(1, 2)` → `num_heads, -1, head_dim)`,
  `(weights @ value).swapaxes(1, 2)` → `(weights @ value)`
scaled-by-nominal-width: `head_dim**0.5` → `(x.shape[-1] // num_heads) ** 0.5`
    The scores were divided by √(d_model // num_heads). That is the width of a head only where the
    heads fill d_model exactly; here it is the number of columns of w_query divided by num_heads.
scaled-by-nominal-fraction: `head_dim**0.5` → `(x.shape[-1] / num_heads) ** 0.5`
wrong-axis: `axis=-1` → `axis=-2`
merge-interleaved: `(weights @ value).swapaxes(1, 2)` → `(weights @ value).transpose(0, 2, 3, 1)`
interleaved-twice: `num_heads, head_dim).swapaxes(1, 2)` →
  `head_dim, num_heads).transpose(0, 3, 1, 2)`,
  `(weights @ value).swapaxes(1, 2)` → `(weights @ value).transpose(0, 2, 3, 1)`
scaled-by-num-heads: `head_dim**0.5` → `num_heads**0.5`
output-matrix-transposed: `merged @ w_output` → `merged @ w_output.T`
scaled-by-d: `head_dim**0.5` → `head_dim`
multiplied-by-root: `/ head_dim**0.5` → `* head_dim**0.5`
scaled-by-num-keys: (also scaled-by-num-tokens) `head_dim**0.5` → `y.shape[1] ** 0.5`
scaled-by-num-queries: (also scaled-by-num-tokens) `head_dim**0.5` → `num_queries**0.5`
scaled-by-all-heads: (also head-dim-scale) `head_dim**0.5` → `w_query.shape[1] ** 0.5`
scaled-after-softmax: ` / head_dim**0.5` → ``, `weights @` → `weights / head_dim**0.5 @`
cosine: ` / head_dim**0.5` →
  ` / np.linalg.norm(query, axis=-1)[..., None] / np.linalg.norm(key, axis=-1)[:, :, None]`
no-softmax: `-np.inf` → `0.0`, `weights @` → `scores @`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / weights.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / weights.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `merged =` →
  `weights = np.exp(weights); weights /= weights.sum(axis=-1, keepdims=True); merged =`
sum-normalised: `-np.inf` → `0.0`, `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `scores`
base-two: `np.exp(` → `np.exp2(`
hard: `weights @` → `(scores == scores.max(axis=-1, keepdims=True)) @`
uniform: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `np.isfinite(scores) * 1.0`
one-softmax-for-all: `axis=-1` → `axis=(-2, -1)`
softmax-over-heads: `axis=-1` → `axis=1`
mask-as-zero: `-np.inf` → `0.0`
keys-as-values: `@ value` → `@ key`
queries-as-values: `@ value` → `@ query`
weights-transposed: `weights @` → `weights.swapaxes(-1, -2) @`
values-in-other-order: `@ value` → `@ value[:, :, ::-1]`
residual: `weights @ value` → `weights @ value + query`
heads-in-other-order: `weights @ value)` → `weights @ value)[:, ::-1]`
heads-summed: `weights @ value` →
  `(weights @ value).sum(axis=1, keepdims=True).repeat(num_heads, axis=1)`
heads-interleaved: `num_heads, head_dim).swapaxes(1, 2)` →
  `head_dim, num_heads).transpose(0, 3, 1, 2)`
keys-from-x: `y @ w_key` → `x @ w_key`
    The keys were made from x. Keys and values both come from y.
query-and-key-projections-exchanged: `x @ w_query` → `x @ w_key`, `y @ w_key` → `y @ w_query`
key-and-value-projections-exchanged: `heads(y @ w_key), heads(y @ w_value)` →
  `heads(y @ w_value), heads(y @ w_key)`
transposed-projections: `@ w_query)` → `@ w_query.T)`, `@ w_key)` → `@ w_key.T)`,
  `@ w_value)` → `@ w_value.T)`
scaled-by-num-tokens:
"""


def _case(seed, batch, num_queries, num_keys, *, d_model, num_heads, head_dim, masked=False):
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


def _compare(multi_head_attention, layer, x, y, mask):
    weights = layer.parameters()
    names = ("w_query", "w_key", "w_value", "w_output")
    call = (x, y, *(weights[name] for name in names), layer.num_heads)
    what = "multi_head_attention(…)" if mask is None else "multi_head_attention(…, mask)"
    arguments = call if mask is None else (*call, mask)
    seen = expect_shape(call_keeping_inputs(multi_head_attention, *arguments), x.shape, what=what)
    expect_close(seen, layer(x, y, mask=mask), atol=1e-5, what=what)


@check(points=1)
def right_values(multi_head_attention):
    """Width 19, 3 heads of 7, 5 queries, 13 keys: the heads need not divide the width"""
    case = _case(1, 2, 5, 13, d_model=19, num_heads=3, head_dim=7)
    _compare(multi_head_attention, *case)


@check(points=2)
def as_many_queries_as_keys(multi_head_attention):
    """Keys and values come from y, also where x has as many tokens"""
    case = _case(2, 3, 7, 7, d_model=10, num_heads=2, head_dim=5)
    _compare(multi_head_attention, *case)


@check(points=1)
def mask_is_shared_by_heads(multi_head_attention):
    """2 sentences, 2 heads: each sentence has its own mask, whatever the head"""
    case = _case(3, 2, 5, 7, d_model=17, num_heads=2, head_dim=3, masked=True)
    _compare(multi_head_attention, *case)


def _with_huge_score(hidden):
    """Two sentences; token 3 of y has scores of thousands, and is hidden or not."""
    layer, x, y, _ = _case(4, 2, 5, 7, d_model=13, num_heads=3, head_dim=2)
    y[:, 3] *= 3e3
    mask = np.ones((2, 5, 7), dtype=bool)
    mask[..., 3] = not hidden
    return layer, x, y, mask


def _finite(multi_head_attention, misconception, hidden):
    layer, x, y, mask = _with_huge_score(hidden)
    weights = layer.parameters()
    names = ("w_query", "w_key", "w_value", "w_output")
    call = (*(weights[name] for name in names), layer.num_heads, mask)
    with np.errstate(all="ignore"):
        seen = expect_shape(
            multi_head_attention(x, y, *call), x.shape, what="multi_head_attention(…)"
        )
        calm = multi_head_attention(x, np.where(np.abs(y) > 1e2, 0.0, y), *call)
    which = "hidden" if hidden else "visible"
    if not np.isfinite(seen).all() and np.isfinite(np.asarray(calm, float)).all():
        expect(False, f"A {which} key with huge scores: the output holds NaN.", misconception)
    expect_close(
        seen,
        layer(x, y, mask=mask),
        atol=1e-5 * max(1.0, float(np.abs(y).max())),
        what=f"the output with huge scores of a {which} key",
    )


@check(points=1)
def large_scores(multi_head_attention):
    """Scores of thousands, of a key that may be attended to"""
    _finite(multi_head_attention, "overflow", hidden=False)


@check(points=1, hidden=True)
def large_hidden_scores(multi_head_attention):
    """Scores of thousands, of a key that is hidden"""
    _finite(multi_head_attention, "hidden-too-late", hidden=True)


@check(points=1, hidden=True)
def other_sizes(multi_head_attention, rng):
    """Other weights and sizes, a mask for every pair"""
    case = _case(
        int(rng.integers(1 << 30)), 3, 7, 11, d_model=13, num_heads=5, head_dim=3, masked=True
    )
    _compare(multi_head_attention, *case)


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
