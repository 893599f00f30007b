"""PyTorch offers attention in two places, and their masks have opposite meanings. In the function
`scaled_dot_product_attention` of `torch.nn.functional`, True in `attn_mask` means *may attend*. In
the layer `nn.MultiheadAttention`, True in `attn_mask` and in `key_padding_mask` means *ignore*.

Given is `is_real`, of shape `(batch, tokens)`: True for words, False for padding, on either side.
Every query may attend to words up to its own position, so both masks are needed, padding and
causal.

1. `function_attention` calls the function, for queries, keys and values with heads, shape
   `(batch, num_heads, tokens, head_dim)`. A query that may attend to nothing, as padding on the
   left, gets an output of 0, and all gradients stay finite.
2. `layer_masks` returns the pair `(key_padding_mask, attn_mask)` for the layer: two masks of
   booleans, `(batch, tokens)` and `(tokens, tokens)`.

Both leave their arguments as they are.
"""

from itertools import product

import torch
from torch.nn import functional as F

from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
    expect_shape,
)

exercise(
    title="One library, two meanings of True",
    hints=[
        "The function takes either `attn_mask` or `is_causal=True`, not both. How do you combine "
        "two masks in which True means *may attend*?",
        "`is_real[:, None, None, :]` has an axis for the heads and one for the queries. "
        "`torch.ones(tokens, tokens, dtype=torch.bool).tril()` is the causal mask.",
        "For the layer turn each of the two masks around with `~`. The layer combines them itself.",
    ],
)


def function_attention(query, key, value, is_real):
    """Return causal attention to words, (batch, num_heads, tokens, head_dim).

    query, key, value: (batch, num_heads, tokens, head_dim)
    is_real: (batch, tokens), True for words
    """
    # BEGIN SOLUTION
    tokens = is_real.shape[-1]
    causal = torch.ones(tokens, tokens, dtype=torch.bool).tril()
    mask = causal & is_real[:, None, None, :]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    # END SOLUTION


def layer_masks(is_real):
    """Return key_padding_mask, (batch, tokens), and attn_mask, (tokens, tokens); True = ignore."""
    # BEGIN SOLUTION
    tokens = is_real.shape[-1]
    return ~is_real, torch.ones(tokens, tokens, dtype=torch.bool).triu(diagonal=1)
    # END SOLUTION


MISTAKES = r"""
inverted: `attn_mask=mask` → `attn_mask=~mask`
    The mask is the wrong way round: in the function True means *may attend*.
only-padding: `causal & ` → ``
    Later words were attended to: the causal mask is missing.
only-causal: `attn_mask=mask` → `is_causal=True`
    Padding was attended to: the padding mask is missing.
padding-on-queries: `is_real[:, None, None, :]` → `is_real[:, None, :, None]`
    The padding stands on the axis of the queries. A mask is (…, num_queries, num_keys): padding
    hides keys.
padding-on-queries-too: `is_real[:, None, None, :]` →
  `is_real[:, None, None, :] & is_real[:, None, :, None]`
    Queries that are padding were hidden as well, so their output is 0. Only keys are hidden: a
    padding query attends to the words before it.
or-instead-of-and: `causal & is_real` → `causal | is_real`
    Keys that only one of the masks allows were attended to. Combine masks of *may attend* with `&`.
mask-on-heads: `is_real[:, None, None, :]` → `is_real[:, None, :]`
    The mask of each text was applied to one head of all texts: the batch axis met the axis of the
    heads. The heads need an axis of their own.
large-negative: `F.scaled_dot_product_attention(query, key, value, attn_mask=mask)` →
  `(query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~mask, -1e9).softmax(-1) @ value`
    A query without a visible key got the plain mean of what was to be hidden. That is what a large
    negative number gives; with a mask of booleans the function returns 0.
blind-sees-all: `attn_mask=mask` → `attn_mask=mask | ~mask.any(-1, keepdim=True)`
    A query that may attend to nothing was made to attend to every key, and its output stayed. It
    has to be 0.
nan: (also nan-gradient) `F.scaled_dot_product_attention(query, key, value, attn_mask=mask)` →
  `(query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf).softmax(-1) @ value`
    The output holds NaN: a query without a visible key, in a softmax over nothing but -inf. A mask
    of booleans makes the function return 0 there.
nan-gradient:
    ```
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    →
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        return (scores.masked_fill(~mask, -torch.inf).softmax(dim=-1) @ value).nan_to_num()
    ```
    A gradient is NaN. Replacing the NaN of an output by 0 does not help: its gradient is NaN all
    the same. Let the function see a mask of booleans.
layer-may-attend: `~is_real` → `is_real`, `triu(diagonal=1)` → `tril()`
    Here True means *may attend*. In the layer it means *ignore*.
layer-future: `triu(diagonal=1)` → `tril(diagonal=-1)`
    Queries may attend only to later words with this: in `attn_mask` the upper triangle, without the
    diagonal, is to be ignored.
pair-exchanged: `~is_real, torch.ones(tokens, tokens, dtype=torch.bool).triu(diagonal=1)` →
  `torch.ones(tokens, tokens, dtype=torch.bool).triu(diagonal=1), ~is_real`
    The two masks come in the other order. It is key_padding_mask, then attn_mask.
hides-itself: `diagonal=1` → `diagonal=0`
    This also ignores the diagonal: a word may attend to itself.
"""


def _rows(*rows):
    return torch.tensor([[letter == "w" for letter in row] for row in rows])


def _parts(seed, batch, num_heads, tokens, head_dim):
    generator = torch.Generator().manual_seed(seed)
    sizes = (3, batch, num_heads, tokens, head_dim)
    return tuple(torch.randn(sizes, generator=generator))


def _right(query, key, value, is_real):
    """Return what each query sees, one after the other; 0 where it sees nothing."""
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    right = torch.zeros_like(value)
    for text, place in product(range(len(is_real)), range(is_real.shape[-1])):
        seen = [other for other in range(place + 1) if is_real[text, other]]
        weights = scores[text][:, place][:, seen].softmax(dim=-1)  # (num_heads, words seen)
        right[text, :, place] = (weights[:, None] @ value[text][:, seen])[:, 0]
    return right


def _compare(function_attention, query, key, value, is_real):
    right = _right(query, key, value, is_real)
    output = call_keeping_inputs(function_attention, query, key, value, is_real)
    array = expect_shape(output, right.shape, what="the output")
    expect((array == array).all(), "The output holds NaN.", "nan")
    expect_close(output, right, atol=1e-5, what="the output")


@check(points=2)
def padded_on_the_right(function_attention):
    """`w w w _ _` beside `w w w w w`: every query may attend to something"""
    _compare(function_attention, *_parts(3, 2, 3, 5, 7), _rows("www__", "wwwww"))


@check(points=2, success_message="Rows without a visible key are 0, and none of them is NaN.")
def padded_on_the_left(function_attention):
    """`_ _ w w w` beside `w w w w w`: two queries may attend to nothing"""
    _compare(function_attention, *_parts(5, 2, 3, 5, 7), _rows("__www", "wwwww"))


@check(points=1)
def gradients_are_finite(function_attention):
    """Gradients, with two queries that may attend to nothing"""
    parts = [part.requires_grad_() for part in _parts(11, 2, 3, 5, 7)]
    output = function_attention(*parts, _rows("__www", "wwwww"))
    expect_shape(output, (2, 3, 5, 7), what="the output")
    expect(isinstance(output, torch.Tensor) and output.requires_grad, "The output has no gradient.")
    output.sum().backward()
    for name, part in zip(("query", "key", "value"), parts, strict=True):
        finite = part.grad is not None and bool(part.grad.isfinite().all())
        expect(finite, f"The gradient of the {name} holds NaN.", "nan-gradient")


@check(points=2, success_message="The layer gives with your masks what the formula gives.")
def masks_for_the_layer(layer_masks):
    """The masks for nn.MultiheadAttention"""
    is_real = _rows("www__", "wwwww", "ww_w_")
    pair = call_keeping_inputs(layer_masks, is_real)
    message = "layer_masks returns no pair; expected (key_padding_mask, attn_mask)."
    pair = expect_parts(pair, 2, message)
    padding, future = (as_array(mask, "a mask") for mask in pair)
    message = f"The masks hold {padding.dtype} and {future.dtype}; expected booleans."
    expect(padding.dtype == bool and future.dtype == bool, message)
    shapes = [mask.shape for mask in (padding, future)]
    expect(shapes != [(5, 5), (3, 5)], f"The masks have the shapes {shapes}.", "pair-exchanged")
    expect_close(padding, ~is_real, what="key_padding_mask")
    square = torch.ones(5, 5, dtype=torch.bool)
    expect_close(future, square.triu(1), what="attn_mask")


@check(points=1, hidden=True)
def as_many_texts_as_heads(function_attention, rng):
    """As many texts as heads, padding anywhere"""
    is_real = torch.tensor(rng.random((3, 11)) < 0.6)
    is_real[:, 4], is_real[0, :2], is_real[1, 3], is_real[2, 6] = True, False, False, False
    _compare(function_attention, *_parts(int(rng.integers(999)), 3, 3, 11, 5), is_real)


ALSO_RIGHT = {
    "places compared": """
        def function_attention(query, key, value, is_real):
            place = torch.arange(is_real.shape[1])
            may = (place[None, :] <= place[:, None]).unsqueeze(0) * is_real.unsqueeze(1)
            return F.scaled_dot_product_attention(query, key, value, attn_mask=may.unsqueeze(1))

        def layer_masks(is_real):
            place = torch.arange(is_real.shape[1])
            return is_real.logical_not(), place[None, :] > place[:, None]
    """,
    "by hand, rows without a key set to 0 before the product": """
        def function_attention(query, key, value, is_real):
            tokens = is_real.shape[1]
            may = torch.tril(torch.ones(tokens, tokens)).bool() & is_real[:, None, None]
            scores = (query * query.shape[-1] ** -0.5) @ key.mT
            weights = scores.masked_fill(~may, -1e9).softmax(-1) * may
            return weights @ value

        def layer_masks(is_real):
            tokens = is_real.shape[1]
            future = torch.tril(torch.ones(tokens, tokens)) == 0
            return is_real == 0, future
    """,
}
