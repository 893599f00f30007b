"""What the chapter on exact, cheaper attention says in its text is what was measured or follows."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attn import causal_mask
from attnlab import speed

CHAPTER = Path(__file__).resolve().parents[2] / "book" / "fast-exact.md"
DENSE = speed.seconds("dense")
#: A quote of the chapter with its number left out, and how the number is computed.
SAID: dict[str, Callable[[], float]] = {
    "at 8192 tokens: {:.2f} of the time of full attention": lambda: (
        DENSE["blockwise, causal"][8192] / DENSE["blockwise"][8192]
    ),
    "fast path took {:.2f} of the time of the careful one at 8192 tokens": lambda: (
        DENSE["blockwise"][8192] / DENSE["blockwise, running maximum"][8192]
    ),
    "running maximum, takes {:.2f} of the kernel's time at 8192 tokens": lambda: speed.ratios(
        "dense", "torch SDPA"
    )["blockwise, running maximum"][8192],
    "level with the kernel: {:.2f} of its time": lambda: speed.ratios("dense", "torch SDPA")[
        "blockwise"
    ][8192],
    "with {:.2f} of its extra memory": lambda: (
        speed.memory()["blockwise"] / speed.memory()["torch SDPA"]
    ),
    "on the same machine, the ratios are {:.2f} and": lambda: speed.ratios(
        "dense", "torch SDPA", pinned=False
    )["blockwise, running maximum"][8192],
    "and {:.2f}. None of these numbers is wrong": lambda: speed.ratios(
        "dense", "torch SDPA", pinned=False
    )["blockwise"][8192],
    "by $e^{{-2}} = {:.3f}$": lambda: math.exp(-2),
}


def text() -> str:
    return " ".join(CHAPTER.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("quote", SAID, ids=lambda quote: quote[:40])
def test_number_in_the_prose(quote: str) -> None:
    assert quote.format(SAID[quote]()) in text()


def test_what_the_prose_says_in_words() -> None:
    assert "are about three times as slow as PyTorch's fused kernel at 2048 tokens" in text()
    ratios = speed.ratios("dense", "torch SDPA")
    for peer in ("NumPy, as the formula reads", "torch, as the formula reads"):
        assert 2.5 < ratios[peer][2048] < 3.5
    assert "$e^{40}$, about $2 \\cdot 10^{17}$" in text()
    assert round(math.exp(40) / 1e17) == 2
    assert causal_mask(8, 8).sum() == 36
    assert np.finfo(np.float32).max > 1e20 * math.exp(40)


def test_the_environment_of_the_ratios_is_the_one_described() -> None:
    # The prose is about a machine on which the variable is set, and slows NumPy down.
    assert speed.environment()["OPENBLAS_CORETYPE"] == "Haswell"
    pinned, free = (
        speed.ratios("dense", "torch SDPA", pinned=p)["blockwise"][8192] for p in (True, False)
    )
    assert free < pinned
