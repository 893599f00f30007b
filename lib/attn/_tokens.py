"""Arguments with an entry for each token: marks, and padding."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arguments import as_array


def as_marks(name: str, tokens: ArrayLike, num_tokens: int) -> NDArray[np.bool_]:
    """Return marks, True at the positions in ``tokens``; boolean marks are returned as they are."""
    array = as_array(name, tokens)
    if array.dtype == np.bool_:
        if array.shape[-1:] != (num_tokens,):
            raise ValueError(f"{name} has shape {array.shape}; expected (..., {num_tokens})")
        return array
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; expected positions or boolean marks")
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; expected (num_global,)")
    if array.size and not (array.min() >= 0 and array.max() < num_tokens):
        raise ValueError(f"{name} is {array.tolist()}; expected positions 0 to {num_tokens - 1}")
    if np.unique(array).size < array.size:
        raise ValueError(
            f"{name} is {array.tolist()}; expected positions, each once. Marks of 0 and 1, one "
            "for each token, are passed as booleans: marks.astype(bool)"
        )
    marks = np.zeros(num_tokens, dtype=bool)
    marks[array.astype(np.intp)] = True
    return marks


def token_marks(
    name: str, tokens: ArrayLike, leading: tuple[int, ...], num_tokens: int
) -> NDArray[np.bool_]:
    """Return boolean marks broadcastable to ``(*leading, num_tokens)``.

    ``tokens`` is of shape (tokens,), (batch, tokens), or that of a mask that all queries share,
    (batch, 1, tokens) or (batch, heads or 1, 1, tokens). The batch is the first leading axis.
    """
    marks = as_array(name, tokens)
    if marks.dtype != np.bool_:
        raise TypeError(f"{name} has dtype {marks.dtype}; expected bool, True for real tokens")
    rows = marks[..., 0, :] if marks.ndim >= 3 and marks.shape[-2] == 1 else marks
    batch = leading or (1,)
    if rows.ndim == 2 and len(batch) > 1:
        rows = rows.reshape(rows.shape[0], *(1,) * (len(batch) - 1), rows.shape[-1])
    try:
        np.broadcast_to(rows, (*batch, num_tokens))
    except ValueError:
        rows = np.empty(0, dtype=bool)
    if marks.ndim == 0 or rows.shape[-1:] != (num_tokens,):
        expected = f"({num_tokens},), ({batch[0]}, {num_tokens}) or ({batch[0]}, 1, {num_tokens})"
        raise ValueError(f"{name} has shape {marks.shape}; expected {expected}")
    return rows if leading else rows.reshape(num_tokens)
