"""Pretrained word vectors have a fixed width: GloVe has 50, 100, 200 or 300 numbers for each word.
The number of heads need not divide this width. Write `layer_sizes(d_model, num_heads, head_dim)`:
the shape of $W^O$, and how many numbers the layer learns in all, in $W^Q$, $W^K$, $W^V$, $W^O$ and
a bias after each of the four.

The function returns a pair: the shape of $W^O$ as a tuple of two integers, for the product
`rows @ W_O`, and the count as an integer. With `head_dim=None` each head is `d_model // num_heads`
wide. Hidden checks ask for other sizes, with and without `head_dim`.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close, expect_parts, expect_shape

exercise(
    title="Heads that do not divide the width",
    hints=[
        "How wide is a token's row when the outputs of all heads stand side by side? Call it "
        "`wide`.",
        "$W^Q$, $W^K$ and $W^V$ take a row of `d_model` to one of `wide`, and $W^O$ goes back. A "
        "bias is as long as the row that its matrix produces.",
        "Three matrices of `d_model * wide` with biases of `wide`, and one of `wide * d_model` "
        "with a bias of `d_model`.",
    ],
)


def layer_sizes(d_model, num_heads, head_dim=None):
    """Return the shape of W^O, and the number of parameters.

    Biases count.
    """
    # BEGIN SOLUTION
    if head_dim is None:
        head_dim = d_model // num_heads
    wide = num_heads * head_dim
    return (wide, d_model), 4 * d_model * wide + 3 * wide + d_model
    # END SOLUTION


MISTAKES = r"""
transposed: `(wide, d_model)` → `(d_model, wide)`
    Tokens are rows and stand left of the matrix: W^O takes a row of all heads to one of the model's
    width. So the heads' width comes first.
square: `num_heads * head_dim` → `d_model`
    W^O was taken to be d_model by d_model. The heads together are num_heads times head_dim wide,
    which need not be d_model.
one-head: `num_heads * head_dim` → `head_dim`
    In at least one of the matrices, only one head is counted. All heads stand side by side in each.
no-biases: ` + 3 * wide + d_model` → ``
    The four biases are missing.
wrong-bias: `3 * wide + d_model` → `4 * wide` or `3 * d_model + wide` or `4 * d_model`
    The bias of W^O is as long as its output, d_model; the other three are as long as all heads
    together.
output-matrix-only: `4 * d_model * wide + 3 * wide` → `d_model * wide`
    These are the numbers of W^O and its bias alone. W^Q, W^K and W^V belong to the layer as well.
three-matrices: `4 * d_model * wide + 3 * wide + d_model` → `3 * d_model * wide + 3 * wide`
    W^O is missing from the count.
a-matrix-less: `4 * d_model * wide + 3 * wide` → `3 * d_model * wide + 2 * wide`
    One of W^Q, W^K and W^V is missing from the count, with its bias.
heads-twice: `4 * d_model` → `(3 * num_heads + 1) * d_model`
    Each of the three matrices was counted once for every head, although it was as wide as all heads
    together.
ignores-width: `head_dim is None` → `True`
    The heads are d_model // num_heads wide here, although the call gives another width. That
    default is for head_dim=None only.
rounded-up: `d_model // num_heads` → `-(-d_model // num_heads)`
    Here d_model / num_heads was rounded up. Heads that fit side by side into the width are d_model
    // num_heads wide, rounded down.
fraction: `d_model // num_heads` → `d_model / num_heads`
    A width is a whole number: d_model // num_heads is one, and d_model / num_heads is a float.
no-output-bias: `3 * wide + d_model` → `3 * wide`
    The bias after W^O is missing, which is as long as the output.
output-bias-only: `3 * wide + ` → ``
    Only W^O has its bias here. W^Q, W^K and W^V have one each.
other-order: `(wide, d_model), 4 * d_model * wide + 3 * wide + d_model` →
  `4 * d_model * wide + 3 * wide + d_model, (wide, d_model)`
    The count comes first here. The task asks for the shape first and the count second.
"""


#: How many numbers a layer has, by d_model, num_heads and head_dim.
RIGHT = {
    (50, 3, 16): 9794,
    (100, 3, 32): 38788,
    (200, 7, 32): 180072,
    (300, 7, 40): 337140,
    (300, 7, 42): 353982,
    (64, 4, 16): 16640,
}


def _expect_sizes(layer_sizes, right, d_model, num_heads, head_dim, *given):
    seen = layer_sizes(d_model, num_heads, *given)
    what = f"layer_sizes({', '.join(map(str, (d_model, num_heads, *given)))})"
    message = f"{what} is {seen!r}; expected two things: the shape of W^O, and one count."
    parts = expect_parts(seen, 2, message)
    axes = [np.ndim(as_array(part, f"a part of {what}")) for part in parts]
    message = f"{what} is {seen!r}; expected the shape of W^O first, and then one count."
    expect(axes != [0, 1], message, "other-order")
    shape = expect_shape(parts[0], (2,), what="the shape of W^O")
    count = expect_shape(parts[1], (), what="the count")
    kinds = {shape.dtype.kind, count.dtype.kind}
    message = f"{what} is {seen!r}; expected integers."
    expect(kinds <= {"i", "u"}, message, "fraction" if "f" in kinds else None)
    expect_close(shape, (num_heads * head_dim, d_model), what=f"the shape of W^O, by {what},")
    expect_close(count, right, what=f"the count of {what}")


@check(points=1)
def width_50(layer_sizes):
    """Width 50, 3 heads of 16"""
    _expect_sizes(layer_sizes, RIGHT[50, 3, 16], 50, 3, 16, 16)


@check(points=1)
def other_widths(layer_sizes):
    """Widths 100, 200, 300"""
    for d_model, num_heads, head_dim in ((100, 3, 32), (200, 7, 32), (300, 7, 40)):
        right = RIGHT[d_model, num_heads, head_dim]
        _expect_sizes(layer_sizes, right, d_model, num_heads, head_dim, head_dim)


@check(points=1)
def without_a_width(layer_sizes):
    """The width of the heads is not given"""
    for d_model, num_heads, head_dim in ((50, 3, 16), (300, 7, 42), (64, 4, 16)):
        right = RIGHT[d_model, num_heads, head_dim]
        _expect_sizes(layer_sizes, right, d_model, num_heads, head_dim)


@check(points=1, hidden=True)
def drawn_sizes(layer_sizes, rng):
    """Other widths, with and without a width of the heads"""
    for _ in range(5):
        num_heads, head_dim = (int(size) for size in rng.integers((2, 11), (9, 60)))
        d_model = num_heads * head_dim + int(rng.integers(1, num_heads))
        for given in ((), (head_dim + 5,)):
            width = given[0] if given else head_dim
            wide = num_heads * width
            right = 3 * (d_model + 1) * wide + (wide + 1) * d_model
            _expect_sizes(layer_sizes, right, d_model, num_heads, width, *given)


ALSO_RIGHT = {
    "summed up": """
        def layer_sizes(d_model, num_heads, head_dim=None):
            width = num_heads * (head_dim or d_model // num_heads)
            inputs = sum(d_model * width + width for _ in ("query", "key", "value"))
            return [width, d_model], inputs + width * d_model + d_model
    """,
    "head by head": """
        def layer_sizes(d_model, num_heads, head_dim=None):
            if head_dim is None:
                head_dim = (d_model - d_model % num_heads) // num_heads
            count = d_model
            for _ in range(num_heads):
                count += 3 * (d_model + 1) * head_dim + head_dim * d_model
            return (num_heads * head_dim, d_model), count
    """,
}
