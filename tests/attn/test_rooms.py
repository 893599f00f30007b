"""A mask passes at most three rooms from the public function to where it acts."""

from __future__ import annotations

import numpy as np
import pytest
from rooms import rooms

import attn

SMALL, LARGE = np.ones((2, 6, 8)), np.ones((2, 200, 8))
CASES = {
    "formula": (SMALL, {}, ["attention.py", "masking.py", "formulas/attention.py"]),
    "weights": (
        SMALL,
        {"return_weights": True},
        ["attention.py", "masking.py", "formulas/attention.py"],
    ),
    "blocks": (LARGE, {}, ["attention.py", "fast/__init__.py", "fast/blocks.py"]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("hiding", ["mask", "causal"])
def test_rooms_of_a_mask(name: str, hiding: str) -> None:
    x, options, expected = CASES[name]
    tokens = x.shape[-2]
    hidden = {"mask": attn.causal_mask(tokens, tokens)} if hiding == "mask" else {"causal": True}
    passed = rooms(lambda: attn.scaled_dot_product_attention(x, x, x, **options, **hidden))
    assert passed == expected
