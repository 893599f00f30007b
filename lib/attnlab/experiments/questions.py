"""Answer questions from many facts, of which later ones replace earlier ones.

A story is a sequence of facts, "the key is in the box", and a question, "where is the key?". The
same thing may be moved again; its last place counts. Each fact comes as one vector, the sum of its
words' embeddings: attention has to find the fact, not to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    from attnlab.models.question_answering import AttentionMemory, GRUMemory

    Model = AttentionMemory | GRUMemory

CLAIM = Claim(
    chapter="at-work",
    sentence="Attention finds the fact that answers a question, among however many.",
    source="Lists of applications in many texts; Sukhbaatar et al. (2015) for the kind of task.",
    refuted_by="Attention that has learned the task and answers less than nine tenths of the "
    "questions about longer stories; or a fixed vector that answers as many.",
    seconds=80,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": 1500,
        "width": 32,
        "slope of the distance at the start": 0,
        "bias of the fixed vector's update gate at the start": 0,
    },
)
#: Tried as well: a GRU that begins by keeping its state, and another rate for both models.
KEEP, OTHER_RATE = 2.0, 0.002
NUM_THINGS, NUM_PLACES = 20, 20
FACTS = (2, 4, 8, 16, 32, 64)
TRAINED = (2, 4, 8, 16)
#: What the models are called in results in which a knob was turned.
KEEPING, SLOWER = f"fixed vector, gate {KEEP:g}", f"rate {OTHER_RATE:g}"
MODELS = ("fixed vector", "attention without order", "attention")


class Stories(NamedTuple):
    """A batch of stories with one question each.

    Parameters
    ----------
    things, places : array of int, shape (batch, num_facts)
    question : array of int, shape (batch,)
        The thing whose place is the answer.
    answer : array of int, shape (batch,)
        The place in the last fact about that thing.
    fact : array of int, shape (batch,)
        Which fact that is.
    """

    things: NDArray[np.int64]
    places: NDArray[np.int64]
    question: NDArray[np.int64]
    answer: NDArray[np.int64]
    fact: NDArray[np.int64]


def draw(rng: np.random.Generator, batch: int, num_facts: int) -> Stories:
    """Return random stories; at least one fact is about the thing in the question."""
    things = rng.integers(NUM_THINGS, size=(batch, num_facts))
    places = rng.integers(NUM_PLACES, size=(batch, num_facts))
    rows = np.arange(batch)
    question = things[rows, rng.integers(num_facts, size=batch)]
    last = num_facts - 1 - (things == question[:, None])[:, ::-1].argmax(axis=1)
    return Stories(things, places, question, places[rows, last], last)


def train(
    name: str,
    seed: int = 0,
    steps: int = 1500,
    learning_rate: float = 0.005,
    keep: float = 0.0,
) -> Model:
    """Return a trained model: one of `MODELS`.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models import question_answering, training

    if name not in MODELS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(MODELS)}")

    batches = training.batches(seed, steps, lambda rng: draw(rng, 64, int(rng.choice(TRAINED))))

    with training.one_thread(seed):
        model: Model
        if name == "fixed vector":
            model = question_answering.GRUMemory(NUM_THINGS, NUM_PLACES, keep)
        else:
            model = question_answering.AttentionMemory(
                NUM_THINGS, NUM_PLACES, order=name == "attention"
            )
        training.fit(model, batches, _loss, learning_rate=learning_rate, decay_steps=steps)
    return model


def measure(model: Model, num_facts: int) -> dict[str, float]:
    """Return the share of correct answers, and the mean weight on the fact that has the answer."""
    import torch

    from attnlab.models.training import tensor

    test = draw(np.random.default_rng((num_facts, 2)), 500, num_facts)
    with torch.no_grad():
        logits, weights = model.forward_with_weights(*map(tensor, test[:3]))
    correct = float((logits.argmax(dim=-1).numpy() == test.answer).mean())
    if weights is None:
        return {"right": correct}
    on_fact = weights.numpy()[np.arange(500), test.fact].mean()
    return {"right": correct, "weight": round(float(on_fact), 4)}


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; test with each number of facts.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models.training import Stopwatch

    watch = Stopwatch()
    facts, steps = ((2, 16), 60) if quick else (FACTS, 1500)
    curves = {}
    for name in MODELS:
        models = [train(name, seed, steps) for seed in seeds]
        measured = [[measure(model, number) for number in facts] for model in models]
        curves[name] = Curve(facts, [[shares["right"] for shares in row] for row in measured])
        if name != "fixed vector":
            weights = [[shares["weight"] for shares in row] for row in measured]
            curves[f"{name}: weight on the fact"] = Curve(facts, weights)
    curves |= turned(seeds, facts, steps)
    settings = {"trained on facts": list(TRAINED), "steps": steps, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def turned(seeds: Sequence[int], facts: Sequence[int], steps: int) -> dict[str, Curve]:
    """Return the shares of correct answers of models in which one knob was turned."""
    knobs: dict[str, tuple[str, dict[str, float]]] = {
        KEEPING: ("fixed vector", {"keep": KEEP}),
        f"fixed vector, {SLOWER}": ("fixed vector", {"learning_rate": OTHER_RATE}),
        f"attention, {SLOWER}": ("attention", {"learning_rate": OTHER_RATE}),
    }
    curves = {}
    for label, (name, how) in knobs.items():
        models = [train(name, seed, steps, **how) for seed in seeds]
        rows = [[measure(model, number)["right"] for number in facts] for model in models]
        curves[label] = Curve(facts, rows)
    return curves


def trials(result: Result) -> list[Trial]:
    """Test attention at the longest trained stories, and at all that are longer."""
    pairs: dict[tuple[str, str], Knobs] = {
        ("attention", "fixed vector"): {},
        ("attention", KEEPING): {"bias of the fixed vector's update gate at the start": KEEP},
        (f"attention, {SLOWER}", f"fixed vector, {SLOWER}"): {"learning rate": OTHER_RATE},
    }
    longest = max(result.settings["trained on facts"])
    return [
        trial
        for facts, condition in (
            (longest, f"{longest} facts, the most in training"),
            *(
                (facts, f"{facts} facts, more than in training")
                for facts in result["attention"].x
                if facts > longest
            ),
        )
        for (name, beside), at in pairs.items()
        for trial in each_seed(
            (result[name].at(facts) >= NEARLY_ALWAYS)
            & (result[name].at(facts) > result[beside].at(facts)),
            condition,
            learned=result[name].at(longest) >= LEARNED,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return how many questions each model answers."""
    longest, (longer, far) = max(result.settings["trained on facts"]), FACTS[-2:]
    attention, fixed = result["attention"], result["fixed vector"]
    keeping = result[KEEPING]
    unordered = result["attention without order"]
    return (
        f"Of questions on {longest} facts attention answers {attention.at(longest).mean():.2f}, a "
        f"fixed vector {fixed.at(longest).mean():.2f} ({keeping.at(longest).mean():.2f} if its "
        f"update gate starts at {KEEP:g}), and attention that cannot see the order "
        f"{unordered.at(longest).mean():.2f}. On {longer} and {far} facts, two and four times as "
        f"many as in training, attention answers {attention.at(longer).mean():.2f} and "
        f"{attention.at(far).mean():.2f}: not “among however many”."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many answers are correct."""
    names = ("attention", "attention without order", "fixed vector")
    return plot_curves(
        {name: result[name] for name in names},
        accent="attention",
        chance=0.05,
        trained_to=16,
        log="x",
        x_label="facts in the story",
        y_label="answers that are right",
    )


def _loss(model: nn.Module, batch: Stories) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.models.training import tensor

    return cross_entropy(model(*map(tensor, batch[:3])), tensor(batch.answer))
