"""Arrays in one file, in the format of safetensors: a line of JSON, then the numbers.

The package of that name reads these files as well. It is not used here because it does not run
where these files are read most often, in a page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "I8": np.dtype("i1"),
    "I64": np.dtype("<i8"),
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def dumps(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return a file of arrays of float32, int8 or int64, wide numbers first so that all align.

    Examples
    --------
    >>> loads(dumps({"a": np.array([[1, 2]], dtype=np.int8)}))["a"].shape
    (1, 2)
    """
    header, parts, at = {}, [], 0
    for name in sorted(arrays, key=lambda name: (-arrays[name].itemsize, name)):
        array = arrays[name]
        content = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + len(content)],
        }
        parts.append(content)
        at += len(content)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def loads(content: bytes | memoryview) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name; they share its memory.

    Raises
    ------
    ValueError
        If it is not such a file, or ends early.
    """
    view = memoryview(content)
    size = int.from_bytes(view[:8], "little")
    if len(view) < 8 or size > len(view) - 8:
        raise ValueError(f"{len(view)} bytes are not a file of arrays, or not all of one")
    header = json.loads(bytes(view[8 : 8 + size]))
    body = view[8 + size :]
    return {
        name: _array(name, about, body) for name, about in header.items() if name != "__metadata__"
    }


def _array(name: str, about: Mapping[str, Any], body: memoryview) -> NDArray[Any]:
    start, end = about["data_offsets"]
    if end > len(body):
        raise ValueError(f"the file ends before {name}: {len(body)} bytes, expected {end}")
    kind: np.dtype[Any] = _TYPES[about["dtype"]]
    return np.frombuffer(body[start:end], dtype=kind).reshape(about["shape"])
