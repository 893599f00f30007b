"""Assemble an encoder layer from PyTorch's parts, as an `nn.Module` of your own: it is not derived
from `nn.TransformerEncoderLayer` and does not use it, but its parts have the same names.

| attribute | part |
|---|---|
| `self_attn` | `nn.MultiheadAttention(d_model, num_heads, batch_first=True)` |
| `linear1`, `linear2` | `nn.Linear`, from `d_model` to `d_hidden` and back |
| `norm1`, `norm2` | `nn.LayerNorm(d_model)`, for the attention and for the network |

With `norm_first=False` a sublayer $f$ computes $\\mathrm{Norm}(x + f(x))$, with `norm_first=True`
it computes $x + f(\\mathrm{Norm}(x))$. Attention is first; then comes the network, `linear1`, a
ReLU, `linear2`. In `is_real`, of shape `(batch, tokens)`, True is a word and False is padding,
which no query may attend to; mind what True means in `nn.MultiheadAttention`.

In training mode, dropout sets numbers of $f$ to 0 with the probability `dropout` and divides the
others by 1 − `dropout`, just before $f$ is added, and nowhere else; `nn.Dropout` and
`nn.functional.dropout` do that. In evaluation mode, after `layer.eval()`, nothing is dropped, and
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
)

exercise(
    title="An encoder layer from PyTorch's parts",
    version=2,
    hints=[
        "Write both sublayers for `norm_first=True` alone, without dropout. What goes into "
        "`self_attn`, and what is added to its output?",
        "`nn.MultiheadAttention` returns a pair, the output and the weights. Its "
        "`key_padding_mask` is True where a key is to be *ignored*.",
        "`nn.Dropout` knows the mode by itself if it is an attribute of the module: "
        "`x + self.dropout(f)`.",
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


MISTAKES = r"""
norm-exchanged: `if self.norm_first` → `if not self.norm_first`
    The two places of the norm are exchanged: this is the layer for the other value of `norm_first`.
no-residual: (also dropped-after-sum) `x + self.dropout` → `self.dropout`
    The input of the sublayers was not added to their output.
norm-outside-sum: `self.norm1(x + ` → `x + self.norm1(`, `self.norm2(x + ` → `x + self.norm2(`
    The norm was applied to the sublayer's output before the sum. With the norm last, the sum is
    normalised: Norm(x + f(x)).
norms-swapped: `self.norm1(` → `self.norm(`, `self.norm2(` → `self.norm1(`,
  `self.norm(` → `self.norm2(`
    `norm1` and `norm2` are exchanged. The first belongs to attention.
first-norm-twice: `self.norm2(` → `self.norm1(`
    `norm1` was used for both sublayers. The network has `norm2`.
second-norm-twice: `self.norm1(` → `self.norm2(`
    `norm2` was used for both sublayers. Attention has `norm1`.
network-first: `attend(self.norm1(x))` → `f(x)`, `network(self.norm2(x))` → `attend(self.norm1(x))`,
  `f(x)` → `network(self.norm2(x))`
    The network came before attention.
no-activation: `.relu()` → ``
    Between `linear1` and `linear2` the ReLU is missing: two linear layers in a row can do no more
    than one.
gelu: `self.linear1(x).relu()` → `nn.functional.gelu(self.linear1(x))`
    This has a GELU between `linear1` and `linear2`; the exercise asks for a ReLU.
mask-inverted: `~is_real` → `is_real`
    Here words were hidden and padding was attended to. In `key_padding_mask` True means *ignore*,
    the reverse of `is_real`.
mask-ignored: `key_padding_mask=~is_real, ` → ``
    Padding was attended to: `is_real` has no effect on the output.
always-dropped: `self.dropout(attend` → `nn.functional.dropout(attend`
    In evaluation mode two calls with the same tokens differ. `nn.functional.dropout` drops in every
    mode unless it is told `training=self.training`.
nothing-dropped: `self.dropout(network` → `(network`
or `nn.Dropout(dropout)` → `nn.Identity()`
    In training mode what one sublayer adds, or what both of them add, is all kept. Dropout has to
    act on each of the two.
derived:
    ```
    class EncoderLayer(nn.TransformerEncoderLayer):
        def __init__(self, d_model, num_heads, d_hidden, dropout=0.0, norm_first=False):
            super().__init__(
                d_model, num_heads, d_hidden, dropout, batch_first=True, norm_first=norm_first
            )
            self.dropout, self.self_attn.dropout = nn.Identity(), 0.0

        def forward(self, x, is_real):
            return super().forward(x, src_key_padding_mask=~is_real)
    ```
    This is PyTorch's own layer under another name. Derive the class from `nn.Module` and assemble
    it from the parts in the table.
dropped-after-sum: `x + self.dropout(` → `self.dropout(x + `
    The sum was dropped, and x with it. Only what the sublayer adds is dropped.
dropped-after-norm: `self.norm1(x + self.dropout(` → `self.dropout(self.norm1(x + `,
  `self.norm2(x + self.dropout(` → `self.dropout(self.norm2(x + `
    What comes out of the norm was dropped, and x with it. Only what the sublayer adds is dropped,
    before the sum.
dropped-inside: `batch_first=True` → `dropout=dropout, batch_first=True`
    Something is dropped inside a sublayer as well: weights in `self_attn`, or features between
    `linear1` and `linear2`. Here dropout acts at one place, on what the sublayer adds.
not-rescaled: `nn.Dropout(dropout)` →
  `lambda f: f * (torch.rand_like(f) > dropout) if self.training else f`
    What is kept was not divided by the share that is kept, 1 − dropout, as `nn.Dropout` does.
not-registered: `self.linear1 = nn.Linear(d_model, d_hidden)` →
  `self.layers = [nn.Linear(d_model, d_hidden)]`, `self.linear1(x)` → `self.layers[0](x)`
    This class has no parameter of that name. A layer becomes part of a module when it is assigned
    to an attribute in `__init__`.
"""


def _pair(EncoderLayer, seed, norm_first, dropout=0.0, d_model=15, num_heads=3, d_hidden=22):
    """Return the learner's layer and PyTorch's, with the same weights, in evaluation mode."""
    theirs = nn.TransformerEncoderLayer(
        d_model, num_heads, d_hidden, dropout=0.0, batch_first=True, norm_first=norm_first
    ).requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    state = {
        # Gains and biases that are not 1 and 0, so that no norm can stand for another one.
        name: torch.randn(value.shape, generator=generator) / value.shape[-1] ** 0.5
        + ("norm" in name and "weight" in name)
        for name, value in theirs.state_dict().items()
    }
    theirs.load_state_dict(state)
    layer = EncoderLayer(d_model, num_heads, d_hidden, dropout=dropout, norm_first=norm_first)
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
    expect_close(
        call_keeping_inputs(layer, x, is_real),
        theirs(x, src_key_padding_mask=~is_real),
        atol=1e-4,
        what="the layer's output",
    )


@check(points=2)
def norm_last(EncoderLayer):
    """norm_first=False: equals nn.TransformerEncoderLayer"""
    _compare(*_pair(EncoderLayer, 3, norm_first=False), *_case(5, 2, 7, 15))


@check(points=2, success_message="Nothing on the way of x but sums: the residual stream.")
def norm_first(EncoderLayer):
    """norm_first=True: equals nn.TransformerEncoderLayer(norm_first=True)"""
    _compare(*_pair(EncoderLayer, 7, norm_first=True), *_case(11, 2, 7, 15))


@check(points=1, success_message="After `layer.eval()` nothing is dropped.")
def evaluation_drops_nothing(EncoderLayer):
    """dropout=0.5 in evaluation mode"""
    layer, theirs = _pair(EncoderLayer, 13, norm_first=True, dropout=0.5)
    x, is_real = _case(17, 2, 7, 15)
    twice = [layer(x, is_real) for _ in range(2)]
    for output in twice:
        expect_close(
            output.shape if hasattr(output, "shape") else output, x.shape, what="the shape"
        )
    expect(torch.equal(*twice), "Two calls with the same tokens differ.", "always-dropped")
    expect_close(
        twice[0], theirs(x, src_key_padding_mask=~is_real), atol=1e-4,
        what="the output in evaluation mode"
    )  # fmt: skip


@check(points=1)
def training_drops_what_is_added(EncoderLayer):
    """dropout=1 in training mode: only x and the norms remain"""
    for first in (True, False):
        layer, theirs = _pair(EncoderLayer, 19, norm_first=first, dropout=1.0)
        layer.train()
        x, is_real = _case(23, 2, 7, 15)
        expect_close(
            layer(x, is_real),
            x if first else theirs.norm2(theirs.norm1(x)),
            atol=1e-4,
            what=f"the output with dropout=1 and norm_first={first}",
        )


@check(points=1, success_message="Half of what a sublayer adds is dropped, the rest is doubled.")
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
    is_sum_dropped = np.isclose(added, -x, atol=1e-5) | np.isclose(added, x + 2 * whole, atol=1e-4)
    expect(not is_sum_dropped.all(), "the output is 0 in many places.", "dropped-after-sum")
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
        sizes = {"d_model": 22, "num_heads": 2, "d_hidden": 13}
        _compare(*_pair(EncoderLayer, seed, first, **sizes), *_case(seed + 1, 3, 5, 22))


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
