"""What may cross between grader and learner: data, described by JSON, with arrays as raw bytes.

None, booleans, numbers, strings, lists, tuples, dicts, arrays and tensors cross as copies.
Everything else is passed to a function of the caller's: the confined side keeps the object and
sends a handle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from coursekit.grade.limits import Limits

Tree = Any
PLAIN = (bool, int, float, str)
ARRAY_KINDS = "biufcU"
TENSORS = frozenset(
    {"bool", "uint8", "int8", "int16", "int32", "int64"}
    | {"float16", "float32", "float64", "complex64", "complex128", "bfloat16"}
)
_GROUPS: tuple[tuple[Any, str], ...] = ((tuple, "tuple"), (set, "set"), (frozenset, "set"))
MOST_BITS = 4096
MOST_KEYS = 4096


class CannotCrossError(TypeError):
    """A value is too large, too deep or of a kind that cannot cross; its author gets the text."""


class Encoder:
    """Turn values into one JSON tree and one payload.

    Parameters
    ----------
    limits : Limits
        Bounds on depth, number of values and bytes.
    other : callable
        Called with an object that is not data; returns the tree that represents it.
    """

    def __init__(self, limits: Limits, other: Callable[[Any], Tree]) -> None:
        self._limits, self._other = limits, other
        self._parts: list[bytes] = []
        self._bytes = self._items = 0

    @property
    def payload(self) -> bytes:
        """The bytes of all arrays so far."""
        return b"".join(self._parts)

    def encode(self, value: Any, depth: int = 0) -> Tree:
        """Return the tree of ``value``; raises `CannotCrossError`."""
        self._items += 1
        if depth > self._limits.depth:
            raise CannotCrossError(f"it is nested deeper than {self._limits.depth} levels")
        if self._items > self._limits.items:
            raise CannotCrossError(f"it holds more than {self._limits.items} values")
        if value is None or type(value) in (bool, str, float):
            return value
        if value is Ellipsis:
            return {"t": "ellipsis"}
        if isinstance(value, np.generic):
            return self._array(np.asarray(value), "scalar", value)
        if isinstance(value, int):
            return _encode_int(value)
        if isinstance(value, float):
            return float.__float__(value)  # its value, whatever a subclass returns
        if isinstance(value, str):
            return str.__str__(value)
        return self._compound(value, depth)

    def _compound(self, value: Any, depth: int) -> Tree:
        if isinstance(value, complex):
            plain = complex.__complex__(value)
            return {"t": "complex", "v": [plain.real, plain.imag]}
        if isinstance(value, np.ndarray):
            return self._array(np.asarray(value), "array", value)
        if isinstance(value, list):
            return [self.encode(v, depth + 1) for v in list.__iter__(value)]
        if isinstance(value, dict):
            return {"t": "dict", "v": self._pairs(value, depth)}
        for kind, name in _GROUPS:
            if isinstance(value, kind):
                return {"t": name, "v": [self.encode(v, depth + 1) for v in kind.__iter__(value)]}
        if isinstance(value, range):
            return {"t": "range", "v": self._bounds(value)}
        if isinstance(value, slice):
            parts = [value.start, value.stop, value.step]
            return {"t": "slice", "v": [self.encode(v, depth + 1) for v in parts]}
        if type(value).__module__ in ("builtins", "itertools") and isinstance(value, Iterator):
            # At most `items` values are taken: an endless generator ends in an error.
            return {"t": "iterator", "v": [self.encode(v, depth + 1) for v in value]}
        if is_tensor(value):
            return self._tensor(value, depth)
        return self._other(value)

    def _pairs(self, value: dict[Any, Any], depth: int) -> list[list[Tree]]:
        if len(value) > MOST_KEYS:
            raise CannotCrossError(f"a dictionary holds more than {MOST_KEYS} keys")
        return [
            [self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in dict.items(value)
        ]

    def _bounds(self, value: range) -> list[int]:
        bounds = [value.start, value.stop, value.step]
        if max(map(abs, bounds)) >> 63 or len(value) > self._limits.items:
            raise CannotCrossError(f"a range holds more than {self._limits.items} values")
        return bounds

    def _array(self, array: np.ndarray[Any, Any], kind: str, value: Any) -> Tree:
        if array.dtype.kind not in ARRAY_KINDS or array.dtype.fields or array.dtype.hasobject:
            return self._other(value)
        tree = {"t": kind, "d": array.dtype.str, "s": list(array.shape)}
        if kind == "array" and not array.flags.writeable:
            tree["ro"] = True
        return {**tree, **self._store(np.ascontiguousarray(array).tobytes(), array.nbytes)}

    def _store(self, data: bytes, size: int) -> dict[str, int]:
        self._bytes += size
        if self._bytes > self._limits.message_bytes:
            limit = self._limits.message_bytes / 1e6
            raise CannotCrossError(f"it is larger than {limit:.0f} MB")
        self._parts.append(data)
        return {"o": self._bytes - size, "n": size}

    def _tensor(self, tensor: Any, depth: int) -> Tree:
        torch = sys.modules["torch"]
        name = str(tensor.dtype).removeprefix("torch.")
        plain = tensor.detach()
        if plain.layout != torch.strided or name not in TENSORS:
            return self._other(tensor)
        plain = plain.cpu().contiguous()
        bits = plain.view(torch.int16) if name == "bfloat16" else plain
        array = bits.numpy()
        tree = {"t": "tensor", "d": name, "s": list(plain.shape), "rg": bool(tensor.requires_grad)}
        tree.update(self._store(array.tobytes(), array.nbytes))
        if tensor.is_leaf and tensor.grad is not None:
            tree["grad"] = self.encode(tensor.grad, depth + 1)
        return tree


def _encode_int(value: int) -> Tree:
    plain = int.__int__(value)
    if plain.bit_length() <= 63:
        return plain
    if plain.bit_length() > MOST_BITS:
        raise CannotCrossError(f"an integer has more than {MOST_BITS} bits")
    return {"t": "int", "v": hex(plain)}


def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a torch tensor; does not import torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the torch tensors in lists, tuples and dicts, depth first."""
    if is_tensor(value):
        yield value
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from tensors_in(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from tensors_in(inner)
