"""What the modules share: first parameters, and a projection that contains what is not finite."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn.torch._tensors import all_finite


def affine(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return ``x @ weight + bias``; a token that is NaN or inf gives the weight no gradient."""
    projected = per_token(lambda tokens: tokens @ weight, x)
    return projected if bias is None else projected + bias


def per_token(compute: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Return ``compute(x)``; a token that is NaN or inf gives what computes with it no gradient."""
    if not torch.is_grad_enabled() or all_finite(x):
        return compute(x)
    # A hidden token that is NaN must not make the gradient of a weight NaN.
    odd = ~x.isfinite().all(-1, keepdim=True)
    return torch.where(odd, compute(x).detach(), compute(torch.where(odd, 0, x)))


def glorot(rows: int, columns: int, generator: torch.Generator | None = None) -> Tensor:
    """Return a matrix, uniform with mean 0 and variance 2 / (rows + columns)."""
    limit = math.sqrt(6 / (rows + columns))
    return torch.empty(rows, columns).uniform_(-limit, limit, generator=generator)
