"""Does a layer see the order of its tokens? `attend` is any function that takes tokens of shape
`(num_tokens, d)` and returns outputs of the same shape. If it knows nothing of the order, then
shuffling the tokens shuffles the outputs, in the same way, and does nothing else.

Write the test: `order_matters(attend, x)` returns `True` if `attend` sees the order of the tokens
`x`, and `False` if not. Outputs that differ by less than $10^{-6}$ count as equal. Be careful
which shuffle you try: some layers see the order and do not mind *every* change of it.
"""

import numpy as np

import attn
from coursekit import check, exercise, expect, wrong

exercise(
    id="order-matters",
    chapter="positions",
    title="A test for order",
    hints=[
        "Take an order, say `order = [2, 0, 1, …]`. Which two arrays do you compare: `attend(x)`, "
        "`attend(x[order])`, and which of them has to be reordered first?",
        "`attend(x[order])` against `attend(x)[order]`, with `np.allclose`. Now think of a layer "
        "in which only the distance of two tokens counts. What does reversing change there?",
        "Try several orders: `rng = np.random.default_rng(0)` and `rng.permutation(len(x))`, "
        "twenty times. If any of them makes a difference, order matters.",
    ],
    misconceptions={
        "not-reordered": "This layer knows nothing of the order. Its outputs come in the shuffled "
        "order, as they should: put them into the same order before you compare.",
        "reversal": "In this layer the distance of two tokens counts. A reversed sentence has the "
        "same distances, so reversing it shows nothing.",
        "mean-only": "The mean of the outputs stays here, and the outputs change. Compare them "
        "one by one.",
        "rotation": "This layer goes round in a circle: moving all tokens on by one shows nothing.",
        "one-pair": "Exchanging two tokens shows nothing if the layer treats their two places "
        "alike. Try more than one order.",
        "exact": "This layer knows nothing of the order. The sums are rounded differently in "
        "another order: allow for that.",
        "always": "This layer knows nothing of the order, and the answer was True.",
        "never": "This layer sees the order, and the answer was False.",
    },
)


def order_matters(attend, x):
    """Return True if attend sees the order of the tokens x, else False.

    attend: (num_tokens, d) → (num_tokens, d)   x: (num_tokens, d)
    """
    # BEGIN SOLUTION
    before = attend(x)
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(len(x))
        if not np.allclose(attend(x[order]), before[order], rtol=0, atol=1e-6):
            return True
    return False
    # END SOLUTION


def _self(x, **options):
    return attn.scaled_dot_product_attention(x, x, x, **options)


def _circle(x):
    """Each token sees itself and the next one, and the last one sees the first."""
    seen = np.eye(len(x), dtype=bool)
    return _self(x, mask=seen | np.roll(seen, 1, axis=1))


def _near(x):
    return _self(x, bias=4 * attn.alibi_bias(1, len(x), len(x))[0])


def _balanced(x):
    """Add to each token something by its place that sums to 0 over all places."""
    places = np.linspace(-1, 1, len(x))[:, None]
    return x + places * x.sum(axis=0)


def _marked(x):
    """Add 1 to the last token: of this place, and of no other, the layer knows."""
    return np.concatenate([x[:-1], x[-1:] + 1])


BLIND = {
    "a layer that treats each token alone": lambda x: np.tanh(x) + 1,
    "self-attention": lambda x: _self(x),
    "the mean of all tokens": lambda x: np.repeat(x.mean(axis=0, keepdims=True), len(x), axis=0),
}
SEEING = {
    "with sinusoidal positions": (
        lambda x: _self(x + attn.sinusoidal_positions(*x.shape)),
        "never",
    ),
    "with a causal mask": (lambda x: _self(x, is_causal=True), "never"),
    "with rotary positions": (
        lambda x: attn.scaled_dot_product_attention(attn.rotary(x), attn.rotary(x), x),
        "never",
    ),
    "with a bias by distance": (_near, "reversal"),
    "in a circle": (_circle, "rotation"),
    "whose places sum to 0": (_balanced, "mean-only"),
    "that knows the last place only": (_marked, "one-pair"),
}


def _try_blind(order_matters, name, x):
    calls = []

    def attend(tokens):
        calls.append(len(tokens))
        return BLIND[name](np.asarray(tokens, dtype=float))

    if not order_matters(attend, x.copy()):
        return
    # Alone with each token nothing is summed, so nothing can be rounded in another way.
    known = "not-reordered" if name.startswith("a layer") else "exact"
    expect(
        False,
        f"{name.capitalize()}: the answer is True; expected False.",
        known if len(calls) > 1 else "always",
    )


def _try_seeing(order_matters, name, x):
    layer, misconception = SEEING[name]
    seen = order_matters(lambda tokens: layer(np.asarray(tokens, dtype=float)), x.copy())
    expect(bool(seen), f"A layer {name}: the answer is False; expected True.", misconception)


def _tokens(seed, num_tokens=7, d=4):
    return np.random.default_rng(seed).normal(size=(num_tokens, d))


@check(points=2)
def layers_that_see_nothing(order_matters):
    """False for layers that know nothing of the order"""
    for name in BLIND:
        _try_blind(order_matters, name, _tokens(0))


@check(points=2)
def layers_that_see_it(order_matters):
    """True with positions, and with a causal mask"""
    for name in ("with sinusoidal positions", "with a causal mask", "with rotary positions"):
        _try_seeing(order_matters, name, _tokens(1))


@check(points=2)
def tricky_ones(order_matters):
    """True where some changes of the order make no difference"""
    for name in list(SEEING)[3:]:
        _try_seeing(order_matters, name, _tokens(2))


@check(points=1, hidden=True)
def other_sentences(order_matters, rng):
    """Other sentences, long and wide ones"""
    for num_tokens, d in ((5, 2), (31, 6)):
        x = rng.normal(size=(num_tokens, d))
        for name in BLIND:
            _try_blind(order_matters, name, x)
        for name in SEEING:
            _try_seeing(order_matters, name, x)


WRONG = {
    "compared without reordering": wrong(
        replace={"before[order]": "before"},
        rejected_by=["layers_that_see_nothing", "other_sentences"],
        misconception="not-reordered",
    ),
    "reversed only": wrong(
        """
        def order_matters(attend, x):
            return not np.allclose(attend(x[::-1]), attend(x)[::-1], atol=1e-6)
        """,
        rejected_by=["tricky_ones"],
        misconception="reversal",
    ),
    "all moved on by one": wrong(
        """
        def order_matters(attend, x):
            moved = np.roll(x, 1, axis=0)
            return not np.allclose(attend(moved), np.roll(attend(x), 1, axis=0), atol=1e-6)
        """,
        rejected_by=["tricky_ones"],
        misconception="rotation",
    ),
    "only the mean": wrong(
        replace={"attend(x[order]), before[order]": "attend(x[order]).mean(0), before.mean(0)"},
        rejected_by=["tricky_ones"],
        misconception="mean-only",
    ),
    "the first two exchanged": wrong(
        """
        def order_matters(attend, x):
            order = np.arange(len(x))
            order[:2] = 1, 0
            return not np.allclose(attend(x[order]), attend(x)[order], atol=1e-6)
        """,
        rejected_by=["tricky_ones"],
        misconception="one-pair",
    ),
    "exactly equal": wrong(
        replace={
            "not np.allclose(attend(x[order]), before[order], rtol=0, atol=1e-6)": "not "
            "np.array_equal(attend(x[order]), before[order])"
        },
        rejected_by=["layers_that_see_nothing"],
        misconception="exact",
    ),
    "always true": wrong(
        """
        def order_matters(attend, x):
            return True
        """,
        rejected_by=["layers_that_see_nothing", "other_sentences"],
        misconception="always",
    ),
    "always false": wrong(
        """
        def order_matters(attend, x):
            return False
        """,
        rejected_by=["layers_that_see_it", "tricky_ones", "other_sentences"],
        misconception="never",
    ),
}

ALSO_RIGHT = {
    "every pair exchanged": """
        def order_matters(attend, x):
            before = attend(x)
            for i in range(len(x)):
                for j in range(i):
                    order = np.arange(len(x))
                    order[i], order[j] = j, i
                    if np.abs(attend(x[order]) - before[order]).max() > 1e-6:
                        return True
            return False
    """,
    "shuffled back": """
        def order_matters(attend, x):
            rng = np.random.default_rng(7)
            differences = []
            for _ in range(10):
                order = rng.permutation(len(x))
                back = np.argsort(order)
                differences.append(np.abs(attend(x[order])[back] - attend(x)).max())
            return bool(max(differences) > 1e-6)
    """,
}
