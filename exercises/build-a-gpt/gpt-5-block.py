"""A block changes the tokens twice, and each time *adds* to what is there. Attention brings in what
other tokens know; the feed-forward network then works on each token by itself. Both read a
normalised copy:

$$x \\leftarrow x + \\text{attend}(\\text{norm}_1(x))$$

$$x \\leftarrow x + \\text{feed\\_forward}(\\text{norm}_2(x))$$

Write `feed_forward(x, weights)`: the product with `weights["w_in"]` plus `weights["b_in"]`,
negative numbers set to 0 (ReLU), then the product with `weights["w_out"]` plus `weights["b_out"]`.

Write `block(x, weights, num_heads)` with your `attend`, `layer_norm` and `feed_forward`. The norms
take `weights["norm1_gain"]` and `weights["norm1_bias"]`, `weights["norm2_gain"]` and
`weights["norm2_bias"]`. Leave `x` and `weights` unchanged.
"""

import numpy as np

from attnlab.gpt import block as library_block
from attnlab.gpt import feed_forward as library_feed_forward
from coursekit import check, exercise, expect_same

exercise(
    title="Step 5: a block",
    uses=["gpt-3-attention", "gpt-4-layer-norm"],
    withhold=["attnlab.gpt.feed_forward", "attnlab.gpt.block"],
    stand_in="attnlab.gpt",
    hints=[
        "Which array is normalised, and which array is the result added to?",
        "Keep `x` as it is, and give the normalised copy a name of its own. The second half starts "
        "from the sum that the first half made.",
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


MISTAKES = r"""
no-relu: `np.maximum(` → `(`, `, 0)` → `)`
    Negative numbers between the two products were kept. Without the ReLU the two products are no
    more than one.
relu-last: `np.maximum(` → `(`, `, 0)` → `)`,
  `hidden @ weights["w_out"] + weights["b_out"]` →
  `np.maximum(hidden @ weights["w_out"] + weights["b_out"], 0)`
    The ReLU comes after the second product. It belongs between the two.
no-hidden-bias: ` + weights["b_in"]` → ``
    `b_in` is missing.
no-last-bias: ` + weights["b_out"]` → ``
    `b_out` is missing.
no-residual: `x + attend` → `attend`, `x + feed` → `feed`
    What the parts compute replaces x. It has to be added to x.
second-replaces: `x + feed` → `feed`
    What the feed-forward network computes replaces x. It has to be added.
first-replaces: `x + attend` → `attend`
    What attention computes replaces x. It has to be added.
normed-residual: `normed` → `x`
    What the parts compute was added to the normalised copy. Add it to x itself, so that x passes
    through the block unchanged.
norm-after:
    ```
    def block(x, weights, num_heads):
        x = x + attend(x, weights, num_heads)
        x = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
        x = x + feed_forward(x, weights)
        return layer_norm(x, weights["norm2_gain"], weights["norm2_bias"])
    ```
    The sums were normalised, as in the original Transformer (post-norm). Here the parts read a
    normalised copy, and the sum stays as it is.
no-norm: `attend(normed` → `attend(x`, `feed_forward(normed` → `feed_forward(x`
    The parts read x itself; they should read a normalised copy.
in-parallel: `x = x + attend` → `y = x + attend`, `return x` → `return y`
    Both parts read the block's input. The feed-forward network has to read the sum that attention
    made.
only-attention: ` + feed_forward(normed, weights)` → ``
    The second half is missing: this is x plus what attention adds.
first-norm-twice: `norm2` → `norm1`
    Norm 1 was used in both halves. The feed-forward network has norm 2.
second-norm-twice: `norm1` → `norm2`
    Norm 2 was used in both halves. Attention has norm 1.
norms-exchanged: `norm1` → `norm0`, `norm2` → `norm1`, `norm0` → `norm2`
    Norm 1 and norm 2 were exchanged.
"""


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
    x, weights = rng.normal(size=(5, 7)), _weights(rng, 7, 6, 13)
    expect_same(feed_forward, library_feed_forward, x, weights, what="feed_forward(x, weights)")


@check(points=2)
def whole_block(block):
    """A block with three heads on seven tokens"""
    rng = np.random.default_rng(13)
    x, weights = rng.normal(size=(7, 11)), _weights(rng, 11, 6, 17)
    expect_same(block, library_block, x, weights, 3, what="block(x, weights, 3)")


@check(points=1, hidden=True)
def other_blocks(feed_forward, block, rng):
    """Other sizes"""
    x, weights = rng.normal(size=(3, 13)), _weights(rng, 13, 10, 5)
    expect_same(feed_forward, library_feed_forward, x, weights, what="feed_forward(x, weights)")
    expect_same(block, library_block, x, weights, 5, what="block(x, weights, 5)")


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
