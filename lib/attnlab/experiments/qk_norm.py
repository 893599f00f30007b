"""Test whether normalised queries and keys keep training stable at high learning rates."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, Claim, Knobs, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.experiments import recall
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.lookups import Lookup

CLAIM = Claim(
    chapter="attention-today",
    sentence="Attention with normalised queries and keys learns at learning rates at which plain "
    "attention fails.",
    source="Dehghani et al. (2023), section 2, on large models: without normalisation scores grow "
    "until the softmax saturates and training fails.",
    refuted_by="At a given rate: a seed in which plain attention learns as well, or in which "
    "normalised attention does not.",
    seconds=120,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.003,
        "steps": 600,
        "width": 32,
        "pairs": 8,
        "heads": 2,
        "batch": 128,
        "gradients": "clipped at norm 1",
    },
)
#: Tried first; those above were added when they had not settled it.
FIRST_RATES = (0.003, 0.01, 0.03, 0.1, 0.3)
RATES = (*FIRST_RATES, 1.0, 3.0, 10.0)
LONG, SMALL = 1800, 32
#: Ends of the curves of models that were trained otherwise: at which rates, and the knobs.
TURNED: dict[str, tuple[tuple[float, ...], Knobs]] = {
    ", longer": ((1.0,), {"steps": LONG}),
    ", rates between": ((0.5, 2.0), {}),
    ", not clipped": ((1.0,), {"gradients": "not clipped"}),
    ", small batches": ((1.0,), {"batch": SMALL}),
}
PAIRS = 8
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "normalised": {"qk_norm": True},
    "soft cap of 10": {"soft_cap": 10.0},
}

log = logging.getLogger(__name__)


def train(
    kind: str, rate: float, seed: int = 0, steps: int = 600, knobs: Knobs | None = None
) -> Lookup:
    """Return one of ``KINDS``, trained at a learning rate that rises to ``rate`` and falls.

    ``knobs`` may turn the batch, and the clipping of gradients.
    """
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.lookups import Lookup

    def loss(model: Lookup, questions: recall.Questions) -> Tensor:
        return cross_entropy(model(*questions[:3]), questions.answer)

    size = int((knobs or {}).get("batch", 128))
    largest = math.inf if "gradients" in (knobs or {}) else 1.0
    batches = training.batches(seed, steps, lambda rng: recall.draw(rng, size, PAIRS))
    with training.one_thread(seed):
        model = Lookup(recall.NUM_WORDS, **KINDS[kind])
        training.fit(
            model,
            batches,
            loss,
            learning_rate=rate,
            decay_steps=steps,
            largest_norm=largest,
        )
    log.info("%s, rate %s, seed %s", kind, rate, seed)
    return model


def largest_score(model: Lookup, size: int = 500) -> float:
    """Return the largest score that enters the softmax, in absolute value, in nats."""
    import torch

    test = recall.draw(np.random.default_rng((PAIRS, 2)), size, PAIRS)
    with torch.no_grad():
        query, key, _ = model.heads(*test[:3])
        scores = query @ key.mT / query.shape[-1] ** 0.5
        if model.soft_cap is not None:
            scores = model.soft_cap * torch.tanh(scores / model.soft_cap)
    return float(scores.abs().max())


def answers(
    kind: str, rates: Sequence[float], seeds: Sequence[int], steps: int, knobs: Knobs
) -> Curve:
    """Train one of ``KINDS`` with knobs turned; return what it answers at each rate."""
    models = [[train(kind, rate, seed, steps, knobs) for rate in rates] for seed in seeds]
    return Curve(rates, [[round(recall.accuracy(m, PAIRS), 3) for m in row] for row in models])


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each kind at each rate with every seed; measure answers and scores.

    ``quick`` shortens training and tries fewer rates: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    rates, steps = (RATES[::2], 60) if quick else (RATES, 600)
    curves = {}
    for kind in KINDS:
        models = [[train(kind, rate, seed, steps) for rate in rates] for seed in seeds]
        # Shares of 1000 questions: in float32, 900 of them would be less than nine tenths.
        shares = [[round(recall.accuracy(model, PAIRS), 3) for model in row] for row in models]
        curves[kind] = Curve(rates, shares)
        scores = [[largest_score(model) for model in row] for row in models]
        curves[f"{kind}: largest score"] = Curve(rates, scores)
    for end, (at, knobs) in TURNED.items():
        turned_steps = steps if quick else int(knobs.get("steps", steps))
        for kind in ("plain", "normalised"):
            curves[f"{kind}{end}"] = answers(kind, at, seeds, turned_steps, knobs)
    settings = {"steps": steps, "pairs": PAIRS, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def learned(result: Result, kind: str) -> NDArray[np.bool_]:
    """Return at which rates a kind has learned its task, (num_seeds, num_rates)."""
    return np.asarray(result[kind].array >= LEARNED)


def trials(result: Result) -> list[Trial]:
    """Compare both kinds at each rate; where no model of either learns, nothing is tested."""
    made = []
    for suffix, knobs in {"": {}, **{end: knobs for end, (_, knobs) in TURNED.items()}}.items():
        plain, normalised = (learned(result, kind + suffix) for kind in ("plain", "normalised"))
        for at, rate in enumerate(result[f"plain{suffix}"].x):
            made += each_seed(
                normalised[:, at] & ~plain[:, at],
                learned=(normalised | plain)[:, at].any(),
                at={"learning rate": rate, **knobs},
            )
    return made


def because(result: Result) -> str:
    """Return what each kind answers at each rate, and its largest score up to a rate of 1."""
    parts = []
    for kind in KINDS:
        curve, scores = result[kind], result[f"{kind}: largest score"]
        shares = ", ".join(
            f"{share:.2f} at {rate:g}" for rate, share in zip(curve.x, curve.mean, strict=True)
        )
        last = max(at for at, rate in enumerate(curve.x) if rate <= 1)
        ends = (f"{scores.mean[at]:,.0f} at {curve.x[at]:g}" for at in (0, last))
        parts.append(f"{kind}: {shares}; the largest score is {' and '.join(ends)}")
    text = ". ".join(f"{part[0].upper()}{part[1:]}" for part in parts)
    return (
        f"Share of questions answered at each learning rate, mean of the seeds. {text}. "
        f"Rates up to {FIRST_RATES[-1]:g} were tried first: judged by them alone, the claim "
        f"{'holds at some rate' if _holds_at_first(result) else 'is refuted at every rate'}. "
        f"With {LONG} steps, plain attention answers {_mean(result, 'plain, longer')}, and "
        f"normalised attention {_mean(result, 'normalised, longer')}. At rates between the others, "
        f"plain attention answers {_mean(result, 'plain, rates between')}, and normalised "
        f"attention {_mean(result, 'normalised, rates between')}. Gradients are clipped; without "
        f"clipping, at a rate of 1, normalised attention answers, seed by seed, "
        f"{_each(result, 'normalised, not clipped')}, and with clipping but batches of {SMALL} "
        f"instead of 128, {_each(result, 'normalised, small batches')}."
    )


def _mean(result: Result, name: str) -> str:
    pairs = zip(result[name].x, result[name].mean, strict=True)
    return ", ".join(f"{share:.2f} at {rate:g}" for rate, share in pairs)


def _each(result: Result, name: str) -> str:
    return ", ".join(f"{share:.2f}" for share in result[name].array[:, 0])


def _holds_at_first(result: Result) -> bool:
    first = [rate in FIRST_RATES for rate in result["plain"].x]
    better = learned(result, "normalised") & ~learned(result, "plain")
    return bool(better[:, first].all(axis=0).any())


def figure(result: Result) -> Figure:
    """Return a figure of how many questions are answered at each learning rate."""
    return plot_curves(
        {kind: result[kind] for kind in KINDS},
        accent="normalised",
        chance=1 / recall.NUM_WORDS,
        x_label="learning rate",
        y_label="questions answered right",
        evenly=True,
    )
