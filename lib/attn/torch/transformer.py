"""The Transformer: an encoder, a decoder, or both, between tokens and scores of tokens."""

from __future__ import annotations

import math
from typing import Any, Unpack

import torch
from torch import Tensor, nn

from attn._arguments import check_count
from attn._hints import explain_torch_names
from attn._types import Given
from attn.positional import sinusoidal_positions
from attn.torch._framework import TORCH
from attn.torch.stacks import Decoder, Encoder
from attn.torch.sublayers import BlockOptions, LayerCache


class Transformer(nn.Module):
    r"""Tokens in, scores of the next token out.

    With both stacks it is the encoder-decoder of the paper, for translation. Without an encoder it
    is a language model, as GPT is. Without a decoder it is an encoder, as BERT is: it returns
    vectors, or with ``tgt_vocab_size`` scores of the token at each place.

    Parameters
    ----------
    d_model, num_heads : int
    num_encoder_layers, num_decoder_layers : int
        0: no such stack.
    src_vocab_size, tgt_vocab_size : int, optional
        Numbers of different tokens: each is needed by its stack. An encoder alone may have both;
        its output layer then scores ``tgt_vocab_size`` tokens.
    d_hidden, options
        As in `EncoderLayer`. Dropout also applies to the embedded tokens.

    Raises
    ------
    ValueError
        If there are no layers at all, or a stack lacks the size of its vocabulary.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3 and figure 1. Embeddings are
    multiplied by :math:`\sqrt{d_{model}}` as in section 3.4; their weights are not shared with the
    last projection here.

    Examples
    --------
    >>> import torch
    >>> model = Transformer(12, 3, src_vocab_size=11, tgt_vocab_size=7)
    >>> source, target = torch.randint(11, (2, 5)), torch.randint(7, (2, 4))
    >>> model(source, target).shape
    torch.Size([2, 4, 7])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_encoder_layers: int = 2,
        num_decoder_layers: int = 2,
        *,
        src_vocab_size: int | None = None,
        tgt_vocab_size: int | None = None,
        d_hidden: int | None = None,
        **options: Unpack[BlockOptions],
    ) -> None:
        super().__init__()
        if not num_encoder_layers and not num_decoder_layers:
            raise ValueError("num_encoder_layers and num_decoder_layers are 0; expected layers")
        self.d_model = check_count("d_model", d_model, 1)
        shape: tuple[int, int, int | None] = (d_model, num_heads, d_hidden)
        place: Any = {"device": options.get("device"), "dtype": options.get("dtype")}
        self.encoder, self.embed_source = None, None
        if num_encoder_layers:
            self.encoder = Encoder(num_encoder_layers, *shape, **options)
            self.embed_source = _embedding("src_vocab_size", src_vocab_size, d_model, place)
        self.decoder, self.embed_target, self.to_scores = None, None, None
        if num_decoder_layers:
            d_memory = d_model if num_encoder_layers else 0
            self.decoder = Decoder(num_decoder_layers, *shape, d_memory=d_memory, **options)
            self.embed_target = _embedding("tgt_vocab_size", tgt_vocab_size, d_model, place)
        if tgt_vocab_size is not None:
            size = check_count("tgt_vocab_size", tgt_vocab_size, 1)
            self.to_scores = nn.Linear(d_model, size, **place)
        self.dropout = nn.Dropout(options.get("dropout", 0.1))

    @explain_torch_names
    def forward(
        self,
        source: Tensor | None = None,
        target: Tensor | None = None,
        *,
        source_mask: Given | None = None,
        target_mask: Given | None = None,
    ) -> Tensor:
        """Return what comes after each token of the target, or the encoded source.

        Parameters
        ----------
        source : tensor of int, shape (batch, source_tokens), optional
        target : tensor of int, shape (batch, target_tokens), optional
            In training, the right answer shifted by one: the score at i is about token i + 1.
        source_mask, target_mask : bool tensor, optional
            `attn.padding_mask` of each. The decoder's attention to the source uses the source's.

        Returns
        -------
        tensor, shape (batch, target_tokens, tgt_vocab_size)
            Scores, in nats, before a softmax. Without a decoder: (batch, source_tokens, d_model),
            or with an output layer (batch, source_tokens, tgt_vocab_size).

        Raises
        ------
        ValueError
            If the tokens of a stack are missing, or are not in its vocabulary, or the model has no
            such stack.
        TypeError
            If tokens are not integers.
        """
        if self.encoder is None and source is not None:
            raise ValueError("source is given; expected target only: there is no encoder")
        memory = None if self.encoder is None else self.encode(source, mask=source_mask)
        if self.decoder is None:
            if memory is None or target is not None:
                raise ValueError("target is given; expected source only: there is no decoder")
            return memory if self.to_scores is None else self.to_scores(memory)
        return self.decode(target, memory, mask=target_mask, memory_mask=source_mask)

    def encode(self, source: Tensor | None, *, mask: Given | None = None) -> Tensor:
        """Return the encoded source, (batch, source_tokens, d_model)."""
        if self.encoder is None or self.embed_source is None:
            raise ValueError("there is no encoder; expected num_encoder_layers > 0")
        return self.encoder(self.embed(source, self.embed_source, "source"), mask=mask)

    def decode(
        self,
        target: Tensor | None,
        memory: Tensor | None = None,
        *,
        mask: Given | None = None,
        memory_mask: Given | None = None,
        cache: list[LayerCache] | None = None,
    ) -> Tensor:
        """Return scores of the token after each of ``target``'s; ``memory`` is from `encode`.

        With a ``cache`` from ``decoder.new_cache()``, ``target`` has only the tokens that are new
        since the last call with it.
        """
        if self.decoder is None or self.embed_target is None or self.to_scores is None:
            raise ValueError("there is no decoder; expected num_decoder_layers > 0")
        first = cache[0].own.num_tokens if cache else 0
        x = self.embed(target, self.embed_target, "target", first)
        decoded = self.decoder(x, memory, mask=mask, memory_mask=memory_mask, cache=cache)
        return self.to_scores(decoded)

    def embed(
        self, tokens: Tensor | None, embedding: nn.Embedding, name: str, first_position: int = 0
    ) -> Tensor:
        """Return vectors of the tokens with their positions, (batch, tokens, d_model)."""
        if tokens is None:
            raise ValueError(f"{name} is missing; expected tokens of shape (batch, {name}_tokens)")
        tokens = _checked(tokens, embedding.num_embeddings, name)
        x = embedding(tokens) * math.sqrt(self.d_model)
        positions = sinusoidal_positions(first_position + tokens.shape[-1], self.d_model, like=x)
        return self.dropout(x + positions[first_position:])


def _checked(tokens: Tensor, vocabulary: int, name: str) -> Tensor:
    """Return tokens that are rows of an embedding, or raise TypeError or ValueError."""
    tokens = TORCH.numbers(name, tokens)
    if tokens.dtype.is_floating_point or tokens.is_complex() or tokens.dtype == torch.bool:
        raise TypeError(f"{name} has dtype {tokens.dtype}; expected integers")
    if tokens.ndim < 1:
        raise ValueError(f"{name} has shape (); expected (batch, {name}_tokens)")
    low, high = (int(t) for t in tokens.aminmax()) if tokens.numel() else (0, 0)
    if low < 0 or high >= vocabulary:
        wrong = low if low < 0 else high
        raise ValueError(f"{name} has token {wrong}; expected 0 to {vocabulary - 1}")
    return tokens


def _embedding(name: str, size: int | None, d_model: int, place: Any) -> nn.Embedding:
    if size is None:
        raise ValueError(f"{name} is missing; expected how many different tokens there are")
    embedding = nn.Embedding(check_count(name, size, 1), d_model, **place)
    # So that, times sqrt(d_model), a component has variance 1, as positions have about.
    nn.init.normal_(embedding.weight, std=d_model**-0.5)
    return embedding
