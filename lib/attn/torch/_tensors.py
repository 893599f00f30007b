"""What every mechanism does with its tensors before the formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn._arguments import as_array, check_axes, check_boolean, check_pairs
from attn.formulas.namespace import says


def any_tensor(name: str, argument: Any) -> Tensor:
    """Return ``argument`` as a tensor of any type, or raise TypeError where it holds no numbers."""
    if isinstance(argument, Tensor):
        return argument
    array = as_array(name, argument)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} has dtype {array.dtype}; expected numbers")
    # Torch shares neither a reversed array nor one of foreign byte order, and may write to others.
    return torch.as_tensor(np.require(array, array.dtype.newbyteorder("="), ["C", "W"]))


def on_host(argument: Any) -> Any:
    """Return ``argument`` where NumPy can read it."""
    return argument.cpu() if isinstance(argument, Tensor) else argument


def as_tensor(name: str, argument: Any) -> Tensor:
    """Return ``argument`` as floating-point numbers; integers get torch's default type."""
    tensor = any_tensor(name, argument)
    if tensor.is_complex():
        raise TypeError(f"{name} has dtype {tensor.dtype}; expected real numbers")
    return tensor if tensor.is_floating_point() else tensor.to(torch.get_default_dtype())


def as_tensors(axes: int = 2, **arguments: Any) -> tuple[list[Tensor], torch.dtype]:
    """Return the arguments in their common type, and that type."""
    tensors = {name: as_tensor(name, value) for name, value in arguments.items()}
    for name, tensor in tensors.items():
        check_axes(name, tensor, axes)
    common = tensors[next(iter(tensors))].dtype
    for tensor in tensors.values():
        common = torch.promote_types(common, tensor.dtype)
    return [tensor.to(common) for tensor in tensors.values()], common


def compute_type(dtype: torch.dtype) -> torch.dtype:
    """Return the type to compute in: float32 for the 16-bit types, else the type itself."""
    return torch.promote_types(dtype, torch.float32)


def as_mask(
    mask: Any, pairs: tuple[int, ...], device: torch.device, name: str = "mask"
) -> Tensor | None:
    """Return ``mask`` as a boolean tensor for scores of shape ``pairs``; None stays None."""
    if mask is None:
        return None
    tensor = boolean(name, mask, device)
    check_pairs(name, tensor, pairs)
    return tensor


def boolean(name: str, mask: Any, device: torch.device) -> Tensor:
    """Return ``mask`` as a tensor, or raise TypeError unless it is boolean."""
    array = mask if isinstance(mask, Tensor) else as_array(name, mask)
    check_boolean(name, array)
    return any_tensor(name, array).to(device)


def as_bias(bias: Any, pairs: tuple[int, ...], like: Tensor) -> Tensor | None:
    """Return ``bias`` as numbers to add to scores of shape ``pairs``; None stays None."""
    if bias is None:
        return None
    tensor = as_tensor("bias", bias)
    check_pairs("bias", tensor, pairs)
    return tensor.to(like)


def as_sink(sink: Any, pairs: tuple[int, ...], like: Tensor) -> Tensor | None:
    """Return ``sink`` as scores for rows of weights of shape ``pairs``; None stays None."""
    if sink is None:
        return None
    tensor = as_tensor("sink", sink)
    check_pairs("sink", tensor, (*pairs[:-1], 1))
    return tensor.to(like)


def all_finite(*tensors: Tensor) -> bool:
    """Return whether every number is finite; False as well where only their sum overflows."""
    # A sum costs no temporary, and is finite only if each of its terms is.
    return all(says(torch.isfinite(tensor.detach().sum()), False) for tensor in tensors)
