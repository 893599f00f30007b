"""Stack layers of four kinds: the bytes that their caches hold, and what the last reaches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.drawing.static import static_figure, static_table
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

#: What a layer can be.
KINDS = ("global", "local", "shared", "latent")


def _kinds(name: str, value: Any) -> list[str]:
    kinds = fields.words(name, value)
    if not kinds or not set(kinds) <= set(KINDS):
        raise ValueError(f"{name} is {value!r}; expected one or more of {', '.join(KINDS)}")
    return kinds


class LayerStack(Explorable):
    """Layers of a decoder, the first one first, with the cache that each keeps.

    Parameters
    ----------
    layers
        The kind of each: ``"global"`` keeps keys and values of all tokens, ``"local"`` those of its
        window, ``"shared"`` one head of all tokens for all heads of queries, and ``"latent"`` a
        latent and a rotary key of all tokens.
    num_tokens, window
        Tokens read, and tokens that a local layer sees, the newest included.
    num_heads, head_dim, d_latent, rotary_dim, bytes_per_number
        Sizes, as in `attn.cache_size`.
    task, answers
        As in every explorable; the default answer is ``["layers"]``.

    Raises
    ------
    ValueError
        If a kind is not known, or a size is not positive.

    Examples
    --------
    >>> mix = LayerStack()
    >>> mix.sizes()[-1], int(mix.reach().sum())
    (131072, 64)
    >>> int(LayerStack(layers=["local"] * 6).reach().sum())
    19
    """

    _esm = bundle("layer_stack")
    element = "attn-layer-stack"
    title = field(fields.text, "A stack of layers and its caches")
    names = (
        "layers", "num_tokens", "window", "num_heads", "head_dim", "d_latent", "rotary_dim",
        "bytes_per_number",
    )  # fmt: skip
    answer_names = ("layers",)

    layers = field(_kinds, ["local", "local", "local", "local", "local", "global"])
    num_tokens = field(fields.count, 64)
    window = field(fields.count, 4)
    num_heads = field(fields.count, 8)
    head_dim = field(fields.count, 64)
    d_latent = field(fields.count, 128)
    rotary_dim = field(fields.count, 32)
    bytes_per_number = field(fields.count, 2)

    def check(self) -> None:
        """Raise ValueError unless all sizes are positive."""
        for name in self.names[1:]:
            if not getattr(self, name):
                raise ValueError(f"{name} is 0; expected 1 or more")

    def sizes(self) -> list[int]:
        """Return the bytes that the cache of each layer holds after all tokens."""
        kept = {
            "local": {"num_kv_heads": self.num_heads, "head_dim": self.head_dim},
            "shared": {"num_kv_heads": 1, "head_dim": self.head_dim},
            "latent": {"d_latent": self.d_latent, "rotary_dim": self.rotary_dim},
        }
        kept["global"] = kept["local"]
        width = {"bytes_per_number": self.bytes_per_number}
        return [attn.cache_size(self._tokens(kind), **kept[kind], **width) for kind in self.layers]

    def _tokens(self, kind: str) -> int:
        return min(self.window, self.num_tokens) if kind == "local" else self.num_tokens

    def reach(self) -> NDArray[np.bool_]:
        """Return which tokens the last output can depend on, shape ``(num_tokens,)``."""
        count = self.num_tokens
        causal = attn.causal_mask(count, count)
        near = causal & attn.sliding_window_mask(count, count, self.window - 1)
        seen = np.eye(count, dtype=bool)[-1]
        for kind in reversed(self.layers):  # from the output to the input
            seen = (seen.astype(int) @ (near if kind == "local" else causal)) > 0
        return seen

    def figure(self) -> str:
        """Return bytes and reach as a table."""
        rows = [
            (f"layer {number}", [kind, f"{size:,}"])
            for number, (kind, size) in enumerate(zip(self.layers, self.sizes(), strict=True), 1)
        ]
        reached = f"reaches {int(self.reach().sum())} tokens"
        rows.append(("all", [reached, f"{sum(self.sizes()):,}"]))
        note = f"Caches after {self.num_tokens} tokens; local layers see {self.window}."
        return static_figure([], static_table(["", "kind", "bytes"], rows), note=note)
