"""The rooms of a mask in torch; one more where gradients must not meet what it hides."""

from __future__ import annotations

import pytest
import torch
from rooms import rooms

import attn

X = torch.ones(2, 6, 8)
KERNEL = ["attention.py", "torch/fast/fused.py"]
FORMULA = ["attention.py", "masking.py", "formulas/attention.py"]


@pytest.mark.parametrize("return_weights", [False, True])
def test_rooms_of_a_mask(return_weights: bool) -> None:
    mask = attn.causal_mask(6, 6, like=X)
    expected = FORMULA if return_weights else KERNEL

    def call() -> None:
        attn.scaled_dot_product_attention(X, X, X, mask=mask, return_weights=return_weights)

    assert rooms(call) == expected


def test_rooms_of_causal() -> None:
    passed = rooms(lambda: attn.scaled_dot_product_attention(X, X, X, causal=True))
    assert passed == KERNEL  # which hands it to torch
