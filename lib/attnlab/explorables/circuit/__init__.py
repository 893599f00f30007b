"""Two heads that form while a small model is trained, checkpoint by checkpoint."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from attnlab.data.repeats import NUM_TOKENS
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field
from attnlab.models import formation
from attnlab.models.numpy_continuer import HEADS

#: The words that the model knows, in its order.
WORDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
#: The heads by their numbers in an answer: 12 is head 2 of layer 1.
BY_NUMBER = {10 * layer + head: (layer, head) for layer, head in HEADS}


def _history(name: str, value: Any) -> Any:
    if not isinstance(value, dict) or set(value) != set(formation.STEPS):
        raise ValueError(f"{name} is {value!r}; expected measures by condition")
    return value


class Circuit(Explorable):
    """An induction circuit along its training: loss, maps of two heads, and heads to switch off.

    Parameters
    ----------
    condition
        On which texts the model was trained: "one period" or "many periods".
    step
        After how many steps of training it is shown; one of `formation.STEPS`.
    tokens
        A text to read, of the letters in `WORDS`.
    heads
        Whose maps are shown, one of each layer, counted from 1.
    query
        The position whose row is marked.
    off
        Heads that are switched off, by numbers: 12 is head 2 of layer 1. Each gives the mean of its
        outputs over test texts.
    history
        What was measured of all checkpoints; see `formation.measures`.
    wanted, weights
        In a notebook, the file of weights that the front end asks for; its name and its content in
        base64.
    """

    condition = field(fields.text, "many periods")
    step = field(fields.count, 200)
    tokens = field(fields.words, list("KQDMSFWB" * 3))
    heads = field(fields.counts, [2, 1])
    query = field(fields.count, 16)
    off = field(fields.counts, [])
    history = field(_history, formation.measures())
    wanted = field(fields.text, "")
    weights = field(fields.text, "")

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        self.observe(self._fetch, "wanted")

    def check(self) -> None:
        """Raise ValueError unless checkpoint, text and heads exist."""
        formation.path_of(self.condition, self.step)
        if not 2 <= len(self.tokens) <= NUM_TOKENS:
            raise ValueError(f"{len(self.tokens)} tokens; expected 2 to {NUM_TOKENS}")
        for token in self.tokens:
            if len(token) != 1 or token not in WORDS:
                raise ValueError(f"token {token!r}; expected one of the letters {WORDS}")
        for number in self.off:
            if number not in BY_NUMBER:
                known = ", ".join(map(str, BY_NUMBER))
                raise ValueError(f"off has {number!r}; expected of {known}: layer, then head")
        if len(self.heads) != 2 or not set(self.heads) <= {1, 2}:
            raise ValueError(f"heads is {self.heads}; expected head 1 or 2 of each of 2 layers")
        if self.query >= len(self.tokens):
            raise ValueError(f"query is {self.query}; the text has {len(self.tokens)} tokens")

    def _fetch(self, change: Any) -> None:
        condition, _, step = Path(change["new"]).stem.rpartition("-")
        content = formation.content(condition.replace("-", " "), int(step))
        # With its name, since the reader may have gone on to another checkpoint.
        self.weights = f"{change['new']} {base64.b64encode(content).decode()}"
