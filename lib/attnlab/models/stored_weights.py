"""Store and load weights of trained models, as numbers of 16 bits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import nn

FOLDER = Path(__file__).parent / "trained"


def save(model: nn.Module, name: str, seed: int, folder: Path = FOLDER) -> Path:
    """Write a model's weights as ``folder/<name>-<seed>.npz`` and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{seed}.npz"
    state = {key: value.numpy().astype(np.float16) for key, value in model.state_dict().items()}
    np.savez_compressed(path, **state)
    return path


def count(name: str, seed: int = 0) -> int:
    """Return how many parameters the stored weights of a model are."""
    with np.load(FOLDER / f"{name}-{seed}.npz") as stored:
        return sum(stored[key].size for key in stored.files)


def load_weights(model: nn.Module, name: str, seed: int = 0, folder: Path = FOLDER) -> None:
    """Give a model its stored weights.

    Raises
    ------
    FileNotFoundError
        If there are no such weights; the message says which command makes them.
    """
    import torch

    path = folder / f"{name}-{seed}.npz"
    if not path.is_file():
        raise FileNotFoundError(
            f"no weights at {path}; make them: python -m attnlab.models.checkpoints"
        )
    with np.load(path) as stored:
        state = {key: torch.from_numpy(stored[key].astype(np.float32)) for key in stored.files}
    model.load_state_dict(state)
