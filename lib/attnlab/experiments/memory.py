"""Is a distant word hard to keep, or hard to learn to keep? Training at one distance only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlab.claims import LEARNED, NEAR_CHANCE, Claim, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import nn

CLAIM = Claim(
    chapter="motivation",
    sentence="From long sentences alone a GRU does not learn, in 2000 steps, what attention "
    "learns.",
    source="The usual motivation of attention. Hochreiter and Schmidhuber (1997), abstract, of "
    "recurrent networks without gates: error signals fade, and learning takes very long.",
    refuted_by="A GRU trained only on sentences with 12 phrases that names the gender more often "
    "than a coin, in any seed.",
    seconds=270,
)
PHRASES = (0, 2, 4, 8, 12)
MIXED = tuple(range(13))


def train(name: str, phrases: Sequence[int], seed: int = 0, steps: int = 2000) -> nn.Module:
    """Return a "GRU" or an "attention" model, trained with these numbers of phrases only."""
    from attnlab.experiments import agreement
    from attnlab.models import training

    make, _, rate, decays = agreement.recipes()[name]
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
        rows = []
        for seed in seeds:
            models = [train(name, (number,), seed, steps) for number in lengths]
            rows.append(
                [
                    agreement.measure(model, phrases=(number,))[0]
                    for model, number in zip(models, lengths, strict=True)
                ]
            )
        curves[f"{name}, one length"] = Curve(lengths, rows)
    mixed = [train("GRU", MIXED, seed, steps) for seed in seeds]
    curves["GRU, all lengths"] = Curve(
        lengths, [agreement.measure(model, phrases=lengths) for model in mixed]
    )
    settings = {"steps": steps, "all lengths": list(MIXED), "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test the GRUs of the longest sentences, where attention has learned them."""
    longest = result["GRU, one length"].x[-1]
    return each_seed(
        result["GRU, one length"].at(longest) <= 0.5 + NEAR_CHANCE,
        learned=result["attention, one length"].at(longest) >= LEARNED,
    )


def because(result: Result) -> str:
    """Return what each network names at the longest sentences."""
    longest = PHRASES[-1]
    gru, attention, mixed = (
        result[name].at(longest)
        for name in ("GRU, one length", "attention, one length", "GRU, all lengths")
    )
    return (
        f"With {longest} phrases in every training sentence the GRUs name {gru.mean():.2f} of the "
        f"genders and attention {attention.mean():.2f}. A GRU that also sees short sentences names "
        f"{mixed.mean():.2f}: the difficulty is one of learning, not of memory."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many genders are named by models trained at one length."""
    return plot_curves(
        result.curves,
        accent="attention, one length",
        chance=0.5,
        x_label="phrases in every sentence, training and test",
    )
