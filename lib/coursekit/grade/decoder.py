"""Turn a message back into values; the message may be anything.

Nothing here runs code that a message names, and every allocation is bounded by the message's own
length.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from coursekit.grade.limits import Limits
from coursekit.grade.values import ARRAY_KINDS, MOST_BITS, MOST_KEYS, PLAIN, TENSORS, Tree
from coursekit.grade.wire import WireError


class Decoder:
    """Turn a tree and its payload back into values.

    Parameters
    ----------
    payload : bytes
        The arrays' bytes.
    limits : Limits
        Bounds on depth and number of values.
    other : callable
        Called with a tree that is not data (a handle, say); raises `WireError` for an unknown
        kind.
    """

    def __init__(self, payload: bytes, limits: Limits, other: Callable[[Tree], Any]) -> None:
        self._payload, self._limits, self._other = payload, limits, other
        self._items = self._copied = 0

    def decode(self, tree: Tree, depth: int = 0) -> Any:
        """Return the value of ``tree``; raises `WireError` for anything malformed."""
        self._items += 1
        if depth > self._limits.depth + 2 or self._items > 2 * self._limits.items:
            raise WireError("a message is nested too deeply or holds too many values")
        if tree is None or isinstance(tree, PLAIN):
            return tree
        if isinstance(tree, list):
            return [self.decode(v, depth + 1) for v in tree]
        if not isinstance(tree, dict) or not isinstance(tree.get("t"), str):
            raise WireError("a message holds a value of an unknown kind")
        try:
            return self._tagged(tree, depth)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise WireError(f"a message holds a malformed {tree['t'][:20]}") from error

    def _tagged(self, tree: dict[str, Any], depth: int) -> Any:
        kind, inner = tree["t"], tree.get("v")
        if kind in ("array", "scalar"):
            array = self._array(tree, _dtype(tree["d"]))
            return array[()] if kind == "scalar" else array
        if kind == "tensor":
            return self._tensor(tree, depth)
        if kind == "dict":
            pairs = _few(_as_list(inner))
            return {self._key(k, depth): self.decode(v, depth + 1) for k, v in pairs}
        if kind in ("tuple", "set", "slice", "iterator"):
            trees = _as_list(inner) if kind != "set" else _few(_as_list(inner))
            return _CONTAINERS[kind]([self.decode(v, depth + 1) for v in trees])
        if kind == "complex":
            real, imag = _as_list(inner)
            return complex(float(real), float(imag))
        if kind == "int":
            return int(str(inner)[: MOST_BITS // 4 + 4], 16)
        if kind == "range":
            return self._range(*(int(v) for v in _as_list(inner)))
        if kind == "ellipsis":
            return ...
        return self._other(tree)

    def _range(self, *bounds: int) -> range:
        values = range(*bounds)
        if len(values) > self._limits.items:  # a check may turn it into a list
            raise WireError("a range holds too many values")
        return values

    def _key(self, tree: Tree, depth: int) -> Any:
        key = self.decode(tree, depth + 1)
        hash(key)
        return key

    def _array(self, tree: dict[str, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        shape = tuple(_size(n) for n in _as_list(tree["s"]))
        start, size = _size(tree["o"]), _size(tree["n"])
        # A zero in the shape must not let the other axes be astronomic.
        if len(shape) > 32 or math.prod(max(n, 1) for n in shape) > 1 << 40:
            raise WireError("an array has an impossible shape")
        if math.prod(shape) * dtype.itemsize != size or start + size > len(self._payload):
            raise WireError("an array's shape does not fit its bytes")
        self._copied += size
        if self._copied > len(self._payload):  # a short message could be copied again and again
            raise WireError("its arrays overlap")
        array = np.frombuffer(self._payload[start : start + size], dtype=dtype).reshape(shape)
        if tree.get("ro") is True:
            return array
        return array.copy()

    def _tensor(self, tree: dict[str, Any], depth: int) -> Any:
        name = tree["d"]
        if name not in TENSORS:
            raise WireError("a tensor has an unknown type")
        import torch

        array = self._array(
            {**tree, "ro": False}, np.dtype("int16" if name == "bfloat16" else name)
        )
        tensor = torch.from_numpy(array)
        if name == "bfloat16":
            tensor = tensor.view(torch.bfloat16)
        if tree.get("rg") is True and (tensor.is_floating_point() or tensor.is_complex()):
            tensor.requires_grad_(True)
            if tree.get("grad") is not None:
                tensor.grad = self.decode(tree["grad"], depth + 1)
        return tensor


_CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "set": set,
    "slice": lambda parts: slice(*parts),
    "iterator": iter,
}


def _dtype(text: Any) -> np.dtype[Any]:
    if not isinstance(text, str) or len(text) > 12:
        raise WireError("an array has an unknown type")
    dtype = np.dtype(text)
    if dtype.kind not in ARRAY_KINDS or dtype.fields or dtype.shape or dtype.itemsize == 0:
        raise WireError("an array has an unknown type")
    return dtype


def _size(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise WireError("a size is not a whole number of at least 0")
    return value


def _few(values: list[Any]) -> list[Any]:
    # Keys can be chosen to collide, which makes a large dictionary slow without bound.
    if len(values) > MOST_KEYS:
        raise WireError(f"a dictionary or set holds more than {MOST_KEYS} values")
    return values


def _as_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WireError("a list is missing")
    return value
