"""PyTorch offers attention in two places, and their masks have opposite meanings. In the function
`scaled_dot_product_attention` of `torch.nn.functional`, True in `attn_mask` means *may attend*. In
the layer `nn.MultiheadAttention`, True in `attn_mask` and in `key_padding_mask` means *ignore*.

You are given `is_real`, of shape `(batch, tokens)`: True for words, False for padding, which may be
on either side. Every query may attend to words up to its own position, so both masks are needed,
padding and causal.

1. `function_attention` calls the function, for queries, keys and values with heads, of shape
   `(batch, num_heads, tokens, head_dim)`. A query that may attend to nothing, such as padding on
   the left, has an output of 0, and all gradients stay finite.
2. `layer_masks` returns the pair `(key_padding_mask, attn_mask)` for the layer: two boolean masks,
   `(batch, tokens)` and `(tokens, tokens)`.

Both functions leave their arguments unchanged.
"""

import torch
from torch.nn import functional as F

import attn
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="sdpa-mask",
    chapter="masking",
    title="One library, two meanings of True",
    hints=[
        "The function takes either `attn_mask` or `is_causal=True`, not both. How do you combine "
        "two masks in which True means *may attend*?",
        "`is_real[:, None, None, :]` has an axis for the heads and one for the queries. "
        "`torch.ones(tokens, tokens, dtype=torch.bool).tril()` is the causal mask.",
        "For the layer, invert each of the two masks with `~`. The layer combines them itself.",
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


def _rows(*rows):
    return torch.tensor([[letter == "w" for letter in row] for row in rows])


def _parts(seed, *sizes):
    return torch.randn((3, *sizes), generator=torch.Generator().manual_seed(seed)).unbind()


def _right(query, key, value, is_real):
    mask = is_real[:, None, None, :]
    return attn.scaled_dot_product_attention(query, key, value, mask=mask, causal=True)


def _compare(function_attention, *given):
    right = _right(*given)
    array = expect_shape(
        call_keeping_inputs(function_attention, *given), right.shape, what="the output"
    )
    expect((array == array).all(), "The output holds NaN.", "nan")
    expect_close(array, right, atol=1e-5, what="the output")


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


@check(points=2, success_message="With your masks, the layer's output matches the formula.")
def masks_for_the_layer(layer_masks):
    """The masks for nn.MultiheadAttention"""
    is_real = _rows("www__", "wwwww", "ww_w_")
    pair = call_keeping_inputs(layer_masks, is_real)
    expect(
        isinstance(pair, tuple | list) and len(pair) == 2,
        "layer_masks does not return a pair; expected (key_padding_mask, attn_mask).",
    )
    padding, future = (as_array(mask, "a mask") for mask in pair)
    expect(
        padding.dtype == bool and future.dtype == bool,
        f"The masks hold {padding.dtype} and {future.dtype}; expected booleans.",
    )
    shapes = [mask.shape for mask in (padding, future)]
    expect(shapes != [(5, 5), (3, 5)], f"The masks have the shapes {shapes}.", "pair-exchanged")
    expect_close(padding, ~is_real, what="key_padding_mask")
    expect_close(future, torch.ones(5, 5, dtype=torch.bool).triu(1), what="attn_mask")


@check(points=1, hidden=True)
def as_many_texts_as_heads(function_attention, rng):
    """As many texts as heads, padding anywhere"""
    is_real = torch.tensor(rng.random((3, 11)) < 0.6)
    is_real[:, 4], is_real[0, :2], is_real[1, 3], is_real[2, 6] = True, False, False, False
    _compare(function_attention, *_parts(int(rng.integers(999)), 3, 3, 11, 5), is_real)


_CALL = "F.scaled_dot_product_attention(query, key, value, attn_mask=mask)"
_FILLED = "(query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~mask, {})"
_BY_HAND = f"({_FILLED}.softmax(dim=-1) @ value)"
_KEYS, _LAYER = "is_real[:, None, None, :]", "torch.ones(tokens, tokens, dtype=torch.bool).triu"

mistake(
    "inverted",
    "The mask is the wrong way round: in the function, True means *may attend*.",
    {"attn_mask=mask": "attn_mask=~mask"},
)
mistake(
    "only-padding", "Later words were attended to: the causal mask is missing.", {"causal & ": ""}
)
mistake(
    "only-causal",
    "Padding was attended to: the padding mask is missing.",
    {"attn_mask=mask": "is_causal=True"},
)
mistake(
    "padding-on-queries",
    "The padding is on the query axis. A mask has shape (…, num_queries, num_keys): padding hides "
    "keys.",
    {_KEYS: "is_real[:, None, :, None]"},
)
mistake(
    "padding-on-queries-too",
    "Padding queries were hidden as well, so their outputs are 0. Hide only keys: a padding query "
    "attends to the words before it.",
    {_KEYS: f"{_KEYS} & is_real[:, None, :, None]"},
)
mistake(
    "or-instead-of-and",
    "Queries attended to keys that only one of the masks allows. Combine *may attend* masks with "
    "`&`.",
    {"causal &": "causal |"},
)
mistake(
    "mask-on-heads",
    "Each text's mask was applied to one head of all texts: the batch axis was matched with the "
    "heads axis. The mask needs an axis for the heads.",
    {_KEYS: "is_real[:, None, :]"},
)
mistake(
    "large-negative",
    "A query without a visible key got the plain mean of the hidden values. A large negative "
    "number gives this mean; with a boolean mask, the function returns 0.",
    {_CALL: _BY_HAND.format("-1e9")},
)
mistake(
    "blind-sees-all",
    "A query without a visible key was made to attend to every key, and its output was kept. The "
    "output has to be 0.",
    {"attn_mask=mask": "attn_mask=mask | ~mask.any(-1, keepdim=True)"},
)
mistake(
    "nan",
    "The output contains NaN: for a query without a visible key, the softmax runs over nothing but "
    "-inf. With a boolean mask, the function returns 0 there.",
    {_CALL: _BY_HAND.format("-torch.inf")},
)
mistake(
    "nan-gradient",
    "A gradient is NaN. Replacing an output's NaN with 0 does not help: its gradient is still NaN. "
    "Pass a boolean mask to the function.",
    {_CALL: _BY_HAND.format("-torch.inf") + ".nan_to_num()"},
)
mistake(
    "layer-may-attend",
    "Here True means *may attend*. In the layer, it means *ignore*.",
    {"~is_real": "is_real", "triu(diagonal=1)": "tril()"},
)
mistake(
    "layer-future",
    "With this mask, queries may attend only to later words: in `attn_mask`, the upper triangle "
    "without the diagonal is to be ignored.",
    {"triu(diagonal=1)": "tril(diagonal=-1)"},
)
mistake(
    "pair-exchanged",
    "The two masks are in the wrong order: key_padding_mask comes first, then attn_mask.",
    {f"~is_real, {_LAYER}(diagonal=1)": f"{_LAYER}(diagonal=1), ~is_real"},
)
mistake(
    "hides-itself",
    "This also ignores the diagonal, but a word may attend to itself.",
    {"diagonal=1": "diagonal=0"},
)

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
