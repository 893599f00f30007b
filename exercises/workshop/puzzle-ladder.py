"""There are eight rungs, and one line of NumPy is enough for nearly all. You choose queries and
keys by hand so that attention moves the values as asked. Every function returns two arrays, `query`
and `key`, with one row for each of the `n` tokens and as many columns as you like. Then the check
computes $\\operatorname{softmax}(QK^\\top)\\,V$, **without a scale**, for values that it does not
show you. Its output must be right to six decimals, for sequences of any length up to 50.

A score that is larger by 100 takes all the weight: $e^{-100}$ is nearly 0. Useful pieces are
`np.eye(n)`, whose row `i` is 1 at position `i`, and `np.eye(k)[tokens]`, whose rows are equal
exactly where the tokens are.

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

from coursekit import (
    CheckFailed,
    as_array,
    check,
    exercise,
    expect,
    expect_close,
    mistake,
    shared_mistakes,
)

exercise(
    id="puzzle-ladder",
    chapter="workshop",
    title="A ladder of puzzles: choose the queries and the keys",
    version=2,
    hints=[
        "Which keys should a query score highest? With `np.eye(n)` as keys, the scores of a query "
        "are its own components: you write the table of scores row by row.",
        "With `np.eye(n)` as keys, the queries of `itself` are `100 * np.eye(n)`. The others shift "
        "the rows (`np.roll`), reverse them (`[::-1]`) or fill a triangle (`np.tri`).",
        "For tokens, combine `100 * np.eye(10)[tokens]` with `np.eye(10)[tokens]`. For the last "
        "rung, add a column that is 1 for each query and grows with the position for each key, and "
        "make sure that equality counts more than all positions together.",
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


@check(points=1, success_message="Equal scores give equal weights.")
def rung_1(average):
    """1: the mean of all values"""
    _climb("average", average, 5)


@check(points=1, success_message="Every query scores the first key highest.")
def rung_2(first):
    """2: the first value"""
    _climb("first", first, 5)


@check(points=1, success_message="Each query matches one key: its own.")
def rung_3(itself):
    """3: its own value"""
    _climb("itself", itself, 5)


@check(points=1, success_message="The queries are the keys, moved by one position.")
def rung_4(before):
    """4: the value before"""
    _climb("before", before, 5)


@check(points=1, success_message="The queries are the keys in reverse.")
def rung_5(backwards):
    """5: the values backwards"""
    _climb("backwards", backwards, 5)


@check(points=1, success_message="This is a causal mask made from queries and keys.")
def rung_6(so_far):
    """6: the mean so far"""
    _climb("so_far", so_far, 5)


@check(points=1, success_message="Equal tokens have equal vectors, so they find each other.")
def rung_7(alike):
    """7: the mean over equal tokens"""
    _climb("alike", alike, np.array([3, 1, 3, 0, 1, 3, 9]))


@check(points=1, success_message="Equality decides, then the position among equal tokens.")
def rung_8(last_alike):
    """8: the last equal token"""
    _climb("last_alike", last_alike, np.array([3, 1, 3, 0, 1, 3, 9]))


def _same(tokens):
    return (tokens[:, None] == tokens).astype(float)


def _last(tokens):
    return np.eye(len(tokens))[len(tokens) - 1 - _same(tokens)[:, ::-1].argmax(axis=1)]


#: The keys that each query has to find.
_WANTED = {
    "average": lambda n: np.ones((n, n)),
    "first": lambda n: np.eye(n)[[0] * n],
    "itself": np.eye,
    "before": lambda n: np.roll(np.eye(n), 1, axis=0),
    "backwards": lambda n: np.eye(n)[::-1],
    "so_far": np.tri,
    "alike": _same,
    "last_alike": _last,
}


def _climb(name, rung, given):
    """Compare what attention with the learner's queries and keys gives with what it should."""
    wanted = _WANTED[name](given)
    n, weights = len(wanted), wanted / wanted.sum(axis=1, keepdims=True)
    answer = rung(given.copy() if isinstance(given, np.ndarray) else given)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        kind = type(answer).__name__
        raise CheckFailed(f"`{name}` returned a value of type {kind}, not two arrays.", "not-two")
    query, key = (as_array(a, what) for a, what in zip(answer, ("query", "key"), strict=True))
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
    best = scores.max(axis=1, keepdims=True)
    shares = np.exp(scores - best)
    shares = shares / shares.sum(axis=1, keepdims=True)
    value = np.random.default_rng(n).normal(size=(n, 3))
    seen, right = shares @ value, weights @ value
    order_is_right = not wanted.all() and (np.isclose(scores, best, atol=1e-9) == wanted).all()
    if order_is_right and not np.allclose(seen, right, atol=1e-6):
        raise CheckFailed(
            f"For {n} tokens, `{name}` leaves up to {abs(shares - weights).max():.2g} of "
            "the weight on other keys.",
            "too-soft",
        )
    if name == "last_alike":
        found = scores.argmax(axis=1)
        late = (_same(given)[np.arange(n), found] == 0) & (found > weights.argmax(axis=1))
        if late.any():
            query = late.argmax()
            message = f"For {n} tokens, the best key of query {query} is {found[query]}."
            raise CheckFailed(message, "position-wins")
    expect_close(seen, right, what=f"For {n} tokens, the output with `{name}`")
    if name == "average":
        message = f"For {n} tokens, `average` has {len(np.unique(key, axis=0))} different keys."
        expect(len(np.unique(key, axis=0)) == n, message, "equal-keys")


@check(points=2, hidden=True)
def other_lengths(average, first, itself, before, backwards, so_far, rng):
    """Rungs 1 to 6 for other lengths"""
    rungs = (average, first, itself, before, backwards, so_far)
    for n in (int(rng.integers(6, 20)), int(rng.integers(40, 51)), 2):
        for name, rung in zip(_WANTED, rungs, strict=False):
            _climb(name, rung, n)


@check(points=2, hidden=True)
def other_tokens(alike, last_alike, rng):
    """Rungs 7 and 8 for other sequences"""
    for n in (int(rng.integers(8, 20)), 50):
        tokens = rng.integers(10, size=n)
        _climb("alike", alike, tokens)
        _climb("last_alike", last_alike, tokens)


def _made(name):
    """Return a function that gives what mistakes on a rung give: queries and keys."""

    def made(given):
        numbers = np.arange(given) if isinstance(given, int) else given
        eye, places = np.eye(len(numbers)), np.arange(len(numbers))
        tables = {
            "numbers-as-vectors": np.outer(numbers, numbers),
            "all-alike": 0 * eye,
            "own-value": eye,
            "after": np.roll(eye, -1, axis=0),
            "first-value": eye[0 * places],
            "last-value": eye[0 * places - 1],
        }
        if name == "before":
            tables["no-wrap"] = np.eye(len(eye), k=-1)
            tables["itself-first"] = eye[np.maximum(places - 1, 0)]
        if name == "so_far":
            tables["future"] = np.tri(len(eye)).T
            tables["without-itself"] = np.tri(len(eye), k=-1)
            tables["sees-next"] = np.tri(len(eye), k=1)
        if "alike" in name:
            same = _same(numbers)
            tables["first-alike"] = eye[same.argmax(axis=1)]
            tables["mean-alike"] = same
            tables["without-itself"] = same - eye
            tables["position-wins"] = tables.pop("last-value")
        return {id: (1e4 * table, eye) for id, table in tables.items()}

    return made


_TEXTS = {
    "all-alike": "Every output is the mean of all values: the scores of a query are all equal.",
    "own-value": "Every output is the token's own value.",
    "after": "Every output is the value of the next token. Roll the rows the other way or swap "
    "queries and keys: row i of the queries belongs to the token that attends.",
    "no-wrap": "For the first token, all scores are equal, so its output is the mean of all "
    "values. It should be the last token's value: let the positions wrap around.",
    "itself-first": "The first token's output is its own value. It should be the last token's "
    "value: let the positions wrap around.",
    "first-value": "Every output is the value of the first token.",
    "last-value": "Every output is the value of the last token.",
    "future": "Each mean runs from a token to the end. It should run over the tokens before it and "
    "itself.",
    "numbers-as-vectors": "The query and the key of a token are multiples of one number, so the "
    "score is a product of numbers, and the largest number wins for every query but 0. Give each "
    "position or token its own direction, as `np.eye` does.",
    "sees-next": "The mean runs to the next token, not to the token itself.",
    "without-itself": "A token's own value is left out of its mean.",
    "first-alike": "The output is the value of the first equal token. Positions have to raise the "
    "score, not lower it.",
    "mean-alike": "The output is the mean over all equal tokens. Their scores have to differ: "
    "later tokens need higher scores.",
}
_BEFORE = "100 * np.roll(np.eye(n), 1, axis=0)"
_ALIKE = "100 * np.eye(10)[tokens], np.eye(10)[tokens]"

shared_mistakes(_TEXTS, **{name: _made(name) for name in _WANTED})
mistake("last-value", "", {"[:, :1]": "[:, -1:]"})
mistake("own-value", "", {"[::-1], np": ", np"})
mistake("future", "", {"np.tri(n)": "np.tri(n).T"})
mistake("all-alike", "", {_ALIKE: "0.0 * tokens[:, None], tokens[:, None]"})
mistake(
    "after", "", {"eye(n), 1": "eye(n), -1"}, {f"{_BEFORE}, np.eye(n)": f"np.eye(n), {_BEFORE}"}
)
mistake(
    "too-soft",
    "The right key has the largest score, but not by enough: other values still count. Multiply "
    "the scores by a larger number.",
    {"100 * np.eye(n), np.eye(n)": "np.eye(n), np.eye(n)"},
)
mistake(
    "position-wins",
    "The position counts more than equality: a late token that is not equal has a higher score "
    "than an early token that is.",
    {"1e5 * marks": "10 * marks"},
)
mistake(
    "equal-keys",
    "The mean is right, but two keys are alike. Make all keys different and find queries that "
    "still give them equal scores.",
    {"np.zeros((n, n)), np.eye(n)": "np.zeros((n, 1)), np.zeros((n, 1))"},
)
mistake(
    "not-two",
    "Return two arrays: `return query, key`.",
    {"100 * np.eye(n), np.eye(n)": "100 * np.eye(n)"},
)

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
