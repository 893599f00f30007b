"""A gradient from draws: Python, TypeScript and the exercise that is graded with it agree."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
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


def test_typescript_equals_numpy(node: str, tmp_path: Path) -> None:
    cases = [
        drawn(1, 0),
        drawn(10, 1, baseline=15 / 16),
        drawn(2_000, 2, score=3.0, baseline=0.8125),
        drawn(300, 2**31 - 1, losses=[1.0, 0.2, 3.0, 0.0, 0.7], baseline=1.25, score=0.5),
        drawn(30_000, 7, score=5.0),
    ]
    path = tmp_path / "fixtures.json"
    path.write_text(json.dumps(cases))
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", str(HERE / "gradient_draws.test.ts")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"FIXTURES": str(path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Three tests in the file: none may vanish unseen.
    assert "# pass 3" in done.stdout


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


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"num_draws": 0}, "num_draws is 0; expected 1 to 30,000"),
        ({"num_draws": 30_001}, "num_draws is 30001; expected 1 to 30,000"),
        ({"score": 6}, "score is 6; expected a number from 0.0 to 5.0"),
        ({"baseline": -1}, "baseline is -1; expected a number from 0.0 to 1.5"),
        ({"seed": 2**31}, r"seed is 2147483648; expected less than 2 \*\* 31"),
        ({"losses": [1, 1]}, "all losses are equal, so the gradient is 0"),
    ],
)
def test_bad_input_gets_one_line(state: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        GradientDraws(**state)
    assert "\n" not in str(caught.value)
