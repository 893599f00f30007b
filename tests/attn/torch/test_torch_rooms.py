"""The rooms of a mask in torch; one more where gradients must not meet what it hides."""

from __future__ import annotations

import pytest
import torch
from rooms import rooms

import attn.torch as attn_torch

X = torch.ones(2, 6, 8)
KERNEL = ["torch/attention.py", "torch/fused.py", "masking.py"]
FORMULA = ["torch/attention.py", "masking.py", "torch/containment.py", "formulas/attention.py"]


@pytest.mark.parametrize("return_weights", [False, True])
def test_rooms_of_a_mask(return_weights: bool) -> None:
    mask = attn_torch.causal_mask(6, 6)
    expected = FORMULA if return_weights else KERNEL

    def call() -> None:
        attn_torch.scaled_dot_product_attention(X, X, X, mask=mask, return_weights=return_weights)

    assert rooms(call) == expected


def test_rooms_of_is_causal() -> None:
    passed = rooms(lambda: attn_torch.scaled_dot_product_attention(X, X, X, is_causal=True))
    assert passed == KERNEL[:2]  # which hands it to torch
