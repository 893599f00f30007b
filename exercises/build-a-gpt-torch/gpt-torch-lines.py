"""One training step, from given lines. `texts` is a tensor of token numbers without padding, shape
`(batch, tokens)`, and `loss_of(logits, targets)` is the mean of $-\\ln p$ of the targets.
`optimiser` is an Adam for the weights of `model`, made before. No weight has a gradient yet.

Train on every batch, one step each. Each step follows the gradient of its own batch alone, after
`clip_grad_norm_` has shortened it where it is longer than 1: then no odd batch moves the weights
far. Three of the lines do not belong there.
"""

import torch
from torch import nn
from torch.nn import functional as F

from coursekit import quiz

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
    title="Order the lines of a training step",
    hints=[
        "`backward` writes the gradients, `clip_grad_norm_` shortens them, `step` reads them, and "
        "`zero_grad` removes them. In which order does one batch need that?",
        "The logits at place $i$ predict the token at place $i + 1$, and `loss_of` applies the "
        "softmax itself.",
        "The first line is the loop, and all others are indented. Adam is there already, with what "
        "it remembers of earlier steps.",
    ],
    works=works,
    questions=r"""
## training_lines (2 points)
Put the lines in order, and indent those that run for each batch.
```lines
a optimiser.step()
b loss = loss_of(logits, texts[:, 1:])
c optimiser = Adam(model.parameters())
d loss.backward()
e logits = model(texts[:, :-1])
f loss = loss_of(logits, texts[:, :-1])
g clip_grad_norm_(model.parameters(), 1)
h optimiser.zero_grad()
i for texts in batches:
j logits = logits.softmax(dim=-1)
```
- [x] i >h >e >b >d >g >a > Forward, loss, backward, clip, step. The old gradient may go at any
  moment between one step and the next `backward`, which would add to it.
- [x] i >e >h >b >d >g >a
- [x] i >e >b >h >d >g >a
- [x] i >e >b >d >g >a >h
- [ ] f > unshifted: One line compares the logits with the tokens that the model reads at the same
  places. Such a loss falls to almost nothing: the model learns to repeat each word, and cannot
  write.
- [ ] j > softmax-twice: One line makes probabilities of the logits, and `loss_of` applies the
  softmax itself. After two of them no word has a large share: with 172 words, the loss cannot fall
  below 4.15.
- [ ] |c i > other-adam: One line makes another Adam before the loop. The one that is given goes
  unused, and with it what it remembers of earlier steps.
- [ ] c > new-adam: One line makes a new Adam, and there is one already. The new one lacks the
  running means of earlier gradients that the given one keeps.
- [ ] d h a > zeroed-too-late: The gradient is removed between `backward` and the step, which then
  has nothing to follow: no weight changes.
- [ ] |h >d > zeroed-once: The gradients are removed before the loop and never in it: each
  `backward` adds to those of the batches before.
- [ ] |a > steps-once: The step stands outside of the loop, so the batches do not have one each.
- [ ] a d > step-first: The step is taken before `backward` has computed this batch's gradient.
- [ ] g d > clips-nothing: `clip_grad_norm_` runs before `backward` has computed this batch's
  gradient, which keeps its full length.
- [ ] a g > clips-too-late: The gradient is clipped after the step that should have followed the
  clipped one.
- [ ] !h > never-zeroed: No line removes the old gradients: each `backward` adds to those of the
  batches before.
- [ ] !g > never-clipped: No line shortens a gradient that is longer than 1, so one odd batch can
  move the weights far.
- [ ] !a > never-steps: The gradients are computed and no weight follows them.
- [ ] !d > no-gradient: No line computes a gradient, so a step has nothing to follow.
""",
)
