"""Rotary positions turn each query and each key by its place. Features $2i$ and $2i + 1$ are a
pair, the two coordinates of a point in the plane, and at place $t$ it is turned about the origin,
from the first axis towards the second, by the angle

$$
t \\cdot 10000^{-2i / d} \\qquad i = 0 \\ldots d/2 - 1 .
$$

So the first pair turns by 1 radian a place, and the others ever more slowly. Write
`turned(x, places)`: `x` has shape `(num_tokens, d)` with an even $d$, and `places`, shape
`(num_tokens,)`, says where each token stands; they need not begin at 0. Return an array of the
shape of `x`.
"""

import numpy as np

import attn
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="turn-by-place",
    chapter="positions",
    title="Turn by the place",
    withhold=["attn.rotary"],
    hints=[
        "One pair first: where does the point $(a, b)$ land if it is turned by 90 degrees? And by "
        "an angle with the cosine $c$ and the sine $s$?",
        "It lands at $(a c - b s, a s + b c)$. The first features of all pairs are `x[:, 0::2]`, "
        "the second ones `x[:, 1::2]`. Which shape must the angles have?",
        "`angles = places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)` has shape "
        "`(num_tokens, d / 2)`. Fill `result[:, 0::2]` and `result[:, 1::2]` of an empty array.",
    ],
    misconceptions={
        "backwards": "The points were turned the other way. Distances still come out, but with "
        "another sign than in the formula.",
        "halves": "Feature i was paired with feature i + d/2. Some models do; here neighbours are "
        "a pair.",
        "one-speed": "All pairs turn at the same speed. The exponent falls from pair to pair.",
        "half-exponent": "The speeds fall too slowly: pair i has the exponent 2i/d, not i/d.",
        "counted-from-zero": "The places were counted from 0 and not taken from `places`.",
        "added": "Something was added to x. A turn keeps the length of every pair.",
        "not-a-turn": "Each feature was only multiplied. A turn mixes the two of a pair.",
        "degrees": "The angles were taken for degrees. They are in radians.",
    },
)


def turned(x, places):
    """Return x with each pair of features turned, (num_tokens, d).

    x: (num_tokens, d), d even   places: (num_tokens,)
    """
    # BEGIN SOLUTION
    d = x.shape[-1]
    angles = places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)  # (num_tokens, d / 2)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[:, 0::2], x[:, 1::2]
    result = np.empty_like(x)
    result[:, 0::2] = first * cos - second * sin
    result[:, 1::2] = first * sin + second * cos
    return result
    # END SOLUTION


def _mistakes(x, places):
    d = x.shape[-1]

    def turn(x, angles):
        cos, sin = np.cos(angles), np.sin(angles)
        made = np.empty_like(x)
        made[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
        made[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
        return made

    speeds = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = places[:, None] * speeds
    halves = np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
    by_halves = np.empty_like(x)
    by_halves[:, np.argsort(halves)] = x  # feature i beside feature i + d / 2
    sinusoids = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(x.shape)
    return {
        "backwards": turn(x, -angles),
        "halves": turn(by_halves, angles)[:, np.argsort(halves)],
        "one-speed": turn(x, np.broadcast_to(places[:, None], angles.shape)),
        "half-exponent": turn(x, places[:, None] * speeds**0.5),
        "counted-from-zero": turn(x, np.arange(len(x))[:, None] * speeds),
        "degrees": turn(x, np.radians(angles)),
        "added": x + sinusoids,
        "not-a-turn": x * np.repeat(np.cos(angles), 2, axis=-1),
    }


def _expect_turned(turned, x, places):
    what = f"turned(x of shape {x.shape}, places {np.asarray(places).tolist()[:4]} …)"
    seen = expect_shape(turned(x.copy(), places.copy()), x.shape, what=what)
    expect_close(
        seen,
        attn.rotary(x, places),
        atol=1e-7,
        what=what,
        mistakes=_mistakes(x, places),
    )


def _scores(turned, query, key, places):
    query, key = (
        expect_shape(turned(x.copy(), places.copy()), x.shape, what=f"turned(x of shape {x.shape})")
        for x in (query, key)
    )
    return query @ key.T


@check(points=2)
def one_pair(turned):
    """One pair: a quarter turn takes (1, 0) to (0, 1)"""
    x = np.array([[1.0, 0.0], [2.0, 1.0], [0.5, -1.0]])
    _expect_turned(turned, x, np.array([np.pi / 2, 3.0, 7.0]))


@check(points=2)
def several_pairs(turned):
    """Three pairs, each at its own speed"""
    x = np.random.default_rng(0).normal(size=(5, 6))
    _expect_turned(turned, x, np.array([2.0, 3.0, 5.0, 8.0, 13.0]))


@check(points=2)
def only_the_distance_counts(turned):
    """All places 100 further on: the same scores"""
    rng = np.random.default_rng(1)
    query, key = rng.normal(size=(2, 4, 8))
    places = np.arange(4.0)
    before, after = (_scores(turned, query, key, places + shift) for shift in (0.0, 100.0))
    unturned = query @ key.T
    expect(
        not np.allclose(before, unturned),
        "The scores are those without any turn.",
    )
    expect_close(
        after,
        before,
        atol=1e-6,
        what="The scores at places 100 … 103",
    )


@check(points=1, hidden=True)
def other_sizes(turned, rng):
    """Other widths and places"""
    for num_tokens, d in ((3, 4), (7, 10)):
        x = rng.normal(size=(num_tokens, d))
        _expect_turned(turned, x, rng.integers(0, 50, size=num_tokens).astype(float))


WRONG = {
    "turned backwards": wrong(
        replace={
            "first * cos - second * sin": "first * cos + second * sin",
            "first * sin + second * cos": "second * cos - first * sin",
        },
        rejected_by=["one_pair", "several_pairs", "other_sizes"],
        misconception="backwards",
    ),
    "halves as pairs": wrong(
        replace={
            "first, second = x[:, 0::2], x[:, 1::2]": "first, second = x[:, : d // 2], "
            "x[:, d // 2 :]",
            "result[:, 0::2] =": "result[:, : d // 2] =",
            "result[:, 1::2] =": "result[:, d // 2 :] =",
        },
        rejected_by=["several_pairs", "other_sizes"],
        misconception="halves",
    ),
    "one speed": wrong(
        replace={"10000.0 ** (-np.arange(0, d, 2) / d)": "np.ones(d // 2)"},
        rejected_by=["several_pairs", "other_sizes"],
        misconception="one-speed",
    ),
    "half the exponent": wrong(
        replace={"-np.arange(0, d, 2) / d": "-np.arange(d // 2) / d"},
        rejected_by=["several_pairs", "other_sizes"],
        misconception="half-exponent",
    ),
    "places counted from 0": wrong(
        replace={"places[:, None]": "np.arange(len(x))[:, None]"},
        rejected_by=["one_pair", "several_pairs", "other_sizes"],
        misconception="counted-from-zero",
    ),
    "sinusoids added": wrong(
        replace={
            "first * cos - second * sin": "first + sin",
            "first * sin + second * cos": "second + cos",
        },
        rejected_by=["one_pair", "several_pairs", "only_the_distance_counts", "other_sizes"],
        misconception="added",
    ),
    "multiplied by the cosine": wrong(
        replace={
            "first * cos - second * sin": "first * cos",
            "first * sin + second * cos": "second * cos",
        },
        rejected_by=["one_pair", "several_pairs", "only_the_distance_counts", "other_sizes"],
        misconception="not-a-turn",
    ),
    "degrees": wrong(
        replace={
            "np.cos(angles), np.sin(angles)": "np.cos(np.radians(angles)), "
            "np.sin(np.radians(angles))"
        },
        rejected_by=["one_pair", "several_pairs", "other_sizes"],
        misconception="degrees",
    ),
}

ALSO_RIGHT = {
    "complex numbers": """
        def turned(x, places):
            d = x.shape[-1]
            points = x[:, 0::2] + 1j * x[:, 1::2]
            speeds = 10000.0 ** (-np.arange(0, d, 2) / d)
            points = points * np.exp(1j * np.outer(places, speeds))
            return np.stack([points.real, points.imag], axis=-1).reshape(x.shape)
    """,
    "a matrix for each token": """
        def turned(x, places):
            result = np.zeros(x.shape)
            for t, place in enumerate(places):
                for i in range(x.shape[1] // 2):
                    angle = place / 10000 ** (2 * i / x.shape[1])
                    c, s = np.cos(angle), np.sin(angle)
                    turn = np.array([[c, -s], [s, c]])
                    result[t, 2 * i : 2 * i + 2] = turn @ x[t, 2 * i : 2 * i + 2]
            return result
    """,
}
