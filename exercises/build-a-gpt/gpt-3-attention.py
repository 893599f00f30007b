"""Multi-head self-attention, with your `softmax` and your `causal_mask`. For the tokens `x` of one
text, shape `(tokens, d_model)`:

1. queries, keys and values are `x @ weights["w_query"] + weights["b_query"]`, and so on with
   `"key"` and `"value"`: three arrays `(tokens, num_heads * head_dim)`;
2. head 0 has the first `head_dim` columns of each, head 1 the next, and so on;
3. in each head, scores are divided by $\\sqrt{\\text{head\\_dim}}$ and those of later tokens are
   hidden; the softmax makes them weights, with which the head's values are summed;
4. the heads' outputs, side by side, times `weights["w_output"]` plus `weights["b_output"]`.

Write `attend(x, weights, num_heads)`, which returns `(tokens, d_model)`.
"""

import numpy as np

from attnlab.gpt import attend as library_attend
from coursekit import call_keeping_inputs, check, exercise, expect, expect_same, expect_shape

exercise(
    title="Step 3: attention with several heads",
    version=2,
    uses=["gpt-1-softmax", "gpt-2-causal-mask"],
    withhold=["attnlab.gpt.attend", "attn.MultiHeadAttention"],
    stand_in="attnlab.gpt",
    hints=[
        "What shape do the queries have once the heads are apart, so that `@` works on each head "
        "by itself?",
        "`reshape(tokens, num_heads, head_dim)`, then exchange the first two axes: "
        "`(num_heads, tokens, head_dim)`. The mask `(tokens, tokens)` broadcasts over the heads.",
        "`weights_of_heads = softmax(np.where(causal_mask(tokens), scores, -np.inf))`; afterwards "
        "`(weights_of_heads @ value).swapaxes(0, 1).reshape(tokens, -1)` puts the heads side by "
        "side.",
    ],
)


def attend(x, weights, num_heads):
    """Return the causal attention of all heads, (tokens, d_model)."""
    # BEGIN SOLUTION
    tokens = len(x)
    parts = []
    for name in ("query", "key", "value"):
        part = x @ weights[f"w_{name}"] + weights[f"b_{name}"]
        parts.append(part.reshape(tokens, num_heads, -1).swapaxes(0, 1))
    query, key, value = parts  # each (num_heads, tokens, head_dim)
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    shares = softmax(np.where(causal_mask(tokens), scores, -np.inf))
    heads = (shares @ value).swapaxes(0, 1).reshape(tokens, -1)
    return heads @ weights["w_output"] + weights["b_output"]
    # END SOLUTION


MISTAKES = r"""
no-biases: ` + weights[f"b_{name}"]` → ``, ` + weights["b_output"]` → ``
    The biases are missing: each of the four products has a bias added to it.
no-output-bias: ` + weights["b_output"]` → ``
    The last bias, `b_output`, is missing.
query-and-key-projections-exchanged: `query, key, value = parts` → `key, query, value = parts`
    Queries and keys changed their roles: each key was compared with the queries of the tokens
    before it. The rows of the scores are queries.
added-to-x: `return ` → `return x + `
    The tokens themselves were added to the result. Return only what attention computes; the block
    adds it.
future-leaks: `.swapaxes(0, 1).reshape(tokens, -1)` → `.T.reshape(tokens, -1)`
    A later token reached an earlier output: past the mask, which makes the scores of later tokens
    -inf before the softmax, or through a `reshape` that mixes tokens.
no-mask: (also future-leaks) `np.where(causal_mask(tokens), scores, -np.inf)` → `scores`
mask-after-softmax: (also future-leaks) `softmax(np.where(causal_mask(tokens), scores, -np.inf))` →
  `softmax(scores) * causal_mask(tokens)`
unscaled: ` / np.sqrt(query.shape[-1])` → ``
scaled-by-all-heads: `np.sqrt(query.shape[-1])` → `np.sqrt(num_heads * query.shape[-1])`
merge-without-swap: (also future-leaks) `(shares @ value).swapaxes(0, 1)` → `(shares @ value)`
reshape-without-swap: (also future-leaks) `part.reshape(tokens, num_heads, -1).swapaxes(0, 1)` →
  `part.reshape(num_heads, tokens, -1)`
mask-inverted: (also future-leaks) `np.where(causal_mask(tokens), scores, -np.inf)` →
  `np.where(causal_mask(tokens), -np.inf, scores)`
scaled-by-d: `np.sqrt(query.shape[-1])` → `query.shape[-1]`
multiplied-by-root: `/ np.sqrt` → `* np.sqrt`
scaled-by-num-tokens: `np.sqrt(query.shape[-1])` → `np.sqrt(tokens)`
head-dim-scale: `np.sqrt(query.shape[-1])` → `np.sqrt(x.shape[-1])`
scaled-by-num-heads: `np.sqrt(query.shape[-1])` → `np.sqrt(num_heads)`
scaled-by-nominal-fraction: `np.sqrt(query.shape[-1])` → `np.sqrt(x.shape[-1] / num_heads)`
scaled-after-softmax: ` / np.sqrt(query.shape[-1])` → ``,
  `shares @` → `shares / np.sqrt(query.shape[-1]) @`
cosine: ` / np.sqrt(query.shape[-1])` →
  ` / np.linalg.norm(query, axis=-1)[..., None] / np.linalg.norm(key, axis=-1)[:, None]`
no-softmax: `softmax(np.where(causal_mask(tokens), scores, -np.inf))` →
  `np.where(causal_mask(tokens), scores, 0.0)`
not-normalised: `softmax(` → `np.exp(`
not-normalised-shifted: `softmax(` → `(lambda s: np.exp(s - s.max(axis=-1, keepdims=True)))(`
one-more-in-the-sum: `shares @` → `shares / (1 + shares.max(axis=-1, keepdims=True)) @`
softmax-twice: (also future-leaks) `shares @` → `softmax(shares) @`
sum-normalised: `-np.inf` → `0.0`, `softmax(` → `(lambda s: s / s.sum(axis=-1, keepdims=True))(`
base-two: `softmax(` → `(lambda s: softmax(np.log(2) * s))(`
hard: `shares @` → `(shares == shares.max(axis=-1, keepdims=True)) @`
uniform: `scores = query` → `scores = 0 * query`
wrong-axis: (also future-leaks) `softmax(` →
  `(lambda s: softmax(s.swapaxes(-1, -2)).swapaxes(-1, -2))(`
one-softmax-for-all: (also future-leaks) `softmax(` →
  `(lambda s: softmax(s.reshape(num_heads, -1)).reshape(s.shape))(`
softmax-over-heads: `softmax(` → `(lambda s: softmax(s.T).T)(`
mask-as-zero: (also future-leaks) `-np.inf` → `0.0`
mask-added: (also future-leaks) `np.where(causal_mask(tokens), scores, -np.inf)` →
  `scores + causal_mask(tokens)`
one-key-too-few: `causal_mask(tokens)` → `np.tri(tokens, k=-1, dtype=bool)`
one-key-too-many: (also future-leaks) `causal_mask(tokens)` → `np.tri(tokens, k=1, dtype=bool)`
sees-only-future: (also future-leaks) `causal_mask(tokens)` → `causal_mask(tokens).T`
keys-as-values: `@ value` → `@ key`
queries-as-values: `@ value` → `@ query`
weights-transposed: (also future-leaks) `shares @` → `shares.swapaxes(-1, -2) @`
values-in-other-order: (also future-leaks) `@ value` → `@ value[:, ::-1]`
residual: `shares @ value` → `shares @ value + query`
heads-interleaved: `num_heads, -1).swapaxes(0, 1)` → `-1, num_heads).transpose(2, 0, 1)`
merge-interleaved: `value).swapaxes(0, 1)` → `value).transpose(1, 2, 0)`
interleaved-twice: `num_heads, -1).swapaxes(0, 1)` → `-1, num_heads).transpose(2, 0, 1)`,
  `value).swapaxes(0, 1)` → `value).transpose(1, 2, 0)`
reshaped-twice: `tokens, num_heads, -1).swapaxes(0, 1)` → `num_heads, tokens, -1)`,
  `value).swapaxes(0, 1)` → `value)`
heads-in-other-order: `shares @ value)` → `shares @ value)[::-1]`
heads-averaged: `shares @ value)` → `shares @ value).mean(axis=0)[None].repeat(num_heads, axis=0)`
heads-summed: `shares @ value)` → `shares @ value).sum(axis=0)[None].repeat(num_heads, axis=0)`
one-head: `tokens = len(x)` → `tokens, num_heads = len(x), 1`
no-output-projection: `return heads @ weights["w_output"] + weights["b_output"]` → `return heads`
key-and-value-projections-exchanged: `query, key, value = parts` → `query, value, key = parts`
"""


def _weights(rng, d_model, width, has_biases=True):
    sizes = {"query": (d_model, width), "key": (d_model, width), "value": (d_model, width)}
    sizes["output"] = (width, d_model)
    made = {}
    for name, (rows, columns) in sizes.items():
        made[f"w_{name}"] = rng.normal(size=(rows, columns)) / np.sqrt(rows)
        made[f"b_{name}"] = rng.normal(size=columns) * has_biases
    return made


@check(points=2)
def two_heads(attend):
    """Seven tokens, two heads of width 5; all biases are 0"""
    rng = np.random.default_rng(3)
    x, weights = rng.normal(size=(7, 11)), _weights(rng, 11, 10, has_biases=False)
    expect_same(attend, library_attend, x, weights, 2, what="attend(x, weights, 2)")


@check(points=1)
def with_biases(attend):
    """Five tokens, three heads of width 2, with biases"""
    rng = np.random.default_rng(5)
    x, weights = rng.normal(size=(5, 13)), _weights(rng, 13, 6)
    expect_same(attend, library_attend, x, weights, 3, what="attend(x, weights, 3)")


@check(points=1)
def no_future(attend):
    """A change of token 4 changes the output from token 4 on, and other weights change it all"""
    rng = np.random.default_rng(7)
    x, weights = rng.normal(size=(7, 11)), _weights(rng, 11, 10)
    changed = x.copy()
    changed[4] += 1.0
    given = (x, weights), (changed, weights), (x, _weights(rng, 11, 10))
    seen = (call_keeping_inputs(attend, *each, 2) for each in given)
    before, after, other = (expect_shape(each, (7, 11), what="attend(…)") for each in seen)
    expect((other != before).any(axis=1).all(), "With other weights an output is the same.")
    moved = (np.abs(after - before).max(axis=1) > 1e-9).tolist()
    message = f"Token 4 changed; outputs that changed: {[i for i, m in enumerate(moved) if m]}"
    expect(not any(moved[:4]), f"{message}; expected none before 4.", "future-leaks")
    expect(all(moved[4:]), f"{message}; expected 4, 5 and 6.")


@check(points=1, hidden=True)
def other_sizes(attend, rng):
    """Other sizes and weights"""
    for tokens, d_model, num_heads, head_dim in ((1, 7, 1, 3), (11, 17, 5, 3), (13, 6, 3, 2)):
        x = rng.normal(size=(tokens, d_model))
        weights = _weights(rng, d_model, num_heads * head_dim)
        what = f"attend(x, weights, {num_heads})"
        expect_same(attend, library_attend, x, weights, num_heads, what=what)


ALSO_RIGHT = {
    "a loop over heads": """
        def attend(x, weights, num_heads):
            q, k, v = (x @ weights[f"w_{n}"] + weights[f"b_{n}"] for n in ("query", "key", "value"))
            width = q.shape[1] // num_heads
            outputs = []
            for head in range(num_heads):
                own = slice(head * width, (head + 1) * width)
                scores = q[:, own] @ k[:, own].T * width**-0.5
                scores[~np.array(causal_mask(len(x)))] = -np.inf
                outputs.append(softmax(scores) @ v[:, own])
            return np.hstack(outputs) @ weights["w_output"] + weights["b_output"]
    """,
    "einsum": """
        def attend(x, weights, num_heads):
            def heads_of(name):
                part = x @ weights[f"w_{name}"] + weights[f"b_{name}"]
                return part.reshape(len(x), num_heads, -1)
            q, k, v = heads_of("query"), heads_of("key"), heads_of("value")
            scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(q.shape[-1])
            scores = scores + np.where(causal_mask(len(x)), 0, -np.inf)
            merged = np.einsum("hij,jhd->ihd", softmax(scores), v).reshape(len(x), -1)
            return merged @ weights["w_output"] + weights["b_output"]
    """,
}
