"""Open the blocks of a Transformer: what each computes of one sentence, while it writes another."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from attnlab.data.grammar import Grammar
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

_GRAMMAR = Grammar("french")
_PAIR = _GRAMMAR.sentence("apple", "under tree", "behind house", "picked")
#: Blocks, and parts of the streams.
_PARTS = re.compile(
    r"(en|de)coder\.(embedding|self|network|stream\.[0-2])"
    r"|encoder\.output|decoder\.(cross|scores|stream\.3)"
)


@cache
def _computed() -> dict[str, Any]:
    """Return what the trained model has inside while it writes the translation, as it is shown."""
    from attnlab.models import encoder_decoder

    target = np.array([[Grammar.BEGIN, *_PAIR.target[0][:-1]]])
    found = encoder_decoder.inside(encoder_decoder.load(), _PAIR.tokens, target)
    return {name: (array.astype(float).round(2) + 0.0).tolist() for name, array in found.items()}


class TransformerBlocks(Explorable):
    """A trained Transformer as blocks that open, and the numbers inside while it translates.

    Parameters
    ----------
    source_tokens, target_tokens
        Tokens read, and tokens written after the mark for the beginning.
    vocabulary
        The tokens that the scores are of.
    tensors
        What `attnlab.models.encoder_decoder.inside` returns; computed where it is empty.
    selected
        The block that is open, ``"decoder.cross"``, or a part of a stream, ``"decoder.stream.1"``.
    layer, head
        Which of them is shown, from 1.
    step
        How many target tokens the decoder has read.
    """

    source_tokens = field(fields.words, _GRAMMAR.english(_PAIR.tokens[0]))
    target_tokens = field(fields.words, ["(begin)", *_GRAMMAR.translation(_PAIR.target[0])])
    vocabulary = field(fields.words, _GRAMMAR.target_words())
    tensors = field(fields.arrays, {})
    selected = field(fields.text, "decoder.cross")
    layer = field(fields.whole(1, 2), 2)
    head = field(fields.whole(1, 4), 1)
    step = field(fields.count, 7)

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.tensors:
            self.tensors = _computed()

    def check(self) -> None:
        """Raise ValueError unless what is selected exists."""
        if not _PARTS.fullmatch(self.selected):
            raise ValueError(f"selected is {self.selected!r}; expected a block or part of a stream")
        fields.whole(1, len(self.target_tokens))("step", self.step)
