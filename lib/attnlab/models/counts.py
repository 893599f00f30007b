"""Count a Transformer's parameters and multiplications by part: by formula, and from a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn.torch import Transformer

#: Part: what the names of its modules contain. A name belongs to the first part that fits.
PARTS: Mapping[str, tuple[str, ...]] = {
    "layer normalisation": ("norm",),
    "embeddings": ("embed_",),
    "output layer": ("to_scores",),
    "feed-forward networks": ("feed_forward",),
    "encoder self-attention": ("encoder.layers",),
    "causal self-attention": ("self_attention",),
    "cross-attention": ("cross_attention",),
}


@dataclass(frozen=True)
class Sizes:
    """The sizes on which the counts depend; the heads together are as wide as the model.

    Parameters
    ----------
    d_model, d_hidden : int
    encoder_layers, decoder_layers : int
        0: no such stack.
    source_vocabulary, target_vocabulary : int
        Of a stack that is not there: 0. An encoder alone has an output layer if
        ``target_vocabulary`` is given.
    norm_first : bool
        Each stack is then normalised once more at its end.
    """

    d_model: int
    d_hidden: int
    encoder_layers: int
    decoder_layers: int
    source_vocabulary: int = 0
    target_vocabulary: int = 0
    norm_first: bool = False

    @property
    def crossing_layers(self) -> int:
        """How many layers have cross-attention."""
        return self.decoder_layers if self.encoder_layers else 0

    @classmethod
    def of(cls, model: Transformer) -> Sizes:
        """Return the sizes of a model."""
        stacks = [stack for stack in (model.encoder, model.decoder) if stack is not None]
        layer: Any = stacks[0].layers[0]
        return cls(
            model.d_model,
            layer.feed_forward[0].out_features,
            0 if model.encoder is None else len(model.encoder.layers),
            0 if model.decoder is None else len(model.decoder.layers),
            0 if model.embed_source is None else model.embed_source.num_embeddings,
            0 if model.to_scores is None else model.to_scores.out_features,
            layer.norm_first,
        )


def parameters(sizes: Sizes) -> dict[str, int]:
    """Return the numbers of parameters by part.

    Examples
    --------
    >>> base = Sizes(512, 2048, 6, 6, 37000, 37000)
    >>> parameters(base)["feed-forward networks"]
    25196544
    """
    width, hidden = sizes.d_model, sizes.d_hidden
    layers = sizes.encoder_layers + sizes.decoder_layers
    attention = 4 * (width * width + width)  # W^Q, W^K, W^V, W^O, each with a bias
    stacks = (sizes.encoder_layers > 0) + (sizes.decoder_layers > 0)
    norms = 2 * layers + sizes.crossing_layers + sizes.norm_first * stacks
    target = sizes.target_vocabulary if sizes.decoder_layers else 0
    return {
        "embeddings": (sizes.source_vocabulary + target) * width,
        "encoder self-attention": sizes.encoder_layers * attention,
        "causal self-attention": sizes.decoder_layers * attention,
        "cross-attention": sizes.crossing_layers * attention,
        "feed-forward networks": layers * (2 * width * hidden + hidden + width),
        "layer normalisation": norms * 2 * width,  # a scale and a shift for each feature
        "output layer": sizes.target_vocabulary * (width + 1),
    }


def counted(model: Transformer) -> dict[str, int]:
    """Return the numbers of parameters by part, read from a model."""
    counts = dict.fromkeys(parameters(Sizes.of(model)), 0)
    for name, parameter in model.named_parameters():
        counts[part_of(name)] += parameter.numel()
    return counts


def part_of(name: str) -> str:
    """Return the part that a parameter or a module belongs to, by its name.

    Examples
    --------
    >>> part_of("decoder.layers.1.cross_attention.w_key")
    'cross-attention'
    """
    for part, marks in PARTS.items():
        if any(mark in name for mark in marks):
            return part
    raise ValueError(f"name is {name!r}; expected that of a parameter of a Transformer")


def multiplications(sizes: Sizes, source: int, target: int) -> dict[str, int]:
    """Return the multiplications of one pass by part, each with an addition.

    Counted are matrix products, in which nearly all of the work is. A causal mask does not lower
    the count: the hidden scores are computed, too.

    Parameters
    ----------
    sizes : Sizes
    source, target : int
        Numbers of tokens.
    """
    width = sizes.d_model

    def attention(queries: int, keys: int) -> int:
        # W^Q and W^O of the queries, W^K and W^V of the keys; scores, and sums of values.
        return 2 * (queries + keys) * width**2 + 2 * queries * keys * width

    encoder, decoder = sizes.encoder_layers, sizes.decoder_layers
    tokens = encoder * source + decoder * target
    scored = target if decoder else source
    return {
        "embeddings": 0,  # rows are looked up
        "encoder self-attention": encoder * attention(source, source),
        "causal self-attention": decoder * attention(target, target),
        "cross-attention": sizes.crossing_layers * attention(target, source),
        "feed-forward networks": tokens * 2 * width * sizes.d_hidden,
        "layer normalisation": 0,  # elementwise
        "output layer": scored * sizes.target_vocabulary * width,
    }
