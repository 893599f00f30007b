"""Build a training loop from the given lines. `texts` is a tensor of token numbers without padding,
shape `(batch, tokens)`, and `loss_of(logits, targets)` is the mean of $-\\ln p$ of the targets.
`optimiser` is an existing Adam optimiser for the weights of `model`. No weight has a gradient yet.

Take one step on every batch. Each step follows only the gradient of its own batch, which
`clip_grad_norm_` first shortens if it is longer than 1, so no odd batch moves the weights far.
Three of the lines are not needed.
"""

import torch
from torch import nn
from torch.nn import functional as F

from coursekit import parsons, quiz

_WORDS, _MOST = 7, 1.0


def _model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Embedding(_WORDS, 3), nn.Linear(3, _WORDS))


def _loss(logits, targets):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def _batches():
    generator = torch.Generator().manual_seed(1)
    mixed = torch.randint(0, _WORDS, (3, 2, 5), generator=generator)
    return [mixed[0], torch.full((2, 5), 3), mixed[1], torch.full((2, 5), 4), mixed[2]]


def _trained():
    """Return the weights after one clipped step of Adam for each batch, as one row."""
    model = _model()
    weights = list(model.parameters())
    adam = torch.optim.Adam(weights, lr=0.1)
    for texts in _batches():
        loss = _loss(model(texts[:, :-1]), texts[:, 1:])
        gradients = torch.autograd.grad(loss, weights)
        length = torch.cat([gradient.flatten() for gradient in gradients]).norm()
        for weight, gradient in zip(weights, gradients, strict=True):
            weight.grad = gradient * min(1.0, _MOST / (float(length) + 1e-6))
        adam.step()
    return _row(model)


def _row(model):
    return torch.cat([weight.detach().flatten() for weight in model.parameters()])


def works(code):
    """Whether the lines train like a loop that takes each gradient by itself."""
    model = _model()
    names = {
        "model": model,
        "batches": _batches(),
        "loss_of": _loss,
        "clip_grad_norm_": nn.utils.clip_grad_norm_,
        "Adam": lambda weights: torch.optim.Adam(weights, lr=0.1),
        "optimiser": torch.optim.Adam(model.parameters(), lr=0.1),
    }
    exec(code, names)
    return torch.allclose(_row(model), _trained(), atol=1e-6)


quiz(
    id="gpt-torch-lines",
    chapter="build-a-gpt-torch",
    title="Order the lines of a training step",
    questions=[
        parsons(
            "training_lines",
            "Put the lines in order, and indent those that run for each batch.",
            lines={
                "a": "optimiser.step()",
                "b": "loss = loss_of(logits, texts[:, 1:])",
                "c": "optimiser = Adam(model.parameters())",
                "d": "loss.backward()",
                "e": "logits = model(texts[:, :-1])",
                "f": "loss = loss_of(logits, texts[:, :-1])",
                "g": "clip_grad_norm_(model.parameters(), 1)",
                "h": "optimiser.zero_grad()",
                "i": "for texts in batches:",
                "j": "logits = logits.softmax(dim=-1)",
            },
            orders=[
                "i >h >e >b >d >g >a",
                "i >e >h >b >d >g >a",
                "i >e >b >h >d >g >a",
                "i >e >b >d >g >a >h",
            ],
            mistakes={
                "unshifted": "f",
                "softmax-twice": "j",
                "other-adam": "|c i",
                "new-adam": "c",
                "zeroed-too-late": "d h a",
                "zeroed-once": "|h >d",
                "steps-once": "|a",
                "step-first": "a d",
                "clips-nothing": "g d",
                "clips-too-late": "a g",
                "never-zeroed": "!h",
                "never-clipped": "!g",
                "never-steps": "!a",
                "no-gradient": "!d",
            },
            absent={
                "i": "the loop",
                "h": "`zero_grad`",
                "e": "the forward pass",
                "b": "the loss",
                "d": "`backward`",
                "g": "the clipping",
                "a": "the step",
            },
            works=works,
            success_message="The order is forward, loss, backward, clip, step. The old gradient "
            "may be removed at any time between one step and the next `backward`, which would add "
            "to it.",
            points=2,
        )
    ],
    hints=[
        "`backward` writes the gradients, `clip_grad_norm_` shortens them, `step` reads them, and "
        "`zero_grad` removes them. In which order must they run for one batch?",
        "The logits at position $i$ predict the token at position $i + 1$, and `loss_of` applies "
        "the softmax itself.",
        "The first line is the loop, and all others are indented. Adam exists already, with its "
        "memory of earlier steps.",
    ],
    misconceptions={
        "unshifted": "One line compares the logits with the tokens that the model reads at the "
        "same positions. This loss falls to almost nothing: the model learns to repeat each word "
        "and cannot write.",
        "softmax-twice": "One line turns the logits into probabilities, but `loss_of` applies the "
        "softmax itself. After two softmaxes, no word has a large probability: with 172 words, the "
        "loss cannot fall below 4.15.",
        "other-adam": "One line makes another Adam before the loop. The given one goes unused, and "
        "so does its memory of earlier steps.",
        "new-adam": "One line makes a new Adam, although there is one already. The new one lacks "
        "the running means of earlier gradients that the given one keeps.",
        "zeroed-too-late": "The gradient is removed between `backward` and the step, which then "
        "has nothing to follow: no weight changes.",
        "zeroed-once": "The gradients are removed before the loop but never inside it, so each "
        "`backward` adds to the gradients of earlier batches.",
        "steps-once": "The step is outside the loop, so it is not taken for each batch.",
        "step-first": "The step is taken before `backward` has computed this batch's gradient.",
        "clips-nothing": "`clip_grad_norm_` runs before `backward` has computed this batch's "
        "gradient, so the gradient keeps its full length.",
        "clips-too-late": "The gradient is clipped only after the step, which should have followed "
        "the clipped gradient.",
        "never-zeroed": "No line removes the old gradients, so each `backward` adds to the "
        "gradients of earlier batches.",
        "never-clipped": "No line shortens a gradient that is longer than 1, so one odd batch can "
        "move the weights far.",
        "never-steps": "The gradients are computed, but no weight follows them.",
        "no-gradient": "No line computes a gradient, so a step has nothing to follow.",
    },
)
