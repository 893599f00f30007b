"""Choose between NumPy and torch by the type of a call's arguments.

Formulas call what both libraries name alike. The rest is a method here, for NumPy, and in
`attn.torch._framework`, which is imported when the first tensor comes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import numpy as np

from attn import fast
from attn._arguments import check_boolean, check_float_type


class Framework:
    """NumPy, and what torch overrides."""

    xp: Any = np
    #: Which fast path serves a call is decided there.
    fast: Any = fast

    def numbers(self, name: str, argument: Any) -> Any:
        """Return ``argument`` as numbers of any type."""
        return np.asarray(argument)

    def floats(self, name: str, argument: Any) -> Any:
        """Return ``argument`` as floating-point numbers; integers get the usual type of these."""
        array = np.asarray(argument)
        kind = array.dtype.kind
        if kind == "f":
            return array
        if kind not in "biu":
            raise TypeError(f"{name} has dtype {array.dtype}; expected real numbers")
        return array.astype(np.float64)

    def boolean(self, name: str, mask: Any, like: Any) -> Any:
        """Return ``mask`` beside ``like``, or raise TypeError unless it is boolean."""
        array = np.asarray(mask)
        check_boolean(name, array)
        return array

    def common_type(self, arrays: list[Any]) -> Any:
        """Return the type that holds the numbers of all arrays."""
        first = arrays[0].dtype
        alike = all(array.dtype is first for array in arrays)
        return first if alike else np.result_type(*arrays)

    def wide_type(self, dtype: Any) -> Any:
        """Return the type to compute in: 16-bit sums overflow at 65504, so float32 for those."""
        return dtype if dtype.itemsize >= 4 else np.dtype(np.float32)

    def cast(self, array: Any, dtype: Any) -> Any:
        """Return the array in another type; itself if it has that."""
        return array if array.dtype is dtype else array.astype(dtype, copy=False)

    def cast_like(self, array: Any, like: Any) -> Any:
        """Return the array in the type, and on the device, of ``like``."""
        with np.errstate(over="ignore"):
            return self.cast(array, like.dtype)

    def place(self, array: Any, like: Any = None, dtype: Any = None) -> Any:
        """Return a NumPy array as numbers of this library, on the device of ``like``."""
        if array.dtype.kind != "f":
            return array
        if dtype is None:
            dtype = array.dtype if like is None or like.dtype.kind != "f" else like.dtype
        return array.astype(check_float_type(dtype), copy=False)

    def host(self, numbers: Any) -> Any:
        """Return numbers for NumPy, without a gradient; anything else as it is."""
        return numbers

    def frozen(self, numbers: Any) -> Any:
        """Return the numbers without a gradient."""
        return numbers

    def on_device(self, array: Any, like: Any) -> Any:
        """Return the array on the device of ``like``."""
        return array

    def expand(self, array: Any, shape: Iterable[int]) -> Any:
        """Return a view of that shape, or raise ValueError."""
        return np.broadcast_to(array, tuple(shape))

    def take(self, array: Any, indices: Any, axis: int) -> Any:
        """Return the entries at ``indices`` along the axis."""
        return np.take_along_axis(array, indices, axis)

    def arange(self, count: int, like: Any = None) -> Any:
        """Return 0, 1, 2, … on the device of ``like``."""
        return np.arange(count)

    def zeros(self, shape: tuple[int, ...], like: Any) -> Any:
        """Return zeros in the type, and on the device, of ``like``."""
        return np.zeros(shape, like.dtype)

    def uniform(self, rng: Any, shape: tuple[int, ...], like: Any) -> Any:
        """Return numbers in [0, 1) that ``rng`` draws, in float64."""
        return np.random.default_rng(rng).random(shape)

    def quiet(self) -> Any:
        """Return a context without warnings: what a mask is about to hide may be NaN or overflow.

        The softmax warns about what stays visible.
        """
        return np.errstate(invalid="ignore", over="ignore")

    def nan_safe(
        self, attend: Callable[..., Any], of_queries: Any, of_keys: Any, visible: Any
    ) -> Any:
        """Return ``attend(*of_queries, *of_keys)``; no gradient meets what is not ``visible``."""
        return attend(*of_queries, *of_keys)

    def per_token(self, compute: Callable[[Any], Any], x: Any) -> Any:
        """Return ``compute(x)``; no gradient meets a token that is NaN or inf."""
        return compute(x)

    def append(self, store: Any, used: int, new: Any) -> tuple[Any, Any]:
        """Return a store of ``used`` tokens with the new ones, and a view of what it then holds."""
        end = used + new.shape[-2]
        if store is None:
            store = new[..., :0, :]
        if store.shape[-2] < end:
            # Doubling: n steps copy each token about once, not n times.
            room = max(end, 2 * store.shape[-2])
            larger = np.empty((*store.shape[:-2], room, store.shape[-1]), dtype=store.dtype)
            larger[..., :used, :] = store[..., :used, :]
            store = larger
        store[..., used:end, :] = new
        view = store[..., :end, :]
        view.flags.writeable = False
        return store, view


NUMPY = Framework()
#: Whole in no text, so that what reads which modules a notebook needs does not take it for one.
_TORCHS = f"{__package__}.torch._framework"


def framework_of(*arguments: Any) -> Framework:
    """Return torch's if an argument is a tensor, else NumPy's."""
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)  # a folder may be called torch
    if tensor is not None:
        for argument in arguments:
            if isinstance(argument, tensor):
                found: Framework = (sys.modules.get(_TORCHS) or import_module(_TORCHS)).TORCH
                return found
    return NUMPY
