"""Multi-head latent attention as NumPy's layer and torch's share it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from attn import formulas
from attn._arguments import Shaped, check_count, leading_axes, shape_of
from attn._door import enter_layer
from attn._hints import explain_torch_names
from attn._types import Array, ArrayLike, Given, Nested, Numbers
from attn.attention import scaled_dot_product_attention
from attn.masking import mask_for_heads
from attn.multi_head import project
from attn.positional import rotary

#: The sizes of a layer, by the names of its arguments.
SIZES = ("d_model", "num_heads", "d_latent", "head_dim", "rotary_dim")


class LatentAttention:
    """What multi-head latent attention does, in NumPy and in torch."""

    d_model: int
    num_heads: int
    d_latent: int
    head_dim: int
    rotary_dim: int
    base: float
    g_latent: Any

    def attend_to_itself(self, x: Any, *, mask: Any, causal: bool, absorbed: bool) -> Any:
        """Return the attention of tokens to each other: `compress`, then `attend`."""
        door, (tokens,) = enter_layer(self, 0, x=x)  # wide, or latents of 16 bits were rounded
        check_last_axis("x", tokens, self.d_model)
        stored = self.compress(tokens)
        return door.leave(self.attend(tokens, *stored, mask=mask, causal=causal, absorbed=absorbed))

    def compress(
        self, x: Numbers | Nested, positions: Given | None = None
    ) -> tuple[Numbers, Numbers]:
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
            `attn.KeyValueCache.append` takes the two, in this order.
        """
        door, (tokens,) = enter_layer(self, 0, x=x)
        check_last_axis("x", tokens, self.d_model)
        gain = door.floats("g_latent", self.g_latent)
        with door.framework.quiet():  # padding may be NaN
            latent = door.framework.per_token(
                lambda t: formulas.rms_norm(t, gain), project(door, self, "latent", tokens)
            )
            key = rotary(project(door, self, "rotary_key", tokens), positions, base=self.base)
        return door.leave(latent), door.leave(key)

    @explain_torch_names
    def attend(
        self,
        x: Numbers | Nested,
        latent: Numbers | Nested,
        rotary_key: Numbers | Nested,
        *,
        positions: Given | None = None,
        mask: Given | None = None,
        causal: bool = False,
        absorbed: bool = False,
    ) -> Numbers:
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
        causal : bool
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
        door, (tokens,) = enter_layer(self, 0, x=x)
        check_last_axis("x", tokens, self.d_model)
        cached, turned = door.floats("latent", latent), door.floats("rotary_key", rotary_key)
        check_cache(cached, turned, self.d_latent, self.rotary_dim)
        w_key, w_value = (door.floats(name, getattr(self, name)) for name in ("w_key", "w_value"))
        host = door.framework.host
        places = query_positions(host(positions), tokens.shape[-2], cached.shape[-2])
        if mask is not None:
            leading = leading_axes(x=tokens, latent=cached)
            mask = mask_for_heads(door.boolean("mask", mask), leading)
        with door.framework.quiet():
            query = formulas.latent_queries(
                project(door, self, "query", tokens),
                *(self.num_heads, self.head_dim),
                partial(rotary, positions=places, base=self.base),
            )
            scale = (self.head_dim + self.rotary_dim) ** -0.5
            heads = formulas.latent_attention(
                *(query, cached, turned, w_key, w_value),
                partial(scaled_dot_product_attention, mask=mask, causal=causal, scale=scale),
                absorbed,
                lambda x, weight: door.framework.per_token(lambda t: t @ weight, x),
            )
            return door.leave(project(door, self, "output", heads))


def sizes(parameters: Mapping[str, Shaped], num_heads: int) -> dict[str, Any]:
    """Return the sizes of the layer with these parameters, or raise ValueError."""
    shapes = {name: shape_of(array) for name, array in sorted(parameters.items())}
    heads = check_count("num_heads", num_heads, 1)
    try:
        (d_model, d_latent), (_, wide) = shapes["w_latent"], shapes["w_key"]
        (_, rotary_dim) = shapes["w_rotary_key"]
    except (KeyError, ValueError):
        wide = d_model = d_latent = rotary_dim = 0
    expected = {
        "g_latent": (d_latent,),
        "w_key": (d_latent, wide),
        "w_latent": (d_model, d_latent),
        "w_output": (wide, d_model),
        "w_query": (d_model, wide + heads * rotary_dim),
        "w_rotary_key": (d_model, rotary_dim),
        "w_value": (d_latent, wide),
    }
    if shapes != expected or wide == 0 or wide % heads:
        shown = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(
            f"parameters of {heads} heads do not fit together: {shown}; "
            f"expected {', '.join(expected)}"
        )
    widths = (d_model, heads, d_latent, wide // heads, rotary_dim)
    return dict(zip(SIZES, widths, strict=True))


def check_last_axis(name: str, array: Shaped, width: int) -> None:
    """Raise ValueError unless ``array`` has shape ``(..., tokens, width)``."""
    shape = shape_of(array)
    if len(shape) < 2 or shape[-1] != width:
        raise ValueError(f"{name} has shape {shape}; expected (..., tokens, {width})")


def check_cache(latent: Shaped, rotary_key: Shaped, d_latent: int, rotary_dim: int) -> None:
    """Raise ValueError unless the two are what `MultiHeadLatentAttention.compress` gives."""
    check_last_axis("latent", latent, d_latent)
    check_last_axis("rotary_key", rotary_key, rotary_dim)
    expected = (*shape_of(latent)[:-1], rotary_dim)
    if shape_of(rotary_key) != expected:
        raise ValueError(
            f"rotary_key has shape {shape_of(rotary_key)}; expected {expected}, one for each "
            f"latent of shape {shape_of(latent)}"
        )


def query_positions(positions: ArrayLike | None, num_queries: int, num_keys: int) -> Array:
    """Return positions for queries with an axis of heads; the last ones when not given."""
    if positions is None:
        return np.arange(num_keys - num_queries, num_keys)
    places = np.asarray(positions)
    return places if places.ndim < 2 else places[..., None, :]
