"""Read one text under three masks: what each place may use, and what the loss asks there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.drawing.static import static_figure, static_table
from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_TEXT = ["(begin)", "la pomme", "sous", "la lampe", "avait été", "ramassée", "(end)"]
#: Each objective, and the name of its mask.
OBJECTIVES = {"next": "causal", "hidden": "bidirectional", "prefix": "prefix"}
_CELL = 13


def _objective(name: str, value: object) -> str:
    if value not in OBJECTIVES:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(OBJECTIVES)}")
    return str(value)


def _places(name: str, value: Any) -> list[int]:
    if not isinstance(value, list):
        raise ValueError(f"{name} is {value!r}; expected a list of places")
    return [fields.count(name, place) for place in value]


class TextMasks(Explorable):
    """One text under a causal mask, under none with a hidden token, and with a visible prefix.

    Parameters
    ----------
    tokens
        The text.
    hidden
        Places that hold a gap where the objective is to fill gaps.
    prefix
        How many tokens at the beginning may see each other where a prefix is continued.
    objective
        ``"next"``, ``"hidden"`` or ``"prefix"``.
    selected
        The place whose view is drawn, from 0.
    task, answers
        As in every explorable; the default answer is ``["objective", "selected"]``.

    Raises
    ------
    ValueError
        If a place is not in the text.

    Examples
    --------
    >>> shown = TextMasks()
    >>> [int(shown.mask(objective)[3].sum()) for objective in OBJECTIVES]
    [4, 7, 4]
    >>> [shown.asked(objective)[3] for objective in OBJECTIVES]
    ['avait été', 'la lampe', 'avait été']
    """

    _esm = bundle("text_masks")
    element = "attn-text-masks"
    title = field(fields.text, "One text, three masks")
    names = ("tokens", "hidden", "prefix", "objective", "selected")
    answer_names = ("objective", "selected")

    tokens = field(fields.words, _TEXT)
    hidden = field(_places, [3])
    prefix = field(fields.count, 3)
    objective = field(_objective, "next")
    selected = field(fields.count, 2)

    def check(self) -> None:
        """Raise ValueError unless all places are in the text."""
        count = len(self.tokens)
        for name, place in (("selected", self.selected), *(("hidden", p) for p in self.hidden)):
            if place >= count:
                raise ValueError(f"{name} is {place}; the text has places 0 to {count - 1}")
        if not 1 <= self.prefix < count:
            raise ValueError(f"prefix is {self.prefix}; expected 1 to {count - 1}")

    def mask(self, objective: str) -> NDArray[np.bool_]:
        """Return the mask of an objective, shape ``(num_tokens, num_tokens)``."""
        count = len(self.tokens)
        if objective == "hidden":
            return np.ones((count, count), bool)
        causal = attn.causal_mask(count, count)
        return causal | (np.arange(count) < self.prefix) if objective == "prefix" else causal

    def asked(self, objective: str) -> list[str]:
        """Return the token that the loss asks for at each place, "" where it asks nothing."""
        if objective == "hidden":
            return [t if i in self.hidden else "" for i, t in enumerate(self.tokens)]
        first = self.prefix - 1 if objective == "prefix" else 0
        following = [*self.tokens[1:], ""]
        return [token if i >= first else "" for i, token in enumerate(following)]

    def figure(self) -> str:
        """Return the three masks, and what is asked at each place as a table."""
        pictures = [_picture(self.mask(objective), name) for objective, name in OBJECTIVES.items()]
        asked = zip(*(self.asked(objective) for objective in OBJECTIVES), strict=True)
        rows = [(t, [c or "–" for c in cells]) for t, cells in zip(self.tokens, asked, strict=True)]
        note = (
            "Masks: rows are queries, filled cells are visible. "
            "Table: what the loss asks at each place."
        )
        table = static_table(["place", *OBJECTIVES.values()], rows)
        return static_figure(pictures, table, list(OBJECTIVES.values()), note=note)


def _picture(mask: NDArray[np.bool_], name: str) -> str:
    """Return a mask as SVG."""
    side = _CELL * len(mask)
    cells = "".join(
        f'<rect x="{j * _CELL}" y="{i * _CELL}" width="{_CELL - 2}" height="{_CELL - 2}" '
        f'style="fill:{var("ink") if seen else "none"};stroke:{var("hatch")}"/>'
        for (i, j), seen in np.ndenumerate(mask)
    )
    label = escape(f"{name} mask")
    return (
        f'<svg viewBox="-1 -1 {side} {side}" width="{side}" height="{side}" role="img" '
        f'aria-label="{label}">{cells}</svg>'
    )
