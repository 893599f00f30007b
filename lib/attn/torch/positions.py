"""Positions as tensors: sinusoidal, rotary, ALiBi and axial."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from attn import formulas, relative
from attn import positions as _positions
from attn._layers import arguments_of
from attn.axial import Order, axial_indices, check_order, check_pair
from attn.rotary_scaling import RotaryScaling
from attn.torch._tensors import as_tensors, compute_type, on_host


def sinusoidal_positions(
    num_tokens: int,
    d_model: int,
    *,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return `attn.sinusoidal_positions` as a tensor: sines at even, cosines at odd features.

    Parameters
    ----------
    num_tokens, d_model : int
    dtype : torch dtype
    device : torch device, optional

    Returns
    -------
    tensor, shape (num_tokens, d_model)

    Examples
    --------
    >>> sinusoidal_positions(2, 4).shape
    torch.Size([2, 4])
    """
    table = _positions.sinusoidal_positions(num_tokens, d_model)
    return torch.as_tensor(table, dtype=dtype, device=device)


def rotary(
    x: Tensor,
    positions: Any = None,
    *,
    base: float = 10000.0,
    layout: relative.Layout = "interleaved",
    scaling: RotaryScaling | None = None,
) -> Tensor:
    r"""Return ``x`` with its i-th pair of features turned by :math:`t\,\mathrm{base}^{-2i/d}`.

    Parameters
    ----------
    x : tensor, shape (..., tokens, d)
        ``d`` is even.
    positions : tensor or array_like, broadcastable to (..., tokens), optional
        ``0, 1, 2, …`` when not given.
    base : float
    layout : "interleaved" or "half_split"
        Pairs are features 2i and 2i + 1, or i and i + d/2 (GPT-NeoX, Llama).
    scaling : RotaryScaling, optional
        Lowers the frequencies for more tokens than in training.

    Returns
    -------
    tensor, shape and type of ``x``

    Raises
    ------
    ValueError
        If ``d`` is odd, ``positions`` do not fit the tokens, or ``layout`` is unknown.

    References
    ----------
    Su et al. (2024), "RoFormer", section 3.2.2; see `attn.rotary`.

    Examples
    --------
    >>> import torch
    >>> rotary(torch.ones(2, 4, 6)).shape
    torch.Size([2, 4, 6])
    """
    (x,), dtype = as_tensors(x=x)
    wide = compute_type(dtype)
    turns = relative.turns(tuple(x.shape), on_host(positions), base, scaling)
    cos, sin = (torch.from_numpy(turn).to(device=x.device, dtype=wide) for turn in turns)
    return formulas.rotary(x.to(wide), cos, sin, relative.check_layout(layout)).to(dtype)


def alibi_bias(
    num_heads: int,
    num_queries: int,
    num_keys: int,
    *,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    """Return `attn.alibi_bias` as a tensor: minus the distance times a slope for each head.

    Parameters
    ----------
    num_heads, num_queries, num_keys : int
    dtype : torch dtype
    device : torch device, optional

    Returns
    -------
    tensor, shape (num_heads, num_queries, num_keys)

    Examples
    --------
    >>> alibi_bias(4, 2, 3).shape
    torch.Size([4, 2, 3])
    """
    bias = relative.alibi_bias(num_heads, num_queries, num_keys)
    return torch.as_tensor(bias, dtype=dtype, device=device)


class AxialPositions(nn.Module):
    """Learned positions of l1 * l2 tokens from two small tables; see `attn.AxialPositions`.

    Parameters
    ----------
    shape, dims : (int, int)
    order : "row_major" or "column_major"
    generator : torch.Generator, optional
        Draws the tables: standard normal.

    Attributes
    ----------
    tables : nn.ParameterList, shapes (l1, d1) and (l2, d2)

    Raises
    ------
    ValueError, TypeError
        If ``shape`` and ``dims`` are not two positive integers each, or ``order`` is unknown.

    Examples
    --------
    >>> AxialPositions(shape=(8, 16), dims=(24, 40))(100).shape
    torch.Size([100, 64])
    """

    def __init__(
        self,
        shape: tuple[int, int],
        dims: tuple[int, int],
        order: Order = "row_major",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.shape, self.dims = check_pair("shape", shape), check_pair("dims", dims)
        self.order = check_order(order)
        sizes = zip(self.shape, self.dims, strict=True)
        self.tables = nn.ParameterList([torch.randn(*size, generator=generator) for size in sizes])

    def extra_repr(self) -> str:
        """Return the sizes."""
        return arguments_of(self, "shape", "dims", "order")

    def forward(self, num_tokens: int | None = None) -> Tensor:
        """Return the positions of the first ``num_tokens`` tokens, all l1 * l2 when not given.

        Returns
        -------
        tensor, shape (num_tokens, d1 + d2)

        Raises
        ------
        ValueError
            If there are more tokens than places.
        """
        indices = axial_indices(self.shape, self.order, num_tokens)
        rows = [table[torch.from_numpy(i)] for table, i in zip(self.tables, indices, strict=True)]
        return torch.cat(rows, dim=-1)
