"""Keep what a mask hides from every gradient, also NaN and inf."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from attn.formulas.namespace import is_true


def nan_safe(
    attend: Callable[..., Any],
    of_queries: tuple[Tensor, ...],
    of_keys: tuple[Tensor, ...],
    sees: Callable[[Tensor], Tensor],
) -> tuple[Tensor, ...]:
    """Return ``attend(*of_queries, *of_keys)``, whose gradients nothing hidden can make NaN.

    The derivative of a product is the other factor, and 0 * NaN is NaN. So when a number is not
    finite, gradients flow through a copy in which it is 0. Rows that see it, as ``sees`` says of
    marked keys, get the result of the numbers as they are, without a gradient.
    """
    tensors = of_queries + of_keys
    if all_finite(*tensors):
        return attend(*tensors)
    results = attend(*(torch.where(t.isfinite(), t, 0) for t in tensors))
    with torch.no_grad():
        exact = attend(*tensors)
        odd_query, odd_key = (_odd(*tensors) for tensors in (of_queries, of_keys))
        rows = (odd_query | sees(odd_key))[..., None]
    return tuple(torch.where(rows, e, r) for e, r in zip(exact, results, strict=True))


def per_token(compute: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Return ``compute(x)``; a token that is NaN or inf gives what computes with it no gradient."""
    if all_finite(x):
        return compute(x)
    odd = ~x.isfinite().all(-1, keepdim=True)
    return torch.where(odd, compute(x).detach(), compute(torch.where(odd, 0, x)))


def all_finite(*tensors: Tensor) -> bool:
    """Return whether every number is finite; False as well where only their sum overflows."""
    # A sum costs no temporary, and is finite only if each of its terms is.
    return all(is_true(torch.isfinite(t.detach().sum()), unknown=False) for t in tensors)


def _odd(*tensors: Tensor) -> Tensor:
    """Return which tokens are not finite in one of the tensors."""
    marks = [~tensor.isfinite().all(-1) for tensor in tensors]
    return reduce(torch.logical_or, marks)
