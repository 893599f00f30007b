"""Compare one head with two: test whether one distribution of weights can fetch two words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.sentence_classifiers import LearnedQueryClassifier

CLAIM = Claim(
    chapter="multi-head",
    sentence="Two heads fetch two words; in one head of twice the width averaging prevents it.",
    source="Vaswani et al. (2017), section 3.2.2, who say that averaging hinders a single head.",
    refuted_by="One head that gets gender and verb right in nine tenths of the sentences; or two "
    "that, from some start, do not.",
    seconds=130,
    knobs={"start": "opposite ends", "learning rate": 0.01, "steps": 800, "width": 32},
)
PHRASES = (0, 1, 2, 3, 4, 6, 8, 12)

#: Name of a model: the initial slope of each of its heads, in nats per token.
SLOPES = {
    "two heads": (0.5, -0.5),
    "one head, at the beginning": (0.5,),
    "one head, at the end": (-0.5,),
    "one head, no preference": (0.0,),
    "two heads, both at the beginning": (0.5, 0.5),
    "two heads, both at the end": (-0.5, -0.5),
    "two heads, no preference": (0.0, 0.0),
}
#: Two heads that start alike, and the knob that says so.
ALIKE = {name: name.removeprefix("two heads, ") for name in SLOPES if name.startswith("two heads,")}
SINGLE = tuple(name for name in SLOPES if name.startswith("one head"))
#: Knobs of training that are turned, for two heads at opposite ends and the best single head.
TURNED: tuple[Knobs, ...] = (
    {"learning rate": 0.003},
    {"steps": 1600},
    {"width": 64},
    {"width": 128},
)


def train(
    name: str,
    seed: int = 0,
    steps: int = 800,
    learning_rate: float = 0.01,
    width: int = 32,
) -> LearnedQueryClassifier:
    """Return a trained model: one of ``SLOPES``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models import sentence_classifiers, training

    if name not in SLOPES:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(SLOPES)}")
    grammar = Grammar("french")
    with training.one_thread(seed):
        model = sentence_classifiers.LearnedQueryClassifier(grammar, SLOPES[name], width)
        batches = training.sentences(grammar, seed, steps, batch=128)
        training.fit(
            model, batches, training.participle_loss, learning_rate=learning_rate, decay_steps=steps
        )
    return model


def weights(model: LearnedQueryClassifier, num_phrases: int) -> np.ndarray:
    """Return each head's mean weight on each token, shape (num_heads, num_tokens)."""
    import torch

    from attnlab.models import training

    test = training.held_out(Grammar("french"), num_phrases)
    with torch.no_grad():
        _, all_weights = model.forward_with_weights(
            training.tensor(test.tokens)
        )  # (batch, heads, 1, num_tokens)
    return all_weights[:, :, 0].mean(dim=0).numpy()


def measure(
    name: str, seeds: Sequence[int], phrases: Sequence[int], knobs: Knobs, quick: bool = False
) -> dict[str, Curve]:
    """Return the curves of one model trained with every seed, at knobs other than the claim's."""
    from attnlab.models import training

    tests = [training.held_out(Grammar("french"), n) for n in phrases]
    steps = 300 if quick else int(knobs.get("steps", 800))
    rate, width = float(knobs.get("learning rate", 0.01)), int(knobs.get("width", 32))
    models = [train(name, seed, steps, rate, width) for seed in seeds]
    measured = [[training.accuracy(model, test) for test in tests] for model in models]
    return curves_of(phrases, measured, f"{_turned(name, knobs)}: ")


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; measure gender, verb and the whole participle.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    phrases = (0, 4, 12) if quick else PHRASES
    curves: dict[str, Curve] = {}
    for name in SLOPES:
        curves |= measure(name, seeds, phrases, {}, quick)
    for knobs in TURNED:
        for name in ("two heads", SINGLE[0]):
            curves |= measure(name, seeds, phrases, knobs, quick)
    settings = {"trained on phrases": [0, 1, 2, 3, 4], "test sentences": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare two heads with the best single head, at a trained length and beyond.

    With other knobs of training that is the one that starts at the beginning.
    """
    longest = max(result.settings["trained on phrases"])
    beyond = result["two heads: participle"].x[-1]

    def agrees(two: str, phrases: float, knobs: Knobs) -> NDArray[np.bool_]:
        pair = result[f"{_turned(two, knobs)}: participle"].at(phrases)
        ones = SINGLE[:1] if knobs else SINGLE
        single = [result[f"{_turned(one, knobs)}: participle"].at(phrases) for one in ones]
        return (pair >= NEARLY_ALWAYS) & (np.max(single, axis=0) < NEARLY_ALWAYS)

    models: list[tuple[str, Knobs, Knobs]] = [("two heads", {}, {})]
    models += [(name, {}, {"start": start}) for name, start in ALIKE.items()]
    models += [("two heads", knobs, knobs) for knobs in TURNED]
    return [
        trial
        for phrases, condition in (
            (longest, f"{longest} phrases, the most in training"),
            (beyond, f"{beyond} phrases, more than in training"),
        )
        for name, knobs, at in models
        for trial in each_seed(agrees(name, phrases, knobs), condition, at=at)
    ]


def because(result: Result) -> str:
    """Return the shares of participles that are right, by how the heads start."""
    longest = PHRASES[-1]
    two, start, end = (result[f"{name}: participle"] for name in ("two heads", *SINGLE[:2]))
    alike = np.array([result[f"{name}: participle"].at(longest) for name in ALIKE])
    worst = ", ".join(
        f"{result[f'{_turned(SINGLE[0], knobs)}: participle'].at(4).min():.2f} with {knob} {value}"
        for knobs in TURNED
        for knob, value in knobs.items()
    )
    return (
        f"At {longest} phrases two heads that start at opposite ends get "
        f"{two.at(longest).mean():.2f} of the participles right, and one head "
        f"{start.at(longest).mean():.2f} or {end.at(longest).mean():.2f}, depending on where it "
        f"starts. Of {alike.size} models whose two heads start alike, "
        f"{(alike >= NEARLY_ALWAYS).sum()} get that far: two heads can divide the work, but "
        f"whether they do depends on where they start. At 4 phrases, a trained length, the single "
        f"head that starts at the subject gets {start.at(4).mean():.2f}: averaging is no "
        f"obstacle there, for one head can compromise at a length from training. Not every "
        f"training finds the compromise: this head's worst seed gets {worst}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many participles are correct."""
    names = ("two heads", *SINGLE[:2])
    return plot_curves(
        {name: result[f"{name}: participle"] for name in names},
        accent="two heads",
        trained_to=4,
        y_label="participles right",
    )


def _turned(name: str, knobs: Knobs) -> str:
    """Return the name of a curve: the model, and the knobs that were turned."""
    return ", ".join([name, *(f"{knob} {value}" for knob, value in knobs.items())])
