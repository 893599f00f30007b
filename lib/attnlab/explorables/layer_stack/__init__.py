"""Stack layers of four kinds: the bytes that their caches hold, and what the last one reaches."""

from __future__ import annotations

from typing import Any

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

#: What a layer can be.
KINDS = ("global", "local", "shared", "latent")
_SIZE = fields.whole(1, 65_536)


def _kinds(name: str, value: Any) -> list[str]:
    kinds = fields.words(name, value)
    if not kinds or not set(kinds) <= set(KINDS):
        raise ValueError(f"{name} is {value!r}; expected one or more of {', '.join(KINDS)}")
    return kinds


class LayerStack(Explorable):
    """The caches of a stack of layers as areas, and how far back its last output reaches.

    Parameters
    ----------
    layers
        The kind of each, the first one first: ``"global"`` keeps keys and values of all tokens,
        ``"local"`` those of its window, ``"shared"`` one head of all tokens for all heads of
        queries, and ``"latent"`` a latent and a rotary key of all tokens.
    num_tokens, window
        Tokens read, and tokens that a local layer sees, the newest included.
    num_heads, head_dim, d_latent, rotary_dim, bytes_per_number
        Sizes, as in `attn.cache_size`.
    """

    layers = field(_kinds, ["local", "local", "global", "local", "local", "local"])
    num_tokens = field(_SIZE, 64)
    window = field(_SIZE, 4)
    num_heads = field(_SIZE, 8)
    head_dim = field(_SIZE, 64)
    d_latent = field(_SIZE, 128)
    rotary_dim = field(_SIZE, 32)
    bytes_per_number = field(_SIZE, 2)
