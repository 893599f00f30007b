"""All heads of a trained model on one sentence, down to one cell, and what a change does."""

from __future__ import annotations

import json
from typing import Any

from attnlab.data import minilm_scores
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

_LAYERS, _HEADS = 6, 12
#: What the front end writes into ``stored_data`` to have it filled.
_WANTED = "?"


def _heads(name: str, value: Any) -> list[list[int]]:
    pairs = [list(pair) for pair in value]
    if not all(
        len(pair) == 2 and 1 <= pair[0] <= _LAYERS and 1 <= pair[1] <= _HEADS for pair in pairs
    ):
        raise ValueError(f"{name} is {value!r}; expected pairs of a layer and a head, from 1")
    return [fields.counts(name, pair) for pair in pairs]


class HeadBrowser(Explorable):
    """The weights of all 72 heads of all-MiniLM-L6-v2 on one sentence.

    In a page, sentences of the reader's own are read by the model itself, which the page fetches
    when it is first asked for, and heads can be switched off. Elsewhere there are the sentences of
    `attnlab.data.minilm_scores`.

    Parameters
    ----------
    sentence : str
        A stored sentence, or in a page any other.
    layer, head : int
        The head that is shown, counted from 1.
    token, key : int
        The cell whose arithmetic is shown: positions of query and key, from 0.
    other_layer, other_head : int
        A head to compare with; 0 for none.
    off, cut : list of [layer, head], list of int
        Heads that add nothing, and the positions of tokens that no query sees.
    stored_names, stored_texts, stored_data
        The stored sentences; the front end of a notebook asks for ``stored_data``.
    """

    sentence = field(fields.text, minilm_scores.SENTENCES["cat"])
    layer = field(fields.whole(1, _LAYERS), 1)
    head = field(fields.whole(1, _HEADS), 1)
    token = field(fields.count, 2)
    key = field(fields.count, 1)
    other_layer = field(fields.count, 0)
    other_head = field(fields.count, 0)
    off = field(_heads, [])
    cut = field(fields.counts, [])
    stored_names = field(fields.words, list(minilm_scores.SENTENCES))
    stored_texts = field(fields.words, list(minilm_scores.SENTENCES.values()))
    stored_data = field(fields.text, "")

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        self.observe(self._give, "stored_data")

    def check(self) -> None:
        """Raise ValueError unless each stored sentence has a name, and a second head both parts."""
        if len(self.stored_names) != len(self.stored_texts):
            raise ValueError(
                f"{len(self.stored_names)} stored_names have {len(self.stored_texts)} stored_texts"
            )
        if (self.other_layer > 0) != (self.other_head > 0):
            raise ValueError(
                f"other_layer is {self.other_layer} and other_head {self.other_head}; "
                "expected both, or 0 for both"
            )

    def state(self) -> dict[str, Any]:
        """Return the current state; stored sentences travel apart."""
        return super().state() | {"stored_data": ""}

    def _give(self, change: Any) -> None:
        if change["new"] == _WANTED:
            from attnlab.minilm.page_files import as_data

            every = {name: as_data(minilm_scores.load(name)) for name in self.stored_names}
            self.stored_data = json.dumps(every)
