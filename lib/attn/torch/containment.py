"""What a mask hides reaches no gradient, also when it is NaN or inf."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from attn.torch._tensors import all_finite


def contain(
    attend: Callable[..., Any],
    of_queries: tuple[Tensor, ...],
    of_keys: tuple[Tensor, ...],
    visible: Tensor | None,
) -> tuple[Tensor, ...]:
    """Return ``attend(*of_queries, *of_keys)``, whose gradients nothing hidden can make NaN."""
    if visible is None:
        return attend(*of_queries, *of_keys)

    def sees(odd: Tensor) -> Tensor:
        return (odd[..., None, :] & visible).any(-1)  # (..., num_queries)

    return contain_rows(attend, of_queries, of_keys, sees)


def contain_rows(
    attend: Callable[..., Any],
    of_queries: tuple[Tensor, ...],
    of_keys: tuple[Tensor, ...],
    sees: Callable[[Tensor], Tensor],
) -> tuple[Tensor, ...]:
    """Return ``attend(*of_queries, *of_keys)``; ``sees`` says which rows see one of some keys.

    The derivative of a product is the other factor, and 0 * NaN is NaN. So when a number is not
    finite, gradients flow through a copy in which it is 0. Rows that see it get the result of the
    numbers as they are, without a gradient.
    """
    tensors = of_queries + of_keys
    if not torch.is_grad_enabled() or all_finite(*tensors):
        return attend(*tensors)
    results = attend(*(torch.where(t.isfinite(), t, 0) for t in tensors))
    with torch.no_grad():
        exact = attend(*tensors)
        odd_query, odd_key = (_odd(*tensors) for tensors in (of_queries, of_keys))
        rows = (odd_query | sees(odd_key))[..., None]
    return tuple(torch.where(rows, e, r) for e, r in zip(exact, results, strict=True))


def _odd(*tensors: Tensor) -> Tensor:
    """Return which tokens are not finite in one of the tensors."""
    marks = [~tensor.isfinite().all(-1) for tensor in tensors]
    return reduce(torch.logical_or, marks)
