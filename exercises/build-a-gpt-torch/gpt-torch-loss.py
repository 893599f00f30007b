"""Training lowers one number, the mean of $-\\ln p$ over all targets, where $p$ is the probability
that the softmax of the logits gives the right token. A target that is `pad` only fills
up a row: it adds nothing to the sum, and nothing to the count.

Write `loss_of(logits, targets, pad=0)` for logits of shape `(batch, tokens, num_words)` and targets
of shape `(batch, tokens)`. The targets are shifted already. Return a tensor without axes, in nats;
gradients must reach the logits, and large logits must not overflow.
"""

import torch
from torch.nn import functional as F

from attnlab.models.gpt_torch import loss_of as library_loss
from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, expect_same

exercise(
    title="Step 2: the loss, without padding",
    stand_in="attnlab.models.gpt_torch",
    withhold=["attnlab.models.gpt_torch.loss_of"],
    hints=[
        "Over how many targets is the mean taken in `[[5, 3, 0, 0], [4, 2, 6, 1]]`, with `pad=0`?",
        "`F.cross_entropy` takes logits of shape `(places, num_words)` and targets of shape "
        "`(places,)`: flatten the first two axes of both.",
        "`F.cross_entropy` has an argument `ignore_index`, whose default is -100.",
    ],
)


def loss_of(logits, targets, pad=0):
    """Return the mean of -ln p of the targets that are not pad, a tensor without axes."""
    # BEGIN SOLUTION
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)
    # END SOLUTION


MISTAKES = r"""
pads-count: `, ignore_index=pad` → ``
    Targets that are `pad` were counted.
pads-as-zero: `ignore_index=pad)` → `ignore_index=pad, reduction="sum") / targets.numel()`
    The padded places add nothing to the sum, but the sum was divided by the number of all places.
summed: `ignore_index=pad` → `ignore_index=pad, reduction="sum"`
    This is the sum. Divide it by the number of targets that count.
mean-of-means: `F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)` →
  `sum(F.cross_entropy(*row, ignore_index=pad) for row in zip(logits, targets)) / len(targets)`
    Each text was averaged first, then the texts: a token of a short text counts more than one of a
    long text.
axes-mixed: `logits.flatten(0, 1), targets.flatten()` →
  `logits.reshape(len(logits), logits.shape[2], -1), targets`
    The logits were brought to (batch, num_words, tokens) with a reshape, which mixes the words of
    different places. `logits.transpose(1, 2)` exchanges the two axes.
softmax-twice: `logits.flatten` → `logits.softmax(dim=-1).flatten`
    The softmax was applied twice: `F.cross_entropy` expects logits and applies it itself.
zero-is-pad: `ignore_index=pad` → `ignore_index=0`
    The number 0 was left out. Here `pad` is another number, and 0 is a word.
shifted-twice: `logits.flatten(0, 1), targets.flatten()` →
  `logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten()`
    The targets were shifted once more. They are shifted already.
overflow: `F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)` →
  `-logits.softmax(dim=-1).gather(-1, targets[..., None])[..., 0].log()[targets != pad].mean()`
    Large logits give an infinite number or NaN: the logarithm of 0 was taken.
no-gradient: `ignore_index=pad)` → `ignore_index=pad).detach()`
    No gradient reaches the logits.
"""


def _case(seed, num_words=11, pad=0, scale=2.0):
    """Logits for texts of 6, 2 and 4 targets, and these."""
    generator = torch.Generator().manual_seed(seed)
    logits = scale * torch.randn(3, 6, num_words, generator=generator)
    targets = torch.randint(0, num_words, (3, 6), generator=generator)
    targets[targets == pad] = pad + 1
    targets[1, 2:], targets[2, 4:] = pad, pad
    return logits, targets


def _right(logits, targets, pad=0):
    return library_loss(logits.double(), targets, pad)


@check(points=2)
def three_texts(loss_of):
    """Texts of 6, 2 and 4 targets; `pad` is 0, then 7"""
    logits, targets = _case(3)
    expect_same(loss_of, _right, logits, targets, atol=1e-4, what="loss_of(logits, targets)")
    logits, targets = _case(13, pad=7)
    targets[0, 1], targets[2, 3] = 0, 0
    what = "loss_of(logits, targets, pad=7)"
    expect_same(loss_of, _right, logits, targets, pad=7, atol=1e-4, what=what)


@check(points=1)
def large_logits(loss_of):
    """Logits of about 500"""
    logits, targets = _case(5, scale=500.0)
    loss = call_keeping_inputs(loss_of, logits, targets)
    what = "loss_of(500 · logits, targets)"
    is_infinite = isinstance(loss, torch.Tensor) and not bool(loss.isfinite().all())
    expect(not is_infinite, f"{what} is infinite or NaN.", "overflow")
    expect_close(loss, _right(logits, targets), rtol=1e-5, what=what)


@check(points=1, success_message="Padding gets the gradient 0: nothing is learned from it.")
def gradient(loss_of):
    """The gradient of the logits"""
    logits, targets = _case(7)
    mine, ours = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = loss_of(mine, targets)
    expect_close(loss, _right(logits, targets), atol=1e-4, what="the loss")
    has_gradient = isinstance(loss, torch.Tensor) and loss.requires_grad
    expect(has_gradient, "The loss has no gradient.", "no-gradient")
    loss.backward()
    library_loss(ours, targets).backward()
    expect(mine.grad is not None, "The logits got no gradient.", "no-gradient")
    expect_close(mine.grad, ours.grad, atol=1e-5, what="the gradient of the logits")


@check(points=1, hidden=True)
def another_pad(loss_of, rng):
    """Another number fills up"""
    logits, targets = _case(int(rng.integers(999)), num_words=13, pad=7)
    targets[0, :3] = 0
    what = "loss_of(logits, targets, pad=7)"
    expect_same(loss_of, _right, logits, targets, pad=7, atol=1e-4, what=what)


ALSO_RIGHT = {
    "logsumexp": """
        def loss_of(logits, targets, pad=0):
            chosen = logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
            return (logits.logsumexp(dim=-1) - chosen)[targets != pad].mean()
    """,
    "weights of 0 and 1": """
        def loss_of(logits, targets, pad=0):
            losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
            counts = (targets != pad).float()
            return (losses * counts).sum() / counts.sum()
    """,
}
