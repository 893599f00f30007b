"""Write the test for somebody else's attention. `check_attention(attention)` gets a function,
calls it with arrays of your choice as `attention(query, key, value)`, and stops with an `assert`
if the function does not compute scaled dot-product attention,
$\\operatorname{softmax}(QK^\\top / \\sqrt{d_k})\\,V$, for arrays of shape `(num_queries, d_k)`,
`(num_keys, d_k)` and `(num_keys, d_v)`. If the function is right, `check_attention` ends without an
error; what it returns does not matter.

Your test is tested. Right functions must pass, whatever way they compute the result and whatever
their last digits are; scores in the thousands belong to the task. Six broken functions must not
pass: each one that your test stops earns a point. More functions of both kinds are used for
grading. The library's own attention is not there to compare with while your test is graded.
"""

import numpy as np

from coursekit import CheckFailed, check, exercise, expect

exercise(
    title="Write the test: six broken attentions",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
        "attn.local_attention",
        "attn.general_score",
        "attn.MultiHeadAttention",
    ],
    hints=[
        "Which two numbers of the formula could a wrong function confuse with each other? Choose "
        "arrays in which no two sizes are alike.",
        "Compute in the test what the output should be, with the maximum of each row subtracted "
        "before `np.exp`, and compare with `np.allclose`. Then do it again with other arrays.",
        "`rng.normal(size=(3, 7))` for the queries, `(5, 7)` for the keys and `(5, 2)` for the "
        "values; once as they are, and once with one query 3000 times as long.",
    ],
)


def check_attention(attention):
    """Stop with an assert if ``attention(query, key, value)`` is wrong."""
    # BEGIN SOLUTION
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=size) for size in ((3, 7), (5, 7), (5, 2)))
    for longer in (1.0, 3000.0):
        query[1] *= longer
        scores = query @ key.T / np.sqrt(7)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        expected = weights / weights.sum(axis=1, keepdims=True) @ value
        assert np.allclose(attention(query, key, value), expected, atol=1e-6)
    # END SOLUTION


MISTAKES = r"""
rejects-right: `atol=1e-6` → `rtol=0, atol=0`
or `def check_attention(attention): assert False`
or (also compares-nothing)
    ```
    calls = []

    def check_attention(attention):
        calls.append(attention)
        assert len(calls) % 2
    ```
or
    ```
    def check_attention(attention):
        output, weights = attention(np.ones((3, 7)), np.ones((5, 7)), np.ones((5, 2)))
        assert np.allclose(weights.sum(axis=-1), 1)
    ```
    A test that stops right functions cannot tell them from wrong ones. Compare with numbers that
    follow from the formula, and allow for rounding.
reference-is-wrong: `np.sqrt(7)` → `7`
    The numbers that your test compares with are not those of the formula. Compute them once by
    hand, or by another way.
compares-nothing: `assert np` → `np`
or `np.allclose(attention(query, key, value), expected, atol=1e-6)` →
  `np.shape(attention(query, key, value)) == (3, 2)`
    No number of the output decides an `assert`: compare it with the numbers that the formula gives.
    Mind that `assert (condition, text)`, in brackets, never stops anything, and that a printed
    verdict does not either.
returns-verdict: `assert np.allclose(attention(query, key, value), expected, atol=1e-6)` →
  `if not np.allclose(attention(query, key, value), expected, atol=1e-6): return False`
    Your function returned False instead of stopping. A test reports by `assert`: it either raises
    an error or stays silent.
blind-to-query: (also blind-to-scale, blind-to-root, blind-to-overflow, blind-to-widths,
  blind-to-rows)
  `query[1] *= longer` → `query *= 0`
    With two queries that differ, their outputs have to differ as well.
blind-to-scale: (also blind-to-root, blind-to-overflow, blind-to-rows) `7` → `1`
    The width of the keys, d_k, decides how much the scores are divided. Compare the output with
    numbers, for keys wider than 1.
blind-to-root: (also blind-to-scale, blind-to-widths, blind-to-mixing) `query[1] *= longer` →
  `query *= 3000`
    Dividing by d_k and by its root differ wherever d_k is above 1. Compare the output with numbers.
blind-to-axis: (also blind-to-overflow, blind-to-widths, blind-to-rows)
  `(rng.normal(size=size) for size in ((3, 7), (5, 7), (5, 2)))` →
  `(np.eye(7) for _ in range(3))`, `3000.0` → `1.0`
    The weights of each query sum to 1. With other numbers of queries and keys, and queries that
    differ, the output shows whether they do.
blind-to-overflow: (also blind-to-rows) `3000.0` → `2.0`
    Try scores in the thousands, where a plain exponential is infinite.
blind-to-widths: `(5, 2)` → `(5, 7)`
    Keys and values need not be equally wide. Choose arrays in which no two sizes are alike.
blind-to-rows: `query[1] *= longer` → `query[:] = longer * query[1]`
    Give one query a length of thousands, and leave the others short.
too-much-room: `atol=1e-6` → `atol=0.05`
    Your test allows for more than rounding.
blind-to-mixing: (also blind-to-query, blind-to-scale, blind-to-root, blind-to-axis,
  blind-to-overflow, blind-to-widths, blind-to-rows, too-much-room)
    ```
    def check_attention(attention):
        rng = np.random.default_rng(0)
        query, key = rng.normal(size=(3, 7)), rng.normal(size=(5, 7))
        for longer in (1, 3000):
            assert np.allclose(attention(longer * query, key, np.ones((5, 2))), 1)
    ```
or (also blind-to-scale, blind-to-root, blind-to-widths, blind-to-rows)
    ```
    def check_attention(attention):
        key, value = np.eye(5), np.arange(10.0).reshape(5, 2)
        expected = value[[3, 0, 4]]
        assert np.allclose(attention(5000 * key[[3, 0, 4]], key, value), expected)
    ```
    Where two scores differ by little, both values count. Compare the output with numbers for scores
    that are close to each other.
"""


@check(points=1, success_message="It is silent about right functions.")
def ignores_the_query(check_attention, rng):
    """The first broken attention"""
    _stops(check_attention, _uniform, "returns the same for every query", "blind-to-query", rng)


@check(points=1)
def too_peaked(check_attention, rng):
    """The second broken attention"""
    said = "gives its best key more weight the wider the keys are"
    _stops(check_attention, _scaling(lambda d_k, d_v: 1), said, "blind-to-scale", rng)


@check(points=1)
def too_equal(check_attention, rng):
    """The third broken attention"""
    said = "gives all keys nearly the same weight when the keys are wide"
    _stops(check_attention, _scaling(lambda d_k, d_v: 1 / d_k), said, "blind-to-root", rng)


@check(points=1)
def queries_compete(check_attention, rng):
    """The fourth broken attention"""
    said = "lets the queries compete for a key, so that the weights of a query need not sum to 1"
    _stops(check_attention, _over_queries, said, "blind-to-axis", rng)


@check(points=1)
def not_a_number(check_attention, rng):
    """The fifth broken attention"""
    said = "is right for small scores and returns `nan` for large ones"
    _stops(check_attention, _overflowing, said, "blind-to-overflow", rng)


@check(points=1)
def takes_one_value(check_attention, rng):
    """The sixth broken attention"""
    said = "returns the value of the best key alone"
    _stops(check_attention, _best_alone, said, "blind-to-mixing", rng)


def _scaled(query, key, factor):
    return np.asarray(query, float) @ np.asarray(key, float).T * factor


def _shares(scores, highest):
    shares = np.exp(scores - highest)
    return shares / shares.sum(axis=-1, keepdims=True)


def _by_rows(query, key, value):
    scores = _scaled(query, key, np.shape(key)[-1] ** -0.5)
    return _shares(scores, scores.max(axis=-1, keepdims=True)) @ value


def _by_loops(query, key, value):
    outputs = []
    for one in np.asarray(query, float) * np.shape(key)[-1] ** -0.5:
        scores = np.array([one @ other for other in np.asarray(key, float)])
        log_sum = scores.max() + np.log(np.exp(scores - scores.max()).sum())
        outputs.append(sum(np.exp(s - log_sum) * v for s, v in zip(scores, value, strict=True)))
    return np.array(outputs)


def _overflowing(query, key, value):
    with np.errstate(all="ignore"):
        return _shares(_scaled(query, key, np.shape(key)[-1] ** -0.5), 0.0) @ value


def _uniform(query, key, value):
    return np.ones((len(query), 1)) * np.mean(value, axis=0)


def _over_queries(query, key, value):
    scores = _scaled(key, query, np.shape(key)[-1] ** -0.5)  # (num_keys, num_queries)
    return _shares(scores, scores.max(axis=-1, keepdims=True)).T @ value


def _best_alone(query, key, value):
    scores = _scaled(query, key, np.shape(key)[-1] ** -0.5)
    return (scores == scores.max(axis=-1, keepdims=True)) @ np.asarray(value)


def _scaling(factor):
    """An attention that multiplies its scores by something else than 1/√d_k."""

    def attention(query, key, value):
        scores = _scaled(query, key, factor(np.shape(key)[-1], np.shape(value)[-1]))
        return _shares(scores, scores.max(axis=-1, keepdims=True)) @ value

    return attention


def _far_off(query, key, value):
    """An output that has the right shape, and nothing else."""
    return np.full((len(query), np.shape(value)[1]), 1e4)


#: What a test takes for right whose own formula is wrong.
_OTHERS = {
    _scaling(lambda d_k, d_v: 1): "does not divide its scores",
    _scaling(lambda d_k, d_v: 1 / d_k): "divides its scores by d_k",
    _over_queries: "takes the softmax over the queries",
}


def _error(check_attention, tested):
    """What the test raised, or None; and what it returned."""

    def attention(query, key, value):  # all have this name, which therefore tells nothing
        return tested(query, key, value)

    expect(
        callable(check_attention),
        f"`check_attention` is of type {type(check_attention).__name__}; expected a function.",
    )
    try:
        return None, check_attention(attention)
    except NotImplementedError:
        raise
    except Exception as error:
        return error, None


def _takes_for_right(check_attention, other, right):
    """Whether a test lets the other attention through and stops the right one, in any order."""
    order = (other, right, right, other, right, other, other)
    return all((_error(check_attention, a)[0] is None) == (a is other) for a in order)


def _accepts(check_attention, attention, how):
    """Stop a test that rejects a right function: it would reject the broken ones for no reason."""
    error, _ = _error(check_attention, attention)
    if error is not None:
        for other, which in _OTHERS.items():
            expect(
                not _takes_for_right(check_attention, other, attention),
                f"Your test stops a right attention, and lets one through that {which}.",
                "reference-is-wrong",
            )
        kind = getattr(error, "remote_type", type(error).__name__)
        said = " ".join(str(error).split())[:200]
        raise CheckFailed(
            f"Your test stops a right attention, which computes {how}: "
            f"{kind}{': ' if said else ''}{said}.".replace("..", "."),
            "rejects-right",
        )


def _stops(check_attention, broken, said, misconception, rng):
    """Try the right functions, then these and a broken one in an order that nobody can count on."""
    trials = [(_by_rows, "with matrices"), (_by_loops, "with loops: its last digits differ")]
    trials.append((broken, ""))
    for i in (0, 1, *rng.permutation([0, 1, 2, 2] * 3)):
        tried, how = trials[i]
        if how:
            _accepts(check_attention, tried, how)
            continue
        error, returned = _error(check_attention, tried)
        if error is None and isinstance(returned, bool | np.bool_) and not returned:
            raise CheckFailed("A broken attention went through your test.", "returns-verdict")
        if error is None:
            far_off, _ = _error(check_attention, _far_off)
            message = "An output of 10000 everywhere went through your test."
            expect(far_off is not None, message, "compares-nothing")
        message = f"A broken attention went through your test: it {said}."
        expect(error is not None, message, misconception)


@check(points=1, hidden=True)
def other_right_functions(check_attention, rng):
    """Two more right functions, and an attention whose output is slightly too large"""
    noise = 1 + 1e-10 * rng.normal()
    _accepts(check_attention, lambda q, k, v: noise * _by_rows(q, k, v), "in another order")
    order = rng.permutation(1000)

    def shuffled(query, key, value):
        some = [i for i in order if i < len(key)] if len(key) <= 1000 else slice(None)
        return _by_rows(query, np.asarray(key)[some], np.asarray(value)[some])

    _accepts(check_attention, shuffled, "with the keys in another order")
    factor = 1 + rng.uniform(0.01, 0.02)
    _stops(
        check_attention,
        lambda q, k, v: factor * _by_rows(q, k, v),
        "returns outputs that are more than 1 % too large",
        "too-much-room",
        rng,
    )


@check(points=1, hidden=True)
def width_of_the_values(check_attention, rng):
    """An attention that takes the width of the values for that of the keys"""
    said = "takes the width of the values for that of the keys"
    broken = _scaling(lambda d_k, d_v: d_v**-0.5)
    _stops(check_attention, broken, said, "blind-to-widths", rng)


@check(points=1, hidden=True)
def one_maximum_for_all(check_attention, rng):
    """An attention that subtracts one maximum for all queries"""

    def broken(query, key, value):
        scores = _scaled(query, key, np.shape(key)[-1] ** -0.5)
        with np.errstate(all="ignore"):
            return _shares(scores, scores.max()) @ value

    said = "fails where one query has scores far below those of another"
    _stops(check_attention, broken, said, "blind-to-rows", rng)


ALSO_RIGHT = {
    "numbers by hand": """
        def check_attention(attention):
            key = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]])
            value = np.array([[3.0, 0, 9], [0, 6, 0], [0, 12, 0]])
            query = np.array([[2 * np.log(2), 0, 0, 0], [0, 0, 5, 0], [1e4, 0, 0, 0]])
            seen = np.asarray(attention(query, key, value))
            expected = [[1.5, 4.5, 4.5], [1, 6, 3], [3, 0, 9]]
            assert seen.shape == (3, 3)
            assert np.abs(seen - expected).max() < 1e-6
    """,
    "by loops, with an error of its own": """
        def check_attention(attention):
            rng = np.random.default_rng(5)
            for scale in (0.5, 40000.0):
                query, key = rng.normal(size=(2, 11)), rng.normal(size=(3, 11))
                value = rng.normal(size=(3, 5))
                query[0] *= scale
                for one, seen in zip(query, attention(query, key, value)):
                    scores = [one @ other / 11**0.5 for other in key]
                    parts = [np.exp(score - max(scores)) for score in scores]
                    expected = sum(p * v for p, v in zip(parts, value)) / sum(parts)
                    if not np.allclose(seen, expected, rtol=1e-4, atol=1e-7):
                        raise ValueError("this is not attention")
    """,
}
