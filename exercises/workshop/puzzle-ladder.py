"""Eight rungs, and one line of NumPy is enough for nearly every one. You choose queries and keys by
hand, so that attention moves the values as asked. Every function returns two arrays, `query` and
`key`, each with one row for each of the `n` tokens and as many columns as you like. Then the check
computes $\\operatorname{softmax}(QK^\\top)\\,V$, **without a scale**, for values that it does not
show you. Its output must be right to six decimals, for sequences of any length up to 50.

A score that is larger by 100 takes all the weight: $e^{-100}$ is nothing. Useful pieces are
`np.eye(n)`, whose row `i` is 1 at place `i`, and `np.eye(k)[tokens]`, whose rows are equal exactly
where the tokens are.

| rung | function | the output of token `i` is |
|---|---|---|
| 1 | `average(n)` | the mean of all values, although no two keys are alike |
| 2 | `first(n)` | the value of the first token |
| 3 | `itself(n)` | its own value |
| 4 | `before(n)` | the value of the token before it; for the first token, that of the last |
| 5 | `backwards(n)` | the value of the token as far from the end as `i` is from the start |
| 6 | `so_far(n)` | the mean of the values up to and including its own |
| 7 | `alike(tokens)` | the mean of the values of all tokens equal to it, itself included |
| 8 | `last_alike(tokens)` | the value of the last token in the sequence that is equal to it |

`tokens` is an array of `n` whole numbers from 0 to 9.
"""

import numpy as np

from attn import softmax
from coursekit import CheckFailed, as_array, check, exercise, expect, expect_close, expect_parts

exercise(
    title="A ladder of puzzles: choose the queries and the keys",
    version=2,
    hints=[
        "Which keys should a query score highest? With `np.eye(n)` as keys, the scores of a query "
        "are its own components: you write the table of scores row by row.",
        "With `np.eye(n)` as keys, the queries of `itself` are `100 * np.eye(n)`. The others shift "
        "the rows (`np.roll`), turn them round (`[::-1]`) or fill a triangle (`np.tri`).",
        "For tokens: `100 * np.eye(10)[tokens]` against `np.eye(10)[tokens]`. For the last rung "
        "add a column that is 1 for each query and grows with the position for each key, and make "
        "sure that equality counts more than all positions together.",
    ],
)


def average(n):
    # BEGIN SOLUTION
    return np.zeros((n, n)), np.eye(n)
    # END SOLUTION


def first(n):
    # BEGIN SOLUTION
    return np.full((n, 1), 100.0), np.eye(n)[:, :1]
    # END SOLUTION


def itself(n):
    # BEGIN SOLUTION
    return 100 * np.eye(n), np.eye(n)
    # END SOLUTION


def before(n):
    # BEGIN SOLUTION
    return 100 * np.roll(np.eye(n), 1, axis=0), np.eye(n)
    # END SOLUTION


def backwards(n):
    # BEGIN SOLUTION
    return 100 * np.eye(n)[::-1], np.eye(n)
    # END SOLUTION


def so_far(n):
    # BEGIN SOLUTION
    return 100 * np.tri(n), np.eye(n)
    # END SOLUTION


def alike(tokens):
    # BEGIN SOLUTION
    return 100 * np.eye(10)[tokens], np.eye(10)[tokens]
    # END SOLUTION


def last_alike(tokens):
    # BEGIN SOLUTION
    marks, place = np.eye(10)[tokens], np.arange(len(tokens))[:, None]
    return np.hstack([1e5 * marks, 1 + 0 * place]), np.hstack([marks, 100 * place])
    # END SOLUTION


MISTAKES = r"""
too-soft: `100 * np.eye(n), np.eye(n)` → `np.eye(n), np.eye(n)`
    The right key has the largest score, but not by enough: other values still count. Multiply the
    scores by a larger number.
all-alike: `np.full((n, 1), 100.0), np.eye(n)[:, :1]` → `np.eye(n)[:, :1], np.full((n, 1), 9)`
or `100 * np.eye(10)[tokens], np.eye(10)[tokens]` → `0.0 * tokens[:, None], tokens[:, None]`
    Every output is the mean of all values: the scores of a query are all equal.
own-value: `[::-1]` → ``
    Every output is the token's own value.
after: `np.roll(np.eye(n), 1` → `np.roll(np.eye(n), -1`
    Every output is the value of the token after. Roll the rows the other way.
no-wrap: `100 * np.roll(np.eye(n), 1, axis=0)` → `100 * np.eye(n, k=-1)`
    For the first token all scores are equal, so its output is the mean of all values. Its value
    before is that of the last token: let the places wrap around.
itself-first: `100 * np.roll(np.eye(n), 1, axis=0)` → `100 * np.eye(n)[[0, *range(n - 1)]]`
    The first token's output is its own value. It should be that of the last token: let the places
    wrap around.
first-value: `np.zeros((n, n)), np.eye(n)` → `np.full((n, 1), 99.0), np.eye(n)[:, :1]`
    Every output is the value of the first token.
last-value: `np.eye(n)[:, :1]` → `np.eye(n)[:, -1:]`
    Every output is the value of the last token.
future: `np.tri(n)` → `np.tri(n).T`
    The means run from a token to the end. Up to and including means the tokens before it and
    itself.
numbers-as-vectors: `100 * np.eye(n), np.eye(n)` →
  `100 * np.arange(n)[:, None], np.arange(n)[:, None]`
    The query and the key of a token are multiples of one number, so the score is a product of
    numbers, and the largest number wins for every query but 0. Give each place or token a direction
    of its own, as `np.eye` does.
sees-next: `np.tri(n)` → `np.tri(n, k=1)`
    The mean runs to the token after, not to the token itself.
without-itself: `np.tri(n)` → `np.tri(n, k=-1)`
    A token's own value is left out of its mean.
first-alike: `100 * place` → `-100 * place`
    The output is the value of the first token that is equal. Positions have to raise the score, not
    lower it.
mean-alike: `100 * place` → `0 * place`
    The output is the mean over all equal tokens. Their scores have to differ: the later, the
    higher.
position-wins: `1e5 * marks` → `10 * marks`
    The position counts more than the equality: a late token that is not equal has a higher score
    than an early one that is.
equal-keys: `np.zeros((n, n)), np.eye(n)` → `np.zeros((n, 1)), np.zeros((n, 1))`
    The mean is right, but two keys are alike. Make all keys different and find queries that give
    them equal scores all the same.
not-two: `100 * np.eye(n), np.eye(n)` → `100 * np.eye(n)`
    Return two arrays: `return query, key`.
"""


@check(points=1, success_message="Equal scores give equal weights.")
def rung_1(average):
    """1: the mean of all values"""
    _climb(average, "average", 5, np.full((5, 5), 1 / 5))


@check(points=1, success_message="Every query scores the first key highest.")
def rung_2(first):
    """2: the first value"""
    _climb(first, "first", 5, _picks(np.zeros(5, int)))


@check(points=1, success_message="Each query fits one key, its own.")
def rung_3(itself):
    """3: the own value"""
    _climb(itself, "itself", 5, np.eye(5))


@check(points=1, success_message="The queries are the keys, moved by one place.")
def rung_4(before):
    """4: the value before"""
    _climb(before, "before", 5, _picks(np.arange(5) - 1))


@check(points=1, success_message="The queries are the keys in reverse.")
def rung_5(backwards):
    """5: the values backwards"""
    _climb(backwards, "backwards", 5, np.eye(5)[::-1])


@check(points=1, success_message="That is a causal mask, made of queries and keys.")
def rung_6(so_far):
    """6: the mean so far"""
    _climb(so_far, "so_far", 5, np.tri(5) / np.arange(1, 6)[:, None])


@check(points=1, success_message="Equal tokens have equal vectors, so they find each other.")
def rung_7(alike):
    """7: the mean over equal tokens"""
    tokens = np.array([3, 1, 3, 0, 1, 3, 9])
    _climb(alike, "alike", tokens, _mean_of(_same(tokens)))


@check(points=1, success_message="Equality decides, and among equal tokens the position.")
def rung_8(last_alike):
    """8: the last equal token"""
    tokens = np.array([3, 1, 3, 0, 1, 3, 9])
    _climb(last_alike, "last_alike", tokens, _last(_same(tokens)))


def _picks(places):
    return np.eye(len(places))[places]


def _same(tokens):
    return (tokens[:, None] == tokens[None, :]).astype(float)


def _mean_of(chosen):
    return chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1)


def _last(same):
    return _picks(same.shape[1] - 1 - same[:, ::-1].argmax(axis=1))


def _climb(rung, name, given, weights):
    """Compare what attention with the learner's queries and keys gives with what it should."""
    n = len(weights)
    answer = rung(given.copy() if isinstance(given, np.ndarray) else given)
    message = f"`{name}` returned a value of type {type(answer).__name__}, not two arrays."
    query, key = expect_parts(answer, 2, message, "not-two")
    query, key = as_array(query, "query"), as_array(key, "key")
    for array, what in ((query, "query"), (key, "key")):
        if array.ndim != 2 or len(array) != n or not np.isfinite(array).all():
            raise CheckFailed(
                f"`{name}` returned a {what} of shape {array.shape}; expected {n} rows of finite "
                "numbers."
            )
    if query.shape[1] != key.shape[1]:
        raise CheckFailed(
            f"A query has {query.shape[1]} columns and a key {key.shape[1]}; they must be alike."
        )
    scores = query.astype(float) @ key.astype(float).T
    value = np.random.default_rng(n).normal(size=(n, 3))
    seen, right = softmax(scores) @ value, weights @ value
    if not np.allclose(seen, right, atol=1e-6) and _is_order_right(scores, weights):
        raise CheckFailed(
            f"For {n} tokens, `{name}` leaves up to {abs(softmax(scores) - weights).max():.2g} of "
            "the weight on other keys.",
            "too-soft",
        )
    if not isinstance(given, int) and name == "last_alike":
        best = scores.argmax(axis=1)
        late = (_same(given)[np.arange(n), best] == 0) & (best > weights.argmax(axis=1))
        message = f"For {n} tokens, the best key of query {late.argmax()} is {best[late.argmax()]}."
        expect(not late.any(), message, "position-wins")
    what = f"For {n} tokens, the output with `{name}`"
    expect_close(seen, right, what=what)
    if name == "average":
        message = f"For {n} tokens, `average` has {len(np.unique(key, axis=0))} different keys."
        expect(len(np.unique(key, axis=0)) == n, message, "equal-keys")


def _is_order_right(scores, weights):
    """Whether the wanted keys, and they alone, have the largest score of each row."""
    wanted = weights > 0
    highest = np.isclose(scores, scores.max(axis=1, keepdims=True), atol=1e-9)
    return bool((highest == wanted).all()) and not wanted.all()


@check(points=2, hidden=True)
def other_lengths(average, first, itself, before, backwards, so_far, rng):
    """Rungs 1 to 6 for other lengths"""
    for n in (int(rng.integers(6, 20)), int(rng.integers(40, 51)), 2):
        _climb(average, "average", n, np.full((n, n), 1 / n))
        _climb(first, "first", n, _picks(np.zeros(n, int)))
        _climb(itself, "itself", n, np.eye(n))
        _climb(before, "before", n, _picks(np.arange(n) - 1))
        _climb(backwards, "backwards", n, np.eye(n)[::-1])
        _climb(so_far, "so_far", n, _mean_of(np.tri(n)))


@check(points=2, hidden=True)
def other_tokens(alike, last_alike, rng):
    """Rungs 7 and 8 for other sequences"""
    for n in (int(rng.integers(8, 20)), 50):
        tokens = rng.integers(10, size=n)
        _climb(alike, "alike", tokens, _mean_of(_same(tokens)))
        _climb(last_alike, "last_alike", tokens, _last(_same(tokens)))


ALSO_RIGHT = {
    "scores as queries": """
        def average(n):
            return np.ones((n, 2)), np.c_[range(n), [-i for i in range(n)]]

        def first(n):
            return 1000.0 * (np.arange(n) == 0) * np.ones((n, 1)), np.eye(n)

        def itself(n):
            return np.eye(n), 500 * np.eye(n)

        def before(n):
            return 200 * np.eye(n), np.roll(np.eye(n), -1, axis=0)

        def backwards(n):
            return 200 * np.eye(n), np.eye(n)[range(n)[::-1]]

        def so_far(n):
            return -1000 * np.triu(np.ones((n, n)), 1), np.eye(n)

        def alike(tokens):
            return 300.0 * (tokens[:, None] == tokens), np.eye(len(tokens))

        def last_alike(tokens):
            n = len(tokens)
            return 1e5 * (tokens[:, None] == tokens) + 100 * np.arange(n), np.eye(n)
    """,
    "angles": """
        def average(n):
            return np.zeros((n, 2)), np.random.default_rng(0).normal(size=(n, 2))

        def first(n):
            return [[-60.0]] * n, [[float(i)] for i in range(n)]

        def itself(n):
            a = 2 * np.pi * np.arange(n) / n
            return 1e5 * np.c_[np.cos(a), np.sin(a)], np.c_[np.cos(a), np.sin(a)]

        def before(n):
            a = 2 * np.pi * np.arange(n) / n
            b = 2 * np.pi * (np.arange(n) - 1) / n
            return 1e5 * np.c_[np.cos(b), np.sin(b)], np.c_[np.cos(a), np.sin(a)]

        def backwards(n):
            i = np.arange(n, dtype=float)
            other = n - 1 - i
            return 100 * np.c_[2 * other, np.ones(n)], np.c_[i, -(i**2)]

        def so_far(n):
            return -1e4 * (np.arange(n)[:, None] < np.arange(n)), np.eye(n)

        def alike(tokens):
            return 100.0 * np.c_[2 * tokens, 0 * tokens + 1], np.c_[tokens, -(tokens**2)]

        def last_alike(tokens):
            place = 50.0 * np.arange(len(tokens))
            query = np.c_[2e4 * tokens, 0 * tokens + 1e4, 0 * tokens + 1]
            return query, np.c_[tokens, -(tokens**2), place]
    """,
}
