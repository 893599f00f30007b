"""Which words can the last one see: through stacked convolutions, and through attention?"""

from __future__ import annotations

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_PLACES = "under the tree, behind the wall, near the garden, above the river, beside the house"
_PLACES += ", with the painting, on the table, by the window"
_PHRASES = [part for place in _PLACES.split(", ") for part in place.split(" ", 1)]


class Reach(Explorable):
    """How far back the last word of a sentence sees.

    Parameters
    ----------
    tokens
        The longest sentence: a subject, phrases of two tokens, and two tokens at the end.
    phrases
        How many of the phrases stand between the subject and the end.
    kernel
        How many words a convolution reads: the word itself and those right before it.
    layers
        How many convolutions are stacked.
    attention
        Draw one layer of attention in their place.
    task, answers
        As in every explorable; the default answer is ``["kernel", "layers"]``.

    Raises
    ------
    ValueError
        If a kernel, a stack or a number of phrases is out of range.

    Examples
    --------
    >>> [Reach(kernel=3, layers=4, phrases=phrases).sees() for phrases in (2, 3, 4)]
    [6, 8, 8]
    """

    _esm = bundle("reach")
    element = "attn-reach"
    names = ("tokens", "phrases", "kernel", "layers", "attention")
    answer_names = ("kernel", "layers")

    tokens = field(fields.words, ["the apple", *_PHRASES, "had been", "picked"])
    phrases = field(fields.count, 4)
    kernel = field(fields.count, 3)
    layers = field(fields.count, 4)
    attention = field(fields.flag, False)

    def check(self) -> None:
        """Raise ValueError unless the sentence has its parts and the sizes are in range."""
        count = len(self.tokens)
        if count < 3 or count % 2 == 0:
            raise ValueError(
                f"{count} tokens; expected a subject, pairs of two, and two at the end"
            )
        if self.phrases > (count - 3) // 2:
            raise ValueError(f"phrases is {self.phrases}; the tokens have {(count - 3) // 2}")
        if not 2 <= self.kernel <= 7 or not 1 <= self.layers <= 8:
            sizes = f"kernel {self.kernel} and {self.layers} layers"
            raise ValueError(f"{sizes}; expected 2 to 7 and 1 to 8")

    def sentence(self) -> list[str]:
        """Return the tokens that are shown, ``3 + 2 * phrases`` of them."""
        return [*self.tokens[: 1 + 2 * self.phrases], *self.tokens[-2:]]

    def cone(self) -> np.ndarray:
        """Return what informs the last word, from the words up to the top.

        Returns
        -------
        array of bool, shape (layers + 1, num_tokens)
            Row 0: the words that are seen; the last row: only the last word's own place.
        """
        count = len(self.sentence())
        mask = attn.causal_mask(count, count)
        if not self.attention:
            mask = mask & attn.sliding_window_mask(count, count, self.kernel - 1)
        rows = [np.arange(count) == count - 1]
        for _ in range(1 if self.attention else self.layers):
            rows.insert(0, mask[rows[0]].any(axis=0))
        return np.array(rows)

    def sees(self) -> int:
        """Return how many tokens back the last word sees in this sentence."""
        return int(self.cone()[0].sum()) - 1

    def needed(self) -> int:
        """Return how many convolutions it takes to see the subject."""
        return -(-(len(self.sentence()) - 1) // (self.kernel - 1))
