"""Rotary positions turn each query and each key by its position. Features $2i$ and $2i + 1$ are a
pair, the two coordinates of a point in the plane. At position $t$ the point is turned about the
origin, from the first axis towards the second, by the angle (in radians)

$$
t \\cdot 10000^{-2i / d} \\qquad i = 0 \\ldots d/2 - 1 .
$$

So the first pair turns by 1 radian for each position, and the later pairs more slowly. Write
`turned(x, positions)`: `x` has shape `(num_tokens, d)` with an even $d$, and `positions`, shape
`(num_tokens,)`, holds the position of each token. They need not begin at 0, nor be whole numbers.
Return a new array of the shape of `x`, its features in the same order, and leave `x` as it is. Both
`x` and the result hold float64 numbers; hidden checks use other sizes and positions, too.
"""

import numpy as np

import attn
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
)

exercise(
    title="Turn by the position",
    version=3,
    withhold=["attn.rotary"],
    hints=[
        "One pair first: where does the point $(a, b)$ land if it is turned by 90 degrees? And by "
        "an angle with the cosine $c$ and the sine $s$?",
        "It lands at $(a c - b s, a s + b c)$. The first features of all pairs are `x[:, 0::2]`, "
        "the second ones `x[:, 1::2]`. Which shape must the angles have?",
        "`angles = positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)` has shape "
        "`(num_tokens, d / 2)`. Fill `result[:, 0::2]` and `result[:, 1::2]` of an empty array.",
    ],
)


def turned(x, positions):
    """Return x with each pair of features turned, (num_tokens, d).

    x: (num_tokens, d), d even   positions: (num_tokens,)
    """
    # BEGIN SOLUTION
    d = x.shape[-1]
    angles = positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)  # (num_tokens, d / 2)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[:, 0::2], x[:, 1::2]
    result = np.empty_like(x)
    result[:, 0::2] = first * cos - second * sin
    result[:, 1::2] = first * sin + second * cos
    return result
    # END SOLUTION


MISTAKES = r"""
backwards: `np.sin(angles)` → `np.sin(-angles)`
    The points were turned the other way, from the second axis towards the first.
halves: `[:, 0::2]` → `[:, : d // 2]`, `[:, 1::2]` → `[:, d // 2 :]`
    Feature i was paired with feature i + d/2. Some models do; here neighbours are a pair.
halves-in: `x[:, 0::2], x[:, 1::2]` → `x[:, : d // 2], x[:, d // 2 :]`
    Feature i was paired with feature i + d/2 in x, and the result has neighbours as pairs.
    Neighbours are a pair in both.
halves-backwards: (also backwards) `[:, 0::2]` → `[:, : d // 2]`, `[:, 1::2]` → `[:, d // 2 :]`,
  `np.sin(angles)` → `np.sin(-angles)`
    Feature i was paired with feature i + d/2, and the points were turned the other way. Neighbours
    are a pair, turned from the first axis towards the second.
not-interleaved: `result[:, 0::2]` → `result[:, : d // 2]`,
  `result[:, 1::2]` → `result[:, d // 2 :]`
    The numbers are right, but the first features of all pairs come before the second ones. Put them
    back in turn: features 2i and 2i + 1 are neighbours.
one-speed: `10000.0 ** (-np.arange(0, d, 2) / d)` → `np.ones(d // 2)`
    All pairs turn at the same speed. The exponent falls from pair to pair.
half-exponent: `np.arange(0, d, 2)` → `np.arange(d // 2)`
    The speeds fall too slowly: pair i has the exponent −2i/d, not −i/d.
double-exponent: `np.arange(0, d, 2)` → `2 * np.arange(0, d, 2)`
    The speeds fall too fast: pair i has the exponent −2i/d, not −4i/d.
faster: `-np.arange` → `np.arange`
    Later pairs turn faster. The exponent is negative, −2i/d.
base: `10000.0` → `1000.0`
    The base of the speeds is 1000. It should be 10000.
counted-from-zero: `positions[:, None]` → `np.arange(len(x))[:, None]`
    The positions were counted from 0 and not taken from `positions`.
from-the-first: `positions[:, None]` → `(positions - positions[0])[:, None]`
    The first position was subtracted from all. The angle depends on the position itself.
wrapped: `positions[:, None]` → `(positions % len(x))[:, None]`
    The positions wrap around at the number of tokens, as in a table that has one row for each
    token. They may be larger.
added: `first * cos - second * sin` → `first + sin`, `first * sin + second * cos` → `second + cos`
    Sines and cosines were added to x. A turn keeps the length of every pair.
not-a-turn: ` - second * sin` → ``, `first * sin + ` → ``
    Each feature was only multiplied by a cosine. A turn mixes the two of a pair.
both-plus: `first * cos - ` → `first * cos + `
    Both signs are plus, so lengths change. In a turn the first feature is a cos − b sin.
exchanged: `cos, sin =` → `sin, cos =`
    The sine and the cosine are exchanged.
pair-exchanged: `return result` → `return result.reshape(-1, 2)[:, ::-1].reshape(x.shape)`
    The two features of each pair have changed places. The first one is a cos − b sin, the second
    one a sin + b cos.
minus-in-both: `first * sin + second * cos` → `second * cos - first * sin`
    Both features have a minus. The second one is a sin + b cos.
both-minus: `first * sin + second * cos` → `-first * sin - second * cos`
    The second feature should be a sin + b cos. Its sign is wrong.
overwritten: `first * sin + second * cos` → `result[:, 0::2] * sin + second * cos`
    The second feature was computed from the first one after that was turned. Use the numbers as
    they were before the turn for both.
positions-from-one: `positions[:, None]` → `(positions[:, None] + 1)`
    1 was added to every position. Use `positions` as it is.
first-pair-too-slow: `np.arange(0, d, 2)` → `np.arange(2, d + 2, 2)`
    The pairs were counted from 1. The first pair has i = 0 and turns by 1 radian for each position.
whole-turns: `angles = positions` → `angles = 2 * np.pi * positions`
    The angles were multiplied by 2π. They are in radians already.
angle-for-each-feature: `np.arange(0, d, 2)` → `np.arange(d)`,
  `first * cos - second * sin` → `first * cos[:, 0::2] - second * sin[:, 0::2]`,
  `first * sin + second * cos` → `first * sin[:, 1::2] + second * cos[:, 1::2]`
    The two features of a pair have different angles. A pair has one angle, with the exponent −2i/d.
whole-numbers: `return result` → `return result.astype(int)`
    The result was rounded to whole numbers.
float32-lost: `return result` → `return result.astype(np.float32)`
    The result was computed in float32: it has 7 correct digits only.
degrees: `(angles)` → `(np.radians(angles))`
    The angles were taken as degrees. They are in radians.
unturned: `return result` → `return x`
    Nothing was turned.
"""


def _call(turned, x, positions):
    what = f"turned(x of shape {x.shape}, {np.round(positions, 2).tolist()})"
    return expect_shape(call_keeping_inputs(turned, x, positions), x.shape, what=what), what


def _expect_turned(turned, x, positions):
    seen, what = _call(turned, x, positions)
    right = attn.rotary(x, positions)
    expect_close(seen, right, atol=1e-5, what=what)
    rounded = np.abs(seen - right).max() > 1e-9
    is_float32 = (np.asarray(seen, np.float32) == seen).all()
    message = f"{what} differs from what is expected by up to {np.abs(seen - right).max():.1g}."
    expect(not rounded, message, "float32-lost" if is_float32 else None)


@check(points=2)
def one_pair(turned):
    """One pair: a quarter turn takes (1, 0) to (0, 1)"""
    x = np.array([[1.0, 0.0], [2.0, 1.0], [0.5, -1.0]])
    _expect_turned(turned, x, np.array([np.pi / 2, 3.0, 7.0]))


@check(points=2)
def several_pairs(turned):
    """Three pairs, each at its own speed"""
    x = np.random.default_rng(0).normal(size=(5, 6))
    _expect_turned(turned, x, np.array([2, 3, 7, 11, 13]))


@check(points=2)
def only_the_distance_counts(turned):
    """All positions 100 further on: the same scores"""
    rng = np.random.default_rng(1)
    query, key = rng.normal(size=(2, 5, 6))
    positions, far = np.arange(5.0), np.arange(100.0, 105.0)
    before, after, apart = (
        _call(turned, query, of_query)[0] @ _call(turned, key, of_key)[0].T
        for of_query, of_key in ((positions, positions), (far, far), (positions, far))
    )
    if np.allclose(before, query @ key.T):
        expect(False, "The scores are those without any turn.")
    message = "With the keys 100 further on, and not the queries, the scores are the same."
    expect(not np.allclose(apart, before), message)
    expect_close(after, before, atol=1e-6, what="the array of scores at positions 100 … 104")


@check(points=1, hidden=True)
def other_sizes(turned, rng):
    """Other widths and positions"""
    for num_tokens, d in ((3, 14), (7, 10)):
        x = rng.normal(size=(num_tokens, d))
        _expect_turned(turned, x, rng.integers(8, 50, size=num_tokens))


ALSO_RIGHT = {
    "complex numbers": """
        def turned(x, positions):
            d = x.shape[-1]
            points = x[:, 0::2] + 1j * x[:, 1::2]
            speeds = 10000.0 ** (-np.arange(0, d, 2) / d)
            points = points * np.exp(1j * np.outer(positions, speeds))
            return np.stack([points.real, points.imag], axis=-1).reshape(x.shape)
    """,
    "a matrix for each token": """
        def turned(x, positions):
            result = np.zeros(x.shape)
            for t, position in enumerate(positions):
                for i in range(x.shape[1] // 2):
                    angle = position / 10000 ** (2 * i / x.shape[1])
                    c, s = np.cos(angle), np.sin(angle)
                    turn = np.array([[c, -s], [s, c]])
                    result[t, 2 * i : 2 * i + 2] = turn @ x[t, 2 * i : 2 * i + 2]
            return result
    """,
}
