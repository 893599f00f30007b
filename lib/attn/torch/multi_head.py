"""Multi-head attention as an ``nn.Module``, with the parameters of `attn.MultiHeadAttention`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

import attn
from attn import interchange
from attn._arrays import Array, leading_axes
from attn._layers import check_inputs, mask_for_heads
from attn.torch._layers import affine, glorot
from attn.torch._tensors import as_mask, as_tensor, compute_type
from attn.torch.attention import scaled_dot_product_attention
from attn.torch.heads import merge_heads, split_heads


class MultiHeadAttention(nn.Module):
    r"""Multi-head attention, :math:`\mathrm{Concat}(h_1, …, h_A)\, W^O`, with gradients.

    Parameters
    ----------
    d_model, num_heads, head_dim, d_key, d_value, bias, num_kv_heads
        As in `attn.MultiHeadAttention`.
    rng : torch.Generator, optional
        Draws the weights; torch's global generator when not given.

    Attributes
    ----------
    w_query, w_key, w_value, w_output : nn.Parameter, shape (in, out)
    b_query, b_key, b_value, b_output : nn.Parameter, shape (out,), or None without ``bias``

    Raises
    ------
    ValueError
        If ``head_dim`` is not given and ``num_heads`` does not divide ``d_model``, or
        ``num_kv_heads`` does not divide ``num_heads``.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> import torch
    >>> attend = MultiHeadAttention(d_model=50, num_heads=3, head_dim=16)
    >>> attend(torch.ones(2, 5, 50), torch.ones(2, 7, 50)).shape
    torch.Size([2, 5, 50])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        head_dim: int | None = None,
        d_key: int | None = None,
        d_value: int | None = None,
        bias: bool = True,
        rng: torch.Generator | None = None,
        *,
        num_kv_heads: int | None = None,
    ) -> None:
        super().__init__()
        # The NumPy layer checks the sizes and knows the shapes.
        like = attn.MultiHeadAttention(
            d_model, num_heads, head_dim, d_key, d_value, bias, 0, num_kv_heads=num_kv_heads
        )
        self.d_model, self.d_key, self.d_value = like.d_model, like.d_key, like.d_value
        self.num_heads, self.num_kv_heads = like.num_heads, like.num_kv_heads
        self.head_dim = like.head_dim
        for name in ("query", "key", "value", "output"):
            rows, columns = getattr(like, f"w_{name}").shape
            self.register_parameter(f"w_{name}", nn.Parameter(glorot(rows, columns, rng)))
            zeros = nn.Parameter(torch.zeros(columns)) if bias else None
            self.register_parameter(f"b_{name}", zeros)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        *,
        mask: Any = None,
        is_causal: bool = False,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the attention of ``query`` to ``key``, and on request the weights of each head.

        Parameters
        ----------
        query : tensor, shape (..., num_queries, d_model)
        key : tensor, shape (..., num_keys, d_key), optional
            Defaults to ``query``: self-attention.
        value : tensor, shape (..., num_keys, d_value), optional
            Defaults to ``key``.
        mask : bool tensor, broadcastable to (batch, num_queries, num_keys), optional
            True = may attend. All heads share it; with four axes, each head has its own.
        is_causal, return_weights : bool

        Returns
        -------
        output : tensor, shape (..., num_queries, d_model), in the type of the inputs
        weights : tensor, shape (..., num_heads, num_queries, num_keys)
            Only with ``return_weights``.

        Raises
        ------
        ValueError
            If a width is not that of its projection, or shapes do not broadcast.
        """
        given = check_inputs(query, key, value, (self.d_model, self.d_key, self.d_value))
        names = ("query", "key", "value")
        query, key, value = (as_tensor(n, t) for n, t in zip(names, given, strict=True))
        dtype = torch.promote_types(query.dtype, torch.promote_types(key.dtype, value.dtype))
        leading = leading_axes(query=query, key=key, value=value)
        if mask is not None:
            mask = mask_for_heads(as_mask(mask, query.device), leading)
        query = self._heads("query", query)
        key, value = (
            self._shared(self._heads("key", key)),
            self._shared(self._heads("value", value)),
        )
        if not return_weights:
            heads = scaled_dot_product_attention(query, key, value, mask=mask, is_causal=is_causal)
            return self._project("output", merge_heads(heads)).to(dtype)
        heads, weights = scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=is_causal, return_weights=True
        )
        return self._project("output", merge_heads(heads)).to(dtype), weights.to(dtype)

    @classmethod
    def from_weights(cls, weights: Mapping[str, ArrayLike], num_heads: int) -> MultiHeadAttention:
        """Return the layer with copies of the given ``w_*`` and ``b_*``, arrays or tensors."""
        arrays = {name: as_tensor(name, weight).detach() for name, weight in weights.items()}
        widths = interchange.widths({n: a.cpu().numpy() for n, a in arrays.items()}, num_heads)
        layer = cls(**widths, bias="b_query" in arrays).to(arrays["w_query"].dtype)
        layer.load_state_dict(arrays)
        return layer

    @classmethod
    def from_torch(cls, state: Mapping[str, ArrayLike], num_heads: int) -> MultiHeadAttention:
        """Return the layer whose weights are those of a ``torch.nn.MultiheadAttention``.

        ``state`` is its ``state_dict()``.
        """
        return cls.from_weights(interchange.from_torch(state), num_heads)

    def weights(self) -> dict[str, Array]:
        """Return copies of the parameters as arrays, as `attn.MultiHeadAttention` names them."""
        return {n: p.detach().cpu().numpy().copy() for n, p in self.named_parameters()}

    def to_torch(self) -> dict[str, Tensor]:
        """Return the parameters as the ``state_dict`` of a ``torch.nn.MultiheadAttention``."""
        state = interchange.to_torch(self.weights())
        return {name: torch.from_numpy(array) for name, array in state.items()}

    def _heads(self, name: str, x: Tensor) -> Tensor:
        count = self.num_heads if name == "query" else self.num_kv_heads
        return split_heads(self._project(name, x), count)

    def _shared(self, heads: Tensor) -> Tensor:
        repeats = self.num_heads // self.num_kv_heads
        return heads if repeats == 1 else heads.repeat_interleave(repeats, dim=-3)

    def _project(self, name: str, x: Tensor) -> Tensor:
        weight, bias = getattr(self, f"w_{name}"), getattr(self, f"b_{name}")
        wide = compute_type(torch.promote_types(x.dtype, weight.dtype))
        return affine(x.to(wide), weight.to(wide), None if bias is None else bias.to(wide))
