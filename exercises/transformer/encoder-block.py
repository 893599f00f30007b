"""Assemble one layer of an encoder from its parts. You get three functions: `attend`, `network` and
`norm`. Each maps tokens, `(tokens, d_model)`, to an array of the same shape. `norm` is used in
both sublayers.

With `norm_first=True`, a sublayer computes $x + f(\\mathrm{Norm}(x))$; with `norm_first=False`, it
computes $\\mathrm{Norm}(x + f(x))$. The first sublayer is attention, and the second is the
feed-forward network. Write `encoder_block`. Leave `x` unchanged.
"""

import numpy as np

from coursekit import call_keeping_inputs, check, exercise, expect_close, mistake

exercise(
    id="encoder-block",
    chapter="transformer",
    title="One layer from its parts",
    hints=[
        "Write the first sublayer for `norm_first=True` alone. What is added to what?",
        "The second sublayer starts from the result of the first, not from `x`.",
        "`x = x + attend(norm(x))`, then `x = x + network(norm(x))`; use the other formula for "
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


def _parts(seed, tokens, width):
    """Return tokens and three functions that differ in every way that matters."""
    rng = np.random.default_rng(seed)
    sizes = ((tokens, tokens), (width, 17), (17, width))
    mix, inner, outer = (rng.normal(size=size) / 2 for size in sizes)

    def attend(tokens):
        return mix @ tokens + 0.5

    def network(tokens):
        return np.maximum(tokens @ inner, 0) @ outer

    def norm(tokens):
        centred = tokens - tokens.mean(axis=-1, keepdims=True)
        return 1.5 * centred / centred.std(axis=-1, keepdims=True) + 0.25

    return rng.normal(size=(tokens, width)), attend, network, norm


def _compare(encoder_block, seed, tokens, width, norm_first):
    x, *parts, norm = _parts(seed, tokens, width)
    seen = call_keeping_inputs(encoder_block, x, *parts, norm, norm_first)
    for part in parts:
        x = x + part(norm(x)) if norm_first else norm(x + part(x))
    expect_close(seen, x, atol=1e-8, what=f"encoder_block(…, norm_first={norm_first})")


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


mistake(
    "no-residual",
    "The sublayers' inputs were not added to their outputs. Each sublayer adds to its input.",
    {"x + ": ""},
)
mistake(
    "no-residual-attention",
    "In the attention sublayer the input was not added to the output.",
    {"x + attend": "attend"},
)
mistake(
    "no-residual-network",
    "In the feed-forward sublayer the input was not added to the output.",
    {"x + network": "network"},
)
mistake(
    "residual-is-normalised",
    "The normalised input was added. With the norm first, the residual stream itself is not "
    "normalised: x + f(Norm(x)).",
    {"x + attend(norm": "norm(x) + attend(norm", "x + network(norm": "norm(x) + network(norm"},
)
mistake(
    "attend-twice",
    "Both sublayers use attention. The second should be the network.",
    {"network(": "attend("},
)
mistake(
    "network-twice",
    "Both sublayers use the network. The first should be attention.",
    {"attend(": "network("},
)
mistake(
    "normed-at-the-end",
    "The layer's result is normalised once more. With the norm first, nothing comes after the "
    "last sum.",
    {"x + network(norm(x))": "norm(x + network(norm(x)))"},
)
mistake(
    "network-first",
    "The feed-forward network came before attention.",
    {"attend(": "first(", "network(": "attend(", "first(": "network("},
)
mistake(
    "norm-exchanged",
    "The two positions of the norm are swapped: this is the layer for the other value of "
    "`norm_first`.",
    {"if norm_first:": "if not norm_first:"},
)
mistake("no-norm", "The norm was not applied.", {"norm(": "("})
mistake(
    "norm-once",
    "Only one of the two sublayers has a norm. Each has one.",
    {"network(norm(x))": "network(x)", "norm(x + network(x))": "x + network(x)"},
)
mistake(
    "norm-outside-sum",
    "The norm was applied to the sublayer's output before the sum. With the norm last, the sum "
    "is normalised: Norm(x + f(x)).",
    {"norm(x + ": "x + norm("},
)
mistake(
    "norm-of-result",
    "The norm was applied to the sublayer's output. With the norm first, the sublayer's input "
    "is normalised: x + f(Norm(x)).",
    {"attend(norm(": "norm(attend(", "network(norm(": "norm(network("},
)
mistake(
    "result-normed-too",
    "The sublayer's output is normalised as well, before the sum. Each sublayer has one norm.",
    {f"{f}({x})": f"norm({f}({x}))" for f in ("attend", "network") for x in ("x", "norm(x)")},
)
mistake(
    "network-from-x",
    "The network started from the input of the layer. It starts from the result of the "
    "attention sublayer.",
    {"x = ": "y = ", "x + network": "y + network"},
)
mistake(
    "residual-from-x",
    "The second sum added the layer's input. It should add the attention sublayer's result.",
    {"x = ": "y = ", "network(x)": "network(y)", "network(norm(x))": "network(norm(y))"},
)
mistake(
    "normed-twice",
    "With the norm first, the sum was normalised as well. Only the input of attention and of "
    "the network is normalised.",
    {f"x + {f}(norm(x))": f"norm(x + {f}(norm(x)))" for f in ("attend", "network")},
)
mistake("changes-arguments", "", {"x = x + attend(norm(x))": "x += attend(norm(x))"})

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
