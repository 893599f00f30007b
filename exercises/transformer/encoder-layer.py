"""Assemble an encoder layer from PyTorch's parts, as your own `nn.Module`: it is not derived from
`nn.TransformerEncoderLayer` and does not use it, but its parts have the same names.

| attribute | part |
|---|---|
| `self_attn` | `nn.MultiheadAttention(d_model, num_heads, batch_first=True)` |
| `linear1`, `linear2` | `nn.Linear`, from `d_model` to `d_hidden` and back |
| `norm1`, `norm2` | `nn.LayerNorm(d_model)`, for the attention and for the network |

With `norm_first=False`, a sublayer $f$ computes $\\mathrm{Norm}(x + f(x))$; with `norm_first=True`,
it computes $x + f(\\mathrm{Norm}(x))$. Attention comes first, then the network: `linear1`, a ReLU,
`linear2`. In `is_real`, of shape `(batch, tokens)`, True marks a word and False padding, which no
query may attend to; mind what True means in `nn.MultiheadAttention`.

In training mode, dropout sets numbers of $f$ to 0 with probability `dropout` and divides the others
by 1 − `dropout`, just before $f$ is added and nowhere else; `nn.Dropout` and
`nn.functional.dropout` do this. In evaluation mode, after `layer.eval()`, nothing is dropped, and
the layer equals `nn.TransformerEncoderLayer` with the same weights.
"""

import numpy as np
import torch
from torch import nn

from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="encoder-layer",
    chapter="transformer",
    title="An encoder layer from PyTorch's parts",
    version=2,
    hints=[
        "Write both sublayers for `norm_first=True` alone, without dropout. What goes into "
        "`self_attn`, and what is added to its output?",
        "`nn.MultiheadAttention` returns a pair, the output and the weights. Its "
        "`key_padding_mask` is True where a key is to be *ignored*.",
        "`nn.Dropout` follows the mode if it is an attribute of the module: `x + self.dropout(f)`.",
    ],
)


class EncoderLayer(nn.Module):
    """Attention, then a feed-forward network, each with a residual connection and a norm."""

    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0, norm_first=False):
        super().__init__()
        # BEGIN SOLUTION
        self.norm_first = norm_first
        self.self_attn = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_hidden)
        self.linear2 = nn.Linear(d_hidden, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        # END SOLUTION

    def forward(self, x, is_real):
        """Return the tokens after the layer, (batch, tokens, d_model).

        x: (batch, tokens, d_model)   is_real: (batch, tokens), True for words
        """

        # BEGIN SOLUTION
        def attend(x):
            return self.self_attn(x, x, x, key_padding_mask=~is_real, need_weights=False)[0]

        def network(x):
            return self.linear2(self.linear1(x).relu())

        if self.norm_first:
            x = x + self.dropout(attend(self.norm1(x)))
            return x + self.dropout(network(self.norm2(x)))
        x = self.norm1(x + self.dropout(attend(x)))
        return self.norm2(x + self.dropout(network(x)))
        # END SOLUTION


def _pair(EncoderLayer, seed, norm_first, dropout=0.0, sizes=(15, 3, 22)):
    """Return the learner's layer and PyTorch's, with the same weights, in evaluation mode."""
    theirs = nn.TransformerEncoderLayer(
        *sizes, dropout=0.0, batch_first=True, norm_first=norm_first
    ).requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    state = {
        # Gains and biases that are not 1 and 0, so that no norm can stand for another one.
        name: torch.randn(value.shape, generator=generator) / value.shape[-1] ** 0.5
        + ("norm" in name and "weight" in name)
        for name, value in theirs.state_dict().items()
    }
    theirs.load_state_dict(state)
    layer = EncoderLayer(*sizes, dropout=dropout, norm_first=norm_first)
    _expect_parameters(layer, state)
    layer.load_state_dict(state)
    layer.eval()
    return layer, theirs.eval()


def _expect_parameters(layer, expected):
    kind = type(layer).__name__
    is_module = hasattr(layer, "state_dict")
    expect(is_module, f"EncoderLayer(…) is of type {kind}; expected an nn.Module.")
    # A layer that is graded elsewhere shows its attributes, and not its base classes.
    is_own = not hasattr(layer, "_sa_block")
    message = "EncoderLayer is derived from nn.TransformerEncoderLayer; expected nn.Module."
    expect(is_own, message, "derived")
    state = layer.state_dict()
    expect(isinstance(state, dict), "EncoderLayer is not an nn.Module: it has no state_dict().")
    for name, value in expected.items():
        expect(name in state, f"The module has no parameter {name}.", "not-registered")
        shape, wanted = tuple(state[name].shape), tuple(value.shape)
        expect(shape == wanted, f"{name} has shape {shape}; expected {wanted}.")
    more = sorted(set(state) - set(expected))
    expect(not more, f"The module has {', '.join(more)} besides the parts in the table.")


def _case(seed, *shape):
    """Return tokens and which of them are words; the first one of each text is one."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(*shape, generator=generator)
    is_real = torch.rand(*shape[:2], generator=generator) < 0.6
    is_real[:, 0], is_real[:, 1] = True, False
    return x, is_real


def _compare(layer, theirs, x, is_real):
    right = theirs(x, src_key_padding_mask=~is_real)
    seen = call_keeping_inputs(layer, x, is_real)
    expect_close(seen, right, atol=1e-4, what="the layer's output")


@check(points=2)
def norm_last(EncoderLayer):
    """norm_first=False: equals nn.TransformerEncoderLayer"""
    _compare(*_pair(EncoderLayer, 3, norm_first=False), *_case(5, 2, 7, 15))


@check(points=2, success_message="On its way, x meets only sums: the residual stream.")
def norm_first(EncoderLayer):
    """norm_first=True: equals nn.TransformerEncoderLayer(norm_first=True)"""
    _compare(*_pair(EncoderLayer, 7, norm_first=True), *_case(11, 2, 7, 15))


@check(points=1, success_message="After `layer.eval()` nothing is dropped.")
def evaluation_drops_nothing(EncoderLayer):
    """dropout=0.5 in evaluation mode"""
    layer, theirs = _pair(EncoderLayer, 13, norm_first=True, dropout=0.5)
    x, is_real = _case(17, 2, 7, 15)
    what, right = "the output in evaluation mode", theirs(x, src_key_padding_mask=~is_real)
    once, again = (expect_shape(layer(x, is_real), x.shape, what=what) for _ in range(2))
    same = np.array_equal(once, again)
    expect(same, "Two calls with the same tokens differ.", "always-dropped")
    expect_close(once, right, atol=1e-4, what=what)


@check(points=1)
def training_drops_what_is_added(EncoderLayer):
    """dropout=1 in training mode: only x and the norms remain"""
    for first in (True, False):
        layer, theirs = _pair(EncoderLayer, 19, norm_first=first, dropout=1.0)
        layer.train()
        x, is_real = _case(23, 2, 7, 15)
        right = x if first else theirs.norm2(theirs.norm1(x))
        what = f"the output with dropout=1 and norm_first={first}"
        expect_close(layer(x, is_real), right, atol=1e-4, what=what)


@check(points=1, success_message="Half of what a sublayer adds is dropped; the rest is doubled.")
def dropout_at_one_place(EncoderLayer):
    """dropout=0.5 in training mode: what a sublayer adds is doubled or dropped, nothing else"""
    x, is_real = _case(37, 5, 11, 15)
    for silent in ("linear2", "self_attn.out_proj"):  # so that the other sublayer is seen alone
        layer, theirs = _pair(EncoderLayer, 29, norm_first=True, dropout=0.5)
        _compare(layer, theirs, x, is_real)
        for parameter in theirs.get_submodule(silent).parameters():
            parameter.zero_()
        # Not in place: what a layer that is graded elsewhere hands out of itself is a copy.
        layer.load_state_dict(theirs.state_dict())
        layer.train()
        torch.manual_seed(31)
        output = expect_shape(layer(x, is_real), x.shape, what="the output")
        _expect_dropped(output - x.numpy(), theirs(x, src_key_padding_mask=~is_real) - x, x)


def _expect_dropped(added, whole, x):
    """Compare what was added with what the sublayer adds without dropout: twice that, or 0."""
    whole, x, what = whole.numpy(), x.numpy(), "with dropout=0.5, what a sublayer adds"
    dropped = np.abs(added) < 1e-6
    half = abs(dropped.mean() - 0.5) < 0.1
    expect(not np.allclose(added, whole, atol=1e-4), f"{what} is all kept.", "nothing-dropped")
    is_zero = np.isclose(added, -x, atol=1e-5)
    expect(is_zero.mean() < 0.3, "the output is 0 in many places.", "dropped-after-sum")
    rest = added[~dropped], whole[~dropped]
    message = f"{what} is kept as it is, or dropped; expected twice as large, or dropped."
    expect(not half or not np.allclose(*rest, atol=1e-4), message, "not-rescaled")
    message = f"{what} is neither 0 nor twice what it adds without dropout."
    is_twice = np.allclose(rest[0], 2 * rest[1], atol=1e-4)
    expect(is_twice, message, "dropped-inside" if half else None)
    expect(half, f"{what}: {dropped.mean():.0%} of it is dropped; expected about half.")


@check(points=1, hidden=True)
def other_sizes(EncoderLayer, rng):
    """Other sizes, both orders"""
    for first in (True, False):
        seed = int(rng.integers(1000))
        pair = _pair(EncoderLayer, seed, first, sizes=(22, 2, 13))
        _compare(*pair, *_case(seed + 1, 3, 5, 22))


_NORMS_SWAPPED = {"self.norm1(": "self.other(", "self.norm2(": "self.norm1(", "other(": "norm2("}

mistake(
    "norm-exchanged",
    "The two positions of the norm are swapped: this is the layer for the other value of "
    "`norm_first`.",
    {"if self.norm_first": "if not self.norm_first"},
)
mistake(
    "no-residual",
    "The sublayers' inputs were not added to their outputs.",
    {"x + self.dropout": "self.dropout"},
)
mistake(
    "norm-outside-sum",
    "The norm was applied to the sublayer's output before the sum. With the norm last, the sum "
    "is normalised: Norm(x + f(x)).",
    {f"self.norm{i}(x + ": f"x + self.norm{i}(" for i in (1, 2)},
    {"attend(self.norm1(": "self.norm1(attend(", "network(self.norm2(": "self.norm2(network("},
)
mistake(
    "norms-swapped",
    "`norm1` and `norm2` are swapped. The first belongs to attention.",
    _NORMS_SWAPPED,
)
mistake(
    "first-norm-twice",
    "`norm1` was used for both sublayers. The network has `norm2`.",
    {"self.norm2(": "self.norm1("},
)
mistake(
    "second-norm-twice",
    "`norm2` was used for both sublayers. Attention has `norm1`.",
    {"self.norm1(": "self.norm2("},
)
mistake(
    "network-first",
    "The network came before attention.",
    {"(attend(": "(first(", "(network(": "(attend(", "(first(": "(network(", **_NORMS_SWAPPED},
)
mistake(
    "no-activation",
    "Between `linear1` and `linear2` the ReLU is missing: two linear layers in a row can do no "
    "more than one.",
    {".relu()": ""},
)
mistake(
    "gelu",
    "This has a GELU between `linear1` and `linear2`; the exercise asks for a ReLU.",
    {"self.linear1(x).relu()": "nn.functional.gelu(self.linear1(x))"},
)
mistake(
    "mask-inverted",
    "Here words were hidden and padding was attended to. In `key_padding_mask` True means "
    "*ignore*, the reverse of `is_real`.",
    {"~is_real": "is_real"},
)
mistake(
    "mask-ignored",
    "Padding was attended to: `is_real` has no effect on the output.",
    {"key_padding_mask=~is_real, ": ""},
)
mistake(
    "always-dropped",
    "In evaluation mode, two calls with the same tokens differ. `nn.functional.dropout` drops in "
    "every mode unless it is told `training=self.training`.",
    {"self.dropout(attend": "nn.functional.dropout(attend"},
)
mistake(
    "nothing-dropped",
    "In training mode, everything that one or both of the sublayers add is kept. Dropout has to "
    "act on both sublayers.",
    {"self.dropout(network": "(network"},
    {"nn.Dropout(dropout)": "nn.Identity()"},
)
mistake(
    "derived",
    "This is PyTorch's own layer under another name. Derive the class from `nn.Module` and "
    "assemble it from the parts in the table.",
    {"nn.Module": "nn.TransformerEncoderLayer", "_init__()": "_init__(d_model, num_heads)"},
)
mistake(
    "dropped-after-sum",
    "Dropout acted on the sum, including x. Drop only what the sublayer adds.",
    {"x + self.dropout(": "self.dropout(x + "},
)
mistake(
    "dropped-after-norm",
    "Dropout acted on the norm's output, including x. Drop only what the sublayer adds, before the "
    "sum.",
    {f"norm{i}(x + self.dropout(": f"dropout(self.norm{i}(x + " for i in (1, 2)},
)
mistake(
    "dropped-inside",
    "Something is dropped inside a sublayer as well: weights in `self_attn`, or features between "
    "`linear1` and `linear2`. Here, dropout acts only on what the sublayer adds.",
    {"num_heads, batch_first": "num_heads, dropout=dropout, batch_first"},
)
mistake(
    "not-rescaled",
    "The kept numbers were not divided by the share that is kept, 1 − dropout, as in `nn.Dropout`.",
    {"nn.Dropout(dropout)": "lambda f: f * (torch.rand(f.shape) >= dropout * self.training)"},
)
mistake(
    "not-registered",
    "This class has no parameter of that name. A layer becomes part of a module when it is "
    "assigned to an attribute in `__init__`.",
    {"self.linear1 =": "self.all = {}; self.all[1] =", "self.linear1(": "self.all[1]("},
)

ALSO_RIGHT = {
    "one loop over the sublayers": """
        class EncoderLayer(nn.Module):
            def __init__(self, d_model, num_heads, d_hidden, dropout=0.0, norm_first=False):
                super().__init__()
                self.norm_first, self.p = norm_first, dropout
                self.self_attn = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
                self.linear1 = nn.Linear(d_model, d_hidden)
                self.linear2 = nn.Linear(d_hidden, d_model)
                self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

            def forward(self, x, is_real):
                hide = ~is_real
                sublayers = [
                    (self.norm1, lambda x: self.self_attn(x, x, x, key_padding_mask=hide)[0]),
                    (self.norm2, lambda x: self.linear2(self.linear1(x).clamp(min=0))),
                ]
                for norm, f in sublayers:
                    added = f(norm(x) if self.norm_first else x)
                    x = x + nn.functional.dropout(added, self.p, training=self.training)
                    x = x if self.norm_first else norm(x)
                return x
    """,
    "parts of parts": """
        class Network(nn.Module):
            def forward(self, x, linear1, linear2):
                return linear2(nn.functional.relu(linear1(x)))

        class EncoderLayer(nn.Module):
            def __init__(self, d_model, num_heads, d_hidden, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attn = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
                self.linear1 = nn.Linear(d_model, d_hidden)
                self.linear2 = nn.Linear(d_hidden, d_model)
                self.norm1 = nn.LayerNorm(d_model)
                self.norm2 = nn.LayerNorm(d_model)
                self.drop1, self.drop2 = nn.Dropout(dropout), nn.Dropout(dropout)
                self.network, self.first = Network(), norm_first

            def forward(self, x, is_real):
                read = self.norm1(x) if self.first else x
                added, _ = self.self_attn(read, read, read, key_padding_mask=is_real == False)
                x = x + self.drop1(added)
                if not self.first:
                    x = self.norm1(x)
                read = self.norm2(x) if self.first else x
                x = x + self.drop2(self.network(read, self.linear1, self.linear2))
                return x if self.first else self.norm2(x)
    """,
}
