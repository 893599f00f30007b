"""A sliding window, global tokens, and how far information travels."""

from __future__ import annotations

from typing import Any

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field


def _positions(name: str, value: Any) -> list[int]:
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise ValueError(f"{name} is {value!r}; expected a list of positions")
    return sorted({fields.count(name, int(x) if isinstance(x, np.integer) else x) for x in value})


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
    task, answers
        As in every explorable; the default answer is ``["window", "global_tokens"]``.

    Raises
    ------
    ValueError
        If a position is not among the tokens or there is no layer.

    Examples
    --------
    >>> one, two = WindowMask(window=2), WindowMask(window=2, num_layers=2)
    >>> int(one.reach()[8].sum()), int(two.reach()[8].sum())
    (5, 9)
    """

    _esm = bundle("window_mask")
    element = "attn-window-mask"
    names = ("num_tokens", "window", "global_tokens", "is_causal", "num_layers", "selected")
    answer_names = ("window", "global_tokens")

    num_tokens = field(fields.count, 16)
    window = field(fields.count, 2)
    global_tokens = field(_positions, [])
    is_causal = field(fields.flag, False)
    num_layers = field(fields.count, 1)
    selected = field(fields.count, 8)

    def check(self) -> None:
        """Raise ValueError unless all positions are tokens and there is a layer."""
        if not 2 <= self.num_tokens <= 32 or not 1 <= self.num_layers <= 8:
            sizes = f"{self.num_tokens} tokens and {self.num_layers} layers"
            raise ValueError(f"{sizes}; expected 2 to 32 and 1 to 8")
        for position in (self.selected, *self.global_tokens):
            if position >= self.num_tokens:
                raise ValueError(f"position {position}; the tokens are 0 to {self.num_tokens - 1}")

    def mask(self) -> np.ndarray:
        """Return the mask of one layer, boolean, shape ``(num_tokens, num_tokens)``."""
        count = self.num_tokens
        mask = attn.sliding_window_mask(count, count, self.window)
        mask = mask | attn.global_mask(count, np.array(self.global_tokens, dtype=int))
        return mask & attn.causal_mask(count, count) if self.is_causal else mask

    def reach(self) -> np.ndarray:
        """Return which tokens inform which after all layers, same shape."""
        steps = np.linalg.matrix_power(self.mask().astype(float), self.num_layers)
        return np.asarray(steps > 0)
