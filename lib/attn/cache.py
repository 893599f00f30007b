"""A cache of keys and values, for decoding one step at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import Array, Shaped, as_float, check_axes, check_tokens, shape_of


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
        self._stores: list[Array] = []

    def __repr__(self) -> str:
        """Return the class and the number of tokens."""
        return f"KeyValueCache(num_tokens={self.num_tokens})"

    def append(self, key: ArrayLike, value: ArrayLike) -> tuple[Array, Array]:
        """Store keys and values of the next tokens; return those of all tokens so far.

        Parameters
        ----------
        key : array_like, shape (..., new_tokens, d_k)
        value : array_like, shape (..., new_tokens, d_v)

        Returns
        -------
        keys : array, shape (..., num_tokens, d_k), read-only
        values : array, shape (..., num_tokens, d_v), read-only
            In the type of the first ones. They keep their contents when more is appended.

        Raises
        ------
        ValueError
            If there is not one value for each key, or another axis than the tokens' has changed.
        """
        new = [as_float("key", key), as_float("value", value)]
        for name, array in zip(("key", "value"), new, strict=True):
            check_axes(name, array)
        check_tokens(*new)
        if not self._stores:
            self._stores = [array[..., :0, :] for array in new]
        for name, array, store in zip(("key", "value"), new, self._stores, strict=True):
            check_like(name, array, store)
        end = self.num_tokens + new[0].shape[-2]
        for index, array in enumerate(new):
            self._reserve(index, end)
            self._stores[index][..., self.num_tokens : end, :] = array
        self.num_tokens = end
        keys, values = (_read_only(store[..., :end, :]) for store in self._stores)
        return keys, values

    def _reserve(self, index: int, tokens: int) -> None:
        store = self._stores[index]
        if store.shape[-2] >= tokens:
            return
        # Doubling: n steps copy each token about once, not n times.
        room = max(tokens, 2 * store.shape[-2])
        larger = np.empty((*store.shape[:-2], room, store.shape[-1]), dtype=store.dtype)
        larger[..., : self.num_tokens, :] = store[..., : self.num_tokens, :]
        self._stores[index] = larger


def check_like(name: str, new: Shaped, stored: Shaped) -> None:
    """Raise ValueError unless ``new`` has the shape of ``stored`` but for the tokens."""
    shape, before = shape_of(new), shape_of(stored)
    if (*shape[:-2], shape[-1]) != (*before[:-2], before[-1]):
        expected = ", ".join(str(length) for length in (*before[:-2], "new_tokens", before[-1]))
        raise ValueError(f"{name} has shape {shape}; expected ({expected}) as stored before")


def _read_only(view: Array) -> Array:
    view.flags.writeable = False
    return view
