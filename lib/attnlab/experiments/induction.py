"""Test whether two models continue repeated texts by an induction circuit."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, MAJORITY, Claim, Knobs, Trial, each_seed
from attnlab.data import repeats
from attnlab.data.minilm_heads import offset
from attnlab.data.repeats import MANY_PERIODS, NUM_TOKENS, PERIODS, Repeats, induction_scores
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.attention_only import AttentionOnlyModel, Head

CLAIM = Claim(
    chapter="circuits",
    sentence="A two-layer attention-only model that continues repeated texts does so by an "
    "induction circuit: a head of layer 1 attends to the previous token, and a head of layer 2 to "
    "what followed the current token before.",
    source="Olsson et al. (2022), abstract and argument 3, on small attention-only models that are "
    "trained on natural language; Elhage et al. (2021), section “Two-Layer Attention-Only "
    "Transformers”.",
    refuted_by="A model that continues at least nine tenths of the repeats while no head of layer "
    "1 gives half of its weight to the previous token, or no head of layer 2 gives half of its "
    "weight to what followed, or half of the repeats are still right without layer 1's heads or "
    "with their output hidden from layer 2's keys alone. Heads are scored on texts of all periods.",
    seconds=105,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 1000,
        "width": 32,
        "positions": "rotary",
    },
)
#: Tried as well, for models of many periods: what the claim says must not hang on the rate.
OTHER_RATE = 0.005
#: Periods at which trained models are tested; training had none below 8 or above 24.
TESTED = (4, 6, 8, 10, 11, 12, 14, 15, 16, 17, 18, 20, 22, 24, 28, 32)
LOOKS = (0, 50, 100, 150, 200, 250, 300, 400, 500, 750)
#: In which layer the claim puts a head with a large score.
LAYER_OF = {"previous token": 1, "induction": 2}
#: What the models that were trained at another rate are called in results.
SLOWER = f"many periods, rate {OTHER_RATE:g}"

log = logging.getLogger(__name__)


def texts_to_test(periods: Sequence[int], size: int = 100) -> Repeats:
    """Return the same test texts for every model and seed."""
    rng = np.random.default_rng((*periods, 2))
    return repeats.draw(rng, size, NUM_TOKENS, periods)


def accuracy(
    model: AttentionOnlyModel,
    test: Repeats,
    without: Collection[Head] = (),
    unread: Collection[str] = (),
) -> float:
    """Return the share of right next tokens where they can be known: in the repeats.

    ``without`` takes heads out, and ``unread`` hides layer 1's output from a part of layer 2; see
    `AttentionOnlyModel.forward_with_weights`.
    """
    import torch

    tokens = torch.from_numpy(test.tokens)
    with torch.no_grad():
        predicted = model(tokens, without, unread)[:, :-1].argmax(dim=-1)
    return float((predicted == tokens[:, 1:]).numpy()[test.is_known].mean())


def head_scores(model: AttentionOnlyModel, test: Repeats) -> dict[str, NDArray[np.float64]]:
    """Return what each head attends to, from 0 to 1.

    Returns
    -------
    dict of array, shape (num_layers, num_heads)
        "previous token": the weight on the token before; "induction": in the repeats, the weight
        on what followed earlier occurrences of the current token.
    """
    import torch

    with torch.no_grad():
        _, weights = model.forward_with_weights(torch.from_numpy(test.tokens))
    texts = zip(weights.numpy(), test.tokens, strict=True)
    return {
        "previous token": offset(weights.double().numpy(), -1).mean(axis=0),
        "induction": np.mean([induction_scores(of_text, text) for of_text, text in texts], axis=0),
    }


def train_and_measure(
    condition: str,
    seed: int,
    steps: int,
    looks: Sequence[int],
    learning_rate: float = 0.01,
) -> tuple[AttentionOnlyModel, list[dict[str, float]]]:
    """Return a trained model, and its measures at the steps ``looks`` and at the end."""
    from attnlab.models import continuation

    measures: list[dict[str, float]] = []

    def look(step: int, model: AttentionOnlyModel) -> None:
        if step in looks:
            measures.append(_measures(model, condition))

    model = continuation.train(condition, seed, steps, look, learning_rate)
    measures.append(_measures(model, condition))
    log.info("%s, seed %s", condition, seed)
    return model, measures


def _measures(model: AttentionOnlyModel, condition: str) -> dict[str, float]:
    everywhere = texts_to_test(MANY_PERIODS)
    measures = {
        "accuracy": accuracy(model, texts_to_test(PERIODS[condition])),
        "accuracy, all periods": accuracy(model, everywhere),
    }
    for name, scores in head_scores(model, everywhere).items():
        for (layer, head), score in np.ndenumerate(scores):
            measures[f"{name}, {head_name(layer + 1, head + 1)}"] = float(score)
    return {name: round(value, 4) for name, value in measures.items()}


def head_name(layer: int, head: int) -> str:
    """Return what a head is called in results, such as "layer 1 head 2"."""
    return f"layer {layer} head {head}"


def blind_name(part: str) -> str:
    """Return what layer 2 is called when a part of it does not get layer 1's output."""
    return f"layer 2 with blind {part.replace('query', 'querie')}s"


def _removals(model: AttentionOnlyModel, condition: str) -> dict[str, float]:
    """Return the accuracy on texts as in training without each head, and without each layer.

    "layer 2 with blind keys": layer 1's output is missing from these alone; queries and values
    likewise.
    """
    from attnlab.models.attention_only import HEADS, PARTS

    test = texts_to_test(PERIODS[condition])
    shares = {
        f"without {head_name(*head)}": accuracy(model, test, without=[head]) for head in HEADS
    }
    for layer in LAYER_OF.values():
        of_layer = [head for head in HEADS if head[0] == layer]
        shares[f"without layer {layer}"] = accuracy(model, test, without=of_layer)
    for part in PARTS:
        shares[blind_name(part)] = accuracy(model, test, unread=[part])
    return {name: round(value, 4) for name, value in shares.items()}


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train models with one period and with many; score each head, and take it out.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import continuation, training

    watch = training.Stopwatch()
    steps, looks, tested = (60, (0, 30), (11, 16)) if quick else (continuation.STEPS, LOOKS, TESTED)
    curves: dict[str, Curve] = {}
    for condition in PERIODS:
        trained = [train_and_measure(condition, seed, steps, looks) for seed in seeds]
        prefix = f"{condition}: "
        curves |= curves_of([*looks, steps], [measures for _, measures in trained], prefix)
        curves |= _best_heads(curves, condition)
        by_period = [[accuracy(m, texts_to_test([p])) for p in tested] for m, _ in trained]
        curves[f"{prefix}accuracy by period"] = Curve(tested, np.round(by_period, 4).tolist())
        removed = [[_removals(model, condition)] for model, _ in trained]
        curves |= curves_of([steps], removed, prefix)
        own = [head_scores(m, texts_to_test([16]))["induction"].flatten() for m, _ in trained]
        curves[f"{prefix}induction at period 16"] = Curve(
            (1, 2, 3, 4), np.round(own, 4).tolist(), "heads 1 and 2 of layer 1, then of layer 2"
        )
    curves |= slower(seeds, steps)
    settings = {
        "steps": steps,
        "tokens": NUM_TOKENS,
        "periods": {name: list(periods) for name, periods in PERIODS.items()},
        "taken out by": "the mean over 100 texts, at each position",
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def slower(seeds: Sequence[int], steps: int) -> dict[str, Curve]:
    """Return the measures of models of many periods that were trained at `OTHER_RATE`."""
    condition = "many periods"
    trained = [train_and_measure(condition, seed, steps, (), OTHER_RATE) for seed in seeds]
    measured = [[measures[-1] | _removals(model, condition)] for model, measures in trained]
    curves = curves_of([steps], measured, f"{SLOWER}: ")
    return curves | _best_heads(curves, SLOWER)


def shipped_weights(condition: str, period: int) -> NDArray[np.float64]:
    """Return the weights of the model that ships for one text of a period.

    Returns
    -------
    array, shape (num_layers, num_heads, NUM_TOKENS, NUM_TOKENS)
    """
    import torch

    from attnlab.models import checkpoints

    text = repeats.draw(np.random.default_rng(0), 1, NUM_TOKENS, [period])
    with torch.no_grad():
        _, weights = checkpoints.continuer(condition).forward_with_weights(
            torch.from_numpy(text.tokens)
        )
    return np.asarray(weights[0].numpy(), dtype=np.float64)


def best_name(condition: str, score: str) -> str:
    """Return the name of a curve: the largest score of a head, in the layer of the claim."""
    return f"{condition}: {score}, best head of layer {LAYER_OF[score]}"


def _best_heads(curves: Mapping[str, Curve], condition: str) -> dict[str, Curve]:
    best = {}
    for score, layer in LAYER_OF.items():
        heads = [curves[f"{condition}: {score}, {head_name(layer, head)}"] for head in (1, 2)]
        largest = np.max([head.array for head in heads], axis=0)
        best[best_name(condition, score)] = Curve(heads[0].x, largest.tolist())
    return best


def trials(result: Result) -> list[Trial]:
    """Test each condition: are both heads there, and is layer 1 needed?"""
    end = result.settings["steps"]
    settings: dict[str, tuple[str, Knobs]] = {name: (name, {}) for name in PERIODS}
    settings[SLOWER] = ("many periods", {"learning rate": OTHER_RATE})
    return [
        trial
        for name, (condition, at) in settings.items()
        for trial in each_seed(
            (result[best_name(name, "previous token")].at(end) >= MAJORITY)
            & (result[best_name(name, "induction")].at(end) >= MAJORITY)
            & (result[f"{name}: without layer 1"].at(end) < MAJORITY)
            & (result[f"{name}: {blind_name('key')}"].at(end) < MAJORITY),
            f"trained with {condition}",
            learned=result[f"{name}: accuracy"].at(end) >= LEARNED,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return the scores and what is left without layer 1."""
    end = result.settings["steps"]

    def mean(condition: str, curve: str) -> float:
        return float(result[f"{condition}: {curve}"].at(end).mean())

    def best(condition: str, score: str) -> float:
        return float(result[best_name(condition, score)].at(end).mean())

    return " ".join(
        f"Trained with {condition}, models continue {mean(condition, 'accuracy'):.2f} of the "
        f"repeats in such texts and {mean(condition, 'accuracy, all periods'):.2f} of those in "
        f"texts of all periods. The best head of layer 1 gives the previous token "
        f"{best(condition, 'previous token'):.2f} of its weight, and the best of "
        f"layer 2 gives {best(condition, 'induction'):.2f} to what followed; without layer 1's "
        f"heads, {mean(condition, 'without layer 1'):.2f} of the repeats are right, and "
        f"{mean(condition, blind_name('key')):.2f} if their output is hidden from layer 2's keys "
        f"alone."
        for condition in PERIODS
    )


def figure(result: Result) -> Figure:
    """Return a figure of how the two heads form in training."""
    curves = {
        f"{condition}: right": result[f"{condition}: accuracy"]
        for condition in ("many periods", "one period")
    }
    for condition in ("many periods", "one period"):
        for score in LAYER_OF:
            curves[f"{condition}: {score}"] = result[best_name(condition, score)]
    return plot_curves(
        curves, accent="many periods: right", x_label="steps of training", y_label="share"
    )


def figure_by_period(result: Result) -> Figure:
    """Return a figure of how many repeats are right, by the period of the text."""
    return plot_curves(
        {condition: result[f"{condition}: accuracy by period"] for condition in PERIODS},
        accent="one period",
        chance=1 / repeats.NUM_WORDS,
        x_label="period of the text",
        y_label="repeats that are right",
    )
