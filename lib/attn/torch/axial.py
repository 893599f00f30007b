"""Axial positions as a trainable module."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn._layers import arguments_of
from attn.axial import Order, axial_indices, check_order, check_pair


class AxialPositions(nn.Module):
    """Learned positions of l1 * l2 tokens from two small tables; see `attn.AxialPositions`.

    Parameters
    ----------
    shape, dims : (int, int)
    order : "row_major" or "column_major"
    generator : torch.Generator, optional
        Draws the tables: standard normal.
    device, dtype : optional
        Of the tables; torch's usual ones when not given.

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
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.shape, self.dims = check_pair("shape", shape), check_pair("dims", dims)
        self.order = check_order(order)
        sizes = zip(self.shape, self.dims, strict=True)
        drawn = [torch.randn(*size, generator=generator) for size in sizes]
        self.tables = nn.ParameterList([table.to(device=device, dtype=dtype) for table in drawn])

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
