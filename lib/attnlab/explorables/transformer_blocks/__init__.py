"""Open the blocks of a Transformer: what each computes of one sentence, while it writes another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data.grammar import Grammar
from attnlab.drawing.heat_table import weights_table
from attnlab.drawing.static import static_figure, static_table
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field
from attnlab.explorables.transformer_blocks import diagram
from attnlab.models import numpy_transformer

_GRAMMAR = Grammar("french")
_PAIR = _GRAMMAR.sentence("apple", "under tree", "behind house", "picked")
_SOURCE = _GRAMMAR.english(_PAIR.tokens[0])
_TARGET = ["(begin)", *_GRAMMAR.translation(_PAIR.target[0])]
_PADDING = "(pad)"
_NUM_PADDING = 2  # the next longer sentence of the grammar has two tokens more
_DECIMALS = 2


def _tensors(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}; expected arrays by name")
    return {key: np.asarray(array, dtype=float).tolist() for key, array in value.items()}


def _boxes(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{name} is {value!r}; expected a list")
    return list(value)


def _computed() -> dict[str, Any]:
    """Return what the model that ships computes of the sentence, padded, as it is shown."""
    source = [*_PAIR.tokens[0].tolist(), *[0] * _NUM_PADDING]
    target = [Grammar.BEGIN, *_PAIR.target[0].tolist()[:-1]]
    found = numpy_transformer.parts(numpy_transformer.load(), source, target, len(_SOURCE))
    del found["decoder.output"]
    found["decoder.scores"] = found.pop("scores")
    return {name: (array.round(_DECIMALS) + 0.0).tolist() for name, array in found.items()}


class TransformerBlocks(Explorable):
    """The encoder-decoder of the book as blocks that open, and the numbers inside it.

    Parameters
    ----------
    source_tokens, target_tokens
        Tokens read, with padding at the end, and tokens written, after the mark for the beginning.
    length
        How many source tokens are real.
    tensors
        What each part computes, by name: see `attnlab.models.numpy_transformer.parts`.
    vocabulary
        The tokens that the scores are of.
    blocks, streams, wires, frames
        The diagram.
    selected
        The block that is open, ``"decoder.cross"``, or a part of a stream, ``"decoder.stream.1"``.
    layer, head
        Which of them is shown, from 1.
    step
        How many target tokens the decoder has read.
    padded
        Whether the padding of the source is there.
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If a block, a layer, a head or a step does not exist.

    Examples
    --------
    >>> TransformerBlocks(selected="decoder.cross", step=7).shape()
    (4, 7, 7)
    >>> TransformerBlocks(selected="decoder.scores", step=7).next_token()
    'ramassée'
    """

    _esm = bundle("transformer_blocks")
    element = "attn-transformer-blocks"
    title = field(fields.text, "The Transformer, block by block")
    names = (
        "source_tokens", "target_tokens", "length", "tensors", "vocabulary", "blocks", "streams",
        "wires", "frames", "selected", "layer", "head", "step", "padded",
    )  # fmt: skip
    answer_names = ("selected", "step")

    source_tokens = field(fields.words, [*_SOURCE, *[_PADDING] * _NUM_PADDING])
    target_tokens = field(fields.words, _TARGET)
    length = field(fields.count, len(_SOURCE))
    tensors = field(_tensors, {})
    vocabulary = field(fields.words, _GRAMMAR.target_words())
    blocks = field(_boxes, diagram.blocks())
    streams = field(_boxes, diagram.streams())
    wires = field(_boxes, diagram.wires())
    frames = field(_boxes, diagram.frames())
    selected = field(fields.text, "decoder.cross")
    layer = field(fields.count, 2)
    head = field(fields.count, 1)
    step = field(fields.count, 7)
    padded = field(fields.flag, False)

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.tensors:
            self.tensors = _computed()

    def check(self) -> None:
        """Raise ValueError unless what is selected exists."""
        known = [part["id"] for part in [*self.blocks, *self.streams]]
        if self.selected not in known:
            raise ValueError(f"selected is {self.selected!r}; expected one of {known}")
        limits = {
            "layer": numpy_transformer.NUM_LAYERS,
            "head": numpy_transformer.NUM_HEADS,
            "step": len(self.target_tokens),
        }
        for name, most in limits.items():
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name} is {getattr(self, name)}; expected 1 to {most}")

    def _counts(self) -> dict[str, int]:
        read = len(self.source_tokens) if self.padded else self.length
        return {"encoder": read, "decoder": self.step}

    def tensor(self) -> NDArray[np.float64]:
        """Return the numbers of what is selected: rows are tokens.

        An attention has its weights, of all heads; a part of a stream is the embedding plus all
        that the sublayers below it have added.
        """
        stack, *part = self.selected.split(".")
        count = self._counts()[stack]
        if part[0] == "stream":
            return self._stream(stack, int(part[1]))[:count]
        if part[0] in ("self", "cross"):
            keys = self._counts()["encoder" if part[0] == "cross" else stack]
            weights = np.array(self.tensors[f"{stack}.{self.layer}.{part[0]}.weights"])
            return np.asarray(weights[:, :count, :keys])
        name = f"{stack}.{self.layer}.network" if part[0] == "network" else self.selected
        return np.array(self.tensors[name])[:count]

    def _stream(self, stack: str, number: int) -> NDArray[np.float64]:
        sublayers = ["self", "network"] if stack == "encoder" else ["self", "cross", "network"]
        below = len(sublayers) * (self.layer - 1) + number
        added = [
            self.tensors[f"{stack}.{at // len(sublayers) + 1}.{sublayers[at % len(sublayers)]}"]
            for at in range(below)
        ]
        return np.sum([self.tensors[f"{stack}.embedding"], *added], axis=0)

    def mask(self) -> NDArray[np.bool_] | None:
        """Return what the selected attention may attend to, None for other parts."""
        stack, part, *_ = self.selected.split(".")
        counts = self._counts()
        if part not in ("self", "cross"):
            return None
        if self.selected == "decoder.self":
            return attn.causal_mask(self.step, self.step)
        real = attn.padding_mask([self.length], counts["encoder"])[0]
        return np.broadcast_to(real, (counts[stack], counts["encoder"]))

    def shape(self) -> tuple[int, ...]:
        """Return the shape of what is selected."""
        return self.tensor().shape

    def next_token(self) -> str:
        """Return the token that the model writes next: the one with the highest score."""
        return self.vocabulary[int(np.argmax(self.tensors["decoder.scores"][self.step - 1]))]

    def figure(self) -> str:
        """Return the diagram, a table of the blocks, and the weights if an attention is open."""
        rows = []
        for block in self.blocks:
            state = {**self.state(), "selected": block["id"]}
            shape = str(TransformerBlocks(**state).shape())
            stack = block["id"].split(".")[0]
            rows.append((f"{block['title']}, {stack}", [shape]))
        label = "The Transformer: an encoder of two layers, a decoder of two layers."
        table = static_table(["", "shape"], rows)
        mask = self.mask()
        if mask is None:
            return static_figure([diagram.picture(label)], table)
        queries, keys = self._axes()
        weights = weights_table(
            self.tensor()[self.head - 1], queries, keys, mask=mask,
            caption=f"{self._title()}, layer {self.layer}, head {self.head}.",
        )  # fmt: skip
        return static_figure([diagram.picture(label)], table + weights.markup())

    def _title(self) -> str:
        return next(str(b["title"]) for b in self.blocks if b["id"] == self.selected)

    def _axes(self) -> tuple[list[str], list[str]]:
        counts = self._counts()
        tokens = {"encoder": self.source_tokens, "decoder": self.target_tokens}
        shown = {stack: tokens[stack][: counts[stack]] for stack in tokens}
        stack = self.selected.split(".")[0]
        return shown[stack], shown["decoder" if self.selected == "decoder.self" else "encoder"]
