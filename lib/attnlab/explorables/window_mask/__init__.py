"""A sliding window, global tokens, and how far information travels."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


class WindowMask(Explorable):
    """Sliding-window attention with global tokens: its mask, its cost and its reach.

    Parameters
    ----------
    num_tokens
        Queries and keys are the same tokens.
    window
        Keys visible on each side.
    global_tokens
        Positions that attend to all tokens and to which all tokens attend.
    is_causal
        Whether later tokens are masked as well.
    num_layers
        Through how many layers information travels.
    selected
        The query whose reach is marked.
    """

    num_tokens = field(fields.whole(2, 32), 16)
    window = field(fields.count, 2)
    global_tokens = field(fields.counts, [])
    is_causal = field(fields.flag, False)
    num_layers = field(fields.whole(1, 8), 1)
    selected = field(fields.count, 8)

    def check(self) -> None:
        """Raise ValueError unless all positions are tokens."""
        for position in (self.selected, *self.global_tokens):
            if position >= self.num_tokens:
                raise ValueError(f"position {position}; the tokens are 0 to {self.num_tokens - 1}")
