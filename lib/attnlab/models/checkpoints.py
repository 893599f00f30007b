"""Weights of trained models that ship with the package, and the command that makes them.

``python -m attnlab.models.checkpoints`` trains the two translators with attention, in French with
three seeds, and with one seed those of `encoder_decoder`, of `text_models`, the detector of glyphs
and the two models that continue repeated texts, and stores them as numbers of 16 bits: about 1.3
MB.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attnlab.models.stored_weights import FOLDER, load_weights, save

if TYPE_CHECKING:
    from torch import nn

    from attnlab.models.attention_only import AttentionOnlyModel

NAMES = ("attention", "Transformer")
SEEDS = (0, 1, 2)
#: The models of `attnlab.experiments.induction` ship with one seed.
CONTINUER_SEED = 0


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
    load_weights(model, name, seed, folder)
    return model


def continuer(condition: str, folder: Path = FOLDER) -> AttentionOnlyModel:
    """Return a model that was trained to continue texts of "one period" or of "many periods".

    Raises
    ------
    FileNotFoundError
        If there are no such weights; the message says which command makes them.
    """
    from attnlab.data.repeats import NUM_WORDS
    from attnlab.models.attention_only import AttentionOnlyModel

    model = AttentionOnlyModel(NUM_WORDS)
    load_weights(model, condition, CONTINUER_SEED, folder)
    return model


def make(folder: Path = FOLDER, steps: int | None = None) -> list[Path]:
    """Train every model that ships, in full when ``steps`` is not given, and store it."""
    from attnlab.models import encoder_decoder, text_models, translation, vision

    short = encoder_decoder.train(0, encoder_decoder.STEPS if steps is None else steps)
    of_text = text_models.STEPS if steps is None else steps
    texts = [
        save(text_models.train(objective, 0, of_text), objective, 0, folder)
        for objective in text_models.OBJECTIVES
    ]
    detector = vision.train_detector(0) if steps is None else vision.train_detector(0, steps)
    translators = [
        save(detector, "detector", 0, folder),
        save(short, encoder_decoder.NAME, 0, folder),
        *(
            save(translation.train(name, seed, steps=steps), name, seed, folder)
            for name in NAMES
            for seed in SEEDS
        ),
    ]
    return translators + texts + make_continuers(folder, steps)


def make_continuers(folder: Path = FOLDER, steps: int | None = None) -> list[Path]:
    """Train and store the models of `continuer`."""
    from attnlab.data.repeats import PERIODS
    from attnlab.models import continuation

    return [
        save(continuation.train(name, CONTINUER_SEED, steps), name, CONTINUER_SEED, folder)
        for name in PERIODS
    ]


if __name__ == "__main__":
    print(*make(), sep="\n")
