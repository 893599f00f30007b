"""Count the pairs of key and value that fit into one vector before one of them is looked up."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

CLAIM = Claim(
    chapter="motivation",
    sentence="A network that reads pairs into one vector answers for fewer of them the smaller the "
    "vector is; attention, which keeps a vector for each pair, finds any of them.",
    source="Made for this course, after the bottleneck of Bahdanau et al. (2015), section 1.",
    refuted_by="In any seed: a vector of 16 numbers that answers for 2 or for 4 pairs as well as "
    "one of 128 does, or attention that does not answer for nine tenths of 8 pairs.",
    seconds=190,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 1500,
        "width": "attention 32, vectors 16 and 128",
    },
)
NUM_WORDS = 16  # different keys, and as many different values
PAIRS = (1, 2, 4, 8)
WIDTHS = (16, 128)
NAMES = ("attention", *(f"vector of {width}" for width in reversed(WIDTHS)))
GUESS = "commonest value, no key"

log = logging.getLogger(__name__)


class Questions(NamedTuple):
    """Pairs to read, one key to look up, and the value that belongs to it.

    ``keys`` and ``values`` have shape (batch, num_pairs), ``query_key`` and ``answer`` (batch,).
    """

    keys: Tensor
    values: Tensor
    query_key: Tensor
    answer: Tensor


def draw(rng: np.random.Generator, batch: int, num_pairs: int) -> Questions:
    """Return random questions; the keys of one question are all different."""
    import torch

    keys = rng.permuted(np.tile(np.arange(NUM_WORDS), (batch, 1)), axis=1)[:, :num_pairs]
    values = rng.integers(NUM_WORDS, size=(batch, num_pairs))
    rows, at = np.arange(batch), rng.integers(num_pairs, size=batch)
    parts = (keys, values, keys[rows, at], values[rows, at])
    return Questions(*(torch.from_numpy(np.ascontiguousarray(part)) for part in parts))


def train(name: str, num_pairs: int, seed: int = 0, steps: int = 1500) -> nn.Module:
    """Return a model trained on questions of ``num_pairs`` pairs: one of ``NAMES``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from torch.nn.functional import cross_entropy

    from attnlab.models import associative_recall, training

    if name not in NAMES:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(NAMES)}")

    def loss(model: nn.Module, questions: Questions) -> Tensor:
        return cross_entropy(model(*questions[:3]), questions.answer)

    batches = training.batches(seed, steps, lambda rng: draw(rng, 128, num_pairs))

    with training.one_thread(seed):
        if name == "attention":
            model: nn.Module = associative_recall.AttentionRecall(NUM_WORDS)
        else:
            model = associative_recall.GRURecall(NUM_WORDS, int(name.rpartition(" ")[2]))
        training.fit(model, batches, loss, learning_rate=0.01, decay_steps=steps)
    log.info("%s, %s pairs, seed %s", name, num_pairs, seed)
    return model


def accuracy(model: nn.Module, num_pairs: int, size: int = 1000) -> float:
    """Return the share of correct answers."""
    import torch

    test = draw(np.random.default_rng((num_pairs, 2)), size, num_pairs)
    with torch.no_grad():
        predicted = model(*test[:3]).argmax(dim=-1)
    return float((predicted == test.answer).float().mean())


def without_key(num_pairs: int, size: int = 1000) -> float:
    """Return the share of correct answers of the commonest value read, whatever key is asked for.

    It is a guess that a vector can make without looking anything up.
    """
    test = draw(np.random.default_rng((num_pairs, 2)), size, num_pairs)
    commonest = [np.bincount(row).argmax() for row in test.values.numpy()]
    return float((np.array(commonest) == test.answer.numpy()).mean())


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train every model for each number of pairs with every seed, and test it with as many.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    pairs, steps = ((1, 2), 100) if quick else (PAIRS, 1500)
    curves = {
        name: Curve(
            pairs, [[accuracy(train(name, n, seed, steps), n) for n in pairs] for seed in seeds]
        )
        for name in NAMES
    }
    curves[GUESS] = Curve(pairs, [[without_key(n) for n in pairs]] * len(seeds))
    settings = {"steps": steps, "words": NUM_WORDS, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare the widths of the vector, and attention with the widest."""
    small, wide = (result[f"vector of {width}"] for width in (WIDTHS[0], WIDTHS[-1]))
    attention = result["attention"].at(PAIRS[-1])
    wider_is_better = np.logical_and(*(small.at(n) < wide.at(n) for n in (2, 4)))
    known = np.min([result[name].at(PAIRS[0]) for name in NAMES], axis=0)
    return each_seed(
        wider_is_better & (attention >= NEARLY_ALWAYS) & (attention > wide.at(PAIRS[-1])),
        learned=known >= LEARNED,
    )


def because(result: Result) -> str:
    """Return how many questions each model answers, and what this does not show."""
    attention = result["attention"].at(PAIRS[-1])
    small, wide = (result[f"vector of {width}"] for width in (WIDTHS[0], WIDTHS[-1]))
    guess = [f"{result[GUESS].at(n).mean():.2f}" for n in PAIRS[1:]]
    return (
        f"Share of questions answered right with 2 pairs: {small.at(2).mean():.2f} with a vector "
        f"of {WIDTHS[0]} numbers and {wide.at(2).mean():.2f} with one of {WIDTHS[-1]}; with 4, "
        f"{small.at(4).mean():.2f} and {wide.at(4).mean():.2f}. With {PAIRS[-1]} pairs the larger "
        f"vector reaches {wide.at(PAIRS[-1]).mean():.2f} and attention {attention.mean():.2f}. "
        f"Naming the commonest value read, whatever key is asked for, is right in {guess[0]}, "
        f"{guess[1]} and {guess[2]} with 2, 4 and 8 pairs: the vector of {WIDTHS[0]} looks nothing "
        f"up. This does not show how much is lost for want of room and how much for want of more "
        f"than {result.settings['steps']} training steps."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many questions are answered."""
    return plot_curves(
        result.curves,
        accent="attention",
        x_label="pairs",
        y_label="questions answered right",
    )
