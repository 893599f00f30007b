"""Train the small models, and measure their accuracy on fixed test sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from attnlab.data.grammar import Grammar, Sentences

Batch = TypeVar("Batch")
Model = TypeVar("Model", bound=nn.Module)

#: Numbers of phrases in training: up to 4, so a subject up to 10 tokens before its participle.
TRAINED = (0, 1, 2, 3, 4)


@contextmanager
def one_thread(seed: int) -> Iterator[None]:
    """Compute on one thread with a seeded torch, and restore both afterwards."""
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    torch.set_num_threads(1)  # models this small are slower on several
    torch.manual_seed(seed)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.set_rng_state(state)


def fit(
    model: Model,
    batches: Iterable[Batch],
    loss_of: Callable[[Model, Batch], Tensor],
    *,
    learning_rate: float,
    decay_steps: int = 0,
    largest_norm: float = 1.0,
) -> None:
    """Train ``model`` on ``batches`` by Adam, gradients clipped at ``largest_norm``.

    With ``decay_steps`` the learning rate rises and falls once over as many steps.
    """
    optimiser = torch.optim.Adam(model.parameters(), learning_rate)
    schedule = None
    if decay_steps:
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, learning_rate, total_steps=decay_steps
        )
    for batch in batches:
        optimiser.zero_grad()
        loss_of(model, batch).backward()
        nn.utils.clip_grad_norm_(model.parameters(), largest_norm)
        optimiser.step()
        if schedule is not None:
            schedule.step()


def batches(seed: int, steps: int, draw: Callable[[np.random.Generator], Batch]) -> Iterator[Batch]:
    """Yield ``steps`` batches; the same seed gives the same ones to every model."""
    rng = np.random.default_rng((seed, 1))
    for _ in range(steps):
        yield draw(rng)


def sentences(
    grammar: Grammar, seed: int, steps: int, batch: int, phrases: Sequence[int] = TRAINED
) -> Iterator[Sentences]:
    """Yield ``steps`` batches, each of one length drawn from ``phrases``."""
    return batches(seed, steps, lambda rng: grammar.sample(rng, batch, int(rng.choice(phrases))))


def participle_loss(model: nn.Module, batch: Sentences) -> Tensor:
    """Return the cross-entropy of the participle, in nats."""
    return nn.functional.cross_entropy(model(tensor(batch.tokens)), tensor(batch.participle))


@torch.no_grad()
def accuracy(model: nn.Module, test: Sentences) -> dict[str, float]:
    """Return the share of sentences with the right gender, verb, and both (chance: 1/2, 1/12)."""
    predicted = model(tensor(test.tokens)).argmax(dim=-1).numpy()
    gender = predicted % 2 == test.participle % 2
    verb = predicted // 2 == test.participle // 2
    return {
        "gender": float(gender.mean()),
        "verb": float(verb.mean()),
        "participle": float((gender & verb).mean()),
    }


def held_out(grammar: Grammar, num_phrases: int, size: int = 1000) -> Sentences:
    """Return the same test sentences for every model and seed."""
    return grammar.sample(np.random.default_rng((num_phrases, 2)), size, num_phrases)


def tensor(array: np.ndarray) -> Tensor:
    """Return an array as a tensor that shares its memory."""
    return torch.from_numpy(array)


class Stopwatch:
    """Processor time of this process since it was made, in seconds."""

    def __init__(self) -> None:
        self._start = time.process_time()

    @property
    def seconds(self) -> float:
        """Seconds so far, to one decimal."""
        return round(time.process_time() - self._start, 1)
