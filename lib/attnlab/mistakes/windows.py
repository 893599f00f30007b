"""Compute mistakes in windows, in global tokens, and in what a stack of layers can see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnlab.mistakes.explanations import Mistake, explained

Mask = NDArray[np.bool_]


def of_window_mask(
    num_tokens: int, window: int, global_tokens: Sequence[int] | NDArray[np.integer]
) -> dict[str, Mistake]:
    """Return what mistakes in a window with global tokens give, shape (num_tokens, num_tokens)."""
    rows, columns = np.indices((num_tokens, num_tokens))
    apart = np.abs(rows - columns)
    chosen = np.isin(np.arange(num_tokens), global_tokens)
    not_first = chosen & (np.arange(num_tokens) > 0)
    near, linked = apart <= window, chosen | chosen[:, None]
    first = np.isin(np.arange(num_tokens), np.asarray(global_tokens)[:1])
    around = (near & chosen).any(axis=1)
    return explained(
        {
            "first-global-only": lambda: near | first | first[:, None],
            "global-neighbourhood": lambda: near | around | around[:, None],
            "window-is-total": lambda: (apart <= window // 2) | linked,
            "window-doubled": lambda: (apart <= 2 * window) | linked,
            "backward-only": lambda: (near & (rows >= columns)) | linked,
            "forward-only": lambda: (near & (rows <= columns)) | linked,
            "all-later-keys": lambda: (rows - columns <= window) | linked,
            "all-earlier-keys": lambda: (columns - rows <= window) | linked,
            "strict": lambda: (apart < window) | linked,
            "ends-wrap": lambda: (np.minimum(apart, num_tokens - apart) <= window) | linked,
            "row-only": lambda: near | chosen[:, None],
            "column-only": lambda: near | chosen,
            "both-global": lambda: near | (chosen & chosen[:, None]),
            "no-window": lambda: linked,
            "no-globals": lambda: near,
            "token-zero-skipped": lambda: near | not_first | not_first[:, None],
            "mask-inverted": lambda: ~(near | linked),
        }
    )


def of_stack(mask: Mask, num_layers: int) -> dict[str, Mistake]:
    """Return what mistakes give of who is informed by whom after layers that use this mask."""
    mask = np.array(mask, bool)
    apart = np.abs(np.subtract.outer(np.arange(len(mask)), np.arange(len(mask))))
    wrong = {
        "one-layer-only": lambda: mask,
        "one-layer-too-many": lambda: _linked(mask, num_layers + 1),
        "direction-reversed": lambda: _linked(mask, num_layers).T,
        "both-directions": lambda: _linked(mask | mask.T, num_layers),
        "distance-times-layers": lambda: apart <= apart[mask].max() * num_layers,
    }
    others = mask & ~np.eye(len(mask), dtype=bool)
    wrong["without-itself"] = lambda: _linked(others, num_layers)
    if num_layers > 3:  # three layers would count four, as many as one too many
        wrong["layers-doubled"] = lambda: _linked(mask, 2 ** (num_layers - 1))
    if num_layers != 2:  # of two layers, one too few is the mask itself
        wrong["one-layer-too-few"] = lambda: _linked(mask, num_layers - 1)
    return explained(wrong)


def _linked(mask: Mask, num_layers: int) -> Mask:
    return np.linalg.matrix_power(mask.astype(float), num_layers) > 0
