"""Which words can the last one see: through stacked convolutions, and through attention?"""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
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
    """

    tokens = field(fields.words, ["the apple", *_PHRASES, "had been", "picked"])
    phrases = field(fields.count, 4)
    kernel = field(fields.whole(2, 7), 3)
    layers = field(fields.whole(1, 8), 4)
    attention = field(fields.flag, False)

    def check(self) -> None:
        """Raise ValueError unless the sentence has its parts, and the phrases."""
        count = len(self.tokens)
        if count < 3 or count % 2 == 0:
            raise ValueError(
                f"{count} tokens; expected a subject, pairs of two, and two at the end"
            )
        if self.phrases > (count - 3) // 2:
            raise ValueError(f"phrases is {self.phrases}; the tokens have {(count - 3) // 2}")
