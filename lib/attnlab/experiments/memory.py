"""Train at one distance only: is a distant word hard to keep, or hard to learn to keep?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlab.claims import LEARNED, NEAR_CHANCE, Claim, Knobs, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.drawing import plot_curves
from attnlab.experiments.agreement import KEEPING, named
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import nn

CLAIM = Claim(
    chapter="motivation",
    sentence="From long sentences alone a GRU does not learn, in 2000 steps, what attention "
    "learns.",
    source="The usual motivation for attention. Hochreiter and Schmidhuber (1997), abstract, on "
    "recurrent networks without gates: error signals fade, and learning takes very long.",
    refuted_by="In any seed, a GRU trained only on sentences with 12 phrases that is better at the "
    "gender than a coin.",
    seconds=300,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": 2000,
        "width": 32,
    },
)
PHRASES = (0, 2, 4, 8, 12)
MIXED = tuple(range(13))
#: Knobs turned in GRUs, one at a time, and the lengths at which these are trained.
TURNED: tuple[Knobs, ...] = ({"start": KEEPING},)
TURNED_PHRASES = (2, 12)


def train(name: str, phrases: Sequence[int], seed: int = 0, steps: int = 2000) -> nn.Module:
    """Return a "GRU" or an "attention" model, trained with these numbers of phrases only."""
    from attnlab.experiments import agreement
    from attnlab.models import training

    recipes = agreement.recipes() | {named("GRU", at): agreement.gru(at) for at in TURNED}
    make, _, rate, decays = recipes[name]
    grammar = Grammar("french")
    with training.one_thread(seed):
        model = make(grammar)
        batches = training.sentences(grammar, seed, steps, 128, phrases)
        training.fit(
            model,
            batches,
            training.participle_loss,
            learning_rate=rate,
            decay_steps=steps if decays else 0,
        )
    return model


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train at one length and test at the same length; and train a GRU on all lengths together.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.experiments import agreement
    from attnlab.models import training

    watch = training.Stopwatch()
    lengths, steps = ((0, 8), 150) if quick else (PHRASES, 2000)
    curves = {}
    for name in ("GRU", "attention"):
        rows = [[_at_one_length(name, n, seed, steps) for n in lengths] for seed in seeds]
        curves[f"{name}, one length"] = Curve(lengths, rows)
    for at in TURNED:
        longer = lengths if quick else TURNED_PHRASES
        rows = [
            [_at_one_length(named("GRU", at), number, seed, steps) for number in longer]
            for seed in seeds
        ]
        curves[named("GRU, one length", at)] = Curve(longer, rows)
    mixed = [train("GRU", MIXED, seed, steps) for seed in seeds]
    curves["GRU, all lengths"] = Curve(
        lengths, [agreement.measure(model, phrases=lengths) for model in mixed]
    )
    settings = {"steps": steps, "all lengths": list(MIXED), "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def _at_one_length(name: str, number: int, seed: int, steps: int) -> float:
    """Train a model at one number of phrases and return its share of right genders there."""
    from attnlab.experiments import agreement

    return agreement.measure(train(name, (number,), seed, steps), phrases=(number,))[0]


def trials(result: Result) -> list[Trial]:
    """Test the GRUs of the longest sentences, where attention has learned them."""
    longest = result["attention, one length"].x[-1]
    learned = result["attention, one length"].at(longest) >= LEARNED
    return [
        trial
        for at in ({}, *TURNED)
        for trial in each_seed(
            result[named("GRU, one length", at)].at(longest) <= 0.5 + NEAR_CHANCE,
            f"{longest} phrases",
            learned,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return what each network names at the longest sentences."""
    longest = PHRASES[-1]
    gru, kept, attention, mixed = (
        result[name].at(longest)
        for name in (
            "GRU, one length",
            named("GRU, one length", {"start": KEEPING}),
            "attention, one length",
            "GRU, all lengths",
        )
    )
    return (
        f"With {longest} phrases in every training sentence the GRUs name {gru.mean():.2f} of the "
        f"genders and attention {attention.mean():.2f}. If the update gates start with a bias of 2 "
        f"and so mostly keep the state, GRUs learn the task in as many steps in "
        f"{(kept >= LEARNED).sum()} of {len(kept)} seeds. A GRU that also sees short sentences "
        f"names {mixed.mean():.2f}. The difficulty is one of learning, and of where learning "
        f"starts, not of memory."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many genders are named by models trained at one length."""
    return plot_curves(
        result.curves,
        accent="attention, one length",
        chance=0.5,
        x_label="phrases in every sentence, training and test",
    )
