"""Draw a picture, and see where the learned query for each kind of glyph looks in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data import glyphs
from attnlab.drawing.heat_table import cell
from attnlab.drawing.static import static_figure, static_table
from attnlab.drawing.text import number
from attnlab.drawing.tokens import var
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field
from attnlab.models import glyph_detector
from attnlab.models.stored_weights import FOLDER

_PIXEL = 8
_DECIMALS = 3
#: Glyphs of the picture at the start, and their cells.
_START = {"ring": 2, "bar": 5, "arch": 11, "wedge": 12}


def _picture() -> list[list[float]]:
    cells = np.zeros((16, glyphs.SIDE**2))
    for name, place in _START.items():
        cells[place] = glyphs.bitmaps()[glyphs.NAMES.index(name)]
    return [list(row) for row in cells.tolist()]


def _noise() -> NDArray[np.float64]:
    """Return one draw of the noise that the pictures of training have, to one decimal."""
    drawn = np.random.default_rng(3).normal(scale=glyphs.NOISE, size=(16, glyphs.SIDE**2))
    return np.asarray(drawn.round(1) + 0.0)


def _matrices(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}; expected matrices by name")
    return {key: fields.matrix(key, matrix) for key, matrix in value.items()}


def _stored() -> dict[str, NDArray[np.float64]]:
    """Return the trained detector: its network, and its queries and answers as they meet cells."""
    with np.load(FOLDER / f"{glyph_detector.NAME}-0.npz") as stored:
        model = {name: stored[name].astype(np.float64) for name in stored.files}
    width = model["query"].shape[1]
    found = {
        "w_inner": model["encode.0.weight"], "b_inner": model["encode.0.bias"][None],
        "w_outer": model["encode.2.weight"], "b_outer": model["encode.2.bias"][None],
        # A query meets the key of a cell, W_key x: both at once, as with latents.
        "queries": model["query"] @ model["to_key.weight"] / width**0.5,
        "answers": model["to_logits.weight"] @ model["to_value.weight"],
        "bias": model["to_logits.bias"][None],
    }  # fmt: skip
    return {name: array.round(_DECIMALS) + 0.0 for name, array in found.items()}


class PictureQueries(Explorable):
    """A picture of 4 by 4 cells that a reader draws, and a trained detector of eight glyphs.

    Parameters
    ----------
    cells
        Shape ``(16, 25)``: the pixels of each cell, 1 is ink.
    noise, noisy
        What is added to the pixels, as in training, of the same shape; and whether it is.
    kinds, bitmaps
        The kinds of glyphs, and the pixels of each, ``(8, 25)``.
    model
        Matrices of the detector; by default those of `attnlab.models.vision.GlyphDetector` that
        ship: ``w_inner`` and ``w_outer`` with their biases, ``queries``, ``answers`` and ``bias``.
    selected
        The kind that is looked for.
    task, answers
        As in every explorable; the default answer is ``["selected"]``.

    Raises
    ------
    ValueError
        If the picture does not have 16 cells of 25 pixels, or the kind does not exist.

    Examples
    --------
    >>> shown = PictureQueries()
    >>> shown.kinds[shown.selected], int(shown.weights().argmax()), shown.shares()[2].round(2)
    ('ring', 2, np.float64(1.0))
    """

    _esm = bundle("picture_queries")
    element = "attn-picture-queries"
    title = field(fields.text, "Where a query looks in a picture")
    names = ("cells", "noise", "noisy", "kinds", "bitmaps", "model", "selected")
    answer_names = ("selected",)

    cells = field(fields.matrix, _picture())
    noise = field(fields.matrix, _noise().tolist())
    noisy = field(fields.flag, True)
    kinds = field(fields.words, list(glyphs.NAMES))
    bitmaps = field(fields.matrix, glyphs.bitmaps().tolist())
    model = field(_matrices, {})
    selected = field(fields.count, glyphs.NAMES.index("ring"))

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.model:
            self.model = {name: array.tolist() for name, array in _stored().items()}

    def check(self) -> None:
        """Raise ValueError unless the picture and the kind exist."""
        for name in ("cells", "noise"):
            shape = np.shape(getattr(self, name))
            if shape != (16, 25):
                raise ValueError(f"{name} has shape {shape}; expected (16, 25)")
        if self.selected >= len(self.kinds):
            raise ValueError(f"selected is {self.selected}; there are {len(self.kinds)} kinds")

    def pixels(self) -> NDArray[np.float64]:
        """Return what the model reads, shape ``(16, 25)``."""
        return np.array(self.cells) + np.array(self.noise) * self.noisy

    def _encoded(self) -> NDArray[np.float64]:
        model = {name: np.array(rows) for name, rows in self.model.items()}
        inner = np.maximum(self.pixels() @ model["w_inner"].T + model["b_inner"], 0)
        return np.asarray(inner @ model["w_outer"].T + model["b_outer"])  # (16, width)

    def weights(self) -> NDArray[np.float64]:
        """Return the weights of the cells for the selected query, shape ``(16,)``."""
        return np.asarray(attn.softmax(self._scores())[self.selected])

    def _scores(self) -> NDArray[np.float64]:
        return np.asarray(np.array(self.model["queries"]) @ self._encoded().T)  # (8, 16)

    def shares(self) -> NDArray[np.float64]:
        """Return the probability that each kind is in the picture, shape ``(8,)``."""
        votes = np.array(self.model["answers"]) @ self._encoded().T  # (8, 16)
        logits = (attn.softmax(self._scores()) * votes).sum(axis=1) + self.model["bias"][0]
        return np.asarray(1 / (1 + np.exp(-logits)))

    def figure(self) -> str:
        """Return the picture, and the selected query's weights as a table."""
        kind, weights = self.kinds[self.selected], self.weights().reshape(4, 4)
        rows = [
            (f"row {i}", [cell(float(w), "weights", 1.0, 2, masked=False) for w in row])
            for i, row in enumerate(weights, 1)
        ]
        table = static_table([kind, *(f"column {j}" for j in range(1, 5))], rows)
        share = number(float(self.shares()[self.selected]))
        note = f"Weights of the query for {kind}. Probability that there is one: {share}."
        return static_figure([_drawn(np.array(self.cells))], table, ["The picture"], note=note)


def _drawn(cells: NDArray[np.float64]) -> str:
    image, side = glyphs.picture(cells.astype(np.float32)), 20 * _PIXEL
    ink = "".join(
        f"M{x * _PIXEL} {y * _PIXEL}h{_PIXEL}v{_PIXEL}h-{_PIXEL}z" for y, x in np.argwhere(image)
    )
    lines = "".join(f"M{at} 0V{side}M0 {at}H{side}" for at in range(0, side + 1, side // 4))
    return (
        f'<svg viewBox="-1 -1 {side + 2} {side + 2}" width="{side}" height="{side}" role="img" '
        f'aria-label="A picture of 4 by 4 cells"><path d="{ink}" style="fill:{var("ink")}"/>'
        f'<path d="{lines}" style="stroke:{var("hatch")}"/></svg>'
    )
