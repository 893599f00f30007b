"""Caption images: "cross left ring right", the glyphs by name, each with its side.

Does the model attend to the glyph that it writes about? It is trained on captions, and no caption
tells which cell a word is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data import glyphs
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    from attnlab.models.vision import CaptionDecoder

Words = NDArray[np.int64]

CLAIM = Claim(
    chapter="at-work",
    sentence="While a caption is written, attention goes to the part of the picture that the next "
    "word names.",
    source="Xu et al. (2015), 'Show, Attend and Tell', abstract, by pictures of the weights; lists "
    "of applications in many texts.",
    refuted_by="A model that has learned to write captions and whose largest weight is on another "
    "cell for more than a tenth of the words.",
    seconds=90,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": 1000,
        "width": 32,
        "written by": "a GRU that gets the context twice, in its step and in its answer",
    },
)
#: The rate that is tried as well, for the model with attention.
OTHER_RATE = 0.01
COUNTS = (2, 3, 4, 5, 6)
TRAINED = (2, 3, 4)
MODELS = ("attention", "mean of the picture")
#: Word 0 begins a caption and ends it; then the two sides; then the glyphs.
WORDS = ("", "left", "right", *glyphs.NAMES)
END = 0


class Captions(NamedTuple):
    """What is to be written about each picture of a batch.

    Parameters
    ----------
    before, target : array of int, shape (batch, 2 * num_glyphs + 1)
        The words before each step, and the words to write.
    places : array of int, shape (batch, 2 * num_glyphs)
        The cell that each word is about.
    """

    before: Words
    target: Words
    places: Words


def caption(pictures: glyphs.Pictures) -> Captions:
    """Return the captions of a batch of pictures."""
    order = pictures.glyphs.argsort(axis=1)
    named, places = (
        np.take_along_axis(array, order, axis=1) for array in (pictures.glyphs, pictures.places)
    )
    side = round(pictures.cells.shape[1] ** 0.5)
    halves = WORDS.index("left") + (2 * (places % side) >= side)
    words = np.stack([3 + named, halves], axis=-1).reshape(len(named), -1)
    end = np.full((len(words), 1), END)
    return Captions(np.hstack([end, words]), np.hstack([words, end]), places.repeat(2, axis=1))


def text(words: Sequence[int]) -> str:
    """Return a caption as text, up to its end."""
    known = [WORDS[word] for word in words]
    return " ".join(known[: known.index("")] if "" in known else known)


def train(
    name: str, seed: int = 0, steps: int = 1000, learning_rate: float = 0.005
) -> CaptionDecoder:
    """Return a trained model: one of `MODELS`.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models import training
    from attnlab.models.vision import CaptionDecoder

    if name not in MODELS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(MODELS)}")

    batches = training.batches(
        seed, steps, lambda rng: glyphs.draw(rng, 64, int(rng.choice(TRAINED)))
    )

    with training.one_thread(seed):
        model = CaptionDecoder(len(WORDS), attends=name == "attention")
        training.fit(model, batches, _loss, learning_rate=learning_rate, decay_steps=steps)
    return model


def write(model: CaptionDecoder, cells: Tensor, length: int) -> tuple[Words, Tensor]:
    """Return the model's own captions, (batch, length), and its weights, (…, length, num_cells)."""
    import torch

    words = torch.full((len(cells), length + 1), END)
    with torch.no_grad():
        for step in range(length):
            logits, weights = model.forward_with_weights(cells, words[:, : step + 1])
            words[:, step + 1] = logits[:, -1].argmax(dim=-1)
    return words[:, 1:].numpy(), weights


def measure(model: CaptionDecoder, count: int) -> dict[str, float]:
    """Return the share of captions that are entirely correct, and how often a word's cell has the
    largest weight when the word is written.
    """
    from attnlab.models.training import tensor

    test = glyphs.draw(np.random.default_rng((count, 2)), 300, count)
    targets = caption(test)
    words, weights = write(model, tensor(test.cells), targets.target.shape[1])
    largest = weights.numpy().argmax(axis=-1)[:, :-1]
    return {
        "captions": float((words == targets.target).all(axis=1).mean()),
        "looks there": float((largest == targets.places).mean()),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; test with each number of glyphs.

    ``quick`` shortens training and tests fewer numbers: a smoke test, not a result.
    """
    from attnlab.models.training import Stopwatch

    watch = Stopwatch()
    counts, steps = ((2, 4), 60) if quick else (COUNTS, 1000)
    curves: dict[str, Curve] = {}
    for name in MODELS:
        models = [train(name, seed, steps) for seed in seeds]
        measured = [[measure(model, count) for count in counts] for model in models]
        curves |= curves_of(counts, measured, f"{name}: ")
    del curves["mean of the picture: looks there"]  # it has the same weights everywhere
    curves |= faster(seeds, counts, steps)
    settings = {"trained on glyphs": list(TRAINED), "steps": steps, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def faster(seeds: Sequence[int], counts: Sequence[int], steps: int) -> dict[str, Curve]:
    """Return what models with attention do that were trained at `OTHER_RATE`."""
    models = [train("attention", seed, steps, OTHER_RATE) for seed in seeds]
    measured = [[measure(model, count) for count in counts] for model in models]
    return curves_of(counts, measured, f"attention, rate {OTHER_RATE:g}: ")


def trials(result: Result) -> list[Trial]:
    """Test the seeds that write captions at each number of glyphs, and at `OTHER_RATE` at one."""
    settings: list[tuple[str, float, Knobs]] = [
        *(("attention", count, {}) for count in result["attention: captions"].x),
        (f"attention, rate {OTHER_RATE:g}", max(TRAINED), {"learning rate": OTHER_RATE}),
    ]
    return [
        trial
        for name, count, at in settings
        for trial in each_seed(
            result[f"{name}: looks there"].at(count) >= NEARLY_ALWAYS,
            f"{count} glyphs",
            learned=result[f"{name}: captions"].at(count) >= LEARNED,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return how many captions are correct, and where the weight is, seed by seed."""
    longest = max(result.settings["trained on glyphs"])
    correct, located = (
        ", ".join(f"{share:.2f}" for share in result[f"attention: {part}"].at(longest))
        for part in ("captions", "looks there")
    )
    mean = result["mean of the picture: captions"].at(longest).mean()
    return (
        f"With {longest} glyphs the shares of correct captions are {correct}, seed by seed, and "
        f"for {located} of the words the largest weight is on the glyph written about. Without "
        f"attention, from the mean of the picture, the model gets {mean:.2f} of the captions right."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many captions are correct, and where the weight is."""
    names = {
        "attention": "attention: captions",
        "largest weight on the glyph": "attention: looks there",
        "mean of the picture": "mean of the picture: captions",
    }
    return plot_curves(
        {label: result[name] for label, name in names.items()},
        accent="attention",
        trained_to=4,
        x_label="glyphs in the picture",
        y_label="share",
    )


def _loss(model: nn.Module, batch: glyphs.Pictures) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.models.training import tensor

    before, target = map(tensor, caption(batch)[:2])
    return cross_entropy(model(tensor(batch.cells), before).flatten(0, 1), target.flatten())
