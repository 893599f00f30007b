"""A decoder writes from left to right. When it processes token $i$, it may use token $i$ and
earlier tokens but no later ones. The **causal mask** ensures this.

Write `causal_attention`: scaled dot-product attention in which later keys are hidden. The last
query and the last key belong to the same token. So with as many queries as keys, query $i$ attends
to keys $0 \\dots i$; with 2 queries and 5 keys, the first query attends to 4 keys and the second to
all 5. There are never more queries than keys. Scores may be huge: the output must stay finite, and
a hidden key must have no effect. Leave the arguments unchanged.
"""

import numpy as np

from attn import scaled_dot_product_attention
from attnlab import mistakes
from coursekit import (
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
    id="causal-attention",
    chapter="masking",
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
        "query $i$ when there are as many queries as keys? And when there are 3 more keys than "
        "queries?",
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


def _example(draw, num_queries, num_keys, d_k=11, d_v=3):
    sizes = (num_queries, d_k), (num_keys, d_k), (num_keys, d_v)
    rng = np.random.default_rng(draw)
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
        scaled_dot_product_attention(query, key, value, causal=True),
        what=f"causal_attention with {len(query)} queries and {len(key)} keys",
    )


@check(points=2)
def seven_tokens(causal_attention):
    """Seven tokens attend to each other and back"""
    _compare(causal_attention, *_example(0, 7, 7))


@check(points=1)
def no_leak_and_no_blindness(causal_attention):
    """Change token 3 of 7: outputs 0 to 2 stay the same, 3 to 6 change. Other queries: 1 to 6
    change"""
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
    message = "With other queries, an output after the first stays the same."
    expect((other != after).any(axis=-1)[1:].all(), message)


@check(points=1)
def fewer_queries_than_keys(causal_attention):
    """Five queries, seven keys: the last query attends to all of them"""
    _compare(causal_attention, *_example(2, 5, 7))


def _with_huge_scores(causal_attention, draw, token, rows, message, misconception):
    query, key, value = _example(draw, 7, 7)
    calm = _call(causal_attention, query, key, value)[rows]
    key[token] *= 1e5
    seen = _call(causal_attention, query, key, value)[rows]
    if np.isfinite(calm).all():
        expect(np.isfinite(seen).all(), message, misconception)
    right = scaled_dot_product_attention(query, key, value, causal=True)[rows]
    expect_close(seen, right, what=f"the array of outputs {rows[0]} to {rows[-1]}")


@check(points=1)
def huge_hidden_score(causal_attention):
    """The last of seven tokens has huge scores, which only its own query may see"""
    message = "Token 6 has huge scores, and earlier outputs are NaN."
    _with_huge_scores(causal_attention, 3, 6, range(6), message, "hidden-too-late")


@check(points=1)
def huge_visible_score(causal_attention):
    """Token 2 of seven has huge scores, which the queries 2 to 6 may see"""
    message = "Token 2 has huge scores, and outputs 2 to 6 contain NaN."
    _with_huge_scores(causal_attention, 4, 2, range(2, 7), message, "overflow")


@check(points=1, hidden=True)
def other_sizes(causal_attention, rng):
    """Other seeds and sizes"""
    for num_queries, num_keys in ((3, 13), (1, 7), (1, 1)):
        _compare(causal_attention, *_example(rng, num_queries, num_keys, 5, 17))


_HIDE = "scores = np.where(visible, scores, -np.inf)"
_SHIFT = "k=num_keys - num_queries"

shared_mistakes(
    mistakes.EXPLANATIONS,
    causal_attention=lambda *given: mistakes.of_attention(*given, causal=True),
)
mistake("no-mask", "", {_HIDE: "pass"})
mistake("top-left", "", {f", {_SHIFT}": ""})
mistake(
    "leaks-future",
    "Changing a later token changed an earlier output, so a later key has some influence. Which "
    "scores lie above the diagonal, and what are their exponentials?",
    {"-np.inf": "-10.0"},
)
mistake(
    "blind",
    "A token changed, but an output that may use it did not. A token attends to itself and to all "
    "earlier tokens.",
    {"weights @ value": "value[num_keys - num_queries :]"},
)
mistake(
    "hidden-too-late",
    "The score of a hidden key was used before it was hidden, so a huge score spoils the row. Hide "
    "the scores first, then take the maximum and the exponentials.",
    {_HIDE: "pass", "keepdims=True))": "keepdims=True)) * visible"},
)
mistake(
    "overflow",
    "When a huge score is visible, the output is NaN: an exponential is infinite, or all "
    "exponentials in a row are 0. Subtract from each row its largest visible score.",
    {"scores - scores.max(axis=-1, keepdims=True)": "scores"},
)
mistake(
    "shifted-wrong-way",
    "The diagonal is shifted the wrong way: with 2 more keys than queries, the first query attends "
    "to 3 keys, so k = num_keys - num_queries.",
    {_SHIFT: "k=num_queries - num_keys"},
)

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
