"""Splitting and merging heads, as in `attn.heads`."""

from __future__ import annotations

from torch import Tensor

from attn import formulas
from attn._arguments import check_axes, check_count, shape_of
from attn.torch._tensors import any_tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Return ``x`` with its features divided into heads; see `attn.split_heads`.

    Parameters
    ----------
    x : tensor, shape (..., tokens, num_heads * head_dim)
    num_heads : int

    Returns
    -------
    tensor, shape (..., num_heads, tokens, head_dim)

    Raises
    ------
    ValueError
        If the number of features is not a multiple of ``num_heads``.

    Examples
    --------
    >>> import torch
    >>> split_heads(torch.zeros(2, 5, 12), num_heads=3).shape
    torch.Size([2, 3, 5, 4])
    """
    x = any_tensor("x", x)
    check_axes("x", x)
    if x.shape[-1] % check_count("num_heads", num_heads, 1):
        raise ValueError(
            f"x has shape {shape_of(x)}; expected a last axis that {num_heads} heads divide"
        )
    return formulas.split_heads(x, num_heads)


def merge_heads(x: Tensor) -> Tensor:
    """Return ``x`` with the heads of each token side by side; undoes `split_heads`.

    Parameters
    ----------
    x : tensor, shape (..., num_heads, tokens, head_dim)

    Returns
    -------
    tensor, shape (..., tokens, num_heads * head_dim)

    Raises
    ------
    ValueError
        If ``x`` has fewer than three axes.

    Examples
    --------
    >>> import torch
    >>> merge_heads(torch.zeros(2, 3, 5, 4)).shape
    torch.Size([2, 5, 12])
    """
    x = any_tensor("x", x)
    if x.ndim < 3:
        raise ValueError(f"x has shape {shape_of(x)}; expected (..., num_heads, tokens, head_dim)")
    return formulas.merge_heads(x)
