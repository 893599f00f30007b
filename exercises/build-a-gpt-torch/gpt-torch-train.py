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
from torch.nn import functional as F

from attnlab.models.gpt_torch import fable_batches
from coursekit import as_array, check, exercise, expect, expect_close, wrong

exercise(
    id="gpt-torch-train",
    chapter="build-a-gpt-torch",
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
    misconceptions={
        "accumulates": "The gradients of earlier batches were added to those of the new one: "
        "`zero_grad()` is missing.",
        "nothing-learned": "The weights did not change at all. Only `optimiser.step()` changes "
        "them, and only by gradients that `loss.backward()` has computed.",
        "new-adam": "Each batch made a new optimiser. Adam remembers the size of earlier "
        "gradients; make one, before the loop.",
        "other-rate": "The learning rate that was given has no effect: the steps have the size of "
        "PyTorch's default, 0.001.",
        "sgd": "These are steps of plain gradient descent. The exercise asks for Adam.",
        "first-only": "Only the first batch was used.",
    },
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


_TEXTS = [
    [[1, 7, 4, 6, 2], [1, 5, 2], [1, 3, 8, 4, 9, 5, 2]],
    [[1, 4, 4, 10, 2], [1, 9, 8, 3, 7, 2]],
    [[1, 6, 3, 2], [1, 10, 5, 5, 7, 9, 4, 2]],
]


def _model(GPT):
    torch.manual_seed(3)
    return GPT(11, 15, 3, 1, 13)


def _weights(model):
    """Return all weights of a model as one row of numbers."""
    state = model.state_dict()
    return torch.cat([state[name].detach().flatten() for name in sorted(state)])


def _reference(GPT, start, batches, rate, kind="adam", keep=False, fresh=False):
    """Return the losses and the weights after steps that this check takes itself."""
    model = _model(GPT)
    model.load_state_dict(start)
    named = {name: value.clone().requires_grad_() for name, value in start.items()}
    make = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[kind]
    optimiser, losses = make(named.values(), rate), []
    for texts in batches:
        optimiser = make(named.values(), rate) if fresh else optimiser
        longest = max(map(len, texts))
        rows = torch.tensor([text + [0] * (longest - len(text)) for text in texts])
        logits = model(rows[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten(), ignore_index=0)
        losses.append(float(loss))
        if not keep:
            model.zero_grad()
        loss.backward()
        gradients = {name: value.grad for name, value in model.named_parameters()}
        for name, value in named.items():
            value.grad = gradients[name].clone()
        optimiser.step()
        model.load_state_dict({name: value.detach() for name, value in named.items()})
    return losses, torch.cat([named[name].detach().flatten() for name in sorted(named)])


def _known(GPT, start, batches, rate):
    before = torch.cat([start[name].flatten() for name in sorted(start)])
    return {
        "nothing-learned": before,
        "accumulates": lambda: _reference(GPT, start, batches, rate, keep=True)[1],
        "new-adam": lambda: _reference(GPT, start, batches, rate, fresh=True)[1],
        "other-rate": lambda: _reference(GPT, start, batches, 1e-3)[1],
        "sgd": lambda: _reference(GPT, start, batches, rate, kind="sgd")[1],
        "first-only": lambda: _reference(GPT, start, batches[:1], rate)[1],
    }


def _compare(train, GPT, batches, rate):
    model = _model(GPT)
    start = {name: value.detach().clone() for name, value in model.state_dict().items()}
    losses = train(model, batches, rate)
    expected, weights = _reference(GPT, start, batches, rate)
    expect_close(
        _weights(model),
        weights,
        atol=2e-4,
        what="all weights after the steps",
        mistakes=_known(GPT, start, batches, rate),
    )
    as_array(losses, "what train returns")
    expect_close(losses, expected, atol=1e-3, what="the losses")


@check(points=3, success_message="Three batches, three steps: every weight is where Adam puts it.")
def three_steps(train, GPT):
    """The weights after three steps, and the losses"""
    _compare(train, GPT, _TEXTS, 0.01)


@check(points=2, success_message="Far below 5.15, the loss of guessing, on fables it never saw.")
def held_back_fables(train, GPT):
    """40 batches of fables, and then the loss on fables that were held back"""
    torch.manual_seed(5)
    model = GPT(172, 64, 4, 1, 192)
    train(model, fable_batches(7, 40, 8), 0.01)
    (texts,) = fable_batches(10_002, 1)
    longest = max(map(len, texts))
    rows = torch.tensor([text + [0] * (longest - len(text)) for text in texts])
    with torch.no_grad():
        logits = model(rows[:, :-1])
    loss = float(F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten(), ignore_index=0))
    expect(
        loss < 2.0,
        f"On fables that were held back the loss is {loss:.2f} nats a token; expected less than "
        "2.0. Guessing has 5.15.",
    )


@check(points=1, hidden=True)
def other_batches(train, GPT, rng):
    """Other batches and another learning rate"""
    lengths = rng.integers(2, 10, size=(4, 3)).tolist()
    batches = [
        [[1, *rng.integers(3, 11, size=length).tolist(), 2] for length in batch]
        for batch in lengths
    ]
    _compare(train, GPT, batches, float(rng.uniform(0.005, 0.02)))


WRONG = {
    "gradients add up": wrong(
        replace={"        optimiser.zero_grad()\n": ""},
        rejected_by=["three_steps", "other_batches"],
        misconception="accumulates",
    ),
    "no step": wrong(
        replace={"        optimiser.step()\n": ""},
        rejected_by=["three_steps", "held_back_fables", "other_batches"],
        misconception="nothing-learned",
    ),
    "a new optimiser each time": wrong(
        replace={
            "    for texts in batches:\n": "    for texts in batches:\n"
            "        optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate)\n"
        },
        rejected_by=["three_steps", "other_batches"],
        misconception="new-adam",
    ),
    "PyTorch's learning rate": wrong(
        replace={", lr=learning_rate": ""},
        rejected_by=["three_steps", "other_batches"],
        misconception="other-rate",
    ),
    "plain gradient descent": wrong(
        replace={"optim.Adam": "optim.SGD"},
        rejected_by=["three_steps", "held_back_fables", "other_batches"],
        misconception="sgd",
    ),
    "only the first batch": wrong(
        replace={"losses.append(loss.item())": "losses.append(loss.item())\n        break"},
        rejected_by=["three_steps", "held_back_fables", "other_batches"],
        misconception="first-only",
    ),
    "zeroed between backward and step": wrong(
        replace={
            "        optimiser.zero_grad()\n        loss.backward()\n": "        loss.backward()\n"
            "        optimiser.zero_grad()\n"
        },
        rejected_by=["three_steps", "held_back_fables", "other_batches"],
        misconception="nothing-learned",
    ),
}

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
