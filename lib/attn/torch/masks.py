"""Masks as tensors; the definitions are those of `attn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn import masks
from attn.torch._tensors import on_host


def padding_mask(lengths: Any, num_keys: int) -> Tensor:
    """Return `attn.padding_mask` of ``lengths`` as a tensor, on their device.

    Parameters
    ----------
    lengths : tensor or array_like of int, shape (batch,)
    num_keys : int

    Returns
    -------
    bool tensor, shape (batch, 1, num_keys)

    Raises
    ------
    ValueError, TypeError
        As in NumPy.

    Examples
    --------
    >>> import torch
    >>> padding_mask(torch.tensor([2, 3]), 3).shape
    torch.Size([2, 1, 3])
    """
    device = lengths.device if isinstance(lengths, Tensor) else None
    return _tensor(masks.padding_mask(on_host(lengths), num_keys), device)


def causal_mask(
    num_queries: int, num_keys: int, *, device: torch.device | str | None = None
) -> Tensor:
    """Return `attn.causal_mask` as a tensor: the last query sees the last key.

    Parameters
    ----------
    num_queries, num_keys : int
    device : torch device, optional

    Returns
    -------
    bool tensor, shape (num_queries, num_keys)

    Examples
    --------
    >>> causal_mask(2, 3)
    tensor([[ True,  True, False],
            [ True,  True,  True]])
    """
    return _tensor(masks.causal_mask(num_queries, num_keys), device)


def sliding_window_mask(
    num_queries: int, num_keys: int, window: int, *, device: torch.device | str | None = None
) -> Tensor:
    """Return `attn.sliding_window_mask` as a tensor: ``window`` keys are visible on each side.

    Parameters
    ----------
    num_queries, num_keys, window : int
    device : torch device, optional

    Returns
    -------
    bool tensor, shape (num_queries, num_keys)

    Examples
    --------
    >>> sliding_window_mask(2, 3, window=1)
    tensor([[ True,  True,  True],
            [False,  True,  True]])
    """
    return _tensor(masks.sliding_window_mask(num_queries, num_keys, window), device)


def global_mask(
    num_tokens: int, global_tokens: Any, *, device: torch.device | str | None = None
) -> Tensor:
    """Return `attn.global_mask` as a tensor: rows and columns of the global tokens.

    Parameters
    ----------
    num_tokens : int
    global_tokens : tensor or array_like of int, shape (num_global,), or of bool, (..., num_tokens)
    device : torch device, optional

    Returns
    -------
    bool tensor, shape (..., num_tokens, num_tokens)

    Examples
    --------
    >>> global_mask(3, [0])
    tensor([[ True,  True,  True],
            [ True, False, False],
            [ True, False, False]])
    """
    return _tensor(masks.global_mask(num_tokens, on_host(global_tokens)), device)


def causal_on(device: torch.device) -> Callable[[int, int], Tensor]:
    """Return `causal_mask` for scores on ``device``; exported, it serves any number of tokens."""

    def causal(num_queries: int, num_keys: int) -> Tensor:
        every = torch.ones(num_queries, num_keys, dtype=torch.bool, device=device)
        return every.tril(num_keys - num_queries)

    return causal


def _tensor(mask: np.ndarray, device: torch.device | str | None) -> Tensor:
    return torch.as_tensor(mask, device=device)
