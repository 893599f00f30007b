"""What every mechanism does with its tensors before the formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn._arrays import check_axes


def any_tensor(name: str, given: Any) -> Tensor:
    """Return ``given`` as a tensor of any type, or raise TypeError where it holds no numbers."""
    if isinstance(given, Tensor):
        return given
    array = np.asarray(given)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} has dtype {array.dtype}; expected numbers")
    return torch.as_tensor(array)


def as_tensor(name: str, given: Any) -> Tensor:
    """Return ``given`` as a floating-point tensor; integers and booleans get the default type."""
    tensor = any_tensor(name, given)
    if tensor.is_complex():
        raise TypeError(f"{name} has dtype {tensor.dtype}; expected real numbers")
    return tensor if tensor.is_floating_point() else tensor.to(torch.get_default_dtype())


def as_tensors(axes: int = 2, **given: Any) -> tuple[list[Tensor], torch.dtype]:
    """Return the arguments in their common type, and that type."""
    tensors = {name: as_tensor(name, value) for name, value in given.items()}
    for name, tensor in tensors.items():
        check_axes(name, tensor, axes)
    common = tensors[next(iter(tensors))].dtype
    for tensor in tensors.values():
        common = torch.promote_types(common, tensor.dtype)
    return [tensor.to(common) for tensor in tensors.values()], common


def compute_type(dtype: torch.dtype) -> torch.dtype:
    """Return the type to compute in: float32 for the 16-bit types, else the type itself."""
    return torch.promote_types(dtype, torch.float32)


def as_mask(given: Any, device: torch.device, name: str = "mask") -> Tensor:
    """Return ``given`` as a boolean tensor, or raise TypeError."""
    mask = given if isinstance(given, Tensor) else np.asarray(given)
    if mask.dtype not in (torch.bool, np.bool_):
        raise TypeError(
            f"{name} has dtype {mask.dtype}; expected bool, True where a query may attend "
            "(numbers to add to the scores go in bias)"
        )
    return torch.as_tensor(mask, device=device)


def all_finite(*tensors: Tensor) -> bool:
    """Return whether every number is finite; may say False when only their sum overflows."""
    # A sum costs no temporary, and is finite only if each of its terms is.
    return all(bool(torch.isfinite(tensor.detach().sum())) for tensor in tensors)
