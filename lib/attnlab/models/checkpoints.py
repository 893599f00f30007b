"""Weights of trained models that ship with the package, and the command that makes them.

``python -m attnlab.models.checkpoints`` trains the two translators with attention, in French with
three seeds, those of `encoder_decoder` and `text_models` with one, and stores them as numbers of
16 bits: about 1.1 MB.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor, nn

FOLDER = Path(__file__).parent / "trained"
NAMES = ("attention", "Transformer")
SEEDS = (0, 1, 2)


def save(model: nn.Module, name: str, seed: int, folder: Path = FOLDER) -> Path:
    """Write a model's weights as ``folder/<name>-<seed>.npz`` and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(' ', '-')}-{seed}.npz"
    state = {key: value.numpy().astype(np.float16) for key, value in model.state_dict().items()}
    np.savez_compressed(path, **state)
    return path


def translator(name: str, seed: int = 0, folder: Path = FOLDER) -> nn.Module:
    """Return a trained French translator: "attention" or "Transformer".

    Raises
    ------
    FileNotFoundError
        If there are no such weights; the message says which command makes them.
    """
    from attnlab.data.grammar import Grammar
    from attnlab.models import translation

    model = translation.build(name, Grammar("french"))
    model.load_state_dict(read(name, seed, folder))
    return model


def read(name: str, seed: int = 0, folder: Path = FOLDER) -> dict[str, Tensor]:
    """Return the stored weights of a model, or raise FileNotFoundError as `translator` does."""
    import torch

    path = folder / f"{name.replace(' ', '-')}-{seed}.npz"
    if not path.is_file():
        raise FileNotFoundError(
            f"no weights at {path}; make them: python -m attnlab.models.checkpoints"
        )
    with np.load(path) as stored:
        return {key: torch.from_numpy(stored[key].astype(np.float32)) for key in stored.files}


def make(folder: Path = FOLDER, steps: int | None = None) -> list[Path]:
    """Train every model that ships, in full when ``steps`` is not given, and store it."""
    from attnlab.models import encoder_decoder, text_models, translation

    short = encoder_decoder.train(0, encoder_decoder.STEPS if steps is None else steps)
    of_text = text_models.STEPS if steps is None else steps
    return [
        save(short, encoder_decoder.NAME, 0, folder),
        *(
            save(text_models.train(objective, 0, of_text), objective, 0, folder)
            for objective in text_models.OBJECTIVES
        ),
        *(
            save(translation.train(name, seed, steps=steps), name, seed, folder)
            for name in NAMES
            for seed in SEEDS
        ),
    ]


if __name__ == "__main__":
    print(*make(), sep="\n")
