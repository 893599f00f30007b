"""Does a Transformer train without warm-up? Layer normalisation first, or last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attn.torch import Transformer
    from attnlab.models.text_models import Text

CLAIM = Claim(
    chapter="transformer",
    sentence="Without warm-up a Transformer trains if the norm comes first in each sublayer, and "
    "does not if it comes last.",
    source="Xiong et al. (2020), sections 3 and 4.",
    refuted_by="A model with the norm last that reaches the loss of the text without warm-up, or "
    "one with the norm first that does not.",
    seconds=360,
    knobs={
        "layers": 12,
        "learning rate": 0.003,
        "steps": 400,
        "width": 32,
        "start": "as attn.torch starts it",
    },
)
DEPTHS = (4, 12)
RATES = (0.001, 0.003)
STEPS, WARM_UP, BATCH = 400, 200, 32
#: A smaller learning rate, with the steps that it needs: tried with 12 layers and the norm last.
PATIENT_RATE, PATIENT_STEPS = 0.0003, 1600
PATIENT = f"12 layers, norm last, no warm-up, {PATIENT_STEPS} steps"
#: Nats a token above the best possible loss; a model that ignores all context is 1.4 above it.
TRAINED = 0.25
PLACES = {"first": True, "last": False}


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train models with the norm first and last, with and without warm-up."""
    from attnlab.models import text_models, training

    watch, text = training.Stopwatch(), text_models.Text()
    depths, steps = ((1,), 6) if quick else (DEPTHS, STEPS)
    curves = {}
    for depth in depths:
        for place, norm_first in PLACES.items():
            for warm_up in (0, WARM_UP):
                values = [
                    [train(text, depth, norm_first, warm_up, rate, seed, steps) for rate in RATES]
                    for seed in seeds
                ]
                curves[label(depth, place, warm_up)] = Curve(RATES, values)
    depth, steps = (2, 8) if quick else (12, PATIENT_STEPS)
    values = [[train(text, depth, False, 0, PATIENT_RATE, seed, steps)] for seed in seeds]
    curves[PATIENT] = Curve((PATIENT_RATE,), values)
    settings = {
        "width": 32,
        "steps": 6 if quick else STEPS,
        "warm-up": WARM_UP,
        "batch": BATCH,
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def label(depth: int, place: str, warm_up: int) -> str:
    """Return the name of a curve."""
    return f"{depth} layers, norm {place}, {'with' if warm_up else 'no'} warm-up"


def train(
    text: Text, depth: int, norm_first: bool, warm_up: int, rate: float, seed: int, steps: int
) -> float:
    """Return how far the loss of a new model is above the best after training, nats a token."""
    from attn.torch import Transformer
    from attnlab.models import training

    with training.one_thread(seed):
        model = Transformer(
            32,
            4,
            num_encoder_layers=0,
            num_decoder_layers=depth,
            tgt_vocab_size=text.vocabulary,
            d_hidden=64,
            dropout=0.0,
            norm_first=norm_first,
        )
        return fit(model, text, warm_up, rate, seed, steps)


def fit(model: Transformer, text: Text, warm_up: int, rate: float, seed: int, steps: int) -> float:
    """Train a model; return how far the loss of the last tenth of the steps is above the best."""
    import torch

    from attnlab.models import text_models

    optimiser = torch.optim.Adam(model.parameters(), rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / max(warm_up, 1))
    )
    excess, rng = [], np.random.default_rng((seed, 1))
    for _ in range(steps):
        phrases = int(rng.choice(text_models.PHRASES))
        loss = text_models.next_token_loss(model, text.sample(rng, BATCH, phrases))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        excess.append(loss.item() - best_loss(text, phrases))
    return float(np.mean(excess[-max(1, steps // 10) :]))


def best_loss(text: Text, num_phrases: int) -> float:
    """Return the mean loss of a perfect model on sentences of one length, nats a token.

    It knows the grammar and the four lengths, which are equally likely, and no more.

    Examples
    --------
    >>> from attnlab.models.text_models import Text
    >>> round(best_loss(Text(), 0), 2)
    1.89
    """
    from attnlab.models.text_models import PHRASES

    grammar, longest = text.grammar, max(PHRASES)
    nouns, prepositions = len(grammar.nouns), len(grammar.prepositions)
    words = (num_phrases + 1) * math.log(nouns) + num_phrases * math.log(prepositions)
    words += math.log(len(grammar.verbs))
    # After each noun the sentence goes on or not, until the longest, which cannot go on.
    lengths = math.log(longest + 1)
    return (words + lengths) / (4 + 2 * num_phrases)


def trials(result: Result) -> list[Trial]:
    """Test each depth and learning rate; a model with warm-up and norm first has to train there.

    With the smallest rate only the norm last was trained, and without warm-up: such a model counts
    if it trains, and refutes the claim then.
    """
    tests = []
    for depth in DEPTHS:
        for rate in RATES:
            at = {
                (place, warm_up): result[label(depth, place, warm_up)].at(rate)
                for place in PLACES
                for warm_up in (0, WARM_UP)
            }
            agrees = (at["first", 0] <= TRAINED) & (at["last", 0] > TRAINED)
            turned = {"layers": depth, "learning rate": rate, "steps": STEPS}
            tests += each_seed(agrees, "", at["first", WARM_UP] <= TRAINED, turned)
    turned = {"layers": 12, "learning rate": PATIENT_RATE, "steps": PATIENT_STEPS}
    trained = result[PATIENT].at(PATIENT_RATE) <= TRAINED
    return [*tests, *each_seed(False, "", trained, turned)]


def because(result: Result) -> str:
    """Return how far each model is from the best loss, and what a smaller rate does."""
    rate, parts = RATES[-1], []
    for depth in DEPTHS:
        first, last, warm = (
            result[label(depth, place, warm_up)].at(rate).mean()
            for place, warm_up in (("first", 0), ("last", 0), ("last", WARM_UP))
        )
        parts.append(
            f"With {depth} layers, {STEPS} steps and a learning rate of {rate:g}, the loss without "
            f"warm-up ends {first:.2f} nats a token above the best possible with the norm first "
            f"and {last:.2f} with the norm last; with warm-up the latter is {warm:.2f}."
        )
    parts.append(
        f"With a learning rate of {PATIENT_RATE:g} and {PATIENT_STEPS} steps, 12 layers with the "
        f"norm last and no warm-up end at {result[PATIENT].at(PATIENT_RATE).mean():.2f}: they "
        f"train. Trained means at most {TRAINED:g} above the best."
    )
    return " ".join(parts)


def figure(result: Result) -> Figure:
    """Return a figure of the loss without warm-up, and of norm last with it."""
    deep = DEPTHS[-1]
    curves = {
        f"norm {place}, {'with' if warm_up else 'no'} warm-up": result[label(deep, place, warm_up)]
        for place, warm_up in (("last", 0), ("last", WARM_UP), ("first", 0))
    }
    return plot_curves(
        curves,
        accent="norm first, no warm-up",
        log="x",
        x_label="learning rate",
        y_label="nats above the best loss",
    )
