"""Train the models that continue repeated texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from torch import Tensor
from torch.nn.functional import cross_entropy

from attnlab.data import repeats
from attnlab.data.repeats import Repeats
from attnlab.models import training
from attnlab.models.attention_only import AttentionOnlyModel

STEPS = 1000
BATCH = 32


def train(
    condition: str,
    seed: int = 0,
    steps: int | None = None,
    look: Callable[[int, AttentionOnlyModel], None] = lambda step, model: None,
    learning_rate: float = 0.01,
) -> AttentionOnlyModel:
    """Return a model trained on texts whose periods are `repeats.PERIODS` of ``condition``.

    Parameters
    ----------
    condition : "one period" or "many periods"
    seed : int
    steps : int, optional
        `STEPS` when not given.
    look : function of a step and the model, optional
        Called before each step.
    learning_rate : float
        The largest rate of the schedule.

    Raises
    ------
    ValueError
        If there is no such condition.
    """
    if condition not in repeats.PERIODS:
        known = ", ".join(repeats.PERIODS)
        raise ValueError(f"condition is {condition!r}; expected one of {known}")
    periods = repeats.PERIODS[condition]
    steps = STEPS if steps is None else steps

    def batches(model: AttentionOnlyModel) -> Iterator[Repeats]:
        drawn = training.batches(
            seed, steps, lambda rng: repeats.draw(rng, BATCH, repeats.NUM_TOKENS, periods)
        )
        for step, batch in enumerate(drawn):
            look(step, model)
            yield batch

    with training.one_thread(seed):
        model = AttentionOnlyModel(repeats.NUM_WORDS)
        training.fit(model, batches(model), loss, learning_rate=learning_rate, decay_steps=steps)
    return model


def loss(model: AttentionOnlyModel, batch: Repeats) -> Tensor:
    """Return the cross-entropy of all next tokens, in nats, known from the text or not."""
    tokens = training.tensor(batch.tokens)
    return cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
