"""Axial positions: two small tables in place of one large one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike

from attn._arguments import check_count, check_float_type
from attn._layers import arguments_of
from attn._types import Array

Order = Literal["row_major", "column_major"]
_ORDERS: tuple[Order, ...] = ("row_major", "column_major")


class AxialPositions:
    r"""Learned positions of :math:`l_1 l_2` tokens from tables of :math:`l_1` and :math:`l_2` rows.

    With ``order="row_major"`` the row of token j is :math:`[E_1[j \div l_2], E_2[j \bmod l_2]]`, as
    when a grid is read line by line; with ``"column_major"`` it is
    :math:`[E_1[j \bmod l_1], E_2[j \div l_1]]`.

    Parameters
    ----------
    shape : (int, int)
        :math:`(l_1, l_2)`.
    dims : (int, int)
        :math:`(d_1, d_2)`: widths of the two tables; positions are :math:`d_1 + d_2` wide.
    order : "row_major" or "column_major"
    rng : None, int or numpy.random.Generator
        Draws the tables: standard normal.
    dtype : numpy dtype

    Attributes
    ----------
    tables : list of two arrays, shapes (l1, d1) and (l2, d2)
        The parameters.

    Raises
    ------
    ValueError, TypeError
        If ``shape`` and ``dims`` are not two positive integers each, or ``order`` is unknown.

    References
    ----------
    Kitaev, Kaiser and Levskaya (2020), "Reformer", used there as "axial positional embeddings"; the
    row-major order is that of the implementation in Hugging Face transformers.

    Examples
    --------
    >>> axial = AxialPositions(shape=(8, 16), dims=(24, 40), rng=0)
    >>> axial().shape, axial.num_parameters
    ((128, 64), 832)
    """

    def __init__(
        self,
        shape: tuple[int, int],
        dims: tuple[int, int],
        order: Order = "row_major",
        rng: int | np.random.Generator | None = None,
        *,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self.shape, self.dims = check_pair("shape", shape), check_pair("dims", dims)
        self.order = check_order(order)
        rng = np.random.default_rng(rng)
        sizes = zip(self.shape, self.dims, strict=True)
        self.tables: list[Array] = [
            rng.normal(size=size).astype(check_float_type(dtype)) for size in sizes
        ]

    def __repr__(self) -> str:
        """Return the class and its sizes."""
        return f"AxialPositions({arguments_of(self, 'shape', 'dims', 'order')})"

    @property
    def num_parameters(self) -> int:
        """How many numbers are learned; a full table has l1 * l2 * (d1 + d2)."""
        return sum(length * width for length, width in zip(self.shape, self.dims, strict=True))

    def __call__(self, num_tokens: int | None = None) -> Array:
        """Return the positions of the first ``num_tokens`` tokens, all l1 * l2 when not given.

        Returns
        -------
        array, shape (num_tokens, d1 + d2)

        Raises
        ------
        ValueError
            If there are more tokens than places.
        """
        first, second = axial_indices(self.shape, self.order, num_tokens)
        return np.concatenate([self.tables[0][first], self.tables[1][second]], axis=-1)


def axial_indices(
    shape: tuple[int, int], order: Order, num_tokens: int | None
) -> tuple[Array, Array]:
    """Return for each token its rows in the two tables."""
    places = shape[0] * shape[1]
    count = places if num_tokens is None else check_count("num_tokens", num_tokens)
    if count > places:
        raise ValueError(
            f"num_tokens is {count}; expected at most {shape[0]} * {shape[1]} = {places}"
        )
    tokens = np.arange(count)
    if order == "row_major":
        return tokens // shape[1], tokens % shape[1]
    return tokens % shape[0], tokens // shape[0]


def check_pair(name: str, pair: tuple[int, int]) -> tuple[int, int]:
    """Return ``pair`` as two positive integers, or raise ValueError or TypeError."""
    if not isinstance(pair, Sequence) or len(pair) != 2:
        raise ValueError(f"{name} is {pair!r}; expected two integers")
    return check_count(f"{name}[0]", pair[0], 1), check_count(f"{name}[1]", pair[1], 1)


def check_order(name: str) -> Order:
    """Return ``name`` if it is an order, or raise ValueError."""
    for order in _ORDERS:
        if name == order:
            return order
    raise ValueError(f"order is {name!r}; expected 'row_major' or 'column_major'")
