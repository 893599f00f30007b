"""In PyTorch, a layer is a class that owns its matrices. Write multi-head **self**-attention as an
`nn.Module`, from four `nn.Linear` layers without biases: `query`, `key`, `value` and `output`, each
`d_model` by `d_model`. Use these names: the checks copy weights into the layers and compare with
`nn.MultiheadAttention`.

Here, as in the code, heads are counted from 0: the first `head_dim = d_model // num_heads` features
of queries, keys and values belong to head 0, the next ones to head 1, and so on. You may use
`nn.functional.scaled_dot_product_attention`, but not `nn.MultiheadAttention`. Gradients must reach all four weights.
"""

import torch
from torch import nn

import attn
from attnlab import mistakes
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    wrong,
)

exercise(
    id="mha-module",
    chapter="multi-head",
    title="Self-attention as a module of PyTorch",
    version=2,
    hints=[
        "Which of the two methods creates the matrices, and which one uses them? A matrix that "
        "`forward` creates is a new one in every call.",
        "`self.query(x)` has shape `(batch, tokens, d_model)`. Each head needs its own features: "
        "`.view(batch, tokens, num_heads, head_dim).transpose(1, 2)`.",
        "The outputs of the heads have shape `(batch, num_heads, tokens, head_dim)`. Merge them "
        "with `.transpose(1, 2).reshape(batch, tokens, d_model)`, then apply `self.output`.",
    ],
    misconceptions={
        "no-gradient": "No gradient reaches this weight: on the way to the output the computation "
        "was cut off, as by `.detach()`, `.data`, `.numpy()` or `torch.no_grad()`.",
        "not-registered": "This class has no parameter of that name. A layer becomes part of a "
        "module when it is assigned to an attribute, `self.query = nn.Linear(…)`, in `__init__`.",
        "root-of-d-model": "The scores were divided by the square root of d_model. Each head "
        "compares head_dim = d_model // num_heads features, so √head_dim is the scale.",
        "has-biases": "The layers have biases. `nn.Linear(…, bias=False)` has none.",
    },
)


class SelfAttention(nn.Module):
    """Multi-head self-attention without biases."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        # BEGIN SOLUTION
        self.num_heads = num_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)
        # END SOLUTION

    def forward(self, x):
        """Return the tokens after attention, (batch, tokens, d_model).

        x: (batch, tokens, d_model)
        """
        # BEGIN SOLUTION
        batch, tokens, d_model = x.shape

        def heads(features):
            return features.view(batch, tokens, self.num_heads, -1).transpose(1, 2)

        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        merged = (scores.softmax(dim=-1) @ value).transpose(1, 2).reshape(batch, tokens, d_model)
        return self.output(merged)
        # END SOLUTION


_NAMES = ("query", "key", "value", "output")


def _pair(SelfAttention, seed, d_model, num_heads):
    """Return the learner's layer and PyTorch's, with the same weights, and these."""
    generator = torch.Generator().manual_seed(seed)
    weights = {
        f"{name}.weight": torch.randn(d_model, d_model, generator=generator) / d_model**0.5
        for name in _NAMES
    }
    theirs = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True)
    stacked = torch.cat([weights[f"{name}.weight"] for name in _NAMES[:3]])
    theirs.load_state_dict({"in_proj_weight": stacked, "out_proj.weight": weights["output.weight"]})
    layer = SelfAttention(d_model, num_heads)
    _expect_parameters(layer, weights)
    layer.load_state_dict(weights)
    return layer, theirs, weights


def _expect_parameters(layer, weights):
    kind = type(layer).__name__
    is_module = hasattr(layer, "state_dict")
    expect(is_module, f"SelfAttention(…) is of type {kind}; expected an nn.Module.")
    state = layer.state_dict()
    expect(isinstance(state, dict), "SelfAttention is not an nn.Module: it has no state_dict().")
    for name, weight in weights.items():
        expect(name in state, f"The module has no parameter {name}.", "not-registered")
        shape = tuple(state[name].shape)
        expected = tuple(weight.shape)
        expect(shape == expected, f"{name} has shape {shape}; expected {expected}.")
    biases = [name for name in state if name.endswith(".bias")]
    expect(not biases, f"The module has {', '.join(biases)}; expected no bias.", "has-biases")
    more = sorted(set(state) - set(weights))
    expect(not more, f"The module has {', '.join(more)} besides the four weights.")


def _theirs(theirs, x):
    return theirs(x, x, x, need_weights=False)[0]


def _known(x, weights, num_heads):
    named = {f"w_{name}": weights[f"{name}.weight"].T.numpy() for name in _NAMES}
    known = mistakes.of_multi_head(x.numpy(), named, num_heads)
    # All heads together are as wide as the model here, so two shared mistakes are one.
    narrow = {**named, "w_query": named["w_query"] / num_heads**0.5}
    divided = attn.MultiHeadAttention.from_parameters(narrow, num_heads)(x.numpy())
    return {**known, "root-of-d-model": divided}


def _tokens(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@check(
    points=2,
    success_message="The same weights give the same numbers: your class is nn.MultiheadAttention.",
)
def same_as_pytorch(SelfAttention):
    """Equals nn.MultiheadAttention with the same weights"""
    layer, theirs, weights = _pair(SelfAttention, 3, d_model=15, num_heads=3)
    x = _tokens(5, 2, 7, 15)
    expect_close(
        call_keeping_inputs(layer, x),
        _theirs(theirs, x).detach(),
        atol=1e-5,
        what="SelfAttention(15, num_heads=3)(x)",
        mistakes=_known(x, weights, 3),
    )


@check(points=2)
def one_head_and_five(SelfAttention):
    """One head, and five heads in a batch of five sentences"""
    for num_heads in (1, 5):
        layer, theirs, weights = _pair(SelfAttention, 7, d_model=15, num_heads=num_heads)
        x = _tokens(11, 5, 7, 15)
        expect_close(
            call_keeping_inputs(layer, x),
            _theirs(theirs, x).detach(),
            atol=1e-5,
            what=f"SelfAttention(15, num_heads={num_heads})(x)",
            mistakes=_known(x, weights, num_heads) if num_heads > 1 else {},
        )


@check(points=2, success_message="All four weights learn, and each from the right gradient.")
def gradients(SelfAttention):
    """Gradients reach all four weights"""
    layer, theirs, _ = _pair(SelfAttention, 17, d_model=15, num_heads=3)
    x, direction = _tokens(19, 2, 7, 15), _tokens(23, 2, 7, 15)
    output = layer(x)
    expect_shape(output, x.shape, what="the output")
    expect(
        isinstance(output, torch.Tensor) and output.requires_grad,
        "The output has no gradient at all.",
        "no-gradient",
    )
    (output * direction).sum().backward()
    (_theirs(theirs, x) * direction).sum().backward()
    stacked = theirs.in_proj_weight.grad.chunk(3)
    expected = dict(zip(_NAMES, [*stacked, theirs.out_proj.weight.grad], strict=True))
    found = dict(layer.named_parameters())
    for name in _NAMES:
        gradient = found[f"{name}.weight"].grad
        expect(gradient is not None, f"{name}.weight has no gradient.", "no-gradient")
        expect_close(gradient, expected[name], atol=1e-4, what=f"the gradient of {name}.weight")


@check(points=1, hidden=True)
def other_sizes(SelfAttention, rng):
    """Other weights and sizes"""
    layer, theirs, weights = _pair(SelfAttention, int(rng.integers(99)), d_model=22, num_heads=2)
    x = _tokens(int(rng.integers(99)), 3, 5, 22)
    expect_close(
        layer(x),
        _theirs(theirs, x).detach(),
        atol=1e-5,
        what="the output",
        mistakes=_known(x, weights, 2),
    )


_SAME, _FIVE, _LAST = "same_as_pytorch", "one_head_and_five", "other_sizes"

WRONG = {
    "no scale": wrong(
        replace={" / query.shape[-1] ** 0.5": ""},
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="unscaled",
    ),
    "scaled by d_model": wrong(
        replace={"query.shape[-1] ** 0.5": "d_model**0.5"},
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="root-of-d-model",
    ),
    "viewed as heads without a transpose": wrong(
        replace={
            "features.view(batch, tokens, self.num_heads, -1).transpose(1, 2)": "features.view("
            "batch, self.num_heads, tokens, -1)"
        },
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="reshape-without-swap",
    ),
    "heads joined without a transpose": wrong(
        replace={".transpose(1, 2).reshape(batch, tokens": ".reshape(batch, tokens"},
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="merge-without-swap",
    ),
    "no output layer": wrong(
        replace={"return self.output(merged)": "return merged"},
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="no-output-projection",
    ),
    "detached weights": wrong(
        replace={"(scores.softmax(dim=-1) @ value)": "(scores.softmax(dim=-1).detach() @ value)"},
        rejected_by=["gradients"],
        misconception="no-gradient",
    ),
    "without gradients": wrong(
        replace={"return self.output(merged)": "return self.output(merged).detach()"},
        rejected_by=["gradients"],
        misconception="no-gradient",
    ),
    "layers in a list": wrong(
        replace={
            "self.query = nn.Linear(d_model, d_model, bias=False)": "self.layers = [nn.Linear("
            "d_model, d_model, bias=False)]",
            "self.query(x)": "self.layers[0](x)",
        },
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="not-registered",
    ),
    "biases": wrong(
        replace={", bias=False": ""},
        rejected_by=[_SAME, _FIVE, "gradients", _LAST],
        misconception="has-biases",
    ),
}

ALSO_RIGHT = {
    "PyTorch's function": """
        class SelfAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                for name in ("query", "key", "value", "output"):
                    setattr(self, name, nn.Linear(d_model, d_model, bias=False))

            def forward(self, x):
                parts = [part(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                         for part in (self.query, self.key, self.value)]
                heads = nn.functional.scaled_dot_product_attention(*parts)
                return self.output(heads.transpose(1, 2).flatten(2))
    """,
    "a loop over heads": """
        class SelfAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.head_dim = d_model // num_heads
                self.query, self.key, self.value, self.output = (
                    nn.Linear(d_model, d_model, bias=False) for _ in range(4)
                )

            def forward(self, x):
                parts = (self.query(x), self.key(x), self.value(x))
                outputs = []
                for q, k, v in zip(*(part.split(self.head_dim, dim=-1) for part in parts)):
                    scores = torch.einsum("bid,bjd->bij", q, k) * self.head_dim**-0.5
                    outputs.append(torch.softmax(scores, dim=-1) @ v)
                return self.output(torch.cat(outputs, dim=-1))
    """,
}
