"""Find the word that decides a review's sentiment; sometimes it is two words, *not good*.

A review is a sequence of words: neutral ones, one adjective that judges, and one *not* that stands
before it or before another word. It is good if the adjective is and is not negated, or is bad and
negated. The words are real word vectors of width 50, see `glove`; the reviews are drawn at
random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import (
    LEARNED,
    MAJORITY,
    NEXT_TO_NO_WEIGHT,
    Claim,
    Knobs,
    Trial,
    each_seed,
)
from attnlab.data import glove
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    from attnlab.models.word_vector_classifier import WordVectorClassifier

CLAIM = Claim(
    chapter="at-work",
    sentence="Attention pinpoints the words that carry the sentiment, phrases as well.",
    source="Lists of applications in many texts on attention.",
    refuted_by="A model that has learned the task, “not good” included, with less than half of its "
    "weight on the judging adjective, or less than a tenth on the “not” before it.",
    seconds=90,
    knobs={
        "start": "as PyTorch starts it, the query drawn with a spread of 1/7",
        "learning rate": 0.005,
        "steps": 1000,
        "width": 50,
        "positions": "sines and cosines, added",
        "words in the review": 8,
    },
)
GOOD = ["great", "excellent", "superb", "wonderful", "beautiful", "perfect", "brilliant", "good"]
BAD = ["awful", "terrible", "horrible", "poor", "boring", "stupid", "ugly", "bad"]
#: The last adjectives of each list are never trained on.
UNSEEN = 2
_OTHERS = (
    "the a this that it they film book room music story service people time day night house "
    "city table door water work place year week part hand eyes voice game paper letter "
    "street long short new old early late open large small"
)
NEUTRAL = _OTHERS.split()
LENGTHS = (4, 8, 12, 16, 24, 32, 48)
TRAINED = tuple(range(4, 17))
TESTED, LONGER = 8, 16
#: Share of the reviews in which *not* stands before the adjective.
NEGATED = 0.25
TWO, PLACED = "attention in two layers", "one attention with positions"
MORE, PATIENT = ", nine more seeds", ", steps 4000"
#: Name: the options of its classifier. The last one separates the effect of positions from layers.
MODELS: dict[str, dict[str, bool]] = {
    "mean of the words": {"pooled": False, "mixed": False},
    "one attention": {"pooled": True, "mixed": False},
    TWO: {"pooled": True, "mixed": True},
    PLACED: {"pooled": True, "mixed": False, "placed": True},
}


class Reviews(NamedTuple):
    """A batch: words (batch, length), whether it is good and the adjective's place, (batch,)."""

    words: NDArray[np.int64]
    good: NDArray[np.int64]
    cue: NDArray[np.int64]


def vocabulary() -> list[str]:
    """Return the words by number: *not*, the neutral ones, then the adjectives."""
    return ["not", *NEUTRAL, *GOOD, *BAD]


def draw(rng: np.random.Generator, batch: int, length: int, unseen: bool = False) -> Reviews:
    """Return random reviews; a quarter of the adjectives are negated, half are good."""
    rows = np.arange(batch)
    words = rng.integers(1, 1 + len(NEUTRAL), size=(batch, length))
    bad = rng.integers(2, size=batch)
    known = len(GOOD) - UNSEEN
    which = (
        rng.integers(known, len(GOOD), size=batch) if unseen else rng.integers(known, size=batch)
    )
    cue = rng.integers(1, length, size=batch)
    words[rows, cue] = 1 + len(NEUTRAL) + bad * len(GOOD) + which
    # *not* stands before the adjective, or before a neutral word.
    negated = rng.random(batch) < NEGATED
    other = (cue + rng.integers(1, length - 1, size=batch)) % length
    other = np.where(other == cue - 1, (cue + 1) % length, other)
    words[rows, np.where(negated, cue - 1, other)] = 0
    return Reviews(words, (bad == negated).astype(np.int64), cue)


def build(name: str) -> WordVectorClassifier:
    """Return an untrained model: one of `MODELS`.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models.word_vector_classifier import WordVectorClassifier

    if name not in MODELS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(MODELS)}")
    vectors = glove.load()
    table = np.stack([vectors[word] for word in vocabulary()])
    return WordVectorClassifier(table, **MODELS[name])


def train(name: str, seed: int = 0, steps: int = 1000) -> WordVectorClassifier:
    """Return a trained model: one of `MODELS`."""
    from attnlab.models import training

    batches = training.batches(seed, steps, lambda rng: draw(rng, 64, int(rng.choice(TRAINED))))

    with training.one_thread(seed):
        model = build(name)
        training.fit(model, batches, _loss, learning_rate=0.005, decay_steps=steps)
    return model


def measure(model: WordVectorClassifier, length: int, unseen: bool = False) -> dict[str, float]:
    """Return the share of correct answers and the mean weight on the adjective."""
    import torch

    from attnlab.models.training import tensor

    test = draw(np.random.default_rng((length, 2)), 500, length, unseen)
    with torch.no_grad():
        logits, weights = model.forward_with_weights(tensor(test.words))
    correct = (logits.argmax(dim=-1).numpy() == test.good).mean()
    return {
        "right": float(correct),
        "weight": round(float(weights.numpy()[np.arange(500), test.cue].mean()), 4),
    }


def intervene(model: WordVectorClassifier, length: int) -> dict[str, float]:
    """Replace *not* by a neutral word, and for comparison another word; count changed answers.

    "at the adjective": in reviews whose adjective is negated; "elsewhere": in the others.
    """
    import torch

    from attnlab.models.training import tensor

    rng = np.random.default_rng((length, 3))
    test = draw(rng, 1000, length)
    rows = np.arange(len(test.words))
    place = (test.words == 0).argmax(axis=1)
    other = (test.cue + 1 + (test.cue + 1 == place)) % length
    fresh = rng.integers(1, 1 + len(NEUTRAL), size=len(rows))
    with torch.no_grad():
        logits, weights = model.forward_with_weights(tensor(test.words))

    def changes(where: NDArray[np.int64]) -> NDArray[np.bool_]:
        edited = test.words.copy()
        edited[rows, where] = fresh
        with torch.no_grad():
            return (model(tensor(edited)).argmax(dim=-1) != logits.argmax(dim=-1)).numpy()

    negated, without = place == test.cue - 1, changes(place)
    at_not = weights.numpy()[rows, place]
    return {
        "weight on not": round(float(at_not.mean()), 4),
        "weight on not before the adjective": round(float(at_not[negated].mean()), 4),
        "changes without not at the adjective": round(float(without[negated].mean()), 4),
        "changes without not elsewhere": round(float(without[~negated].mean()), 4),
        "changes without another word": round(float(changes(other)[negated].mean()), 4),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; test at each length, and with adjectives never seen.

    Two layers are also trained with three times as many further seeds, and one attention with
    positions for more steps. ``quick`` shortens training and tests fewer lengths: a smoke test,
    not a result.
    """
    from attnlab.models.training import Stopwatch

    watch = Stopwatch()
    lengths, steps, patient = ((4, 16), 60, 80) if quick else (LENGTHS, 1000, 4000)
    curves: dict[str, Curve] = {}
    for name in MODELS:
        models = [train(name, seed, steps) for seed in seeds]
        curves |= _curves(name, name, models, lengths)
        fresh = [[measure(model, length, True)["right"] for length in lengths] for model in models]
        curves[f"{name}: unseen adjectives"] = Curve(lengths, fresh)
    more = [seed + times * len(seeds) for times in (1, 2, 3) for seed in seeds]
    curves |= _curves(TWO, TWO + MORE, [train(TWO, seed, steps) for seed in more], lengths)
    models = [train(PLACED, seed, patient) for seed in seeds]
    curves |= _curves(PLACED, PLACED + PATIENT, models, lengths)
    settings = {"trained on lengths": list(TRAINED), "steps": steps, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def _curves(
    name: str, label: str, models: Sequence[WordVectorClassifier], lengths: Sequence[int]
) -> dict[str, Curve]:
    """Measure models of one kind; the names of the curves begin with the label."""
    measured = [[measure(model, length) for length in lengths] for model in models]
    curves = {label: Curve(lengths, [[shares["right"] for shares in row] for row in measured])}
    if MODELS[name]["pooled"]:
        weights = [[shares["weight"] for shares in row] for row in measured]
        curves[f"{label}: weight on the adjective"] = Curve(lengths, weights)
    if MODELS[name]["mixed"]:
        effects = [[intervene(model, length) for length in lengths] for model in models]
        curves |= curves_of(lengths, effects, f"{label}: ")
    return curves


def trials(result: Result) -> list[Trial]:
    """Test words and phrases where the task is learned, in reviews of two lengths."""
    tested: dict[str, tuple[str, Knobs]] = {
        name: ("two layers" if options["mixed"] else "one layer", {})
        for name, options in MODELS.items()
        if options["pooled"]
    }
    tested |= {TWO + MORE: ("two layers", {}), PLACED + PATIENT: ("one layer", {"steps": 4000})}
    turned: dict[int, Knobs] = {TESTED: {}, LONGER: {"words in the review": LONGER}}
    made: list[Trial] = []
    for length, longer in turned.items():
        for name, (layers, knobs) in tested.items():
            at = {**knobs, **longer}
            learned = result[name].at(length) >= LEARNED
            weight = result[f"{name}: weight on the adjective"].at(length)
            made += each_seed(weight > MAJORITY, f"the adjective, {layers}", learned, at)
            if layers == "two layers":
                weight = result[f"{name}: weight on not before the adjective"].at(length)
                agrees = weight >= NEXT_TO_NO_WEIGHT
                made += each_seed(agrees, f"the “not” before it, {layers}", learned, at)
    return made


def because(result: Result) -> str:
    """Return which models have learned the task, and where their weight is."""
    plain, one, two, placed = (result[name].at(TESTED).mean() for name in MODELS)
    weight = result["one attention: weight on the adjective"].at(TESTED).mean()
    adjective, phrase = (
        "; ".join(
            ", ".join(f"{share:.2f}" for share in result[f"{name}: {part}"].at(TESTED))
            for name in (TWO, TWO + MORE)
        )
        for part in ("weight on the adjective", "weight on not before the adjective")
    )
    patient = result[PLACED + PATIENT]
    return (
        f"Of reviews of {TESTED} words, attention in two layers, which lets words attend to each "
        f"other first, judges {two:.2f} right, “not good” included. Where its weight lies depends "
        f"on the seed. Seed by seed, and then in nine more seeds, {adjective} of it is on "
        f"the adjective, and {phrase} on a “not” that stands before it. One attention puts "
        f"{weight:.2f} of its weight on the adjective, but is right no more often than the plain "
        f"mean of the words ({one:.2f} and {plain:.2f}): it has not learned the task, and its "
        f"weights do not count. With positions it judges {placed:.2f} right after 1000 steps and "
        f"{patient.at(TESTED).mean():.2f} after 4000, and by then also "
        f"{patient.at(LONGER).mean():.2f} of reviews of {LONGER} words."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many reviews are classified correctly."""
    names = ("attention in two layers", "one attention", "mean of the words")
    return plot_curves(
        {name: result[name] for name in names},
        accent="attention in two layers",
        chance=0.5,
        trained_to=16,
        x_label="words in the review",
        y_label="reviews that are right",
    )


def _loss(model: nn.Module, batch: Reviews) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.models.training import tensor

    return cross_entropy(model(tensor(batch.words)), tensor(batch.good))
