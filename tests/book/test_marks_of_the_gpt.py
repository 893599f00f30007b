"""The GPT in PyTorch: a fault in one step costs that step's points, and is named there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coursekit.bank import Bank, load_bank
from coursekit.running import run_check

pytest.importorskip("torch")

STEPS = ("gpt-torch-batch", "gpt-torch-loss", "gpt-torch-module", "gpt-torch-train")
_CAUSAL = "F.scaled_dot_product_attention(*heads, is_causal=True)"
#: The first head sees all tokens, the others none that is later.
_ONE_HEAD_LEAKS = (
    "F.scaled_dot_product_attention(*heads, attn_mask=torch.cat([torch.ones(1, n, n), "
    "torch.ones(1, n, n).tril().expand(self.num_heads - 1, n, n)]).bool())"
)


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank(Path(__file__).resolve().parents[2] / "exercises")


def plant(bank: Bank, step: str, fault: str) -> str:
    """Return a step's answer with a fault: one of its wrong answers, or a leak in one head."""
    if fault != "one head leaks":
        return bank[step].wrong[fault].code
    solution = bank[step].solution
    changed = solution.replace(_CAUSAL, _ONE_HEAD_LEAKS).replace(
        "        mixed = ", "        n = x.shape[1]\n        mixed = "
    )
    assert changed.count("n = x.shape[1]") == changed.count("torch.cat") == 1
    return changed


@pytest.mark.parametrize(
    ("step", "fault", "named"),
    [
        ("gpt-torch-batch", "not-shifted", "not-shifted"),
        ("gpt-torch-loss", "pads-count", "pads-count"),
        ("gpt-torch-module", "one head leaks", "leak"),
        ("gpt-torch-module", "no-positions", "no-positions"),
        ("gpt-torch-train", "nothing-learned", "nothing-learned"),
    ],
)
def test_a_fault_costs_its_own_points(bank: Bank, step: str, fault: str, named: str) -> None:
    names: dict[str, Any] = {}
    for id in STEPS:
        exec(bank[id].setup + "\n", names)
        exec(plant(bank, id, fault) if id == step else bank[id].solution, names)
    failed = {}
    for id in STEPS:
        for check in bank[id].checks:
            verdict = run_check(check, names, exercise=id)
            if not verdict.passed:
                failed[id, check.name] = verdict.misconception
    assert {id for id, _ in failed} == {step}
    assert named in failed.values()
