"""Score functions with gradients, as in `attn.scores`."""

from __future__ import annotations

from torch import Tensor

from attn._arguments import check_weight, check_width, leading_axes, scale_or_default
from attn.torch._tensors import as_tensor, as_tensors, compute_type


def dot_score(query: Tensor, key: Tensor) -> Tensor:
    r"""Return the dot products :math:`Q K^\top`; see `attn.dot_score`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)

    Returns
    -------
    tensor, shape (..., num_queries, num_keys)

    Raises
    ------
    ValueError
        If the widths differ or the leading axes do not broadcast.

    Examples
    --------
    >>> import torch
    >>> dot_score(torch.ones(2, 4, 8), torch.ones(2, 6, 8)).shape
    torch.Size([2, 4, 6])
    """
    return scaled_dot_score(query, key, scale=1.0)


def scaled_dot_score(query: Tensor, key: Tensor, scale: float | None = None) -> Tensor:
    r"""Return the scaled dot products :math:`Q K^\top / \sqrt{d_k}`; see `attn.scaled_dot_score`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    scale : float, optional
        The factor; :math:`1 / \sqrt{d_k}` when not given.

    Returns
    -------
    tensor, shape (..., num_queries, num_keys)

    Raises
    ------
    ValueError
        If the widths differ or the leading axes do not broadcast.

    Examples
    --------
    >>> import torch
    >>> scaled_dot_score(torch.ones(1, 4), torch.ones(3, 4))
    tensor([[2., 2., 2.]])
    """
    (query, key), dtype = as_tensors(query=query, key=key)
    check_width(query, key)
    leading_axes(query=query, key=key)
    wide = compute_type(dtype)
    scaled = query.to(wide) * scale_or_default(query, scale)
    return (scaled @ key.to(wide).mT).to(dtype)


def general_score(query: Tensor, key: Tensor, weight: Tensor) -> Tensor:
    r"""Return :math:`Q W K^\top`; see `attn.general_score`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_query)
    key : tensor, shape (..., num_keys, d_key)
    weight : tensor, shape (d_query, d_key)
        Usually an ``nn.Parameter``.

    Returns
    -------
    tensor, shape (..., num_queries, num_keys)

    Raises
    ------
    ValueError
        If ``weight`` is not of shape ``(d_query, d_key)``, or the leading axes do not broadcast.

    Examples
    --------
    >>> import torch
    >>> general_score(torch.ones(4, 2), torch.ones(6, 3), torch.ones(2, 3)).shape
    torch.Size([4, 6])
    """
    (query, key), dtype = as_tensors(query=query, key=key)
    weight = as_tensor("weight", weight)
    check_weight(query, key, weight)
    leading_axes(query=query, key=key)
    wide = compute_type(dtype)
    return (query.to(wide) @ weight.to(wide) @ key.to(wide).mT).to(dtype)
