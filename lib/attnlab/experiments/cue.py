"""Test whether a classifier's weights can hide the one word that decides its answer.

A review of neutral words with one word of praise or blame: the smallest sentiment analysis. Its
words are real, but they do not form sentences.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from attnlab.claims import LEARNED, NEXT_TO_NO_WEIGHT, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.text_classifiers import PooledClassifier

PENALTY = "penalty on the weight of the word that decides"
CLAIM = Claim(
    chapter="interpretation",
    sentence="The weights explain the model: the word that decides has the weight.",
    source="A common reading of attention maps. Against it: Jain and Wallace (2019), Pruthi et al. "
    "(2020). Wiegreffe and Pinter (2019) reply that the former does not rule it out.",
    refuted_by="A model that has learned to answer and has a weight below 0.1 on the word that "
    "decides the answer.",
    seconds=55,
    knobs={
        "start": "as PyTorch starts it, the query drawn with a spread of 1",
        "learning rate": 0.01,
        "steps": 400,
        "width": 32,
        "words in the review": 16,
        PENALTY: 0,
    },
)
NEUTRAL = (
    *("the", "film", "was", "about", "a", "train", "that", "left", "on", "monday", "and", "came"),
    *("back", "with", "two", "boxes", "of", "old", "maps", "for", "her", "brother"),
)
GOOD = ("wonderful", "brilliant", "moving", "superb")
BAD = ("dreadful", "boring", "clumsy", "awful")
WORDS = (*NEUTRAL, *GOOD, *BAD)
LENGTH = 16
#: How strongly training penalises weight on the cue.
PENALTIES = (0.0, 0.1, 1.0, 10.0)
KINDS = ("BiGRU", "words alone")
CONDITIONS = {"BiGRU": "after a recurrent layer", "words alone": "over the words themselves"}

log = logging.getLogger(__name__)


class Reviews(NamedTuple):
    """Reviews as indices into ``WORDS``, the position of the cue, and whether it is praise.

    ``tokens`` has shape (batch, LENGTH), ``cue`` and ``praise`` (batch,).
    """

    tokens: Tensor
    cue: Tensor
    praise: Tensor


def draw(rng: np.random.Generator, batch: int) -> Reviews:
    """Return random reviews, each with one word of praise or blame at any place."""
    import torch

    num_neutral = len(WORDS) - len(GOOD) - len(BAD)
    tokens = rng.integers(num_neutral, size=(batch, LENGTH))
    cue, praise = rng.integers(LENGTH, size=batch), rng.integers(2, size=batch)
    which = rng.integers(len(GOOD), size=batch)
    tokens[np.arange(batch), cue] = num_neutral + which + len(GOOD) * (1 - praise)
    return Reviews(*(torch.from_numpy(part) for part in (tokens, cue, praise)))


def train(
    kind: str, seed: int = 0, penalty: float = 0.0, uniform: bool = False, steps: int = 400
) -> PooledClassifier:
    """Return a trained classifier.

    Parameters
    ----------
    kind : "BiGRU" or "words alone"
        Whether a recurrent layer mixes the words before attention.
    seed : int
    penalty : float
        Weight of -log(1 - mass on the cue) in the loss (Pruthi et al. 2020, section 3).
    uniform : bool
        Give every word the same weight, in training and after (Wiegreffe and Pinter 2019, section
        3.1).
    steps : int
    """
    from attnlab.models import text_classifiers, training

    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
    batches = training.batches(seed, steps, lambda rng: draw(rng, 64))
    with training.one_thread(seed):
        model = text_classifiers.PooledClassifier(
            len(WORDS), recurrent=kind == "BiGRU", uniform=uniform
        )
        loss = partial(_loss, penalty=penalty)
        training.fit(model, batches, loss, learning_rate=0.01, decay_steps=steps)
    log.info("%s, seed %s, penalty %g%s", kind, seed, penalty, ", uniform" * uniform)
    return model


def _loss(model: PooledClassifier, reviews: Reviews, penalty: float) -> Tensor:
    import torch

    logits, weights = model.forward_with_weights(reviews.tokens)
    loss = torch.nn.functional.cross_entropy(logits, reviews.praise)
    if penalty:
        mass = weights.gather(1, reviews.cue[:, None])[:, 0]
        loss = loss - penalty * torch.log1p(-mass.clamp(max=1 - 1e-6)).mean()
    return loss


def measure(model: PooledClassifier, size: int = 500) -> dict[str, float]:
    """Return accuracy, mean weight on the cue, and tau of the weights with two other measures.

    Those are the norm of the gradient of the answer's logit with respect to each word's vector,
    and the effect of leaving the word out.
    """
    import torch

    from attnlab.experiments import importance

    test = draw(np.random.default_rng(2), size)
    with torch.no_grad():
        logits, weights = model.forward_with_weights(test.tokens)
    effects = importance.effects(
        lambda: torch.softmax(model(test.tokens).double(), dim=-1), model.embed, LENGTH
    )
    shares = weights.double().numpy()
    return {
        "accuracy": float((logits.argmax(dim=-1) == test.praise).double().mean()),
        "weight on the cue": float(weights.gather(1, test.cue[:, None]).mean()),
        "tau with leaving out": float(importance.kendall_tau(shares, effects).mean()),
        "tau with the gradient": float(
            importance.kendall_tau(shares, model.gradient_norms(test.tokens)).mean()
        ),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train with each penalty, and with uniform weights (penalty 0); measure each model.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    penalties, steps, size = ((0.0, 1.0), 40, 50) if quick else (PENALTIES, 400, 500)
    curves: dict[str, Curve] = {}
    for kind in KINDS:
        rows = [[train(kind, seed, p, steps=steps) for p in penalties] for seed in seeds]
        measured = [[measure(model, size) for model in row] for row in rows]
        curves |= curves_of(penalties, measured, f"{kind}: ")
        flat = [train(kind, seed, uniform=True, steps=steps) for seed in seeds]
        accuracies = [[measure(model, size)["accuracy"]] for model in flat]
        curves[f"{kind}, uniform: accuracy"] = Curve((0.0,), accuracies)
    settings = {"steps": steps, "test reviews": size, "words": LENGTH, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test every model that answers right, with each penalty."""
    return [
        trial
        for kind, condition in CONDITIONS.items()
        for x in result[f"{kind}: accuracy"].x
        for trial in each_seed(
            result[f"{kind}: weight on the cue"].at(x) >= NEXT_TO_NO_WEIGHT,
            condition,
            learned=result[f"{kind}: accuracy"].at(x) >= LEARNED,
            at={PENALTY: x} if x else {},
        )
    ]


def because(result: Result) -> str:
    """Return what a penalty on the weight of the cue costs."""
    hardest = PENALTIES[-1]
    accuracy, mass = (result[f"BiGRU: {part}"] for part in ("accuracy", "weight on the cue"))
    alone, left = (result[f"words alone: {part}"] for part in ("accuracy", "weight on the cue"))
    equal = result["words alone, uniform: accuracy"].at(0.0)
    least = left.array[alone.array >= LEARNED].min()
    return (
        f"Trained with the strongest penalty, a recurrent classifier is right in "
        f"{accuracy.at(hardest).mean():.2f} of the reviews with a weight of "
        f"{mass.at(hardest).mean():.4f} on the word that decides; without a penalty that weight is "
        f"{mass.at(0.0).mean():.2f}. Without a recurrent layer the penalty takes the weight to "
        f"{left.at(hardest).mean():.4f}, and {alone.at(hardest).mean():.2f} of the answers are "
        f"right: such a model does not see a word without weight. But little weight is enough: one "
        f"of these models has learned the task with a weight of {least:.2f} on the word that "
        f"decides, and with equal weights on all {LENGTH} words, {1 / LENGTH:.2f} each, "
        f"{equal.mean():.2f} of the answers are right."
    )


def figure(result: Result) -> Figure:
    """Return a figure of what a penalty on the weight of the cue changes."""
    names = (
        "BiGRU: accuracy",
        "BiGRU: weight on the cue",
        "words alone: accuracy",
        "words alone: weight on the cue",
    )
    return plot_curves(
        {name: result[name] for name in names},
        accent="BiGRU: accuracy",
        x_label="penalty on the weight of the cue",
        y_label="share that is right, or weight",
        evenly=True,
    )
