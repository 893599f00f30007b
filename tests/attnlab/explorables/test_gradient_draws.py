"""A gradient from draws: Python, TypeScript and the exercise that is graded with it agree."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attn
from attnlab.explorables import GradientDraws

HERE = Path(__file__).parent
EXERCISE = HERE.parents[2] / "exercises" / "soft-and-hard" / "fewest-draws.py"


def drawn(draws: int, seed: int, **state: Any) -> dict[str, Any]:
    shown = GradientDraws(num_draws=draws, seed=seed, **state)
    chosen = shown.chosen()
    return {
        "of": {"losses": shown.losses, "score": shown.score},
        "baseline": shown.baseline,
        "seed": seed,
        "draws": draws,
        "weights": shown.weights().tolist(),
        "exact": shown.exact().tolist(),
        "deviations": shown.deviations().tolist(),
        "of_one": GradientDraws(**state, num_draws=1).standard_error(),
        "counts": np.bincount(chosen, minlength=len(shown.losses)).tolist(),
        "last": int(chosen[-1]),
        "estimate": shown.estimate().tolist(),
        "error": shown.error(),
    }


def test_typescript_equals_numpy(in_node: Any) -> None:
    cases = [
        drawn(1, 0),
        drawn(10, 1, baseline=15 / 16),
        drawn(2_000, 2, score=3.0, baseline=0.8125),
        drawn(300, 2**31 - 1, losses=[1.0, 0.2, 3.0, 0.0, 0.7], baseline=1.25, score=0.5),
        drawn(30_000, 7, score=5.0),
    ]
    in_node("gradient_draws.test.ts", cases, 3)


def test_the_draws_have_the_weights_and_the_error_that_is_expected() -> None:
    runs = [GradientDraws(num_draws=400, score=2, baseline=0.5, seed=seed) for seed in range(200)]
    chosen = np.concatenate([run.chosen() for run in runs])
    share = np.bincount(chosen, minlength=16) / len(chosen)
    spread = np.sqrt(runs[0].weights() / len(chosen))
    assert (np.abs(share - runs[0].weights()) < 4 * spread).all()
    # The root of the mean square over many seeds is the standard error, by enumeration.
    seen = np.sqrt(np.mean([run.error() ** 2 for run in runs]))
    assert seen == pytest.approx(runs[0].standard_error(), rel=0.1)
    whole = np.linalg.norm(runs[0].deviations()) / np.linalg.norm(runs[0].exact())
    assert runs[0].standard_error() == pytest.approx(whole / 20)


def test_gradient_is_that_of_soft_attention() -> None:
    shown = GradientDraws(losses=[1.0, 0.2, 3.0, 0.0, 0.7], score=1.5)
    scores, step = np.array([0, 0, 0, 1.5, 0]), 1e-6
    slopes = [
        (attn.softmax(scores + step * e) - attn.softmax(scores - step * e)) @ shown.losses
        for e in np.eye(5)
    ]
    np.testing.assert_allclose(shown.exact(), np.array(slopes) / (2 * step), atol=1e-8)


def test_the_exercise_grades_what_the_figure_shows() -> None:
    of_one = runpy.run_path(str(EXERCISE))["_error_of_one_draw"]
    for baseline in (0.0, 0.4275, 0.8125, 1.5):
        shown = GradientDraws(score=3, baseline=baseline, num_draws=50)
        assert of_one(baseline) / np.sqrt(50) == pytest.approx(shown.standard_error())
