"""Multi-head attention as an ``nn.Module``, with the parameters of `attn.MultiHeadAttention`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import torch
from torch import Tensor, nn

import attn
from attn import state_dict
from attn._hints import explain_torch_names
from attn._layers import Gate, arguments_of
from attn._types import Array, ArrayLike, Given, LayerOptions
from attn.cache import KeyValueCache
from attn.multi_head import attend_with_heads
from attn.torch._layers import copied, register

_PROJECTIONS = ("query", "key", "value", "output")


class _Options(LayerOptions, total=False):
    cache: KeyValueCache | None


class MultiHeadAttention(nn.Module):
    r"""Multi-head attention, :math:`\mathrm{Concat}(h_1, …, h_A)\, W^O`, with gradients.

    Parameters
    ----------
    d_model, num_heads, head_dim, d_key, d_value, bias, num_kv_heads, sink, qk_norm, gate, soft_cap
        As in `attn.MultiHeadAttention`.
    generator : torch.Generator, optional
        Draws the parameters; torch's global generator when not given.
    device, dtype : optional
        Of the parameters; torch's usual ones when not given.

    Attributes
    ----------
    w_query, w_key, w_value, w_output : nn.Parameter, shape (in, out)
    b_query, b_key, b_value, b_output : nn.Parameter, shape (out,), or None without ``bias``
    sinks, g_query, g_key, w_gate : nn.Parameter, or None without their options

    Raises
    ------
    ValueError
        If ``head_dim`` is not given and ``num_heads`` does not divide ``d_model``, or
        ``num_kv_heads`` does not divide ``num_heads``, or ``gate`` is unknown.

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

    sinks: nn.Parameter | None

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        head_dim: int | None = None,
        d_key: int | None = None,
        d_value: int | None = None,
        bias: bool = True,
        generator: torch.Generator | None = None,
        *,
        num_kv_heads: int | None = None,
        sink: bool = False,
        qk_norm: bool = False,
        gate: Gate | None = None,
        soft_cap: float | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        # The NumPy layer checks the sizes and knows the shapes.
        options: Any = {"sink": sink, "qk_norm": qk_norm, "gate": gate, "soft_cap": soft_cap}
        sizes = (d_model, num_heads, head_dim, d_key, d_value)
        like = attn.MultiHeadAttention(*sizes, bias, 0, num_kv_heads=num_kv_heads, **options)
        self.d_model, self.d_key, self.d_value = like.d_model, like.d_key, like.d_value
        self.num_heads, self.num_kv_heads = like.num_heads, like.num_kv_heads
        self.head_dim, self.soft_cap = like.head_dim, like.soft_cap
        self._options = like._options()
        names = [f"{kind}_{name}" for name in _PROJECTIONS for kind in "wb"]
        # The gate is drawn last: what a seed gave without one, it gives with one.
        for name in (*names, "sinks", "g_query", "g_key", "w_gate"):
            register(self, name, getattr(like, name), generator, device, dtype)

    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: Literal[False] = ...,
        **options: Unpack[_Options],
    ) -> Tensor: ...
    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: Literal[True],
        **options: Unpack[_Options],
    ) -> tuple[Tensor, Tensor]: ...
    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[_Options],
    ) -> Tensor | tuple[Tensor, Tensor]: ...

    @explain_torch_names
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        *,
        mask: Given | None = None,
        causal: bool = False,
        cache: KeyValueCache | None = None,
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
        causal : bool
            Hide the future as well; the last query sees the last key.
        cache : KeyValueCache, optional
            Keys and values of earlier tokens, split into heads, (..., num_kv_heads, num_tokens,
            head_dim). Those of ``key`` and ``value`` are added, and the queries see them all.
        return_weights : bool

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
        options: Any = {"mask": mask, "causal": causal, "return_weights": return_weights}
        result: Tensor | tuple[Tensor, Tensor] = attend_with_heads(
            self, query, key, value, cache=cache, **options
        )
        return result

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def extra_repr(self) -> str:
        """Return the sizes."""
        names = ["d_model", "num_heads", "head_dim", "d_key", "d_value", "num_kv_heads"]
        return f"{arguments_of(self, *names)}, bias={self.b_query is not None}{self._options}"

    @classmethod
    def from_parameters(
        cls,
        parameters: Mapping[str, ArrayLike],
        num_heads: int,
        *,
        soft_cap: float | None = None,
    ) -> MultiHeadAttention:
        """Return the layer with copies of the parameters by name, arrays or tensors."""
        tensors = copied(parameters)
        hosts = {name: tensor.cpu().numpy() for name, tensor in tensors.items()}
        widths = state_dict.widths(hosts, num_heads)
        layer = cls(**widths, soft_cap=soft_cap, dtype=tensors["w_query"].dtype)
        layer.load_state_dict(tensors)
        return layer

    @classmethod
    def from_torch(cls, state: Mapping[str, ArrayLike], num_heads: int) -> MultiHeadAttention:
        """Return the layer with the parameters of a ``torch.nn.MultiheadAttention``.

        ``state`` is its ``state_dict()``.
        """
        return cls.from_parameters(state_dict.from_torch(state), num_heads)

    def to_numpy(self) -> dict[str, Array]:
        """Return copies of the parameters as arrays, for `attn.MultiHeadAttention`."""
        return {n: p.detach().cpu().numpy().copy() for n, p in self.named_parameters()}

    def to_torch(self) -> dict[str, Tensor]:
        """Return the parameters as the ``state_dict`` of a ``torch.nn.MultiheadAttention``."""
        state = state_dict.to_torch(self.to_numpy(), self.soft_cap)
        return {name: torch.from_numpy(array) for name, array in state.items()}
