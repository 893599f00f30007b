"""A cache of keys and values, for decoding one step at a time."""

from __future__ import annotations

from typing import Any

from attn._arguments import Shaped, check_axes, check_tokens, shape_of
from attn._framework import framework_of
from attn._types import Nested, Numbers


class KeyValueCache:
    """Keys and values of the tokens so far.

    A causal model computes the key and the value of a token once. Each step appends its own and
    attends to all of them; with `causal_mask` aligned at the last key, that equals the full pass.

    Attributes
    ----------
    num_tokens : int
        How many tokens are stored.

    References
    ----------
    Shazeer (2019), "Fast Transformer Decoding", section 2.4 (incremental inference).

    Examples
    --------
    >>> import numpy as np
    >>> cache = KeyValueCache()
    >>> for step in range(3):
    ...     keys, values = cache.append(np.ones((2, 1, 8)), np.ones((2, 1, 5)))
    >>> keys.shape, values.shape, cache.num_tokens
    ((2, 3, 8), (2, 3, 5), 3)
    """

    def __init__(self) -> None:
        self.num_tokens = 0
        self._stores: list[Any] = []

    def __repr__(self) -> str:
        """Return the class and the number of tokens."""
        return f"KeyValueCache(num_tokens={self.num_tokens})"

    def append(self, key: Numbers | Nested, value: Numbers | Nested) -> tuple[Numbers, Numbers]:
        """Store keys and values of the next tokens; return those of all tokens so far.

        Parameters
        ----------
        key : array_like, shape (..., new_tokens, d_k)
        value : array_like, shape (..., new_tokens, d_v)

        Returns
        -------
        keys : array, shape (..., num_tokens, d_k)
        values : array, shape (..., num_tokens, d_v)
            They keep their contents when more is appended. Arrays are read-only, and in the type of
            the first ones; tensors are joined anew, so that gradients reach every step.

        Raises
        ------
        ValueError
            If there is not one value for each key, or another axis than the tokens' has changed.
        """
        framework, names = framework_of(key, value), ("key", "value")
        new = [framework.floats(n, x) for n, x in zip(names, (key, value), strict=True)]
        for name, array in zip(names, new, strict=True):
            check_axes(name, array)
        check_tokens(*new)
        stores = self._stores or [None, None]
        for name, array, store in zip(names, new, stores, strict=True):
            if store is not None:
                check_like(name, array, store)
        appended = (
            framework.append(store, self.num_tokens, array)
            for store, array in zip(stores, new, strict=True)
        )
        self._stores, views = map(list, zip(*appended, strict=True))
        self.num_tokens += new[0].shape[-2]
        return views[0], views[1]


def check_like(name: str, new: Shaped, stored: Shaped) -> None:
    """Raise ValueError unless ``new`` has the shape of ``stored`` but for the tokens."""
    shape, before = shape_of(new), shape_of(stored)
    if (*shape[:-2], shape[-1]) != (*before[:-2], before[-1]):
        expected = ", ".join(str(length) for length in (*before[:-2], "new_tokens", before[-1]))
        raise ValueError(f"{name} has shape {shape}; expected ({expected}) as stored before")
