"""The GPT in PyTorch: a fault in one step costs that step's points, and is named there."""

from __future__ import annotations

from typing import Any

import pytest

from coursekit.bank.load import Bank
from coursekit.bank.mistakes import verdict_on, wrong_answers
from tests.course import BANK

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
    return BANK


def plant(bank: Bank, step: str, fault: str) -> str:
    """Return a step's answer with a fault: one of its mistakes, of leaks the one in one head."""
    if fault != "leak":
        return wrong_answers(bank[step])[fault].code
    solution = bank[step].solution
    changed = solution.replace(_CAUSAL, _ONE_HEAD_LEAKS).replace(
        "        mixed = ", "        n = x.shape[1]\n        mixed = "
    )
    assert changed.count("n = x.shape[1]") == changed.count("torch.cat") == 1
    return changed


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("gpt-torch-batch", "not-shifted"),
        ("gpt-torch-loss", "pads-count"),
        ("gpt-torch-module", "leak"),
        ("gpt-torch-module", "no-positions"),
        ("gpt-torch-train", "nothing-learned"),
    ],
)
def test_a_fault_costs_its_own_points(bank: Bank, step: str, fault: str) -> None:
    names: dict[str, Any] = {}
    for id in STEPS:
        exec(bank[id].setup + "\n", names)
        exec(plant(bank, id, fault) if id == step else bank[id].solution, names)
    failed = {}
    for id in STEPS:
        for check in bank[id].checks:
            verdict = verdict_on(bank[id], check, names)
            if not verdict.passed:
                failed[id, check.name] = verdict.misconception
    assert {id for id, _ in failed} == {step}
    assert fault in failed.values()
