"""Draw into a picture that is cut into patches, and see where a query of each shape looks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.data import glyphs
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field
from attnlab.models.stored_weights import FOLDER

#: The picture of the chapter: patches on each side, and pixels on each side of it.
GRID = 4
SIDE = GRID * glyphs.SIDE
_DRAWN = glyphs.draw(np.random.default_rng(3), batch=1, num_glyphs=4, side=GRID)
#: Decimals of the model's weights; with two, weights of attention were off by 0.04.
_STORED = 3


def folded(weights: Mapping[str, ArrayLike]) -> dict[str, Any]:
    """Return a `GlyphDetector` as the figure computes it, from its ``state_dict()``.

    A query meets a key, and a value an answer, in one product: ``look`` has the queries times the
    weights that make keys, scaled, and ``say`` the answers times those that make values, both of
    shape ``(num_kinds, width)``.
    """
    w = {name: np.asarray(array, dtype=np.float64) for name, array in weights.items()}
    made = {
        "w_hidden": w["encode.0.weight"], "b_hidden": w["encode.0.bias"],
        "w_features": w["encode.2.weight"], "b_features": w["encode.2.bias"],
        "look": w["query"] @ w["to_key.weight"] / np.sqrt(w["query"].shape[1]),
        "say": w["to_logits.weight"] @ w["to_value.weight"], "bias": w["to_logits.bias"],
    }  # fmt: skip
    return {name: (array.round(_STORED) + 0.0).tolist() for name, array in made.items()}


@cache
def stored() -> dict[str, NDArray[np.float16]]:
    """Return the weights of the detector that ships, by name."""
    with np.load(FOLDER / "detector-0.npz") as file:
        return {name: file[name] for name in file.files}


def _rows(image: NDArray[Any]) -> list[str]:
    return ["".join(".#"[int(pixel)] for pixel in row) for row in image]


def _ink() -> list[str]:
    clean = np.zeros_like(_DRAWN.cells[0])
    clean[_DRAWN.places[0]] = glyphs.bitmaps()[_DRAWN.glyphs[0]]
    return _rows(glyphs.picture(clean))


def _noise() -> list[list[float]]:
    ink = np.array([[pixel == "#" for pixel in row] for row in _ink()])
    noise: list[list[float]] = (glyphs.picture(_DRAWN.cells[0]) - ink).round(2).tolist()
    return noise


class Patches(Explorable):
    """A trained detector looks at a drawing: a query of each shape attends to its 16 patches.

    Parameters
    ----------
    kinds, shapes
        The names of what is detected, and the pixels of each, 25 of ``#`` and ``.``.
    model
        What `folded` returns of a `GlyphDetector`; that of the stored one where it is empty.
    ink
        What is drawn: 20 rows of 20 pixels, ``#`` is ink.
    noise
        What is added to the pixels, shape (20, 20).
    query
        The position of the kind whose query is shown.
    """

    kinds = field(fields.words, list(glyphs.NAMES))
    shapes = field(fields.words, [rows.replace(" ", "") for rows in glyphs.BITMAPS.values()])
    model = field(fields.arrays, {})
    ink = field(fields.words, _ink())
    noise = field(fields.matrix, _noise())
    query = field(fields.count, glyphs.NAMES.index("ring"))

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.model:
            self.model = folded(stored())

    def check(self) -> None:
        """Raise ValueError unless the picture has its pixels and the query is one of the model."""
        sizes = {len(self.ink), *map(len, self.ink), *np.shape(self.noise)}
        if sizes != {SIDE}:
            raise ValueError(f"ink and noise have sides of {sizes}; expected {SIDE} rows of {SIDE}")
        fields.whole(0, len(self.kinds) - 1)("query", self.query)
