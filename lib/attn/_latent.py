"""What multi-head latent attention in NumPy and in torch checks of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import Array, Shaped, check_count, shape_of

#: The sizes of a layer, by the names of its arguments.
SIZES = ("d_model", "num_heads", "d_latent", "head_dim", "rotary_dim")


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
    places: Any = positions if hasattr(positions, "shape") else np.asarray(positions)
    return places if places.ndim < 2 else places[..., None, :]
