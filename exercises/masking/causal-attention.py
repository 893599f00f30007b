"""A decoder writes from left to right. When it works on token $i$ it may use token $i$ and what
came before, but nothing later: that is the **causal mask**.

Write `causal_attention`: scaled dot-product attention in which the future is hidden. The last
query belongs to the last key. So with as many queries as keys, query $i$ attends to the keys
$0 \\dots i$; with 2 queries and 5 keys, the first query attends to 4 keys and the second to all 5.
There are never more queries than keys. Scores may be huge: the output stays finite, and a hidden
key does not count at all. Leave the arguments as they are.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, expect_shape

exercise(
    title="Hide the future",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
        "attn.causal_mask",
    ],
    hints=[
        "Number the queries and the keys. For which pairs $(i, j)$ is key $j$ in the future of "
        "query $i$ when there are as many queries as keys? And when there are 3 keys more?",
        "`np.tril(np.ones((num_queries, num_keys), dtype=bool), k=…)` is True on and below a "
        "diagonal; `k` moves that diagonal to the right.",
        "With `k = num_keys - num_queries` the last row is True everywhere. Put `-np.inf` where "
        "the mask is False, *before* the softmax: `np.where(mask, scores, -np.inf)`.",
    ],
)


def causal_attention(query, key, value):
    """Return attention that sees no later key, shape (num_queries, d_v).

    query: (num_queries, d_k)
    key: (num_keys, d_k)   value: (num_keys, d_v)
    """
    # BEGIN SOLUTION
    num_queries, num_keys = len(query), len(key)
    scores = query @ key.T / query.shape[-1] ** 0.5  # (num_queries, num_keys)
    visible = np.tril(np.ones((num_queries, num_keys), dtype=bool), k=num_keys - num_queries)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value
    # END SOLUTION


MISTAKES = r"""
leaks-future: `-np.inf` → `-10.0`
    Changing a later token changed an earlier output, so a later key has some influence. Which
    scores lie above the diagonal, and what are their exponentials?
blind: `def causal_attention(query, key, value): return value[len(key) - len(query):]`
    A token changed, and an output that may use it did not. A token attends to itself and to all
    that came before.
hidden-too-late: `np.where(visible, scores, -np.inf)` → `scores`,
  `keepdims=True))` → `keepdims=True)) * visible`
    The score of a hidden key was used before it was hidden, so a huge one spoils the row. Hide the
    scores first, then take the maximum and the exponentials.
overflow: (also hidden-too-late) ` - scores.max(axis=-1, keepdims=True)` → ``
    With a huge score in sight the output is NaN: an exponential is infinite, or all those of a row
    are 0. Subtract from each row the largest score that it may see.
shifted-wrong-way: `k=num_keys - num_queries` → `k=num_queries - num_keys`
    The diagonal is shifted the wrong way: with 2 keys more than queries, the first query attends to
    3 keys, so k = num_keys - num_queries.
no-mask: (also leaks-future) `np.where(visible, scores, -np.inf)` → `scores`
sees-only-future: (also leaks-future) `np.where(visible,` → `np.where(visible.T,`
one-key-too-few: (also blind) `k=num_keys - num_queries` → `k=num_keys - num_queries - 1`
one-key-too-many: (also leaks-future) `k=num_keys - num_queries` → `k=num_keys - num_queries + 1`
top-left: `, k=num_keys - num_queries` → ``
mask-as-zero: (also leaks-future) `-np.inf` → `0.0`
mask-after-softmax: (also leaks-future, hidden-too-late) `np.where(visible, scores, -np.inf)` →
  `scores`, `return weights` → `return weights * visible`
wrong-axis: `axis=-1` → `axis=0`
unscaled: ` / query.shape[-1] ** 0.5` → ``
scaled-by-d: ` ** 0.5` → ``
multiplied-by-root: (also blind) `/ query` → `* query`
scaled-by-value-width: `query.shape[-1]` → `value.shape[-1]`
scaled-by-num-keys: (also scaled-by-num-tokens) `query.shape[-1]` → `num_keys`
scaled-by-num-queries: (also scaled-by-num-tokens) `query.shape[-1]` → `num_queries`
cosine: ` / query.shape[-1] ** 0.5` →
  ` / np.outer(*(np.linalg.norm(rows, axis=-1) for rows in (query, key)))`
scaled-after-softmax: ` / query.shape[-1] ** 0.5` → ``,
  `return weights` → `return weights / query.shape[-1] ** 0.5`
no-softmax: `return weights` → `return np.where(visible, scores, 0.0)`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / weights.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / weights.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: (also leaks-future) `return weights` →
  `weights = np.exp(weights); return weights / weights.sum(axis=-1, keepdims=True)`
sum-normalised: `np.exp(scores - scores.max(axis=-1, keepdims=True))` →
  `np.where(visible, scores, 0.0)`
base-two: `np.exp(` → `np.exp2(`
hard: (also blind) `return weights` → `return (scores == scores.max(axis=-1, keepdims=True))`
uniform: (also blind) `return weights` → `return visible / visible.sum(axis=-1, keepdims=True)`
one-softmax-for-all: (also leaks-future) `axis=-1` → `axis=None`
mask-inverted: (also leaks-future) `scores, -np.inf` → `-np.inf, scores`
mask-added: (also leaks-future) `np.where(visible, scores, -np.inf)` → `scores + visible`
returns-weights: ` @ value` → ``
returns-scores: `scores = np.where(visible, scores, -np.inf)` → `return scores`
keys-as-values: `@ value` → `@ key`
queries-as-values: `@ value` → `@ query`
weights-transposed: (also leaks-future) `weights @` → `weights.T @`
values-in-other-order: `@ value` → `@ value[::-1]`
scaled-by-num-tokens:
"""


def _example(seed, num_queries, num_keys):
    rng = np.random.default_rng(seed)
    sizes = (num_queries, 11), (num_keys, 11), (num_keys, 3)
    return [rng.normal(size=size) for size in sizes]


def _call(causal_attention, query, key, value):
    return expect_shape(
        call_keeping_inputs(causal_attention, query, key, value),
        (len(query), value.shape[1]),
        what=f"causal_attention with {len(query)} queries and {len(key)} keys",
    )


def _compare(causal_attention, query, key, value):
    expect_close(
        call_keeping_inputs(causal_attention, query, key, value),
        scaled_dot_product_attention(query, key, value, is_causal=True),
        what=f"causal_attention with {len(query)} queries and {len(key)} keys",
    )


@check(points=2)
def seven_tokens(causal_attention):
    """Seven tokens attend to each other and back"""
    _compare(causal_attention, *_example(0, 7, 7))


@check(points=1)
def no_leak_and_no_blindness(causal_attention):
    """Change token 3 of 7: outputs 0, 1, 2 stay, 3 to 6 change. Other queries: 1 to 6 change"""
    query, key, value = _example(1, 7, 7)
    before = _call(causal_attention, query, key, value)
    key[3] += 0.5
    value[3] -= 1.0
    after = _call(causal_attention, query, key, value)
    moved = np.abs(after - before).max(axis=-1) > 1e-9
    early = [i for i in range(3) if moved[i]]
    expect(not early, f"Token 3 changed, and so did output {early[:1]}.", "leaks-future")
    still = [i for i in range(3, 7) if not moved[i]]
    expect(not still, f"Token 3 changed, but output {still[:1]} did not.", "blind")
    other = _call(causal_attention, -query, key, value)
    message = "With other queries an output after the first is the same."
    expect((other != after).any(axis=-1)[1:].all(), message)


@check(points=1)
def fewer_queries_than_keys(causal_attention):
    """Five queries, seven keys: the last query attends to all of them"""
    _compare(causal_attention, *_example(2, 5, 7))


@check(points=1)
def huge_hidden_score(causal_attention):
    """The last of seven tokens has huge scores, which only its own query may see"""
    query, key, value = _example(3, 7, 7)
    calm = _call(causal_attention, query, key, value)[:6]
    key[6] *= 1e5
    right = scaled_dot_product_attention(query, key, value, is_causal=True)[:6]
    with np.errstate(all="ignore"):
        seen = _call(causal_attention, query, key, value)[:6]
    if np.isfinite(calm).all() and not np.isfinite(seen).all():
        message = "Token 6 has huge scores, and earlier outputs are NaN."
        expect(False, message, "hidden-too-late")
    expect_close(seen, right, what="the array of outputs 0 to 5")


@check(points=1)
def huge_visible_score(causal_attention):
    """Token 2 of seven has huge scores, which the queries 2 to 6 may see"""
    query, key, value = _example(4, 7, 7)
    calm = _call(causal_attention, query, key, value)[2:]
    key[2] *= 1e5
    with np.errstate(all="ignore"):
        seen = _call(causal_attention, query, key, value)[2:]
    if np.isfinite(calm).all() and not np.isfinite(seen).all():
        expect(False, "Token 2 has huge scores, and the outputs 2 to 6 hold NaN.", "overflow")
    right = scaled_dot_product_attention(query, key, value, is_causal=True)[2:]
    expect_close(seen, right, what="the array of outputs 2 to 6, with huge scores of token 2,")


@check(points=1, hidden=True)
def other_sizes(causal_attention, rng):
    """Other seeds and sizes"""
    for num_queries, num_keys in ((3, 13), (1, 7), (1, 1)):
        sizes = (num_queries, 5), (num_keys, 5), (num_keys, 17)
        _compare(causal_attention, *(rng.normal(size=size) for size in sizes))


ALSO_RIGHT = {
    "a loop over prefixes": """
        def causal_attention(query, key, value):
            offset = len(key) - len(query)
            rows = []
            for i, q in enumerate(query):
                stop = offset + i + 1
                scores = key[:stop] @ q / np.sqrt(len(q))
                weights = np.exp(scores - scores.max())
                rows.append(weights @ value[:stop] / weights.sum())
            return np.array(rows)
    """,
    "index comparison and an added mask": """
        def causal_attention(query, key, value):
            rows = np.arange(len(query))[:, None] + len(key) - len(query)
            added = np.where(np.arange(len(key)) <= rows, 0.0, -1e30)
            scores = np.einsum("qd,kd->qk", query, key) / len(query[0]) ** 0.5 + added
            weights = np.exp(scores - scores.max(1, keepdims=True))
            return weights / weights.sum(1, keepdims=True) @ value
    """,
}
