"""Training is a loop. For each batch of texts: make inputs and targets, compute the logits and the
loss, and let one step of Adam change the weights a little, against the gradient.

Write `train(model, batches, learning_rate=3e-3)` with your `inputs_and_targets` and your `loss_of`.
`batches` is a list of batches, each of which is a list of texts as in step 1. Take one step of
`torch.optim.Adam` for each batch, in order, with this learning rate and PyTorch's defaults for
everything else; every step uses the gradient of its own batch only. Return the losses, one number
per batch, as a list of `float`; each is computed before its step.

The last check trains your own `GPT` for about a second, on 40 batches of 8 fables, and then tests
it on fables that it never saw.
"""

import torch

from attnlab.models.gpt_torch import fable_batches
from coursekit import CheckFailed, check, exercise, expect, expect_close, mistake

exercise(
    id="gpt-torch-train",
    chapter="build-a-gpt-torch",
    title="Step 4: training",
    pairs=False,
    uses=["gpt-torch-batch", "gpt-torch-loss", "gpt-torch-module"],
    withhold=["attnlab.models.gpt_torch.train"],
    hints=[
        "PyTorch adds each new gradient to what `.grad` already holds. What has to happen before "
        "the next batch?",
        "Once, before the loop: `optimiser = torch.optim.Adam(model.parameters(), learning_rate)`. "
        "Its memory of earlier gradients is lost if each batch makes a new optimiser.",
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


def _same_start(model):
    """Give a model the same weights wherever it is made: no seed reaches a class's process."""
    generator = torch.Generator().manual_seed(3)
    start = {}
    for name, value in sorted(model.named_parameters()):
        mean = 1.0 if bool((value == 1).all()) else 0.0  # the gains of norms begin at 1
        start[name] = mean + 0.1 * torch.randn(tuple(value.shape), generator=generator)
    model.load_state_dict(start, strict=False)


def _row(named):
    """Return all weights as one row of numbers."""
    return torch.cat([named[name].detach().flatten() for name in sorted(named)])


def _loss(model, texts, own):
    """Return the loss with the learner's own functions: their mistakes are not those of `train`."""
    inputs_and_targets, loss_of = own
    pair = inputs_and_targets(texts)
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    message = "Your inputs_and_targets must return a pair, (inputs, targets): see step 1."
    expect(is_pair, message)
    loss = loss_of(model(pair[0]), pair[1])
    is_loss = isinstance(loss, torch.Tensor) and loss.requires_grad and loss.ndim == 0
    message = "Your loss_of does not return a tensor without axes through which gradients pass"
    expect(is_loss, f"{message}: see step 2.")
    return loss


def _reference(GPT, own, start, batches, rate):
    """Return the losses and the weights after steps of Adam that this check takes itself."""
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
    return losses, _row(named)


def _compare(train, GPT, own, batches, rate):
    model = _model(GPT)
    _same_start(model)
    start = {name: value.detach().clone() for name, value in model.state_dict().items()}
    losses = train(model, batches, rate)
    expected, weights = _reference(GPT, own, start, batches, rate)
    row, what = _row(model.state_dict()), "the row of all weights after the steps"
    if torch.equal(row, _row(start)):  # Raised: small steps come close to none.
        raise CheckFailed(f"{what} is the one from before.", "nothing-learned")
    expect_close(row, weights, atol=2e-4, what=what)
    are_tensors = isinstance(losses, list | tuple) and any(
        isinstance(loss, torch.Tensor) for loss in losses
    )
    expect(not are_tensors, "train returns tensors; expected numbers.", "tensors")
    expect_close(losses, expected, atol=1e-3, what="the list of losses")


@check(
    points=3,
    success_message="After three batches and three steps, every weight is where Adam puts it.",
)
def three_steps(train, GPT, inputs_and_targets, loss_of):
    """The weights after three steps, and the losses"""
    _compare(train, GPT, (inputs_and_targets, loss_of), _TEXTS, 0.01)


@check(
    points=2,
    success_message="On fables that the model never saw, its loss is far below 5.15, "
    "the loss of guessing.",
)
def held_back_fables(train, GPT, inputs_and_targets, loss_of):
    """40 batches of fables, and then the loss on fables that were held back"""
    model = _model(GPT, 5, 172, 64, 4, 1, 192)
    train(model, fable_batches(7, 40, 8), 0.01)
    (texts,) = fable_batches(10_002, 1)
    # Measured by one's own loss, which is what training lowers, right or wrong.
    loss = float(_loss(model, texts, (inputs_and_targets, loss_of)))
    message = f"On fables that were held back the loss is {loss:.2f} nats a token"
    expect(loss < 2.0, f"{message}; expected less than 2.0. Guessing has 5.15.")


@check(points=1, hidden=True)
def other_batches(train, GPT, inputs_and_targets, loss_of, rng):
    """Other batches and another learning rate"""
    batches = [
        [[1, *rng.integers(3, 11, size=length).tolist(), 2] for length in batch]
        for batch in rng.integers(2, 10, size=(4, 3)).tolist()
    ]
    own = (inputs_and_targets, loss_of)
    _compare(train, GPT, own, batches, float(rng.uniform(0.005, 0.02)))


_ADAM = "torch.optim.Adam(model.parameters(), lr=learning_rate)"

mistake(
    "accumulates",
    "The gradients of earlier batches were added to those of the new one: `zero_grad()` is "
    "missing.",
    {"optimiser.zero_grad()": "pass"},
)
mistake(
    "nothing-learned",
    "The weights did not change at all. Only `optimiser.step()` changes them, and only by "
    "gradients that `loss.backward()` has computed.",
    {"optimiser.step()": "pass"},
    {"loss.backward()": "loss.backward(); optimiser.zero_grad()"},
)
mistake(
    "new-adam",
    "Each batch made a new optimiser. Adam remembers the size of earlier gradients, so make it "
    "once, before the loop.",
    {"        inputs, targets =": f"        optimiser = {_ADAM}\n        inputs, targets ="},
)
mistake(
    "other-rate",
    "The given learning rate has no effect: the steps use PyTorch's default, 0.001.",
    {", lr=learning_rate": ""},
)
mistake(
    "rate-of-the-signature",
    "The given learning rate has no effect: the steps use the default in the first line of "
    "`train`, 0.003.",
    {"lr=learning_rate": "lr=3e-3"},
)
mistake(
    "sgd",
    "These are steps of plain gradient descent. The exercise asks for Adam.",
    {"optim.Adam": "optim.SGD"},
)
mistake(
    "loss-after-step",
    "Each loss was computed again after its step. Return the loss from before the step, whose "
    "gradient was used.",
    {"loss.item()": "loss_of(model(inputs), targets).item()"},
)
mistake(
    "summed-losses",
    "The losses were added up along the way. Return each one separately.",
    {"loss.item()": "loss.item() + sum(losses[-1:])"},
)
mistake(
    "tensors",
    "A loss is a tensor, which keeps the whole graph of its computation alive. `loss.item()` "
    "is the number.",
    {"loss.item()": "loss"},
)
mistake(
    "decays",
    "The weights were pulled towards 0 at each step as well, as with AdamW or `weight_decay`. The "
    "exercise asks for Adam with its defaults.",
    {"optim.Adam": "optim.AdamW"},
)
mistake("first-only", "Only the first batch was used.", {"in batches": "in batches[:1]"})

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
