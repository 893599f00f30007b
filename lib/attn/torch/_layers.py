"""Share the first parameters of modules."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from attn._types import Array


def glorot(
    rows: int,
    columns: int,
    generator: torch.Generator | None = None,
    device: Any = None,
    dtype: torch.dtype | None = None,
) -> nn.Parameter:
    """Return a matrix, uniform with mean 0 and variance 2 / (rows + columns).

    It is drawn in torch's usual type where the generator is: the same numbers on every device.
    """
    limit = math.sqrt(6 / (rows + columns))
    drawn = torch.empty(rows, columns).uniform_(-limit, limit, generator=generator)
    return nn.Parameter(drawn.to(device=device, dtype=dtype))


def register(
    module: nn.Module,
    name: str,
    like: Array | None,
    generator: torch.Generator | None,
    device: Any,
    dtype: torch.dtype | None,
) -> None:
    """Give a module a parameter as NumPy's layer has it: a matrix drawn anew, a vector as it is."""
    if like is None:
        module.register_parameter(name, None)
    elif like.ndim == 2:
        rows, columns = like.shape
        module.register_parameter(name, glorot(rows, columns, generator, device, dtype))
    else:
        first = torch.empty(like.shape).copy_(torch.from_numpy(like))
        module.register_parameter(name, nn.Parameter(first.to(device=device, dtype=dtype)))


def copied(parameters: Any) -> dict[str, Tensor]:
    """Return parameters by name, arrays or tensors, as tensors without gradients."""
    return {name: torch.as_tensor(array).detach() for name, array in parameters.items()}
