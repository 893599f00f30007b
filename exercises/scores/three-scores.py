"""Write three score functions. Each gets all queries and all keys of a sentence and returns all
scores at once, shape `(num_queries, num_keys)`:

- `scaled_dot`: $q_i \\cdot k_j / \\sqrt{d_k}$,
- `general`: $q_i^\\top W k_j$, with $W$ of shape `(d_query, d_key)`,
- `additive`: $v^\\top \\tanh(W_q^\\top q_i + W_k^\\top k_j)$, with $W_q$ of shape
  `(d_query, d_hidden)`, $W_k$ of shape `(d_key, d_hidden)` and $v$ of shape `(d_hidden,)`.

In the last two, queries and keys may have **different widths**. Use no loops.
"""

import math

import numpy as np

from coursekit import check, exercise, expect, expect_close, wrong

exercise(
    id="three-scores",
    chapter="scores",
    title="Three score functions",
    withhold=["attn.scaled_dot_score", "attn.general_score", "attn.AdditiveScore"],
    hints=[
        "The first two are matrix products. Write down the shapes from left to right: which "
        "width has to meet which? For the third: which array holds one hidden vector for *each "
        "pair*, and what is its shape?",
        "For the additive score, make `query @ w_query` of shape (num_queries, d_hidden) and "
        "`key @ w_key` of shape (num_keys, d_hidden). To add each of the first to each of the "
        "second, give them an axis: (num_queries, 1, d_hidden) and (1, num_keys, d_hidden).",
        "`pairs = (query @ w_query)[:, None, :] + (key @ w_key)[None, :, :]`, then `np.tanh`, "
        "then the product with `w_score` on the last axis.",
    ],
    misconceptions={
        "unscaled": "The scores are sqrt(d_k) times too large: the division is missing.",
        "divides-by-d": "The scores are divided by d_k, not by its root.",
        "scaled-general": "The general score has no root in it: W can learn any scale by itself.",
        "transposed": "The scores stand the wrong way round: rows are queries, columns are keys.",
        "transposed-weight": "W was applied the wrong way round. It has shape (d_query, d_key): "
        "its rows meet the query, its columns the key. With square shapes nothing but the "
        "numbers shows it.",
        "same-widths": "Queries and keys of different widths do not fit. Each has a matrix of its "
        "own; only the hidden width has to agree.",
        "no-tanh": "Without tanh the score is a part from the query plus a part from the key. The "
        "part from the query is the same for all keys, and softmax ignores it: every query would "
        "get the same weights.",
        "tanh-of-the-sum": "tanh was taken of the whole score. It belongs to the hidden vector, "
        "before the product with v.",
        "tanh-of-each": "tanh was taken of query and key before they meet. Then the score is a "
        "sum of two separate parts, and softmax ignores the query's.",
        "no-v": "The hidden vector was summed up without its weights v.",
        "pairs-rows": "Query i was compared with key i only. Every query meets every key.",
        "product": "The hidden vectors were multiplied. The additive score adds them.",
    },
)


def scaled_dot(query, key):
    """Return the scores, shape (num_queries, num_keys).

    query (num_queries, d_k)   key (num_keys, d_k)
    """
    # BEGIN SOLUTION
    return query @ key.T / math.sqrt(query.shape[-1])
    # END SOLUTION


def general(query, key, weight):
    """Return the scores, shape (num_queries, num_keys).

    query (num_queries, d_query)   key (num_keys, d_key)
    weight (d_query, d_key)
    """
    # BEGIN SOLUTION
    return query @ weight @ key.T
    # END SOLUTION


def additive(query, key, w_query, w_key, w_score):
    """Return the scores, shape (num_queries, num_keys).

    query (num_queries, d_query)   w_query (d_query, d_hidden)
    key (num_keys, d_key)          w_key (d_key, d_hidden)
    w_score (d_hidden,)
    """
    # BEGIN SOLUTION
    pairs = (query @ w_query)[:, None, :] + (key @ w_key)[None, :, :]
    return np.tanh(pairs) @ w_score
    # END SOLUTION


def _draw(rng, num_queries, num_keys, d_query, d_key, d_hidden=5):
    return (
        rng.normal(size=(num_queries, d_query)),
        rng.normal(size=(num_keys, d_key)),
        rng.normal(size=(d_query, d_key)),
        rng.normal(size=(d_query, d_hidden)),
        rng.normal(size=(d_key, d_hidden)),
        rng.normal(size=d_hidden),
    )


def _pairs(score, query, key):
    """One pair after the other."""
    return np.array([[score(q, k) for k in key] for q in query])


def _tried(call, misconception):
    """What a call returns; a shape error becomes a verdict."""
    try:
        return call()
    except ValueError as error:
        expect(False, f"With different widths this raises: {error}", misconception)


def _dot(query, key):
    return _pairs(lambda q, k: sum(a * b for a, b in zip(q, k, strict=True)), query, key)


def _additive_mistakes(right, query, key, w_query, w_key, w_score):
    a, b = query @ w_query, key @ w_key
    pairs = a[:, None] + b[None]
    mistakes = {
        "no-tanh": pairs @ w_score,
        "tanh-of-the-sum": np.tanh(pairs @ w_score),
        "tanh-of-each": (np.tanh(a)[:, None] + np.tanh(b)[None]) @ w_score,
        "no-v": np.tanh(pairs).sum(axis=-1),
        "product": np.tanh(a[:, None] * b[None]) @ w_score,
        "transposed": right.T,
    }
    if len(query) == len(key):
        mistakes["pairs-rows"] = np.tanh(a + b) @ w_score
    return mistakes


@check(points=1)
def scaled_dot_against_loops(scaled_dot):
    """scaled_dot: 2 queries, 3 keys of width 7, against two loops"""
    query, key, *_ = _draw(np.random.default_rng(0), 2, 3, 7, 7)
    plain = _dot(query, key)
    expect_close(
        scaled_dot(query, key),
        plain / 7**0.5,
        what="scaled_dot(query, key)",
        mistakes={
            "unscaled": plain,
            "divides-by-d": plain / 7,
            "transposed": plain.T / 7**0.5,
        },
    )


@check(points=1)
def general_against_loops(general):
    """general: queries of width 3, keys of width 7"""
    query, key, weight, *_ = _draw(np.random.default_rng(1), 2, 5, 3, 7)
    right = _pairs(lambda q, k: sum(q[a] * weight[a] @ k for a in range(3)), query, key)
    expect_close(
        _tried(lambda: general(query, key, weight), "transposed-weight"),
        right,
        what="general(query, key, weight)",
        mistakes={
            "transposed": right.T,
            "scaled-general": right / 7**0.5,
        },
    )


@check(points=1)
def general_is_not_symmetric(general):
    """general: square W, in which a transposition hides"""
    query, key, weight, *_ = _draw(np.random.default_rng(2), 3, 5, 2, 2)
    right = _pairs(lambda q, k: sum(q[a] * weight[a] @ k for a in range(2)), query, key)
    expect_close(
        general(query, key, weight),
        right,
        what="general(query, key, weight)",
        mistakes={
            "transposed-weight": query @ weight.T @ key.T,
            "scaled-general": right / 2**0.5,
        },
    )


@check(points=1)
def additive_against_loops(additive):
    """additive: 3 queries, 3 keys of one width, against two loops"""
    query, key, _, *weights = _draw(np.random.default_rng(3), 3, 3, 7, 7)
    w_query, w_key, w_score = weights
    right = _pairs(lambda q, k: w_score @ np.tanh(q @ w_query + k @ w_key), query, key)
    expect_close(
        additive(query, key, *weights),
        right,
        what="additive(query, key, …)",
        mistakes=_additive_mistakes(right, query, key, *weights),
    )


@check(points=1)
def additive_with_two_widths(additive):
    """additive: 2 queries of width 3, 7 keys of width 11"""
    query, key, _, *weights = _draw(np.random.default_rng(4), 2, 7, 3, 11)
    w_query, w_key, w_score = weights
    right = _pairs(lambda q, k: w_score @ np.tanh(q @ w_query + k @ w_key), query, key)
    expect_close(
        _tried(lambda: additive(query, key, *weights), "same-widths"),
        right,
        what="additive with d_query = 3 and d_key = 11",
        mistakes=_additive_mistakes(right, query, key, *weights),
    )


@check(points=1, hidden=True)
def other_sizes(scaled_dot, general, additive, rng):
    """Other sizes: one query, one key, a hidden width of 1"""
    for num_queries, num_keys, width, d_key in ((1, 5, 3, 2), (7, 1, 1, 5), (3, 3, 3, 3)):
        query, key, weight, *rest = _draw(rng, num_queries, num_keys, width, d_key, 1)
        w_query, w_key, w_score = rest
        expect_close(
            scaled_dot(query, query), _dot(query, query) / width**0.5, what="scaled_dot(x, x)"
        )
        expect_close(
            general(query, key, weight),
            _pairs(lambda q, k, w=weight: q @ (w @ k), query, key),
            what="general(query, key, weight)",
        )
        right = w_score[0] * np.tanh(query @ w_query + (key @ w_key).T)
        expect_close(
            additive(query, key, *rest),
            right,
            what="additive(query, key, …)",
            mistakes=_additive_mistakes(right, query, key, *rest),
        )


WRONG = {
    "no root": wrong(
        replace={" / math.sqrt(query.shape[-1])": ""},
        rejected_by=["scaled_dot_against_loops"],
        misconception="unscaled",
    ),
    "divides by the width": wrong(
        replace={"math.sqrt(query.shape[-1])": "query.shape[-1]"},
        rejected_by=["scaled_dot_against_loops"],
        misconception="divides-by-d",
    ),
    "keys in the rows": wrong(
        replace={"return query @ key.T /": "return key @ query.T /"},
        rejected_by=["scaled_dot_against_loops"],
        misconception="transposed",
    ),
    "W the other way round": wrong(
        replace={"query @ weight @ key.T": "query @ weight.T @ key.T"},
        rejected_by=["general_is_not_symmetric", "general_against_loops"],
        misconception="transposed-weight",
    ),
    "a scaled general score": wrong(
        replace={"query @ weight @ key.T": "query @ weight @ key.T / math.sqrt(key.shape[-1])"},
        rejected_by=["general_against_loops", "general_is_not_symmetric"],
        misconception="scaled-general",
    ),
    "no tanh": wrong(
        replace={"np.tanh(pairs) @ w_score": "pairs @ w_score"},
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="no-tanh",
    ),
    "tanh at the end": wrong(
        replace={"np.tanh(pairs) @ w_score": "np.tanh(pairs @ w_score)"},
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="tanh-of-the-sum",
    ),
    "tanh too early": wrong(
        replace={
            "(query @ w_query)": "np.tanh(query @ w_query)",
            "(key @ w_key)": "np.tanh(key @ w_key)",
            "np.tanh(pairs) @": "pairs @",
        },
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="tanh-of-each",
    ),
    "a plain sum": wrong(
        replace={"np.tanh(pairs) @ w_score": "np.tanh(pairs).sum(axis=-1)"},
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="no-v",
    ),
    "row against row": wrong(
        """
        def scaled_dot(query, key):
            return query @ key.T / math.sqrt(query.shape[-1])

        def general(query, key, weight):
            return query @ weight @ key.T

        def additive(query, key, w_query, w_key, w_score):
            return np.tanh(query @ w_query + key @ w_key) @ w_score
        """,
        rejected_by=["additive_against_loops"],
        misconception="pairs-rows",
    ),
    "one matrix for both": wrong(
        replace={"(key @ w_key)": "(key @ w_query)"},
        rejected_by=["additive_with_two_widths"],
        misconception="same-widths",
    ),
}

ALSO_RIGHT = {
    "with einsum": """
        def scaled_dot(query, key):
            return np.einsum("qd,kd->qk", query, key) * query.shape[1] ** -0.5

        def general(query, key, weight):
            return np.einsum("qa,ab,kb->qk", query, weight, key)

        def additive(query, key, w_query, w_key, w_score):
            hidden = np.einsum("qa,ah->qh", query, w_query)[:, None] + key @ w_key
            return np.einsum("qkh,h->qk", np.tanh(hidden), w_score)
    """,
    "one query after the other": """
        def scaled_dot(query, key):
            return np.stack([key @ q for q in query / math.sqrt(len(query[0]))])

        def general(query, key, weight):
            return np.stack([key @ (weight.T @ q) for q in query])

        def additive(query, key, w_query, w_key, w_score):
            keys = key @ w_key
            return np.stack([np.tanh(keys + q @ w_query) @ w_score for q in query])
    """,
}
