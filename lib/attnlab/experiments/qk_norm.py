"""Do normalised queries and keys keep training from failing at high learning rates?"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, Claim, Trial, each_seed
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
    source="Dehghani et al. (2023), section 2, of large models: without normalisation scores grow "
    "until the softmax saturates and training fails.",
    refuted_by="At a given rate: a seed in which plain attention learns as well, or in which "
    "normalised attention does not.",
    seconds=105,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.003,
        "steps": 600,
        "width": 32,
        "pairs": 8,
        "heads": 2,
    },
)
#: Tried first; those above were added when they had not settled it.
FIRST_RATES = (0.003, 0.01, 0.03, 0.1, 0.3)
RATES = (*FIRST_RATES, 1.0, 3.0, 10.0)
#: Trained for longer at the rate at which the claim holds.
HIGH_RATES, LONG = (1.0,), 1800
PAIRS = 8
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "normalised": {"qk_norm": True},
    "soft cap of 10": {"soft_cap": 10.0},
}

log = logging.getLogger(__name__)


def train(kind: str, rate: float, seed: int = 0, steps: int = 600) -> Lookup:
    """Return one of ``KINDS``, trained at a learning rate that rises to ``rate`` and falls."""
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.lookups import Lookup

    def loss(model: Lookup, questions: recall.Questions) -> Tensor:
        return cross_entropy(model(*questions[:3]), questions.answer)

    batches = training.batches(seed, steps, lambda rng: recall.draw(rng, 128, PAIRS))
    with training.one_thread(seed):
        model = Lookup(recall.NUM_WORDS, **KINDS[kind])
        training.fit(model, batches, loss, learning_rate=rate, decay_steps=steps)
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


def longer(kind: str, seeds: Sequence[int], steps: int = LONG) -> Curve:
    """Train one of ``KINDS`` for more steps at a high rate; return what it answers."""
    answers = [
        [round(recall.accuracy(train(kind, rate, seed, steps), PAIRS), 3) for rate in HIGH_RATES]
        for seed in seeds
    ]
    return Curve(HIGH_RATES, answers)


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
        answers = [[round(recall.accuracy(model, PAIRS), 3) for model in row] for row in models]
        curves[kind] = Curve(rates, answers)
        scores = [[largest_score(model) for model in row] for row in models]
        curves[f"{kind}: largest score"] = Curve(rates, scores)
    for kind in ("plain", "normalised"):
        curves[f"{kind}, longer"] = longer(kind, seeds, 90 if quick else LONG)
    settings = {"steps": steps, "pairs": PAIRS, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def learned(result: Result, kind: str) -> NDArray[np.bool_]:
    """Return at which rates a kind has learned its task, (num_seeds, num_rates)."""
    return np.asarray(result[kind].array >= LEARNED)


def trials(result: Result) -> list[Trial]:
    """Compare both kinds at each rate; where no model of either learns, nothing is tested."""
    made = []
    for suffix, steps in {"": {}, ", longer": {"steps": LONG}}.items():
        plain, normalised = (learned(result, kind + suffix) for kind in ("plain", "normalised"))
        for at, rate in enumerate(result[f"plain{suffix}"].x):
            made += each_seed(
                normalised[:, at] & ~plain[:, at],
                learned=(normalised | plain)[:, at].any(),
                at={"learning rate": rate, **steps},
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
        f"Rates up to {FIRST_RATES[-1]:g} were tried first: by them alone the claim "
        f"{'holds at some rate' if _holds_at_first(result) else 'is refuted at every rate'}. "
        f"With {LONG} steps plain attention answers {_at_high_rates(result, 'plain')}, normalised "
        f"{_at_high_rates(result, 'normalised')}."
    )


def _at_high_rates(result: Result, kind: str) -> str:
    curve = result[f"{kind}, longer"]
    pairs = zip(curve.x, curve.mean, strict=True)
    return ", ".join(f"{share:.2f} at {rate:g}" for rate, share in pairs)


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
