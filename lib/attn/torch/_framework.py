"""Do in torch what NumPy does otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import reduce
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn._arguments import check_boolean
from attn._framework import Framework
from attn.torch import fast
from attn.torch.nan_safe import nan_safe, per_token


class TorchFramework(Framework):
    """Torch: tensors keep their device and their gradients."""

    xp = torch
    fast = fast

    def numbers(self, name: str, argument: Any) -> Tensor:
        """Return ``argument`` as a tensor of any type, or raise TypeError."""
        if isinstance(argument, Tensor):
            return argument
        if isinstance(argument, float):
            return torch.tensor(argument, dtype=torch.float64)
        array = np.asarray(argument)
        if array.dtype.kind not in "biufc":
            raise TypeError(f"{name} has dtype {array.dtype}; expected numbers")
        return torch.as_tensor(array)

    def floats(self, name: str, argument: Any) -> Tensor:
        """Return ``argument`` as floating-point numbers; integers get torch's default type."""
        tensor = self.numbers(name, argument)
        if tensor.is_complex():
            raise TypeError(f"{name} has dtype {tensor.dtype}; expected real numbers")
        return tensor if tensor.is_floating_point() else tensor.to(torch.get_default_dtype())

    def boolean(self, name: str, mask: Any, like: Tensor) -> Tensor:
        """Return ``mask`` on the device of ``like``, or raise TypeError unless it is boolean."""
        array = mask if isinstance(mask, Tensor) else np.asarray(mask)
        check_boolean(name, array)
        return torch.as_tensor(array, device=like.device)

    def common_type(self, arrays: list[Tensor]) -> torch.dtype:
        """Return the type that holds the numbers of all tensors."""
        return reduce(torch.promote_types, (tensor.dtype for tensor in arrays))

    def wide_type(self, dtype: torch.dtype) -> torch.dtype:
        """Return the type to compute in: float32 for the 16-bit types, else the type itself."""
        return torch.promote_types(dtype, torch.float32)

    def cast(self, array: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the tensor in another type."""
        return array.to(dtype)

    def cast_like(self, array: Tensor, like: Tensor) -> Tensor:
        """Return the tensor in the type and on the device of ``like``."""
        return array.to(like)

    def place(self, array: Any, like: Any = None, dtype: Any = None) -> Tensor:
        """Return a NumPy array as a tensor on the device of ``like``, numbers in its type."""
        tensor = torch.from_numpy(array).to(like.device)
        if tensor.is_floating_point() and (dtype is not None or like.is_floating_point()):
            return tensor.to(like.dtype if dtype is None else dtype)
        return tensor

    def host(self, numbers: Any) -> Any:
        """Return numbers for NumPy, without a gradient; anything else as it is."""
        if not isinstance(numbers, Tensor):
            return numbers
        # NumPy has no bfloat16.
        floating = numbers.is_floating_point()
        dtype = self.wide_type(numbers.dtype) if floating else numbers.dtype
        return numbers.detach().to(device="cpu", dtype=dtype).numpy()

    def frozen(self, numbers: Tensor) -> Tensor:
        """Return the numbers without a gradient."""
        return numbers.detach()

    def on_device(self, array: Tensor, like: Tensor) -> Tensor:
        """Return the tensor on the device of ``like``."""
        return array.to(like.device)

    def expand(self, array: Tensor, shape: Iterable[int]) -> Tensor:
        """Return a view of that shape, or raise ValueError."""
        try:
            return array.expand(*shape)
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    def take(self, array: Tensor, indices: Tensor, axis: int) -> Tensor:
        """Return the entries at ``indices`` along the axis."""
        return torch.take_along_dim(array, indices, axis)

    def arange(self, count: int, like: Any = None) -> Tensor:
        """Return 0, 1, 2, … on the device of ``like``."""
        return torch.arange(count, device=like.device)

    def zeros(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """Return zeros in the type and on the device of ``like``."""
        return like.new_zeros(shape)

    def uniform(self, rng: Any, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """Return numbers in [0, 1); None is torch's global generator, an int seeds a new one."""
        if isinstance(rng, np.random.Generator):
            return torch.from_numpy(rng.random(shape)).to(like.device)
        if rng is not None and not isinstance(rng, torch.Generator):
            rng = torch.Generator(like.device).manual_seed(int(rng))
        return torch.rand(shape, generator=rng, dtype=torch.float64, device=like.device)

    def quiet(self) -> Any:
        """Return a context: torch warns of nothing."""
        return nullcontext()

    def nan_safe(
        self, attend: Callable[..., Any], of_queries: Any, of_keys: Any, visible: Tensor | None
    ) -> Any:
        """Return ``attend(*of_queries, *of_keys)``; no gradient meets what is not ``visible``."""
        if visible is None:
            return attend(*of_queries, *of_keys)

        def sees(odd: Tensor) -> Tensor:
            return (odd[..., None, :] & visible).any(-1)  # (..., num_queries)

        return nan_safe(attend, of_queries, of_keys, sees)

    def per_token(self, compute: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        """Return ``compute(x)``; no gradient meets a token that is NaN or inf."""
        return per_token(compute, x)

    def append(self, store: Tensor | None, used: int, new: Tensor) -> tuple[Tensor, Tensor]:
        """Return all tokens so far, twice: joined anew, so that gradients reach every step."""
        joined = new if store is None else torch.cat([store, new], dim=-2)
        return joined, joined


TORCH = TorchFramework()
