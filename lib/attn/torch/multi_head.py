"""Multi-head attention as an ``nn.Module``, with the parameters of `attn.MultiHeadAttention`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

import attn
from attn import formulas, interchange
from attn._arguments import Array, LayerOptions, as_array, layer_inputs, leading_axes
from attn._hints import explain_torch_names
from attn._layers import Gate, arguments_of
from attn.masking import mask_for_heads
from attn.torch._layers import affine, glorot
from attn.torch._tensors import as_tensor, boolean, compute_type
from attn.torch.attention import scaled_dot_product_attention
from attn.torch.cache import KeyValueCache
from attn.torch.norms import rms_norm


class MultiHeadAttention(nn.Module):
    r"""Multi-head attention, :math:`\mathrm{Concat}(h_1, …, h_A)\, W^O`, with gradients.

    Parameters
    ----------
    d_model, num_heads, head_dim, d_key, d_value, bias, num_kv_heads, sink, qk_norm, gate, soft_cap
        As in `attn.MultiHeadAttention`.
    generator : torch.Generator, optional
        Draws the parameters; torch's global generator when not given.

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

    w_query: nn.Parameter
    sinks: nn.Parameter | None
    w_gate: nn.Parameter | None

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
        for name in ("query", "key", "value", "output"):
            rows, columns = getattr(like, f"w_{name}").shape
            self.register_parameter(f"w_{name}", nn.Parameter(glorot(rows, columns, generator)))
            zeros = nn.Parameter(torch.zeros(columns)) if bias else None
            self.register_parameter(f"b_{name}", zeros)
        for name in ("sinks", "g_query", "g_key"):
            first = getattr(like, name)
            self.register_parameter(
                name, None if first is None else nn.Parameter(torch.tensor(first))
            )
        # Drawn last: what a seed gave without a gate, it gives with one.
        self.register_parameter("w_gate", None)
        if like.w_gate is not None:
            rows, columns = like.w_gate.shape
            self.w_gate = nn.Parameter(glorot(rows, columns, generator))

    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: Literal[False] = ...,
        **options: Unpack[LayerOptions[Any]],
    ) -> Tensor: ...
    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: Literal[True],
        **options: Unpack[LayerOptions[Any]],
    ) -> tuple[Tensor, Tensor]: ...
    @overload
    def forward(
        self,
        query: Tensor,
        key: Tensor | None = ...,
        value: Tensor | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[LayerOptions[Any]],
    ) -> Tensor | tuple[Tensor, Tensor]: ...

    @explain_torch_names
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
        return self.forward_cached(
            query, key, value, mask=mask, is_causal=is_causal, return_weights=return_weights
        )

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def forward_cached(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        *,
        mask: Any = None,
        is_causal: bool = False,
        return_weights: bool = False,
        cache: KeyValueCache | None = None,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return what `forward` does, with the keys and values of a cache in front.

        Those of ``key`` and ``value`` are added to ``cache``, split into heads:
        (..., num_kv_heads, num_tokens, head_dim). With ``is_causal`` the last query sees the last
        key, so queries of new tokens see all earlier ones.
        """
        inputs = layer_inputs(query, key, value, (self.d_model, self.d_key, self.d_value))
        names = ("query", "key", "value")
        query, key, value = (as_tensor(n, t) for n, t in zip(names, inputs, strict=True))
        dtype = torch.promote_types(query.dtype, torch.promote_types(key.dtype, value.dtype))
        leading = leading_axes(query=query, key=key, value=value)
        if mask is not None:
            mask = mask_for_heads(boolean("mask", mask, query.device), leading)
        keys, values = self._heads("key", key), self._heads("value", value)
        if cache is not None:
            keys, values = cache.append(keys, values)
        attended = scaled_dot_product_attention(
            self._heads("query", query),  # (..., num_heads, num_queries, head_dim)
            self._repeated(keys),  # (..., num_heads, num_keys, head_dim)
            self._repeated(values),
            mask=mask,
            is_causal=is_causal,
            sink=None if self.sinks is None else self.sinks[:, None, None],
            soft_cap=self.soft_cap,
            return_weights=return_weights,
        )
        heads, *weights = attended if isinstance(attended, tuple) else (attended,)
        if self.w_gate is not None:
            heads = formulas.gate(heads, self._project("gate", query))
        merged = formulas.merge_heads(heads)  # (..., num_queries, num_heads * head_dim)
        output = self._project("output", merged).to(dtype)
        return (output, weights[0].to(dtype)) if weights else output

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
        tensors = {name: as_tensor(name, array).detach() for name, array in parameters.items()}
        layer = cls(**interchange.widths(tensors, num_heads), soft_cap=soft_cap)
        layer.to(tensors["w_query"].dtype).load_state_dict(tensors)
        return layer

    @classmethod
    def from_torch(cls, state: Mapping[str, ArrayLike], num_heads: int) -> MultiHeadAttention:
        """Return the layer with the parameters of a ``torch.nn.MultiheadAttention``.

        ``state`` is its ``state_dict()``.
        """
        return cls.from_parameters(interchange.from_torch(state, as_tensor), num_heads)

    def to_numpy(self) -> dict[str, Array]:
        """Return copies of the parameters as arrays, for `attn.MultiHeadAttention`."""
        return {n: as_array(n, p.detach().cpu()).copy() for n, p in self.named_parameters()}

    def to_torch(self) -> dict[str, Tensor]:
        """Return the parameters as the ``state_dict`` of a ``torch.nn.MultiheadAttention``."""
        state = interchange.to_torch(self.to_numpy(), self.soft_cap)
        return {name: torch.from_numpy(array).to(self.w_query) for name, array in state.items()}

    def _heads(self, name: str, x: Tensor) -> Tensor:
        """Return the projected tokens in heads, (..., heads of this kind, tokens, head_dim)."""
        num_heads = self.num_heads if name == "query" else self.num_kv_heads
        heads = formulas.split_heads(self._project(name, x), num_heads)
        gain = getattr(self, f"g_{name}", None)
        return heads if gain is None else rms_norm(heads, gain)

    def _repeated(self, heads: Tensor) -> Tensor:
        """Return a head of keys or values for each query head: those in a row share one."""
        repeats = self.num_heads // self.num_kv_heads
        return heads if repeats == 1 else heads.repeat_interleave(repeats, dim=-3)

    def _project(self, name: str, x: Tensor) -> Tensor:
        weight, bias = getattr(self, f"w_{name}"), getattr(self, f"b_{name}", None)
        wide = compute_type(torch.promote_types(x.dtype, weight.dtype))
        return affine(x.to(wide), weight.to(wide), None if bias is None else bias.to(wide))
