"""Write three score functions. Each gets all queries and all keys of a sentence and returns all
scores at once, shape `(num_queries, num_keys)`:

- `scaled_dot`: $q_i \\cdot k_j / \\sqrt{d_k}$,
- `general`: $q_i^\\top W k_j$, with $W$ of shape `(d_query, d_key)`,
- `additive`: $v^\\top \\tanh(W_q^\\top q_i + W_k^\\top k_j)$, with $W_q$ of shape
  `(d_query, d_hidden)`, $W_k$ of shape `(d_key, d_hidden)` and $v$ of shape `(d_hidden,)`.

In the last two, queries and keys may have **different widths**. Inputs may be large: a hidden
sum of 1,000 has to give a finite score. Leave the arguments unchanged. Loops would do; matrix
products and broadcasting are shorter and much faster.
"""

import math

import numpy as np

from attnlab import mistakes
from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    wrong,
)

exercise(
    id="three-scores",
    chapter="scores",
    title="Three score functions",
    withhold=["attn.scaled_dot_score", "attn.general_score", "attn.AdditiveScore"],
    hints=[
        "The first two are matrix products. Write down the shapes from left to right: which "
        "axes have to be equally long? For the third: which array holds one hidden vector for "
        "*each pair*, and what is its shape?",
        "For the additive score, make `query @ w_query` of shape (num_queries, d_hidden) and "
        "`key @ w_key` of shape (num_keys, d_hidden). To add each of the first to each of the "
        "second, give them an axis: (num_queries, 1, d_hidden) and (1, num_keys, d_hidden).",
        "`pairs = (query @ w_query)[:, None, :] + (key @ w_key)[None, :, :]`, then `np.tanh`, "
        "then the product with `w_score` on the last axis.",
    ],
    misconceptions={
        "scaled-general": "The general score was divided by a root. Its definition has none: W "
        "can learn any scale by itself.",
        "transposed": "The scores are transposed: rows are queries, columns are keys.",
        "transposed-weight": "W was transposed. It has shape (d_query, d_key): its rows belong to "
        "the query, its columns to the key.",
        "no-weight": "W was left out: this is the plain dot product.",
        "no-tanh": "The tanh is missing. The score is then a part from the query plus a part from "
        "the key; the softmax ignores the query's part, so every query gets the same weights.",
        "tanh-of-the-sum": "tanh was applied to the whole score. It belongs to the hidden vector, "
        "before the product with v.",
        "tanh-of-each": "tanh was applied to query and key before they were added. Then the score "
        "is a sum of two separate parts, and the softmax ignores the query's.",
        "no-v": "The hidden vector was summed without its weights v.",
        "mean-over-hidden": "The hidden units were averaged. The score is their weighted sum.",
        "pairs-rows": "Query i was compared with key i only. Every query meets every key.",
        "product": "The two hidden parts were multiplied. The additive score adds them.",
        "difference": "The key's part was subtracted. The additive score adds the two parts.",
        "sigmoid": "The function is a sigmoid. The additive score has a tanh.",
        "relu": "The function is a ReLU. The additive score has a tanh.",
        "scaled-additive": "The additive score was divided by a root. Its definition has none.",
        "one-matrix": "Queries and keys were multiplied by the same matrix. Each side has a "
        "matrix of its own.",
        "matrices-exchanged": "The two matrices were exchanged: w_query belongs to the query, "
        "w_key to the key.",
        "equal-widths-only": "It is right where queries and keys are equally wide, and cannot be "
        "computed where they are not.",
        "equal-numbers-only": "Each query was added to the key of the same row. To compare every "
        "query with every key, give the two arrays an axis each.",
        "overflow": "For hidden sums of about 1,000 the result contains NaN: e to the 1,000 "
        "overflows, np.tanh(1000) is 1.",
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


def _dot(query, key):
    return _pairs(lambda q, k: sum(a * b for a, b in zip(q, k, strict=True)), query, key)


# These take one tuple, so that none of them can be handed in as an answer.
def _general(given):
    query, key, weight = given
    return _pairs(
        lambda q, k: sum(a * (row @ k) for a, row in zip(q, weight, strict=True)), query, key
    )


def _additive(given):
    query, key, w_query, w_key, w_score = given
    return _pairs(lambda q, k: w_score @ np.tanh(q @ w_query + k @ w_key), query, key)


def _general_mistakes(given):
    right, (query, key, weight) = _general(given), given
    mistakes = {
        "transposed": right.T,
        "transposed-weight": lambda: query @ weight.T @ key.T,
        "no-weight": lambda: query @ key.T,
    }
    if weight.shape[0] == weight.shape[1]:
        mistakes["scaled-general"] = right / len(weight) ** 0.5
    return mistakes


def _additive_mistakes(given):
    right, (query, key, w_query, w_key, w_score) = _additive(given), given
    a, b = query @ w_query, key @ w_key
    pairs = a[:, None] + b[None]
    return {
        "no-tanh": pairs @ w_score,
        "tanh-of-the-sum": np.tanh(pairs @ w_score),
        "tanh-of-each": (np.tanh(a)[:, None] + np.tanh(b)[None]) @ w_score,
        "no-v": np.tanh(pairs).sum(axis=-1),
        "mean-over-hidden": right / len(w_score),
        "product": np.tanh(a[:, None] * b[None]) @ w_score,
        "difference": np.tanh(a[:, None] - b[None]) @ w_score,
        "sigmoid": 1 / (1 + np.exp(-pairs)) @ w_score,
        "relu": np.maximum(pairs, 0) @ w_score,
        "scaled-additive": right / len(w_score) ** 0.5,
        "one-matrix": lambda: _additive((query, key, w_query, w_query, w_score)),
        "matrices-exchanged": lambda: _additive((query, key, w_key, w_query, w_score)),
        "transposed": right.T,
        "pairs-rows": lambda: np.tanh(a + b) @ w_score,
        "equal-numbers-only": lambda: np.tanh(a + b) @ w_score[:, None] + np.zeros(len(key)),
    }


def _call(function, given, smaller, mistakes_of, right_of, misfit):
    """Return what a call gives. If it cannot be computed, say what it gives where all sizes fit."""
    try:
        return call_keeping_inputs(function, *given)
    except ValueError as error:
        what = "With equal sizes it runs, and the result"
        message = f"It raised ValueError: {error}."
        try:
            seen = function(*smaller)
        except Exception:
            raise error from None
        expect_close(
            seen, right_of(smaller), what=f"{message} {what}", mistakes=mistakes_of(smaller)
        )
        raise CheckFailed(message, misfit) from None


@check(points=1, success_message="Every dot product is divided by √7.")
def scaled_dot_against_loops(scaled_dot):
    """scaled_dot: 2 queries, 3 keys of width 7, against two loops"""
    query, key, *_ = _draw(np.random.default_rng(0), 2, 3, 7, 7)
    expect_close(
        call_keeping_inputs(scaled_dot, query, key),
        _dot(query, key) / 7**0.5,
        what="scaled_dot(query, key)",
        mistakes=mistakes.of_scores(query, key),
    )


@check(points=1, success_message="W takes a query of width 3 to the width of the keys.")
def general_against_loops(general):
    """general: queries of width 3, keys of width 7"""
    given = _draw(np.random.default_rng(1), 2, 5, 3, 7)[:3]
    equal = _draw(np.random.default_rng(1), 2, 5, 3, 3)[:3]
    seen = _call(general, given, equal, _general_mistakes, _general, "equal-widths-only")
    expect_close(
        seen,
        _general(given),
        what="general(query, key, weight)",
        mistakes={
            "transposed": _general(given).T,
            "scaled-general": _general(given) / 7**0.5,
        },
    )


@check(points=1, success_message="W is used with its rows on the side of the queries.")
def general_is_not_symmetric(general):
    """general: square W, in which a transposition hides"""
    given = _draw(np.random.default_rng(2), 3, 5, 2, 2)[:3]
    expect_close(
        call_keeping_inputs(general, *given),
        _general(given),
        what="general(query, key, weight)",
        mistakes=_general_mistakes(given),
    )


@check(points=1, success_message="Each of the 9 pairs has a hidden vector of its own.")
def additive_against_loops(additive):
    """additive: 3 queries, 3 keys of one width, against two loops"""
    query, key, _, *matrices = _draw(np.random.default_rng(3), 3, 3, 7, 7)
    given = (query, key, *matrices)
    expect_close(
        call_keeping_inputs(additive, *given),
        _additive(given),
        what="additive(query, key, …)",
        mistakes=_additive_mistakes(given),
    )


@check(points=1, success_message="Only the hidden width has to agree.")
def additive_with_two_widths(additive):
    """additive: 2 queries of width 3, 7 keys of width 11, and sums of about 1,000"""
    query, key, _, *matrices = _draw(np.random.default_rng(4), 2, 7, 3, 11)
    given = (query, key, *matrices)
    x, y, _, *square = _draw(np.random.default_rng(4), 3, 3, 7, 7)
    equal = (x, y, *square)
    misfit = "equal-widths-only"
    expect_close(
        _call(additive, given, equal, _additive_mistakes, _additive, misfit),
        _additive(given),
        what="additive with d_query = 3 and d_key = 11",
        mistakes=_additive_mistakes(given),
    )
    far = (400 * query, 400 * key, *matrices)
    seen = as_array(additive(*far))
    expect(not np.isnan(seen).any(), "Inputs 400 times as large give NaN.", "overflow")
    expect_close(seen, _additive(far), what="additive of inputs 400 times as large")


@check(points=1, hidden=True)
def other_sizes(scaled_dot, general, additive, rng):
    """Other sizes: one query, one key, a hidden width of 1"""
    # Where a size is 1 or two are equal, different mistakes look alike, so none is named.
    for num_queries, num_keys, width, d_key in ((1, 5, 3, 2), (7, 1, 2, 5), (2, 3, 5, 7)):
        query, key, weight, *matrices = _draw(rng, num_queries, num_keys, width, d_key, 3)
        if 1 in (num_queries, num_keys):
            matrices = _draw(rng, num_queries, num_keys, width, d_key, 1)[3:]
        distinct = 1 not in (num_queries, num_keys)
        other = rng.normal(size=(num_keys, width))
        expect_close(
            scaled_dot(query, other),
            _dot(query, other) / width**0.5,
            what=f"scaled_dot of {num_queries} queries and {num_keys} keys",
            mistakes=mistakes.of_scores(query, other) if distinct else None,
        )
        expect_close(
            general(query, key, weight),
            _general((query, key, weight)),
            what="general(query, key, weight)",
            mistakes=_general_mistakes((query, key, weight)) if distinct else None,
        )
        expect_close(
            additive(query, key, *matrices),
            _additive((query, key, *matrices)),
            what="additive(query, key, …)",
            mistakes=_additive_mistakes((query, key, *matrices)) if distinct else None,
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
        misconception="scaled-by-d",
    ),
    "keys in the rows": wrong(
        replace={"return query @ key.T /": "return key @ query.T /"},
        rejected_by=["scaled_dot_against_loops"],
        misconception="exchanged-roles",
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
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="one-matrix",
    ),
    "the matrices exchanged": wrong(
        replace={"(query @ w_query)": "(query @ w_key)", "(key @ w_key)": "(key @ w_query)"},
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="matrices-exchanged",
    ),
    "without W where the widths agree": wrong(
        replace={
            "return query @ weight @ key.T": "if query.shape[1] == key.shape[1]:\n"
            "        return query @ key.T\n    return query @ weight @ key.T"
        },
        rejected_by=["general_is_not_symmetric"],
        misconception="no-weight",
    ),
    "one hidden vector for each query": wrong(
        replace={
            "pairs = (query @ w_query)[:, None, :] + (key @ w_key)[None, :, :]": "pairs = "
            "np.repeat((query @ w_query + key @ w_key)[:, None], len(key), axis=1)"
        },
        rejected_by=["additive_against_loops", "additive_with_two_widths"],
        misconception="equal-numbers-only",
    ),
    "tanh by exponentials": wrong(
        replace={
            "np.tanh(pairs)": "((np.exp(pairs) - np.exp(-pairs))"
            " / (np.exp(pairs) + np.exp(-pairs)))"
        },
        rejected_by=["additive_with_two_widths"],
        misconception="overflow",
    ),
    "only for equal widths": wrong(
        replace={
            "return query @ weight @ key.T": "return np.einsum('qd,de,kd->qk', query,"
            " weight, key) if query.shape[1] != key.shape[1] else query @ weight @ key.T"
        },
        rejected_by=["general_against_loops"],
        misconception="equal-widths-only",
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
