"""A block changes the tokens twice and *adds* to them each time. Attention brings in information
from other tokens; the feed-forward network then processes each token separately. Both read a
normalised copy:

$$x \\leftarrow x + \\text{attend}(\\text{norm}_1(x))$$

$$x \\leftarrow x + \\text{feed\\_forward}(\\text{norm}_2(x))$$

Write `feed_forward(x, weights)`: multiply by `weights["w_in"]`, add `weights["b_in"]`, set negative
numbers to 0 (ReLU), then multiply by `weights["w_out"]` and add `weights["b_out"]`.

Write `block(x, weights, num_heads)` with your `attend`, `layer_norm` and `feed_forward`. Norm 1
takes `weights["norm1_gain"]` and `weights["norm1_bias"]`; norm 2 takes `weights["norm2_gain"]` and
`weights["norm2_bias"]`. Leave `x` and `weights` unchanged.
"""

import numpy as np

from attnlab.gpt import block as library_block
from attnlab.gpt import feed_forward as library_feed_forward
from coursekit import call_keeping_inputs, check, exercise, expect_close, mistake

exercise(
    id="gpt-5-block",
    chapter="build-a-gpt",
    title="Step 5: a block",
    uses=["gpt-3-attention", "gpt-4-layer-norm"],
    withhold=["attnlab.gpt.feed_forward", "attnlab.gpt.block"],
    stand_in="attnlab.gpt",
    hints=[
        "Which array is normalised, and which array is the result added to?",
        "Keep `x` as it is, and give the normalised copy another name. The second half starts from "
        "the sum that the first half computed.",
        '`x = x + attend(layer_norm(x, weights["norm1_gain"], weights["norm1_bias"]), weights, '
        "num_heads)`, and the same once more with `feed_forward` and norm 2.",
    ],
)


def feed_forward(x, weights):
    """Return two products with a ReLU between, (tokens, d_model)."""
    # BEGIN SOLUTION
    hidden = np.maximum(x @ weights["w_in"] + weights["b_in"], 0)
    return hidden @ weights["w_out"] + weights["b_out"]
    # END SOLUTION


def block(x, weights, num_heads):
    """Return x plus what attention adds, plus what the feed-forward network adds to that."""
    # BEGIN SOLUTION
    normed = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
    x = x + attend(normed, weights, num_heads)
    normed = layer_norm(x, weights["norm2_gain"], weights["norm2_bias"])
    return x + feed_forward(normed, weights)
    # END SOLUTION


def _weights(rng, d_model, width, d_hidden):
    sizes = {f"w_{name}": (d_model, width) for name in ("query", "key", "value")}
    sizes |= {"w_output": (width, d_model), "w_in": (d_model, d_hidden)}
    sizes |= {"w_out": (d_hidden, d_model)}
    weights = {name: rng.normal(size=size) / np.sqrt(size[0]) for name, size in sizes.items()}
    for name, (_, columns) in sizes.items():
        weights[f"b{name[1:]}"] = rng.normal(size=columns)
    for norm in ("norm1", "norm2"):
        weights[f"{norm}_gain"] = rng.normal(1, 0.5, size=d_model)
        weights[f"{norm}_bias"] = rng.normal(size=d_model)
    return weights


@check(points=1)
def network(feed_forward):
    """The feed-forward network on five tokens"""
    rng = np.random.default_rng(11)
    given = rng.normal(size=(5, 7)), _weights(rng, 7, 6, 13)
    seen = call_keeping_inputs(feed_forward, *given)
    expect_close(seen, library_feed_forward(*given), what="feed_forward(x, weights)")


@check(points=2)
def whole_block(block):
    """A block with three heads on seven tokens"""
    rng = np.random.default_rng(13)
    given = rng.normal(size=(7, 11)), _weights(rng, 11, 6, 17), 3
    seen = call_keeping_inputs(block, *given)
    expect_close(seen, library_block(*given), what="block(x, weights, 3)")


@check(points=1, hidden=True)
def other_blocks(feed_forward, block, rng):
    """Other sizes"""
    x, weights = rng.normal(size=(3, 13)), _weights(rng, 13, 10, 5)
    right = library_feed_forward(x, weights)
    expect_close(feed_forward(x, weights), right, what="feed_forward(x, weights)")
    expect_close(block(x, weights, 5), library_block(x, weights, 5), what="block(x, weights, 5)")


_IN, _OUT = 'x @ weights["w_in"] + weights["b_in"]', 'hidden @ weights["w_out"] + weights["b_out"]'
_NORM_1 = 'layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])'
_NORM_2, _SUM = _NORM_1.replace("1", "2"), "x + feed_forward(x, weights)"

mistake(
    "no-relu",
    "Negative numbers between the two products were kept. Without the ReLU, the two products "
    "amount to one.",
    {f"np.maximum({_IN}, 0)": _IN},
)
mistake(
    "relu-last",
    "The ReLU comes after the second product. It belongs between the two products.",
    {f"np.maximum({_IN}, 0)": _IN, _OUT: f"np.maximum({_OUT}, 0)"},
)
mistake("no-hidden-bias", "`b_in` is missing.", {' + weights["b_in"]': ""})
mistake("no-last-bias", "`b_out` is missing.", {' + weights["b_out"]': ""})
mistake(
    "no-residual",
    "The parts' results replace x. Add them to x.",
    {"x = x + attend": "x = attend", "return x + feed": "return feed"},
)
mistake(
    "second-replaces",
    "The result of the feed-forward network replaces x. Add it to x.",
    {"return x + feed": "return feed"},
)
mistake(
    "first-replaces",
    "The result of attention replaces x. Add it to x.",
    {"x = x + attend": "x = attend"},
)
mistake(
    "normed-residual",
    "The parts' results were added to the normalised copy. Add them to x itself, so that x passes "
    "through the block unchanged.",
    {"normed": "x"},
)
mistake(
    "norm-after",
    "The sums were normalised, as in the original Transformer (post-norm). Here the parts read "
    "a normalised copy, and the sum stays as it is.",
    {
        "(normed": "(x",
        f"normed = {_NORM_2}": f"x = {_NORM_1}",
        f"return {_SUM}": f"x = {_SUM}\n    return {_NORM_2}",
    },
)
mistake(
    "no-norm", "The parts read x itself; they should read a normalised copy.", {"(normed": "(x"}
)
mistake(
    "in-parallel",
    "Both parts read the block's input. The feed-forward network has to read x plus the result of "
    "attention.",
    {"x = x + attend": "added = attend", "return x": "return x + added"},
)
mistake(
    "only-attention",
    "The second half is missing: this is x plus the result of attention.",
    {" + feed_forward(normed, weights)": ""},
)
mistake(
    "first-norm-twice",
    "Norm 1 was used in both halves. The feed-forward network uses norm 2.",
    {"norm2": "norm1"},
)
mistake(
    "second-norm-twice",
    "Norm 2 was used in both halves. Attention uses norm 1.",
    {"norm1": "norm2"},
)
mistake(
    "norms-exchanged",
    "Norm 1 and norm 2 were swapped.",
    {"norm1": "norm0", "norm2": "norm1", "norm0": "norm2"},
)

ALSO_RIGHT = {
    "in one line each": """
        def feed_forward(x, weights):
            inside = x @ weights["w_in"] + weights["b_in"]
            return np.where(inside > 0, inside, 0) @ weights["w_out"] + weights["b_out"]

        def block(x, weights, num_heads):
            w = weights
            x = x + attend(layer_norm(x, w["norm1_gain"], w["norm1_bias"]), w, num_heads)
            return x + feed_forward(layer_norm(x, w["norm2_gain"], w["norm2_bias"]), w)
    """,
    "a copy that is added to": """
        def feed_forward(x, weights):
            hidden = x @ weights["w_in"]
            hidden = hidden + weights["b_in"]
            hidden = hidden.clip(min=0)
            return weights["b_out"] + hidden @ weights["w_out"]

        def block(x, weights, num_heads):
            stream = np.array(x)
            for number, part in ((1, lambda a: attend(a, weights, num_heads)),
                                 (2, lambda a: feed_forward(a, weights))):
                gain, bias = weights[f"norm{number}_gain"], weights[f"norm{number}_bias"]
                stream += part(layer_norm(stream, gain, bias))
            return stream
    """,
}
