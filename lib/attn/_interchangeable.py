"""Multi-head attention whose parameters travel: to NumPy arrays, torch and keras, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from attn import interchange
from attn._arguments import Array, as_float


class Interchangeable:
    """What `MultiHeadAttention` is made from, and can be turned into."""

    num_heads: int
    soft_cap: float | None

    @classmethod
    def from_torch(cls, state: Mapping[str, ArrayLike], num_heads: int) -> Self:
        """Return the layer with the parameters of a ``torch.nn.MultiheadAttention``.

        Parameters
        ----------
        state : mapping of str to array_like
            Its ``state_dict()``; tensors or arrays.
        num_heads : int

        Examples
        --------
        >>> from attn import MultiHeadAttention
        >>> attend = MultiHeadAttention(6, 2, rng=0)
        >>> same = MultiHeadAttention.from_torch(attend.to_torch(), num_heads=2)
        >>> bool((same.w_key == attend.w_key).all())
        True
        """
        return cls.from_parameters(interchange.from_torch(state, as_float), num_heads)

    @classmethod
    def from_keras(cls, weights: list[ArrayLike]) -> Self:
        """Return the layer with what ``keras.layers.MultiHeadAttention.get_weights()`` returned."""
        return cls.from_parameters(*interchange.from_keras(weights))

    def to_torch(self) -> dict[str, Array]:
        """Return the parameters as the ``state_dict`` of a ``torch.nn.MultiheadAttention``.

        Raises
        ------
        ValueError
            If torch has no such layer: it needs ``num_heads * head_dim == d_model`` and as many
            heads for keys as for queries, and has no sinks, caps, norms or gates.
        """
        return interchange.to_torch(self.parameters(), self.soft_cap)

    def to_keras(self) -> list[Array]:
        """Return the parameters as ``keras.layers.MultiHeadAttention.set_weights`` takes them.

        Raises
        ------
        ValueError
            If keras has no such layer: it needs as many heads for keys as for queries, and has no
            sinks, caps, norms or gates.
        """
        return interchange.to_keras(self.parameters(), self.num_heads, self.soft_cap)

    @classmethod
    def from_parameters(
        cls,
        parameters: Mapping[str, ArrayLike],
        num_heads: int,
        *,
        soft_cap: float | None = None,
    ) -> Self:
        """Return the layer with copies of `parameters`, whose shapes give its sizes.

        Raises
        ------
        ValueError
            If the shapes do not fit together.
        """
        parts = {name: np.array(as_float(name, array)) for name, array in parameters.items()}
        widths = interchange.widths(parts, num_heads)
        make: Any = cls
        layer: Self = make(**widths, soft_cap=soft_cap, dtype=parts["w_query"].dtype)
        vars(layer).update(parts)
        return layer

    def parameters(self) -> dict[str, Array]:
        """Return the parameters that are not None by name, without copying."""
        return {name: p for name, p in vars(self).items() if isinstance(p, np.ndarray)}
