"""What may cross between grader and learner: data, described by JSON, with arrays as raw bytes.

None, booleans, numbers, strings, lists, tuples, dicts, arrays and tensors cross as copies.
Everything else is passed to a function of the caller's: the confined side keeps the object and
sends a handle.

A message may be anything: nothing that turns it back runs code that it names, and every allocation
is bounded by its own length.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from coursekit.grade.limits import Limits
from coursekit.grade.wire import WireError

Tree = Any
_PLAIN = (bool, int, float, str)
_ARRAY_KINDS = "biufcU"
_TENSORS = frozenset(
    {"bool", "uint8", "int8", "int16", "int32", "int64"}
    | {"float16", "float32", "float64", "complex64", "complex128", "bfloat16"}
)
_GROUPS: tuple[tuple[Any, str], ...] = ((tuple, "tuple"), (set, "set"), (frozenset, "set"))
_MOST_BITS = 4096
_MOST_KEYS = 4096


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
        if len(value) > _MOST_KEYS:
            raise CannotCrossError(f"a dictionary holds more than {_MOST_KEYS} keys")
        return [
            [self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in dict.items(value)
        ]

    def _bounds(self, value: range) -> list[int]:
        bounds = [value.start, value.stop, value.step]
        if max(map(abs, bounds)) >> 63 or len(value) > self._limits.items:
            raise CannotCrossError(f"a range holds more than {self._limits.items} values")
        return bounds

    def _array(self, array: np.ndarray[Any, Any], kind: str, value: Any) -> Tree:
        if array.dtype.kind not in _ARRAY_KINDS or array.dtype.fields or array.dtype.hasobject:
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
        if plain.layout != torch.strided or name not in _TENSORS:
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
    if plain.bit_length() > _MOST_BITS:
        raise CannotCrossError(f"an integer has more than {_MOST_BITS} bits")
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


# --- and back -------------------------------------------------------------------------------------


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
        if tree is None or isinstance(tree, _PLAIN):
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
            return int(str(inner)[: _MOST_BITS // 4 + 4], 16)
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
        if name not in _TENSORS:
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
    if dtype.kind not in _ARRAY_KINDS or dtype.fields or dtype.shape or dtype.itemsize == 0:
        raise WireError("an array has an unknown type")
    return dtype


def _size(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise WireError("a size is not a whole number of at least 0")
    return value


def _few(values: list[Any]) -> list[Any]:
    # Keys can be chosen to collide, which makes a large dictionary slow without bound.
    if len(values) > _MOST_KEYS:
        raise WireError(f"a dictionary or set holds more than {_MOST_KEYS} values")
    return values


def _as_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WireError("a list is missing")
    return value
