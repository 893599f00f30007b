"""Multi-head latent attention: keys and values are made from one short vector for each token."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attn import formulas
from attn._arguments import (
    Array,
    as_float,
    boolean,
    check_count,
    compute_type,
)
from attn._hints import explain_torch_names
from attn._latent import SIZES, check_cache, check_last_axis, query_positions, sizes
from attn._layers import arguments_of, glorot, head_width
from attn.attention import scaled_dot_product_attention
from attn.masking import mask_for_heads
from attn.relative import rotary


class MultiHeadLatentAttention:
    r"""Self-attention whose cache is a latent :math:`c = \mathrm{RMS}(x W^{DKV})` for each token.

    Keys :math:`c\,W^{UK}` and values :math:`c\,W^{UV}` of all heads are expanded from it. Rotations
    would keep :math:`W^{UK}` from moving to the query, so they get features of their own: a few for
    each query head, and one key for all heads.

    Parameters
    ----------
    d_model, num_heads : int
    d_latent : int
        Width of the latent: the rank of all keys and values together.
    head_dim : int, optional
        Width of a head's keys, without the rotary part, and values; ``d_model / num_heads`` when
        not given.
    rotary_dim : int
        Features that `rotary` turns, even; 0: no positions.
    rng : None, int or numpy.random.Generator
        Draws the weights: uniform with variance 2 / (rows + columns).
    base : float
        See `rotary`.
    dtype : numpy dtype
        Type of the parameters.

    Attributes
    ----------
    w_query : array, shape (d_model, num_heads * (head_dim + rotary_dim))
        In each head, first the features that are not turned.
    w_latent : array, shape (d_model, d_latent)
    g_latent : array, shape (d_latent,)
        Gain of the latent's `rms_norm`.
    w_rotary_key : array, shape (d_model, rotary_dim)
    w_key, w_value : array, shape (d_latent, num_heads * head_dim)
    w_output : array, shape (num_heads * head_dim, d_model)

    Raises
    ------
    ValueError
        If ``rotary_dim`` is odd, or ``head_dim`` is not given and ``num_heads`` does not divide
        ``d_model``.

    References
    ----------
    DeepSeek-AI (2024), "DeepSeek-V2", section 2.1 and appendix C; there queries, too, are made from
    a latent, which saves memory in training and changes nothing in the cache.

    Examples
    --------
    >>> import numpy as np
    >>> attend = MultiHeadLatentAttention(d_model=48, num_heads=6, d_latent=10, rotary_dim=4, rng=0)
    >>> x = np.ones((2, 5, 48))
    >>> attend(x, is_causal=True).shape
    (2, 5, 48)
    >>> latent, rotary_key = attend.compress(x)  # what a cache stores: 14 numbers for each token
    >>> latent.shape, rotary_key.shape
    ((2, 5, 10), (2, 5, 4))
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_latent: int,
        head_dim: int | None = None,
        rotary_dim: int = 0,
        rng: int | np.random.Generator | None = None,
        *,
        base: float = 10000.0,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self.d_model = check_count("d_model", d_model, 1)
        self.num_heads = check_count("num_heads", num_heads, 1)
        self.d_latent = check_count("d_latent", d_latent, 1)
        self.head_dim = head_width(self.d_model, self.num_heads, head_dim)
        self.rotary_dim = check_count("rotary_dim", rotary_dim)
        if self.rotary_dim % 2:
            raise ValueError(f"rotary_dim is {rotary_dim}; expected an even number")
        self.base = base
        rng, wide = np.random.default_rng(rng), self.num_heads * self.head_dim
        turned = self.num_heads * self.rotary_dim
        self.w_query = glorot(rng, self.d_model, wide + turned, dtype)
        self.w_latent = glorot(rng, self.d_model, self.d_latent, dtype)
        self.g_latent = np.ones(self.d_latent, dtype)
        self.w_rotary_key = glorot(rng, self.d_model, self.rotary_dim, dtype)
        self.w_key = glorot(rng, self.d_latent, wide, dtype)
        self.w_value = glorot(rng, self.d_latent, wide, dtype)
        self.w_output = glorot(rng, wide, self.d_model, dtype)

    def __repr__(self) -> str:
        """Return the class and its sizes."""
        return f"MultiHeadLatentAttention({arguments_of(self, *SIZES)})"

    def parameters(self) -> dict[str, Array]:
        """Return the parameters by name, without copying."""
        return {name: p for name, p in vars(self).items() if isinstance(p, np.ndarray)}

    @classmethod
    def from_parameters(
        cls, parameters: Mapping[str, ArrayLike], num_heads: int, *, base: float = 10000.0
    ) -> MultiHeadLatentAttention:
        """Return the layer with copies of `parameters`, whose shapes give its sizes.

        Raises
        ------
        ValueError
            If the shapes do not fit together.
        """
        parts = {name: np.array(as_float(name, array)) for name, array in parameters.items()}
        layer = cls(**sizes(parts, num_heads), base=base, dtype=parts["w_query"].dtype)
        vars(layer).update(parts)
        return layer

    @explain_torch_names
    def __call__(
        self,
        x: ArrayLike,
        *,
        mask: ArrayLike | None = None,
        is_causal: bool = False,
        absorbed: bool = False,
    ) -> Array:
        """Return the attention of tokens to each other: `compress`, then `attend`.

        Parameters
        ----------
        x : array_like, shape (..., tokens, d_model)
        mask, is_causal, absorbed
            As in `attend`.

        Returns
        -------
        array, shape (..., tokens, d_model), in the type of ``x``
        """
        tokens = self._tokens(x)
        wide = tokens.astype(self._wide(tokens), copy=False)  # or latents of float16 were rounded
        output = self.attend(
            wide, *self.compress(wide), mask=mask, is_causal=is_causal, absorbed=absorbed
        )
        return output.astype(tokens.dtype, copy=False)

    def compress(self, x: ArrayLike, positions: ArrayLike | None = None) -> tuple[Array, Array]:
        """Return what a cache stores of the tokens.

        Parameters
        ----------
        x : array_like, shape (..., tokens, d_model)
        positions : array_like, broadcastable to (..., tokens), optional
            ``0, 1, 2, …`` when not given; after tokens in a cache, pass the true ones.

        Returns
        -------
        latent : array, shape (..., tokens, d_latent)
        rotary_key : array, shape (..., tokens, rotary_dim)
            `KeyValueCache.append` takes the two, in this order.
        """
        tokens = self._tokens(x)
        wide = self._wide(tokens)
        with np.errstate(invalid="ignore", over="ignore"):  # padding may be NaN
            down = tokens @ self.w_latent.astype(wide, copy=False)
            latent = formulas.rms_norm(down, self.g_latent.astype(wide, copy=False))
            key = tokens.astype(wide) @ self.w_rotary_key.astype(wide, copy=False)
            turned = rotary(key, positions, base=self.base)
        return latent.astype(tokens.dtype, copy=False), turned.astype(tokens.dtype, copy=False)

    @explain_torch_names
    def attend(
        self,
        x: ArrayLike,
        latent: ArrayLike,
        rotary_key: ArrayLike,
        *,
        positions: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        is_causal: bool = False,
        absorbed: bool = False,
    ) -> Array:
        """Return the attention of tokens to a cache.

        Parameters
        ----------
        x : array_like, shape (..., num_queries, d_model)
        latent : array_like, shape (..., num_keys, d_latent)
        rotary_key : array_like, shape (..., num_keys, rotary_dim)
            As `compress` gives them.
        positions : array_like, broadcastable to (..., num_queries), optional
            Of the queries; the last ``num_queries`` of ``num_keys`` positions when not given.
        mask : array_like of bool, broadcastable to (batch, num_queries, num_keys), optional
            True = may attend. With four axes, each head has its own.
        is_causal : bool
            Hide the future as well.
        absorbed : bool
            Attend to the latents themselves, as multi-query attention does to its one head, instead
            of expanding keys and values. The output is the same, up to rounding.

        Returns
        -------
        array, shape (..., num_queries, d_model), in the type of ``x``

        Raises
        ------
        ValueError
            If a width is not that of the layer, or shapes do not broadcast.
        """
        tokens = self._tokens(x)
        wide = self._wide(tokens)
        cached = as_float("latent", latent), as_float("rotary_key", rotary_key)
        check_cache(*cached, self.d_latent, self.rotary_dim)
        parts = [part.astype(wide, copy=False) for part in cached]
        w = {name: p.astype(wide, copy=False) for name, p in self.parameters().items()}
        with np.errstate(invalid="ignore", over="ignore"):  # padding may be NaN
            places = query_positions(positions, tokens.shape[-2], parts[0].shape[-2])
            query = formulas.latent_queries(
                tokens.astype(wide, copy=False) @ w["w_query"],
                *(self.num_heads, self.head_dim),
                partial(rotary, positions=places, base=self.base),
            )
            attend = partial(
                scaled_dot_product_attention,
                mask=None if mask is None else _mask_for_heads(mask, tokens, *parts),
                is_causal=is_causal,
                scale=(self.head_dim + self.rotary_dim) ** -0.5,
            )
            heads: Array = formulas.latent_attention(
                query, parts[0], parts[1], w["w_key"], w["w_value"], attend, absorbed
            )
            output = heads @ w["w_output"]
        return output.astype(tokens.dtype, copy=False)

    def _tokens(self, x: ArrayLike) -> Array:
        tokens = as_float("x", x)
        check_last_axis("x", tokens, self.d_model)
        return tokens

    def _wide(self, tokens: Array) -> np.dtype[Any]:
        return compute_type(np.result_type(tokens, *self.parameters().values()))


def _mask_for_heads(mask: ArrayLike, *parts: Array) -> Array:
    return mask_for_heads(
        boolean("mask", mask), np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    )
