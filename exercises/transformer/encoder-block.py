"""Assemble one layer of an encoder from its parts. You get three functions: `attend`, `network` and
`norm`. Each maps tokens, `(tokens, d_model)`, to an array of the same shape. `norm` is used in
both sublayers.

With `norm_first=True` a sublayer computes $x + f(\\mathrm{Norm}(x))$, with `norm_first=False` it
computes $\\mathrm{Norm}(x + f(x))$. The first sublayer is attention, the second the feed-forward
network. Write `encoder_block`. Leave `x` as it is.
"""

import numpy as np

from coursekit import call_keeping_inputs, check, exercise, expect_close, expect_shape

exercise(
    title="One layer from its parts",
    hints=[
        "Write the first sublayer for `norm_first=True` alone. What is added to what?",
        "The second sublayer starts from the result of the first, not from `x`.",
        "`x = x + attend(norm(x))`, then `x = x + network(norm(x))`; and the other formula for "
        "`norm_first=False`.",
    ],
)


def encoder_block(x, attend, network, norm, norm_first):
    """Return the tokens after the layer, shape of x, (tokens, d_model)."""
    # BEGIN SOLUTION
    if norm_first:
        x = x + attend(norm(x))
        return x + network(norm(x))
    x = norm(x + attend(x))
    return norm(x + network(x))
    # END SOLUTION


MISTAKES = r"""
no-residual: `x + ` → ``
    The input of the sublayers was not added to their output. Each sublayer adds to what was there.
no-residual-attention: `x + attend` → `attend`
    In the attention sublayer the input was not added to the output.
no-residual-network: `x + network` → `network`
    In the feed-forward sublayer the input was not added to the output.
residual-is-normalised: `x = x + attend(norm(x))` → `x = norm(norm(x) + attend(norm(x)))`,
  `network(norm(x))` → `network(x)`
    The normalised input was added. With the norm first, the residual stream itself stays as it is:
    x + f(Norm(x)).
attend-twice: `network(` → `attend(`
    Attention is in both sublayers. The second one is the network.
network-twice: `attend(` → `network(`
    The network is in both sublayers. The first one is attention.
normed-at-the-end: `x + network(norm(x))` → `norm(x + network(norm(x)))`
    The layer's result is normalised once more. With the norm first, nothing comes after the last
    sum.
network-first: `attend(` → `f(`, `network(` → `attend(`, `f(` → `network(`
    The feed-forward network came before attention.
norm-exchanged: `if norm_first:` → `if not norm_first:`
    The two places of the norm are exchanged: this is the layer for the other value of `norm_first`.
no-norm: `norm(` → `(`
    The norm was not applied.
norm-once: `network(norm(x))` → `network(x)`, `return norm(` → `return (`
    Only one of the two sublayers has a norm. Each has one.
norm-outside-sum: `norm(x + ` → `x + norm(`
    The norm was applied to the sublayer's output before the sum. With the norm last, the sum is
    normalised: Norm(x + f(x)).
norm-of-result: `attend(norm(x))` → `norm(attend(x))`, `network(norm(x))` → `norm(network(x))`
    The norm was applied to the sublayer's output. With the norm first, the sublayer's input is
    normalised: x + f(Norm(x)).
result-normed-too: `attend(norm(x))` → `norm(attend(norm(x)))`,
  `network(norm(x))` → `norm(network(norm(x)))`, `attend(x)` → `norm(attend(x))`,
  `network(x)` → `norm(network(x))`
    The sublayer's output is normalised as well, before the sum. Each sublayer has one norm.
network-from-x: `x = x + attend` → `y = x + attend`, `return x` → `return y`,
  `x = norm(` → `y = norm(`, `return norm(x` → `return norm(y`
    The network started from the input of the layer. It starts from the result of the attention
    sublayer.
residual-from-x: `x = x + attend` → `y = x + attend`, `network(norm(x))` → `network(norm(y))`,
  `x = norm(` → `y = norm(`, `network(x)` → `network(y)`
    The second sum added the input of the layer. It adds to the result of the attention sublayer.
normed-twice: `x = x + attend(norm(x))` → `x = norm(x + attend(norm(x)))`,
  `return x + network(norm(x))` → `return norm(x + network(norm(x)))`
    With the norm first, the sum was normalised as well. Only the input of attention and of the
    network is normalised.
changes-arguments: `x = x + attend` → `x += attend`
"""


def _parts(seed, tokens, width):
    """Return tokens and three functions that differ in every way that matters."""
    rng = np.random.default_rng(seed)
    mix, inner, outer = (
        rng.normal(size=size) / 2 for size in ((tokens, tokens), (width, 17), (17, width))
    )

    def attend(tokens):
        return mix @ tokens + 0.5

    def network(tokens):
        return np.maximum(tokens @ inner, 0) @ outer

    def norm(tokens):
        centred = tokens - tokens.mean(axis=-1, keepdims=True)
        return 1.5 * centred / centred.std(axis=-1, keepdims=True) + 0.25

    return rng.normal(size=(tokens, width)), attend, network, norm


def _first(x, attend, network, norm):
    x = x + attend(norm(x))
    return x + network(norm(x))


def _last(x, attend, network, norm):
    x = norm(x + attend(x))
    return norm(x + network(x))


def _compare(encoder_block, seed, tokens, width, norm_first):
    x, *parts = _parts(seed, tokens, width)
    what = f"encoder_block(…, norm_first={norm_first})"
    seen = expect_shape(
        call_keeping_inputs(encoder_block, x, *parts, norm_first), x.shape, what=what
    )
    right = _first if norm_first else _last
    expect_close(seen, right(x, *parts), atol=1e-8, what=what)


@check(points=1)
def norm_first(encoder_block):
    """Norm first: 3 tokens of width 5"""
    _compare(encoder_block, 1, 3, 5, norm_first=True)


@check(points=1)
def norm_last(encoder_block):
    """Norm last: 5 tokens of width 7"""
    _compare(encoder_block, 2, 5, 7, norm_first=False)


@check(points=2, hidden=True)
def other_sizes(encoder_block, rng):
    """Other parts and sizes"""
    for place in (True, False):
        _compare(encoder_block, int(rng.integers(1 << 30)), 11, 13, norm_first=place)


ALSO_RIGHT = {
    "one sublayer, used twice": """
        def encoder_block(x, attend, network, norm, norm_first):
            for part in (attend, network):
                x = x + part(norm(x)) if norm_first else norm(x + part(x))
            return x
    """,
    "names for every step": """
        def encoder_block(x, attend, network, norm, norm_first):
            change = attend(norm(x) if norm_first else x)
            after = np.add(x, change)
            if not norm_first:
                after = norm(after)
            change = network(norm(after) if norm_first else after)
            return after + change if norm_first else norm(after + change)
    """,
}
