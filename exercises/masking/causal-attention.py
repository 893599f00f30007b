"""A decoder writes from left to right. When it works on token $i$ it may use token $i$ and what
came before, and nothing later: that is the **causal mask**.

Write `causal_attention`: scaled dot-product attention in which the future is hidden. The last
query belongs to the last key. So with as many queries as keys, query $i$ sees the keys
$0 \\dots i$; with 2 queries and 5 keys (a cache of 3 earlier tokens), the first query sees 4 keys
and the second all 5.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="causal-attention",
    chapter="masking",
    title="Hide the future",
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
    misconceptions={
        "leaks-future": "Changing a later token changed an earlier output, so the future leaks in. "
        "Which entries of the score matrix lie above the diagonal, and what are they before the "
        "softmax?",
        "blind": "A token changed and an output that should see it did not. The mask hides more "
        "than the future: a token sees itself and all that came before.",
        "blind-to-itself": "Query i does not see key i. A token may look at itself; only later "
        "keys are hidden.",
        "sees-only-future": "The mask is turned over: each query sees what comes after it and not "
        "what came before. Rows are queries, columns are keys.",
        "top-left": "With fewer queries than keys the diagonal starts in the top left corner, so "
        "even the last query misses the newest keys. The last query belongs to the last key.",
        "zero-score": "Hidden scores were set to 0, and softmax gives a score of 0 a share: e⁰ is "
        "1. Which score has an exponential of 0?",
        "not-renormalised": "The weights were cut after the softmax, so the rows no longer sum to "
        "1 and the output is too small. Hide before the softmax.",
        "unscaled": "The scores were not divided by √d_k.",
    },
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


def _example(seed, num_queries, num_keys):
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(num_queries, 3)),
        rng.normal(size=(num_keys, 3)),
        rng.normal(size=(num_keys, 2)),
    )


def _by_hand(query, key, value, *, visible, before=-np.inf, after=False, scale=None):
    """What the known mistakes compute."""
    scores = query @ key.T * (1 / query.shape[-1] ** 0.5 if scale is None else scale)
    if not after:
        scores = np.where(visible, scores, before)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (np.where(visible, weights, 0.0) if after else weights) @ value


@check(points=2)
def five_tokens(causal_attention):
    """Five tokens that look at each other and back"""
    query, key, value = _example(0, 5, 5)
    lower = np.tril(np.ones((5, 5), dtype=bool))
    everything = np.ones((5, 5), dtype=bool)
    seen = causal_attention(query, key, value)
    seen = expect_shape(seen, (5, 2), what="causal_attention(query, key, value)")
    with np.errstate(all="ignore"):
        mistakes = {
            "leaks-future": _by_hand(query, key, value, visible=everything),
            "sees-only-future": _by_hand(query, key, value, visible=lower.T),
            "zero-score": _by_hand(query, key, value, visible=lower, before=0.0),
            "not-renormalised": _by_hand(query, key, value, visible=lower, after=True),
            "unscaled": _by_hand(query, key, value, visible=lower, scale=1.0),
        }
        strict = _by_hand(query, key, value, visible=np.tril(lower, -1))
    if np.isnan(seen[0]).all() or np.allclose(seen[1:], strict[1:], atol=1e-8):
        expect(False, "The first query got no key at all.", "blind-to-itself")
    expect_close(
        seen,
        scaled_dot_product_attention(query, key, value, is_causal=True),
        what="causal_attention(query, key, value)",
        mistakes=mistakes,
    )


@check(points=1)
def no_leak_and_no_blindness(causal_attention):
    """Change token 3 of 7: outputs 0, 1, 2 stay, outputs 3 to 6 move"""
    query, key, value = _example(1, 7, 7)
    what = "causal_attention(query, key, value)"
    before = expect_shape(causal_attention(query, key, value), (7, 2), what=what)
    key[3] += 0.5
    value[3] -= 1.0
    after = expect_shape(causal_attention(query, key, value), (7, 2), what=what)
    moved = np.abs(after - before).max(axis=-1) > 1e-9
    early = [i for i in range(3) if moved[i]]
    expect(not early, f"Token 3 changed, and so did output {early[:1]}.", "leaks-future")
    still = [i for i in range(3, 7) if not moved[i]]
    expect(not still, f"Token 3 changed, but output {still[:1]} did not.", "blind")


@check(points=1)
def fewer_queries_than_keys(causal_attention):
    """Two queries, five keys: the last query sees all of them"""
    query, key, value = _example(2, 2, 5)
    expect_close(
        causal_attention(query, key, value),
        scaled_dot_product_attention(query, key, value, is_causal=True),
        what="causal_attention with 2 queries and 5 keys",
        mistakes={
            "top-left": _by_hand(query, key, value, visible=np.tril(np.ones((2, 5), dtype=bool)))
        },
    )


@check(points=1, hidden=True)
def other_sizes(causal_attention, rng):
    """Other seeds and sizes"""
    for num_queries, num_keys in ((1, 1), (1, 6), (4, 11)):
        query, key, value = (
            rng.normal(size=shape) for shape in ((num_queries, 5), (num_keys, 5), (num_keys, 7))
        )
        expect_close(
            causal_attention(query, key, value),
            scaled_dot_product_attention(query, key, value, is_causal=True),
            what=f"causal_attention with {num_queries} queries and {num_keys} keys",
        )


WRONG = {
    "no mask": wrong(
        replace={"np.where(visible, scores, -np.inf)": "scores"},
        rejected_by=["five_tokens", "no_leak_and_no_blindness"],
        misconception="leaks-future",
    ),
    "upper triangle": wrong(
        replace={"np.where(visible, scores, -np.inf)": "np.where(visible.T, scores, -np.inf)"},
        rejected_by=["five_tokens", "no_leak_and_no_blindness"],
        misconception="sees-only-future",
    ),
    "hides the diagonal too": wrong(
        replace={"k=num_keys - num_queries": "k=num_keys - num_queries - 1"},
        rejected_by=["five_tokens"],
        misconception="blind-to-itself",
    ),
    "one key too many": wrong(
        replace={"k=num_keys - num_queries": "k=num_keys - num_queries + 1"},
        rejected_by=["five_tokens", "no_leak_and_no_blindness"],
        misconception="leaks-future",
    ),
    "aligned top left": wrong(
        replace={", k=num_keys - num_queries": ""},
        rejected_by=["fewer_queries_than_keys"],
        misconception="top-left",
    ),
    "hidden scores are zero": wrong(
        replace={"np.where(visible, scores, -np.inf)": "np.where(visible, scores, 0.0)"},
        rejected_by=["five_tokens", "no_leak_and_no_blindness"],
        misconception="zero-score",
    ),
    "cut after the softmax": wrong(
        replace={
            "scores = np.where(visible, scores, -np.inf)": "pass",
            "return weights @ value": "return (weights * visible) @ value",
        },
        rejected_by=["five_tokens"],
        misconception="not-renormalised",
    ),
    "sees only itself": wrong(
        """
        def causal_attention(query, key, value):
            return value[len(key) - len(query):]
        """,
        rejected_by=["five_tokens", "no_leak_and_no_blindness"],
        misconception="blind",
    ),
    "forgets the scale": wrong(
        replace={" / query.shape[-1] ** 0.5": ""},
        rejected_by=["five_tokens"],
        misconception="unscaled",
    ),
}

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
