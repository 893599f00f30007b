"""Assemble the model as an `nn.Module`. Give the parts these names, because the checks copy weights
into them; dots are attributes inside attributes, and `blocks` is an `nn.ModuleList`:

| name | part |
|---|---|
| `embed`, `positions` | `nn.Embedding` for `num_words` words and for `max_tokens` places |
| `blocks.0.attention` | self-attention: `query`, `key`, `value`, `output`, each an `nn.Linear` |
| `blocks.0.norm1`, `.norm2` | `nn.LayerNorm` before attention and before the network |
| `blocks.0.linear1`, `.linear2` | `nn.Linear`, to `4 * d_model` and back, a ReLU between |
| `norm` | `nn.LayerNorm` behind the last block |

The four linear maps of attention have no biases, unlike those of the chapter before.
The embedding of a word and that of its place are added. A block adds to each token what attention
makes of `norm1`, then what the network makes of `norm2`; no token sees a later one. The logits are
the product of the normed tokens with `embed.weight`, transposed. The weights of both embeddings
start from a normal distribution with standard deviation 0.05: `nn.init.normal_(weight, std=0.05)`;
the norms start with gains of 1 and biases of 0, as PyTorch makes them. The model has no dropout. A
text may be shorter than `max_tokens`.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
)

exercise(
    title="Step 3: the model",
    version=2,
    stand_in="attnlab.models.gpt_torch",
    withhold=["attnlab.models.gpt_torch.GPT"],
    hints=[
        "Which classes of your own make `GPT` short? A class for attention, one for a block.",
        "`F.scaled_dot_product_attention(query, key, value, is_causal=True)` for heads of shape "
        "`(batch, num_heads, tokens, head_dim)`; `self.blocks = nn.ModuleList(Block(…) for _ in "
        "range(num_blocks))`.",
        "`x = self.embed(tokens) + self.positions.weight[: tokens.shape[1]]`, all blocks in turn, "
        "and `self.norm(x) @ self.embed.weight.T`.",
    ],
)


# BEGIN SOLUTION
# STARTER: # Classes of your own for attention and for a block go here.
class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        parts = (self.query(x), self.key(x), self.value(x))
        heads = [part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in parts]
        mixed = F.scaled_dot_product_attention(*heads, is_causal=True)
        return self.output(mixed.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = SelfAttention(d_model, num_heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.linear1 = nn.Linear(d_model, 4 * d_model)
        self.linear2 = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.linear2(self.linear1(self.norm2(x)).relu())


# END SOLUTION


class GPT(nn.Module):
    """A decoder-only Transformer."""

    def __init__(self, num_words, d_model, num_heads, num_blocks, max_tokens):
        super().__init__()
        # BEGIN SOLUTION
        self.embed = nn.Embedding(num_words, d_model)
        self.positions = nn.Embedding(max_tokens, d_model)
        nn.init.normal_(self.embed.weight, std=0.05)
        nn.init.normal_(self.positions.weight, std=0.05)
        self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_blocks))
        self.norm = nn.LayerNorm(d_model)
        # END SOLUTION

    def forward(self, tokens):
        """Return the logits of each next token, (batch, tokens, num_words).

        tokens: (batch, tokens), integers
        """
        # BEGIN SOLUTION
        x = self.embed(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embed.weight.T
        # END SOLUTION


MISTAKES = r"""
leak: `, is_causal=True` → ``
    A later token changed earlier logits: somewhere a token attends to what comes after it, in all
    heads or in one. In training such a model sees the answers.
blind: (also no-gradient) `F.scaled_dot_product_attention(*heads, is_causal=True)` →
  `heads[2] + 0 * (heads[0] + heads[1])`
    The first token has no effect on the last logits: the model sees too little.
no-positions: (also no-gradient) ` + self.positions.weight[: tokens.shape[1]]` → ``
    The positions have no effect: without them no place knows where it is.
no-final-norm: (also no-gradient) `self.norm(x) @` → `x @`
    The norm behind the last block is missing.
norm-last: `x + self.attention(self.norm1(x))` → `self.norm1(x + self.attention(x))`,
  `x + self.linear2(self.linear1(self.norm2(x)).relu())` →
  `self.norm2(x + self.linear2(self.linear1(x).relu()))`
    Here the norm comes behind each sum. In this model it comes before attention and before the
    network, and x itself is only added to.
one-head: `(self.num_heads, -1)` → `(1, -1)`
    This has one head of full width.
unscaled: `is_causal=True` → `is_causal=True, scale=1.0`
    The scores were not divided by the root of `head_dim`.
scaled-by-width: `is_causal=True` → `is_causal=True, scale=x.shape[-1] ** -0.5`
    The scores were divided by the root of `d_model`. The width that counts is that of a head.
one-block: (also no-gradient) `in self.blocks` → `in self.blocks[:1]`
    Only the first block was used.
gelu: `self.linear1(self.norm2(x)).relu()` → `F.gelu(self.linear1(self.norm2(x)))`
    This has a GELU in the network; the exercise asks for a ReLU.
probabilities: `self.norm(x) @ self.embed.weight.T` →
  `(self.norm(x) @ self.embed.weight.T).softmax(dim=-1)`
    These are probabilities. The model returns logits: the loss applies the softmax itself.
not-registered: `nn.ModuleList(` → `list(`
    The model has no parameter of that name. A list of blocks has to be an `nn.ModuleList`, and
    every part an attribute that `__init__` sets.
shared-blocks: `nn.ModuleList(Block(d_model, num_heads) for _ in range(num_blocks))` →
  `nn.ModuleList([Block(d_model, num_heads)] * num_blocks)`
    Two blocks have one and the same weight: `[block] * n` is one block, n times. Make each with a
    call of its own.
tie-cut: `self.embed.weight.T` → `self.embed.weight.detach().T`
    The embeddings of words that were not read get no gradient. All of them make logits: use
    `embed.weight` itself there, not its `.data` or a detached copy.
large-start: `nn.init.normal_(self.embed.weight, std=0.05)` → `pass`
    The untrained model is far more surprised than one that guesses among all words: its embeddings
    start too large. Give them a standard deviation of 0.05.
other-start: `std=0.05` → `std=0.1` or `std=0.001`
or `normal_` → `uniform_`, `std=0.05` → `-0.05, 0.05` or `-0.0866, 0.0866`
or `nn.init.normal_(self.positions.weight, std=0.05)` → `pass`
or `self.norm = nn.LayerNorm(d_model)` →
  `self.norm = nn.LayerNorm(d_model); [nn.init.normal_(p, std=0.05) for p in self.parameters()]`
    The weights of both embeddings start from a normal distribution with standard deviation 0.05,
    and a norm as PyTorch makes it.
random: `x = self.embed(tokens) +` → `x = F.dropout(self.embed(tokens), 0.1) +`
    Two calls with the same words have other logits, as with dropout. This model has none.
no-gradient: `self.norm(x)` → `self.norm(x.detach())`
    No gradient reaches this weight.
"""


#: Words, width, heads, blocks, most tokens.
_SIZES = (29, 15, 3, 2, 13)


def _state(seed, num_words, d_model, num_blocks, max_tokens):
    """Return random weights of a model of these sizes, by their names."""
    shapes = {"embed.weight": (num_words, d_model), "positions.weight": (max_tokens, d_model)}
    for number in range(num_blocks):
        inside = {f"attention.{name}.weight": (d_model, d_model) for name in _LINEAR}
        inside |= {"linear1.weight": (4 * d_model, d_model), "linear1.bias": (4 * d_model,)}
        inside |= {"linear2.weight": (d_model, 4 * d_model), "linear2.bias": (d_model,)}
        inside |= {f"norm{i}.{part}": (d_model,) for i in (1, 2) for part in ("weight", "bias")}
        shapes |= {f"blocks.{number}.{name}": shape for name, shape in inside.items()}
    shapes |= {"norm.weight": (d_model,), "norm.bias": (d_model,)}
    generator = torch.Generator().manual_seed(seed)
    return {
        name: torch.randn(shape, generator=generator) / shape[-1] ** 0.5
        + ("norm" in name and "weight" in name)
        for name, shape in shapes.items()
    }


_MOVED = "Another last token changes the logits before it by up to {:.3g}; expected 0."
_LINEAR = ("query", "key", "value", "output")


def _made(GPT, *sizes):
    model = GPT(*sizes)
    kind = type(model).__name__
    expect(hasattr(model, "state_dict"), f"GPT(…) is of type {kind}; expected an nn.Module.")
    return model


def _loaded(GPT, seed, num_words, d_model, num_heads, num_blocks, max_tokens):
    model = _made(GPT, num_words, d_model, num_heads, num_blocks, max_tokens)
    state, found = _state(seed, num_words, d_model, num_blocks, max_tokens), model.state_dict()
    expect(isinstance(found, dict), "GPT is not an nn.Module: it has no state_dict().")
    for name, value in state.items():
        expect(name in found, f"The model has no parameter {name}.", "not-registered")
        shape, expected = tuple(found[name].shape), tuple(value.shape)
        expect(shape == expected, f"{name} has shape {shape}; expected {expected}.")
    more = sorted(set(found) - set(state))
    expect(not more, f"The model has {', '.join(more[:3])} besides the parts in the table.")
    model.load_state_dict(state)
    for name, value in model.state_dict().items():
        is_kept = torch.equal(value.detach(), state[name])
        expect(is_kept, f"{name} changed when other blocks got their weights.", "shared-blocks")
    return model, state


def _layer(state, number, num_heads):
    """Return PyTorch's encoder layer with the weights of a block; its biases of attention are 0."""
    ours = {
        name.removeprefix(f"blocks.{number}."): value
        for name, value in state.items()
        if name.startswith(f"blocks.{number}.")
    }
    d_model = len(ours["norm1.weight"])
    layer = nn.TransformerEncoderLayer(
        d_model, num_heads, 4 * d_model, dropout=0.0, batch_first=True, norm_first=True
    )
    attention = [ours.pop(f"attention.{name}.weight") for name in _LINEAR]
    ours |= {
        "self_attn.in_proj_weight": torch.cat(attention[:3]),
        "self_attn.in_proj_bias": torch.zeros(3 * d_model),
        "self_attn.out_proj.weight": attention[3],
        "self_attn.out_proj.bias": torch.zeros(d_model),
    }
    layer.load_state_dict(ours)
    return layer.eval()


@torch.no_grad()
def _expected(state, tokens, num_heads):
    """Return the logits that PyTorch's own layers compute with these weights."""
    count = tokens.shape[1]
    x = state["embed.weight"][tokens] + state["positions.weight"][:count]
    hidden = torch.ones(count, count, dtype=torch.bool).triu(1)
    for number in range(sum(name.endswith("norm1.weight") for name in state)):
        x = _layer(state, number, num_heads)(x, src_mask=hidden)
    x = F.layer_norm(x, x.shape[-1:], state["norm.weight"], state["norm.bias"])
    return x @ state["embed.weight"].T


def _tokens(seed, batch, count, num_words):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, num_words, (batch, count), generator=generator)


def _expect_steady(model, tokens):
    """Expect two calls to agree: else every change looks like one that another token makes."""
    with torch.no_grad():
        once, again = (as_array(model(tokens), "the array of logits") for _ in range(2))
    message = "Two calls with the same words have other logits: is there dropout?"
    expect(once.shape == again.shape and np.allclose(once, again, atol=1e-5), message, "random")


def _leak(model, tokens):
    """Return by how much another last token changes the logits before it."""
    other = tokens.clone()
    other[:, -1] = (tokens[:, -1] + 1) % 23
    with torch.no_grad():
        before, after = as_array(model(tokens)), as_array(model(other))
    if before.ndim != 3 or before.shape != after.shape:
        return 0.0
    return float(abs(after[:, :-1] - before[:, :-1]).max())


def _compare(model, state, tokens, num_heads):
    _expect_steady(model, tokens)
    moved = _leak(model, tokens)
    expect(not moved > 1e-4, _MOVED.format(moved), "leak")
    seen, right = call_keeping_inputs(model, tokens), _expected(state, tokens, num_heads)
    expect_close(seen, right, atol=1e-3, what="the array of logits")


@check(
    points=3,
    success_message="Same weights, same logits as PyTorch's layers: the parts are in their places.",
)
def same_as_pytorch(GPT):
    """Equals PyTorch's own layers with the same weights"""
    model, state = _loaded(GPT, 3, *_SIZES)
    _compare(model, state, _tokens(5, 2, 7, 29), 3)


@check(points=2, success_message="Earlier logits stay, later ones change: no leak, no blindness.")
def no_leak(GPT):
    """The last token changes: the logits before it do not. The first changes: the last ones do"""
    model, _ = _loaded(GPT, 7, *_SIZES)
    tokens = _tokens(11, 2, 7, 29)
    _expect_steady(model, tokens)
    end, start = tokens.clone(), tokens.clone()
    end[:, -1], start[:, 0] = (tokens[:, -1] + 1) % 29, (tokens[:, 0] + 1) % 29
    with torch.no_grad():
        before, after, from_start = (
            expect_shape(model(given), (2, 7, 29), what="the array of logits")
            for given in (tokens, end, start)
        )
    moved = float(abs(after[:, :-1] - before[:, :-1]).max())
    expect(moved < 1e-4, _MOVED.format(moved), "leak")
    moved = abs(from_start[:, -1] - before[:, -1]).max()
    expect(moved > 1e-3, "Another first token leaves the last logits as they are.", "blind")


@check(points=1, success_message="Its loss is that of guessing, ln 172 = 5.15: a good start.")
def untrained(GPT):
    """Untrained, it guesses among 172 words, with first weights as the statement has them"""
    torch.manual_seed(13)
    model = _made(GPT, 172, 64, 4, 2, 32)
    tokens = _tokens(17, 3, 31, 172)
    _expect_steady(model, tokens)
    with torch.no_grad():
        logits, others = (
            expect_shape(model(given), (3, 31, 172), what="the array of logits")
            for given in (tokens, (tokens + 1) % 172)
        )
    moved = (others - logits) - (others - logits).mean(axis=-1, keepdims=True)
    expect(abs(moved).max() > 1e-3, "Other words have the same probabilities.", "blind")
    loss = float(F.cross_entropy(torch.tensor(logits[:, :-1]).flatten(0, 1).float(),
                                 tokens[:, 1:].flatten()))  # fmt: skip
    message = f"Its loss is {loss:.2f} nats; guessing among 172 words has 5.15."
    expect(loss < 6.0, message, "large-start")
    _expect_start(model.state_dict())


def _expect_start(state):
    """Expect the first weights that the statement asks for, of embeddings and of norms."""
    for name in ("embed.weight", "positions.weight"):
        expect(name in state, f"The model has no parameter {name}.", "not-registered")
        weight = as_array(state[name], name)
        mean, std, most = weight.mean(), weight.std(), abs(weight).max()
        message = f"{name} starts with mean {mean:.2g} and standard deviation {std:.3g}"
        is_right = abs(std - 0.05) < 0.005 and abs(mean) < 0.01
        expect(is_right, f"{message}; expected 0 and 0.05.", "other-start")
        message = f"{message}, but without any number beyond {most:.2g}: it is not normal."
        expect(most > 2.5 * std, message, "other-start")
    for name, value in state.items():
        if "norm" in name:
            start = float(name.endswith("weight"))
            message = f"{name} does not start with {start:g} everywhere."
            expect((as_array(value, name) == start).all(), message, "other-start")


@check(points=1)
def gradients(GPT):
    """Gradients reach every weight"""
    model, _ = _loaded(GPT, 19, *_SIZES)
    tokens = _tokens(23, 2, 13, 29)
    logits = model(tokens)
    expect_shape(logits, (2, 13, 29), what="the array of logits")
    has_gradient = isinstance(logits, torch.Tensor) and logits.requires_grad
    expect(has_gradient, "The logits have no gradient.", "no-gradient")
    F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).backward()
    for name, weight in dict(model.named_parameters()).items():
        reached = weight.grad is not None and bool(weight.grad.abs().max() > 0)
        expect(reached, f"{name} has no gradient, or one of 0.", "no-gradient")
    unread = sorted(set(range(29)) - set(tokens.flatten().tolist()))
    slope = model.embed.weight.grad[unread].abs().max()
    expect(slope > 0, f"embed.weight has a gradient of 0 for the words {unread}.", "tie-cut")


@check(points=1, hidden=True)
def other_sizes(GPT, rng):
    """Other sizes"""
    model, state = _loaded(GPT, int(rng.integers(999)), 23, 22, 2, 3, 17)
    _compare(model, state, _tokens(int(rng.integers(999)), 3, 11, 23), 2)


ALSO_RIGHT = {
    "scores by hand, positions from numbers": """
        class Attention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                for name in ("query", "key", "value", "output"):
                    self.add_module(name, nn.Linear(d_model, d_model, bias=False))

            def forward(self, x):
                batch, tokens, d_model = x.shape
                size = (batch, tokens, self.num_heads, d_model // self.num_heads)
                query, key, value = (getattr(self, name)(x).view(size).transpose(1, 2)
                                     for name in ("query", "key", "value"))
                scores = query @ key.transpose(-1, -2) / size[-1] ** 0.5
                future = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
                weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
                return self.output((weights @ value).transpose(1, 2).reshape(x.shape))

        class Layer(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
                self.attention = Attention(d_model, num_heads)
                self.linear1 = nn.Linear(d_model, 4 * d_model)
                self.linear2 = nn.Linear(4 * d_model, d_model)

            def forward(self, x):
                x = x + self.attention(self.norm1(x))
                return x + self.linear2(torch.relu(self.linear1(self.norm2(x))))

        class GPT(nn.Module):
            def __init__(self, num_words, d_model, num_heads, num_blocks, max_tokens):
                super().__init__()
                self.embed = nn.Embedding(num_words, d_model)
                self.positions = nn.Embedding(max_tokens, d_model)
                for module in (self.embed, self.positions):
                    nn.init.normal_(module.weight, mean=0.0, std=0.05)
                self.blocks = nn.ModuleList()
                for _ in range(num_blocks):
                    self.blocks.append(Layer(d_model, num_heads))
                self.norm = nn.LayerNorm(d_model)

            def forward(self, tokens):
                place = torch.arange(tokens.shape[-1])
                x = self.embed(tokens) + self.positions(place)
                for block in self.blocks:
                    x = block(x)
                return F.linear(self.norm(x), self.embed.weight)
    """,
    "a sequential of blocks": """
        class Attention(nn.Module):
            def __init__(self, width, heads):
                super().__init__()
                self.heads = heads
                self.query, self.key, self.value, self.output = (
                    nn.Linear(width, width, bias=False) for _ in range(4))

            def forward(self, x):
                outputs = []
                for q, k, v in zip(*(part(x).chunk(self.heads, -1)
                                     for part in (self.query, self.key, self.value))):
                    scores = torch.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5
                    may = torch.ones_like(scores[0]).tril() > 0
                    outputs.append(scores.where(may, -torch.inf).softmax(-1) @ v)
                return self.output(torch.cat(outputs, -1))

        class Block(nn.Module):
            def __init__(self, width, heads):
                super().__init__()
                self.attention = Attention(width, heads)
                self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
                self.linear1 = nn.Linear(width, width * 4)
                self.linear2 = nn.Linear(width * 4, width)

            def forward(self, x):
                x = self.attention(self.norm1(x)) + x
                return self.linear2(F.relu(self.linear1(self.norm2(x)))) + x

        class GPT(nn.Module):
            def __init__(self, num_words, d_model, num_heads, num_blocks, max_tokens):
                super().__init__()
                self.embed = nn.Embedding(num_words, d_model)
                self.positions = nn.Embedding(max_tokens, d_model)
                for weight in (self.embed.weight, self.positions.weight):
                    weight.data.normal_(0, 0.05)
                self.blocks = nn.Sequential(*(Block(d_model, num_heads) for _ in range(num_blocks)))
                self.norm = nn.LayerNorm(d_model)

            def forward(self, tokens):
                x = self.blocks(self.embed(tokens) + self.positions.weight[: tokens.size(1)])
                return self.norm(x) @ self.embed.weight.mT
    """,
}
