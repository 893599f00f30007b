"""Does a layer see the order of its tokens? `attend` is any function that takes tokens of shape
`(num_tokens, d)` and returns outputs of the same shape. If it does not depend on the order, then
shuffling the tokens shuffles the outputs in the same way and does nothing else.

Write the test: `order_matters(attend, x)` returns `True` if `attend` sees the order of the tokens
`x`, and `False` if not. Outputs count as equal if no number differs by more than $10^{-6}$. Compare
absolute differences: with numbers up to 100,000, as here, rounding errors stay far below that. Some
layers see the order and yet give the same for one shuffle or another: try several. Leave `x` as it
is.
"""

import numpy as np

import attn
from coursekit import call_keeping_inputs, check, exercise, expect

exercise(
    title="A test for order",
    version=2,
    hints=[
        "Take an order, say `order = [2, 0, 1, …]`. Which two arrays do you compare: `attend(x)`, "
        "`attend(x[order])`, and which of them has to be reordered first?",
        "`attend(x[order])` against `attend(x)[order]`, with `np.allclose`. Now think of a layer "
        "in which only the distance of two tokens counts. What does reversing change there?",
        "Try several orders: `rng = np.random.default_rng(0)` and `rng.permutation(len(x))`, "
        "twenty times. If any of them makes a difference, order matters.",
    ],
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


MISTAKES = r"""
not-reordered: `before[order]` → `before`
    This layer does not depend on the order. Its outputs come in the shuffled order, as they should:
    put the earlier outputs into the same order, `before[order]`, and compare these.
exact: `atol=1e-6` → `atol=1e-12`
or `not np.allclose(attend(x[order]), before[order], rtol=0, atol=1e-6)` →
  `(attend(x[order]) != before[order]).any()`
    In the orders that you tried, no output of this layer changed by more than 1e-6, and differences
    as small as that count as none.
turned-round: `return True` → `return None`, `return False` → `return True`
    The answers are exchanged: True is for a layer that sees the order.
never-shuffled: `before = attend(x)` → `x = np.cos(x); before = attend(x)`
or `def order_matters(attend, x): return True`
or `def order_matters(attend, x): return False`
    The layer was never called with the tokens of x in another order.
reversal: `rng.permutation(len(x))` → `np.arange(len(x))[::-1]`
    Only the reversed order was tried, and this layer gives the same for it. Try other orders.
rotation: `rng.permutation(len(x))` → `np.roll(np.arange(len(x)), 1)`
    Only orders that move all tokens on in a circle were tried, and this layer gives the same for
    them. Try other orders.
one-shuffle: `rng.permutation(len(x))` → `np.r_[1, 0, 2 : len(x)]`
or `range(20)` → `range(1)`
    One order only was tried, and this layer gives the same for it. It sees other changes of the
    order: try several.
one-order: (also one-shuffle, rotation) `rng.permutation(len(x))` →
  `np.argsort(np.sin(1e4 * before[:, 0]))`
    One order only was tried. Whichever it is, some layers that see the order give the same for it:
    try several.
not-seen: `rng.permutation(len(x))` → `np.append(rng.permutation(len(x) - 1), len(x) - 1)`
    In all the orders that you tried this layer gives the same, and in others it does not. Try more
    orders, of different kinds.
mean-only: (also as-a-set) `attend(x[order]), before[order]` →
  `attend(x[order]).mean(0), before.mean(0)`
    In an order that you tried the outputs changed, but their mean did not. Compare the outputs one
    by one.
as-a-set: `attend(x[order]), before[order]` →
  `np.sort(attend(x[order]), axis=0), np.sort(before, axis=0)`
    In the orders that you tried the outputs hold the same numbers, but not in the rows of their
    tokens. Compare row by row: output i with the earlier output of the same token.
all-not-any: (also one-shuffle) `if not` → `if`, `return True` → `return None`,
  `return False` → `return True`
    In some of the orders that you tried the outputs changed, and in others they did not. One order
    that changes them is enough.
too-coarse: `rtol=0, ` → ``
    In every order that you tried, some number changed by more than 1e-6. Compare the largest
    absolute difference with 1e-6; np.allclose allows more for large numbers, unless rtol is 0.
"""


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


def _reversed(x):
    """Return the outputs of a layer without positions in the reverse order."""
    return np.tanh(x)[::-1]


def _slightly(x):
    """Add to large outputs a little that depends on the position."""
    return (1e4 + 1e-4 * np.arange(len(x))[:, None]) * x


def _of_large_numbers(x):
    """Add to each number above 100 one that depends on its position."""
    return x + np.where(x > 100, np.arange(len(x))[:, None], 0)


BLIND = {
    "that treats each token alone": lambda x: np.tanh(x) + 1,
    "of self-attention": lambda x: _self(x),
    "that returns the mean of all tokens": lambda x: np.repeat(
        x.mean(axis=0, keepdims=True), len(x), axis=0
    ),
    "whose outputs depend on the order by 1e-7": lambda x: x + 3e-9 * np.arange(len(x))[:, None],
}
SEEING = {
    "with sinusoidal positions": lambda x: _self(x + attn.sinusoidal_positions(*x.shape)),
    "with a causal mask": lambda x: _self(x, is_causal=True),
    "with rotary positions": lambda x: attn.scaled_dot_product_attention(
        attn.rotary(x), attn.rotary(x), x
    ),
    "with a bias by distance": _near,
    "in a circle": _circle,
    "whose positions sum to 0": _balanced,
    "that knows the last position only": _marked,
    "that returns its rows in reverse": _reversed,
    "that changes large outputs a little": _slightly,
}


class _Recorded:
    """A layer that notes in which orders its tokens came."""

    def __init__(self, layer, x):
        self.layer, self.x, self.orders = layer, x, []

    def __call__(self, tokens):
        tokens = np.array(tokens, dtype=float)
        rows = [np.flatnonzero((self.x == token).all(axis=1)) for token in tokens]
        order = [int(row[0]) for row in rows if len(row)]
        unmoved = list(range(len(self.x)))
        if sorted(order) == unmoved and order not in [unmoved, *self.orders]:
            self.orders.append(order)
        return self.layer(tokens)

    def differences(self):
        """Return how much the outputs of each order differ, (orders, num_tokens, d)."""
        before = self.layer(self.x)
        return np.array([self.layer(self.x[order]) - before[order] for order in self.orders])


def _answer(order_matters, layer, x):
    recorded = _Recorded(layer, x)

    def attend(tokens):  # a function, since an object with state would count as changed
        return recorded(tokens)

    return bool(call_keeping_inputs(order_matters, attend, x)), recorded


def _why_true(order_matters, recorded):
    """Name why a layer that sees nothing was taken for one that sees the order."""
    if not recorded.orders:
        return "never-shuffled"
    alone, _ = _answer(order_matters, BLIND["that treats each token alone"], recorded.x)
    if alone and not _answer(order_matters, SEEING["with a causal mask"], recorded.x)[0]:
        return "turned-round"
    if alone:
        return "not-reordered"
    return "exact" if np.abs(recorded.differences()).max() > 0 else None


def _why_false(order_matters, recorded):
    """Name why a layer that sees the order was taken for one that does not."""
    if not recorded.orders:
        return "never-shuffled"
    alone, _ = _answer(order_matters, BLIND["that treats each token alone"], recorded.x)
    if alone and not _answer(order_matters, SEEING["with a causal mask"], recorded.x)[0]:
        return "turned-round"
    differences = recorded.differences()
    changed = np.abs(differences).max(axis=(1, 2)) > 1e-6
    if not changed.any():
        return _kind(recorded.orders, len(recorded.x))
    if _same_numbers(recorded):
        return _why_rearranged(order_matters, recorded)
    same_mean = np.abs(differences.mean(axis=1)).max() < 1e-9
    if same_mean and not _answer(order_matters, _balanced, recorded.x)[0]:
        return "mean-only"
    return "too-coarse" if changed.all() else "all-not-any"


def _why_rearranged(order_matters, recorded):
    """Name why a layer was not seen to rearrange its rows, by one that does it in each order."""
    x = recorded.x
    causal, others = _answer(order_matters, SEEING["with a causal mask"], x)
    orders, rng = np.array([*recorded.orders, *others.orders]), np.random.default_rng(0)
    drawn = (rng.permutation(len(x)) for _ in range(1000))
    own = next((p for p in drawn if (p[orders] != orders[:, p]).any(axis=1).all()), None)
    if own is None or not causal:
        return None
    seen, _ = _answer(order_matters, lambda tokens: np.tanh(tokens)[own], x)
    return "all-not-any" if seen else "as-a-set"


def _same_numbers(recorded):
    """Whether every order gives the same numbers in each feature, in whatever rows."""
    before = np.sort(recorded.layer(recorded.x), axis=0)
    after = [np.sort(recorded.layer(recorded.x[order]), axis=0) for order in recorded.orders]
    return bool(np.allclose(after, before, rtol=0, atol=1e-9))


def _kind(orders, num_tokens):
    count = list(range(num_tokens))
    if orders == [count[::-1]]:
        return "reversal"
    if all(order in [count[i:] + count[:i] for i in count] for order in orders):
        return "rotation"
    return "one-shuffle" if len(orders) == 1 else "not-seen"


def _try_blind(order_matters, name, x):
    answer, recorded = _answer(order_matters, BLIND[name], x)
    if answer:
        message = f"A layer {name}: the answer is True; expected False."
        expect(False, message, _why_true(order_matters, recorded))


def _try_seeing(order_matters, name, x, layer=None):
    answer, recorded = _answer(order_matters, layer or SEEING[name], x)
    if not answer:
        message = f"A layer {name}: the answer is False; expected True."
        expect(False, message, _why_false(order_matters, recorded))


def _tokens(seed, num_tokens=7, d=4):
    return np.random.default_rng(seed).normal(size=(num_tokens, d))


def _try_all(order_matters, names, x, rng):
    """Try layers of both kinds, in an order that nobody can count on."""
    for name in rng.permutation(names):
        try_one = _try_blind if name in BLIND else _try_seeing
        try_one(order_matters, str(name), x)


@check(points=2)
def layers_that_see_nothing(order_matters, rng):
    """False for layers that do not depend on the order, or by less than 1e-6, and True for one"""
    _try_all(order_matters, [*BLIND, "with a causal mask"], _tokens(0), rng)


@check(points=2)
def layers_that_see_it(order_matters, rng):
    """True with positions, and with a causal mask, and False for layers without"""
    names = ["with sinusoidal positions", "with a causal mask", "with rotary positions"]
    _try_all(order_matters, [*list(BLIND)[:3], *names], _tokens(1), rng)


@check(points=2)
def tricky_ones(order_matters, rng):
    """True where some changes of the order make no difference, or a small one; False without any"""
    _try_all(order_matters, [*list(SEEING)[3:], *list(BLIND)[:2]], _tokens(2), rng)
    name = "that sees the order of numbers above 100"
    _try_seeing(order_matters, name, 300 * _tokens(2), _of_large_numbers)


@check(points=1)
def made_for_your_shuffle(order_matters, rng):
    """True for a layer that gives the same for the first order that you try, False for others"""
    x = _tokens(3)
    _try_all(order_matters, [*BLIND, "with a causal mask"], x, rng)
    answer, recorded = _answer(order_matters, BLIND["of self-attention"], x)
    # x + x[order] gives the same if the tokens are shuffled by this very order.
    order = recorded.orders[0] if recorded.orders else [1, 2, 3, 4, 5, 6, 0]
    name = f"in which each token sees one other, by {order}"
    _try_seeing(order_matters, name, x, lambda tokens: tokens + tokens[order])
    message = f"The answer for self-attention is False after one order alone, {order}."
    expect(answer or len(recorded.orders) != 1, message, "one-order")


@check(points=1, hidden=True)
def other_sentences(order_matters, rng):
    """Other sentences, long and wide ones"""
    for num_tokens, d in ((5, 2), (31, 6)):
        _try_all(order_matters, [*BLIND, *SEEING], rng.normal(size=(num_tokens, d)), rng)


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
