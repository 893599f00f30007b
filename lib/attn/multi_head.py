"""Multi-head attention: several attentions side by side, each in its own projected space."""

from __future__ import annotations

from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attn import formulas
from attn._arguments import (
    Array,
    LayerOptions,
    as_float,
    boolean,
    check_count,
    compute_type,
    layer_inputs,
    leading_axes,
)
from attn._hints import explain_torch_names
from attn._interchangeable import Interchangeable
from attn._layers import (
    Gate,
    arguments_of,
    gate_width,
    glorot,
    head_width,
    key_value_heads,
    options_of,
)
from attn._softmax_options import check_soft_cap
from attn.attention import scaled_dot_product_attention
from attn.masking import mask_for_heads


class MultiHeadAttention(Interchangeable):
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
        **options: Unpack[LayerOptions[ArrayLike]],
    ) -> Array: ...
    @overload
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = ...,
        value: ArrayLike | None = ...,
        *,
        return_weights: Literal[True],
        **options: Unpack[LayerOptions[ArrayLike]],
    ) -> tuple[Array, Array]: ...
    @overload
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = ...,
        value: ArrayLike | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[LayerOptions[ArrayLike]],
    ) -> Array | tuple[Array, Array]: ...

    @explain_torch_names
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        *,
        mask: ArrayLike | None = None,
        is_causal: bool = False,
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
        is_causal : bool
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
        inputs = layer_inputs(query, key, value, (self.d_model, self.d_key, self.d_value))
        names = ("query", "key", "value")
        query, key, value = (as_float(n, x) for n, x in zip(names, inputs, strict=True))
        result = np.result_type(query, key, value)
        wide = compute_type(np.result_type(result, *self.parameters().values()))
        leading = leading_axes(query=query, key=key, value=value)
        if mask is not None:
            mask = mask_for_heads(boolean("mask", mask), leading)
        attended = scaled_dot_product_attention(
            self._heads("query", query, wide),  # (..., num_heads, num_queries, head_dim)
            self._heads("key", key, wide),  # (..., num_heads, num_keys, head_dim)
            self._heads("value", value, wide),
            mask=mask,
            is_causal=is_causal,
            sink=None if self.sinks is None else self.sinks[:, None, None],
            soft_cap=self.soft_cap,
            return_weights=return_weights,
        )
        heads, *weights = attended if isinstance(attended, tuple) else (attended,)
        if self.w_gate is not None:
            heads = formulas.gate(heads, self._project("gate", query, wide))
        merged = formulas.merge_heads(heads)  # (..., num_queries, num_heads * head_dim)
        output = self._project("output", merged, wide).astype(result, copy=False)
        return (output, weights[0].astype(result, copy=False)) if weights else output

    def _heads(self, name: str, x: Array, dtype: np.dtype) -> Array:
        """Return the projected tokens in heads, (..., num_heads, tokens, head_dim)."""
        num_heads = self.num_heads if name == "query" else self.num_kv_heads
        heads: Array = formulas.split_heads(self._project(name, x, dtype), num_heads)
        gain = getattr(self, f"g_{name}", None)
        if gain is not None:
            with np.errstate(invalid="ignore", over="ignore"):
                heads = formulas.rms_norm(heads, gain.astype(dtype, copy=False))
        # Query heads in a row share a key head, as in grouped-query attention.
        repeats = self.num_heads // num_heads
        return heads if repeats == 1 else np.repeat(heads, repeats, axis=-3)

    def _project(self, name: str, x: Array, dtype: np.dtype) -> Array:
        weight, bias = getattr(self, f"w_{name}"), getattr(self, f"b_{name}", None)
        # A token that a mask hides may be NaN; a projection keeps that to its own row.
        with np.errstate(invalid="ignore", over="ignore"):
            projected: Array = x.astype(dtype, copy=False) @ weight.astype(dtype, copy=False)
            return projected if bias is None else projected + bias.astype(dtype, copy=False)
