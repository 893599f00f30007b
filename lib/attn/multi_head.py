"""Multi-head attention: several attentions side by side, each in its own projected space."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np

from attn import formulas
from attn._arguments import (
    check_broadcasts,
    check_count,
    check_soft_cap,
    layer_inputs,
    leading_axes,
    scale_or_default,
)
from attn._door import Door, enter_layer
from attn._hints import explain_torch_names
from attn._layers import (
    Gate,
    arguments_of,
    gate_width,
    glorot,
    head_width,
    key_value_heads,
    options_of,
)
from attn._types import Array, ArrayLike, DTypeLike, LayerOptions
from attn.attention import attend
from attn.masking import mask_for_heads
from attn.state_dict import StateDictMixin


class MultiHeadAttention(StateDictMixin):
    r"""Multi-head attention, :math:`\mathrm{Concat}(h_1, …, h_A)\, W^O` with
    :math:`h_a = \mathrm{Attention}(X W^Q_a, Y W^K_a, Y W^V_a)`.

    The heads' matrices stand side by side in one: :math:`W^Q_a` is
    ``w_query[:, a * head_dim:(a + 1) * head_dim]``.

    Parameters
    ----------
    d_model : int
        Width of the queries' tokens and of the output.
    num_heads : int
    head_dim : int, optional
        Width of one head. Need not be ``d_model / num_heads``, its default: ``w_output`` brings any
        width back to ``d_model``.
    d_key, d_value : int, optional
        Widths of the tokens that keys and values are made of. ``d_key`` defaults to ``d_model``,
        ``d_value`` to ``d_key``.
    bias : bool
        Add a learned vector after each projection.
    rng : None, int or numpy.random.Generator
        Draws the weights: uniform with variance 2 / (rows + columns). Biases start at zero.
    num_kv_heads : int, optional
        Fewer heads for keys and values, each shared by ``num_heads / num_kv_heads`` query heads in
        a row. Defaults to ``num_heads``.
    dtype : numpy dtype
        Type of the parameters.
    sink : bool
        Learn a score for each head that competes with the keys': see `attention_weights`.
    qk_norm : bool
        Normalise each head's queries and keys by `rms_norm`, with a learned gain.
    gate : "head" or "feature", optional
        Multiply what each head returns, or each of its features, by a sigmoid of the query's token.
    soft_cap : float, optional
        See `attention_weights`.

    Attributes
    ----------
    w_query : array, shape (d_model, num_heads * head_dim)
    w_key : array, shape (d_key, num_kv_heads * head_dim)
    w_value : array, shape (d_value, num_kv_heads * head_dim)
    w_output : array, shape (num_heads * head_dim, d_model)
    b_query, b_key, b_value, b_output : array, or None without ``bias``
        As long as their matrices are wide.
    sinks : array, shape (num_heads,), or None
        In nats; at first 0.
    g_query, g_key : array, shape (head_dim,), or None
        Gains of ``qk_norm``, shared by the heads.
    w_gate : array, shape (d_model, num_heads) or (d_model, num_heads * head_dim), or None

    Raises
    ------
    ValueError
        If ``head_dim`` is not given and ``num_heads`` does not divide ``d_model``, or
        ``num_kv_heads`` does not divide ``num_heads``, or ``gate`` is unknown.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2. Glorot and Bengio (2010),
    equation 16, for the initial weights. Ainslie et al. (2023), "GQA", for ``num_kv_heads``; Qiu et
    al. (2025), "Gated Attention for Large Language Models", for ``gate``.

    Examples
    --------
    >>> import numpy as np
    >>> attend = MultiHeadAttention(d_model=50, num_heads=3, head_dim=16, rng=0)
    >>> attend.w_query.shape, attend.w_output.shape
    ((50, 48), (48, 50))
    >>> attend(np.ones((2, 5, 50)), np.ones((2, 7, 50))).shape
    (2, 5, 50)
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        head_dim: int | None = None,
        d_key: int | None = None,
        d_value: int | None = None,
        bias: bool = True,
        rng: int | np.random.Generator | None = None,
        *,
        num_kv_heads: int | None = None,
        dtype: DTypeLike = np.float32,
        sink: bool = False,
        qk_norm: bool = False,
        gate: Gate | None = None,
        soft_cap: float | None = None,
    ) -> None:
        self.d_model = check_count("d_model", d_model, 1)
        self.num_heads = check_count("num_heads", num_heads, 1)
        self.num_kv_heads = key_value_heads(self.num_heads, num_kv_heads)
        self.head_dim = head_width(self.d_model, self.num_heads, head_dim)
        self.d_key = check_count("d_key", d_model if d_key is None else d_key, 1)
        self.d_value = check_count("d_value", self.d_key if d_value is None else d_value, 1)
        wide, narrow = self.num_heads * self.head_dim, self.num_kv_heads * self.head_dim
        rng = np.random.default_rng(rng)
        self.w_query = glorot(rng, self.d_model, wide, dtype)
        self.w_key = glorot(rng, self.d_key, narrow, dtype)
        self.w_value = glorot(rng, self.d_value, narrow, dtype)
        self.w_output = glorot(rng, wide, self.d_model, dtype)
        self.b_query = np.zeros(wide, dtype) if bias else None
        self.b_key = np.zeros(narrow, dtype) if bias else None
        self.b_value = np.zeros(narrow, dtype) if bias else None
        self.b_output = np.zeros(self.d_model, dtype) if bias else None
        self._add_options(rng, dtype, sink, qk_norm, gate)
        self.soft_cap = check_soft_cap(soft_cap)

    def _add_options(
        self,
        rng: np.random.Generator,
        dtype: DTypeLike,
        sink: bool,
        qk_norm: bool,
        gate: Gate | None,
    ) -> None:
        self.sinks = np.zeros(self.num_heads, dtype) if sink else None
        self.g_query = np.ones(self.head_dim, dtype) if qk_norm else None
        self.g_key = np.ones(self.head_dim, dtype) if qk_norm else None
        # Drawn last: what a seed gave without a gate, it gives with one.
        gates = gate_width(gate, self.num_heads, self.head_dim)
        self.w_gate = None if gates is None else glorot(rng, self.d_model, gates, dtype)

    def __repr__(self) -> str:
        """Return the class and its sizes."""
        names = ["d_model", "num_heads", "head_dim", "d_key", "d_value", "num_kv_heads"]
        bias = self.b_query is not None
        return f"MultiHeadAttention({arguments_of(self, *names)}, bias={bias}{self._options()})"

    def _options(self) -> str:
        """Return those options of a repr that are not as usual."""
        gate = None
        if self.w_gate is not None:
            gate = "head" if self.w_gate.shape[1] == self.num_heads else "feature"
        return options_of(
            sink=self.sinks is not None,
            qk_norm=self.g_query is not None,
            gate=gate,
            soft_cap=self.soft_cap,
        )

    @overload
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = ...,
        value: ArrayLike | None = ...,
        *,
        return_weights: Literal[False] = ...,
        **options: Unpack[LayerOptions],
    ) -> Array: ...
    @overload
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = ...,
        value: ArrayLike | None = ...,
        *,
        return_weights: Literal[True],
        **options: Unpack[LayerOptions],
    ) -> tuple[Array, Array]: ...
    @overload
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = ...,
        value: ArrayLike | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[LayerOptions],
    ) -> Array | tuple[Array, Array]: ...

    @explain_torch_names
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        *,
        mask: ArrayLike | None = None,
        causal: bool = False,
        return_weights: bool = False,
    ) -> Array | tuple[Array, Array]:
        """Return the attention of ``query`` to ``key``, and on request the weights of each head.

        Parameters
        ----------
        query : array_like, shape (..., num_queries, d_model)
        key : array_like, shape (..., num_keys, d_key), optional
            Defaults to ``query``: self-attention.
        value : array_like, shape (..., num_keys, d_value), optional
            Defaults to ``key``.
        mask : array_like of bool, broadcastable to (batch, num_queries, num_keys), optional
            True = may attend. All heads share it; with four axes, (batch, num_heads, num_queries,
            num_keys), each head has its own.
        causal : bool
            Hide the future as well.
        return_weights : bool

        Returns
        -------
        output : array, shape (..., num_queries, d_model), in the type of the inputs
            For a query that sees nothing, ``b_output``: what the heads return is zero.
        weights : array, shape (..., num_heads, num_queries, num_keys)
            Only with ``return_weights``.

        Raises
        ------
        ValueError
            If a width is not that of its projection, or shapes do not broadcast.
        """
        return attend_with_heads(
            self, query, key, value, mask=mask, causal=causal, return_weights=return_weights
        )


def attend_with_heads(
    layer: Any,
    query: Any,
    key: Any,
    value: Any,
    *,
    mask: Any,
    causal: bool,
    return_weights: bool,
    cache: Any = None,
) -> Any:
    """Return what a layer of either framework does; a cache gives earlier keys and values."""
    query, key, value = layer_inputs(query, key, value, _sizes(layer))
    door, (query, key, value) = enter_layer(layer, query=query, key=key, value=value)
    leading = leading_axes(query=query, key=key, value=value)
    with door.framework.quiet():  # a token that a mask hides may be NaN
        heads = _heads(door, layer, "query", query)  # (..., num_heads, num_queries, head_dim)
        kept = _heads(door, layer, "key", key), _heads(door, layer, "value", value)
        if cache is not None:
            kept = cache.append(*kept)
        shape = (*leading, layer.num_heads, heads.shape[-2], kept[0].shape[-2])
        if mask is not None:
            mask = mask_for_heads(door.boolean("mask", mask), leading)
            check_broadcasts("mask", mask, shape)
        output, weights = attend(
            door,
            heads,
            _repeated(door, kept[0], layer.num_heads),
            _repeated(door, kept[1], layer.num_heads),
            shape,
            scale_or_default(heads),
            mask=mask,
            causal=causal,
            sink=None if layer.sinks is None else door.floats("sinks", layer.sinks)[:, None, None],
            soft_cap=layer.soft_cap,
            return_weights=return_weights,
        )
        if layer.w_gate is not None:
            output = formulas.gate(output, project(door, layer, "gate", query))
        output = project(door, layer, "output", formulas.merge_heads(output))
    return (door.leave(output), door.leave(weights)) if return_weights else door.leave(output)


def _sizes(layer: Any) -> tuple[int, int, int]:
    return layer.d_model, layer.d_key, layer.d_value


def project(door: Door, layer: Any, name: str, x: Any) -> Any:
    """Return tokens times the matrix of that name, and its bias if there is one."""
    weight = door.floats(name, getattr(layer, f"w_{name}"))
    bias = getattr(layer, f"b_{name}", None)
    projected = door.framework.per_token(lambda tokens: tokens @ weight, x)
    return projected if bias is None else projected + door.floats(name, bias)


def _heads(door: Door, layer: Any, name: str, x: Any) -> Any:
    """Return the projected tokens in heads, (..., heads of this kind, tokens, head_dim)."""
    num_heads = layer.num_heads if name == "query" else layer.num_kv_heads
    heads = formulas.split_heads(project(door, layer, name, x), num_heads)
    gain = getattr(layer, f"g_{name}", None)
    if gain is None:
        return heads
    gain = door.floats(name, gain)
    return door.framework.per_token(lambda tokens: formulas.rms_norm(tokens, gain), heads)


def _repeated(door: Door, heads: Any, num_heads: int) -> Any:
    """Return a head of keys or values for each query head: those in a row share one."""
    *leading, kept, tokens, width = heads.shape
    if kept == num_heads:
        return heads
    shape = (*leading, kept, num_heads // kept, tokens, width)
    repeated = door.framework.expand(heads[..., :, None, :, :], shape)
    return repeated.reshape(*leading, num_heads, tokens, width)
