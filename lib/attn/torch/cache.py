"""A cache of keys and values that keeps gradients."""

from __future__ import annotations

import torch
from torch import Tensor

from attn._arguments import check_axes, check_tokens
from attn.cache import check_like
from attn.torch._tensors import as_tensor


class KeyValueCache:
    """Keys and values of the tokens so far; see `attn.KeyValueCache`.

    Attributes
    ----------
    num_tokens : int
        How many tokens are stored.

    Examples
    --------
    >>> import torch
    >>> cache = KeyValueCache()
    >>> for step in range(3):
    ...     keys, values = cache.append(torch.ones(2, 1, 8), torch.ones(2, 1, 5))
    >>> keys.shape, values.shape, cache.num_tokens
    (torch.Size([2, 3, 8]), torch.Size([2, 3, 5]), 3)
    """

    def __init__(self) -> None:
        self._stored: tuple[Tensor, Tensor] | None = None

    def __repr__(self) -> str:
        """Return the class and the number of tokens."""
        return f"KeyValueCache(num_tokens={self.num_tokens})"

    @property
    def num_tokens(self) -> int:
        """How many tokens are stored."""
        return 0 if self._stored is None else self._stored[0].shape[-2]

    def append(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Store keys and values of the next tokens; return those of all tokens so far.

        Parameters
        ----------
        key : tensor, shape (..., new_tokens, d_k)
        value : tensor, shape (..., new_tokens, d_v)

        Returns
        -------
        keys : tensor, shape (..., num_tokens, d_k)
        values : tensor, shape (..., num_tokens, d_v)
            Joined anew at each step, so that gradients reach every step.

        Raises
        ------
        ValueError
            If there is not one value for each key, or another axis than the tokens' has changed.
        """
        key, value = as_tensor("key", key), as_tensor("value", value)
        check_axes("key", key)
        check_axes("value", value)
        check_tokens(key, value)
        if self._stored is not None:
            keys, values = self._stored
            check_like("key", key, keys)
            check_like("value", value, values)
            key, value = torch.cat([keys, key], dim=-2), torch.cat([values, value], dim=-2)
        self._stored = (key, value)
        return self._stored
