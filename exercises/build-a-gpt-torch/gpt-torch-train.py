"""Training is a loop. For each batch of texts: make inputs and targets, compute the logits and the
loss, and let one step of Adam change the weights a little, against the gradient.

Write `train(model, batches, learning_rate=3e-3)` with your `inputs_and_targets` and your `loss_of`.
`batches` is a list of batches, each of which is a list of texts as in step 1. Take one step of
`torch.optim.Adam` for each batch, in order, with this learning rate and PyTorch's defaults for all
else; every step uses the gradient of its own batch only. Return the losses, one number a batch, as
a list of `float`; each was computed before its step.

The last check trains your own `GPT` for about a second, on 40 batches of 8 fables, and then asks it
about fables that it never saw.
"""

import torch

from attnlab.models.gpt_torch import fable_batches
from coursekit import as_array, check, exercise, expect, expect_close, expect_parts

exercise(
    title="Step 4: training",
    uses=["gpt-torch-batch", "gpt-torch-loss", "gpt-torch-module"],
    withhold=["attnlab.models.gpt_torch.train"],
    hints=[
        "PyTorch adds each new gradient to what `.grad` holds already. What has to happen before "
        "the next batch?",
        "Once, before the loop: `optimiser = torch.optim.Adam(model.parameters(), learning_rate)`. "
        "Its memory of earlier gradients is lost if each batch makes a new one.",
        "In the loop: `optimiser.zero_grad()`, `loss.backward()`, `optimiser.step()`; "
        "`loss.item()` is the loss as a `float`.",
    ],
)


def train(model, batches, learning_rate=3e-3):
    """Train the model, one step of Adam for each batch; return the losses."""
    # BEGIN SOLUTION
    optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses = []
    for texts in batches:
        inputs, targets = inputs_and_targets(texts)
        loss = loss_of(model(inputs), targets)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
    # END SOLUTION


MISTAKES = r"""
accumulates: `optimiser.zero_grad()` → `pass`
    The gradients of earlier batches were added to those of the new one: `zero_grad()` is missing.
nothing-learned: `optimiser.step()` → `pass` or `optimiser.zero_grad(); optimiser.step()`
    The weights did not change at all. Only `optimiser.step()` changes them, and only by gradients
    that `loss.backward()` has computed.
new-adam: `inputs, targets =` →
  `optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate); inputs, targets =`
    Each batch made a new optimiser. Adam remembers the size of earlier gradients; make one, before
    the loop.
other-rate: `, lr=learning_rate` → ``
    The learning rate that was given has no effect: the steps have the size of PyTorch's default,
    0.001.
rate-of-the-signature: `lr=learning_rate` → `lr=3e-3`
    The learning rate that was given has no effect: the steps have the size of the default in the
    first line of `train`, 0.003.
sgd: `optim.Adam` → `optim.SGD`
    These are steps of plain gradient descent. The exercise asks for Adam.
loss-after-step: `loss.item()` → `loss_of(model(inputs), targets).item()`
    Each loss was computed again after its step. Return the loss whose gradient was used, from
    before.
summed-losses: `loss.item()` → `sum(losses[-1:]) + loss.item()`
    The losses were added up along the way. Return each on its own.
tensors: `loss.item()` → `loss`
    A loss is a tensor, which keeps the whole graph of its computation alive. `loss.item()` is the
    number.
decays: `Adam(` → `AdamW(`
    The weights were pulled towards 0 at each step as well, as AdamW or `weight_decay` does. The
    exercise asks for Adam with its defaults.
first-only: `in batches` → `in batches[:1]`
    Only the first batch was used.
"""


_TEXTS = [
    [[1, 7, 4, 6, 2], [1, 5, 2], [1, 3, 8, 4, 9, 5, 2]],
    [[1, 4, 4, 10, 2], [1, 9, 8, 3, 7, 2]],
    [[1, 6, 3, 2], [1, 10, 5, 5, 7, 9, 4, 2]],
]


def _model(GPT, seed=3, *sizes):
    torch.manual_seed(seed)
    model = GPT(*sizes or (11, 15, 3, 1, 13))
    kind = type(model).__name__
    expect(hasattr(model, "state_dict"), f"GPT(…) is of type {kind}; expected an nn.Module.")
    return model


def _weights(model):
    """Return all weights of a model as one row of numbers."""
    state = model.state_dict()
    return torch.cat([state[name].detach().flatten() for name in sorted(state)])


def _loss(model, texts, own):
    """Return the loss with the learner's own functions: their mistakes are not those of `train`."""
    inputs_and_targets, loss_of = own
    message = "Your inputs_and_targets returns no pair; expected (inputs, targets): see step 1."
    inputs, targets = expect_parts(inputs_and_targets(texts), 2, message)
    loss = loss_of(model(inputs), targets)
    is_loss = isinstance(loss, torch.Tensor) and loss.requires_grad and loss.ndim == 0
    message = (
        "Your loss_of returns no tensor without axes through which gradients pass: see step 2."
    )
    expect(is_loss, message)
    return loss


def _reference(GPT, own, start, batches, rate):
    """Return the losses and the weights after steps that this check takes itself."""
    model = _model(GPT)
    model.load_state_dict(start)
    named = {name: value.clone().requires_grad_() for name, value in start.items()}
    adam, losses = torch.optim.Adam(named.values(), rate), []
    for texts in batches:
        loss = _loss(model, texts, own)
        losses.append(float(loss))
        model.zero_grad()
        loss.backward()
        gradients = {name: value.grad for name, value in model.named_parameters()}
        for name, value in named.items():
            # A model that leaves a part unused gives its weights no gradient.
            value.grad = None if gradients[name] is None else gradients[name].clone()
        adam.step()
        model.load_state_dict({name: value.detach() for name, value in named.items()})
    return losses, torch.cat([named[name].detach().flatten() for name in sorted(named)])


def _compare(train, GPT, own, batches, rate):
    model = _model(GPT)
    # From these weights whatever the model was made with: what a mistake gives depends on them.
    draw = torch.Generator().manual_seed(3)
    start = {
        name: (value.ndim == 1) + torch.randn(value.shape, generator=draw) / 8
        for name, value in model.state_dict().items()
    }
    model.load_state_dict(start)
    losses = train(model, batches, rate)
    expected, weights = _reference(GPT, own, start, batches, rate)
    expect_close(_weights(model), weights, atol=2e-4, what="the row of all weights after the steps")
    if isinstance(losses, list | tuple):
        are_tensors = any(isinstance(loss, torch.Tensor) for loss in losses)
        expect(not are_tensors, "train returns tensors; expected numbers.", "tensors")
    as_array(losses, "what train returns")
    expect_close(losses, expected, atol=1e-3, what="the list of losses")


@check(points=3, success_message="Three batches, three steps: every weight is where Adam puts it.")
def three_steps(train, GPT, inputs_and_targets, loss_of):
    """The weights after three steps, and the losses"""
    _compare(train, GPT, (inputs_and_targets, loss_of), _TEXTS, 0.01)


@check(points=2, success_message="Far below 5.15, the loss of guessing, on fables it never saw.")
def held_back_fables(train, GPT, inputs_and_targets, loss_of):
    """40 batches of fables, and then the loss on fables that were held back"""
    model = _model(GPT, 5, 172, 64, 4, 1, 192)
    train(model, fable_batches(7, 40, 8), 0.01)
    (texts,) = fable_batches(10_002, 1)
    # Measured by one's own loss, which is what training lowers, right or wrong.
    loss = float(_loss(model, texts, (inputs_and_targets, loss_of)))
    expect(
        loss < 2.0,
        f"On fables that were held back the loss is {loss:.2f} nats a token; expected less than "
        "2.0. Guessing has 5.15.",
    )


@check(points=1, hidden=True)
def other_batches(train, GPT, inputs_and_targets, loss_of, rng):
    """Other batches and another learning rate"""
    lengths = rng.integers(2, 10, size=(4, 3)).tolist()
    batches = [
        [[1, *rng.integers(3, 11, size=length).tolist(), 2] for length in batch]
        for batch in lengths
    ]
    own = (inputs_and_targets, loss_of)
    _compare(train, GPT, own, batches, float(rng.uniform(0.005, 0.02)))


ALSO_RIGHT = {
    "zeroed after the step": """
        def train(model, batches, learning_rate=3e-3):
            adam = torch.optim.Adam(list(model.parameters()), learning_rate)
            history = []
            for batch in batches:
                read, asked = inputs_and_targets(batch)
                loss = loss_of(model(read), asked)
                history += [float(loss)]
                loss.backward()
                adam.step()
                model.zero_grad()
            return history
    """,
    "autograd.grad": """
        def train(model, batches, learning_rate=3e-3):
            weights = list(model.parameters())
            adam = torch.optim.Adam(weights, lr=learning_rate)

            def step(batch):
                inputs, targets = inputs_and_targets(batch)
                loss = loss_of(model(inputs), targets)
                for weight, gradient in zip(weights, torch.autograd.grad(loss, weights)):
                    weight.grad = gradient
                adam.step()
                return loss.item()

            return [step(batch) for batch in batches]
    """,
}
