"""The Transformer: an encoder, a decoder, or both, between tokens and scores of tokens."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn._arguments import check_count
from attn._hints import explain_torch_names
from attn.formulas.namespace import says
from attn.torch._tensors import any_tensor, boolean
from attn.torch.positions import sinusoidal_positions
from attn.torch.stacks import Decoder, Encoder
from attn.torch.sublayers import Activation, LayerCache, NormKind


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
    d_hidden, head_dim, dropout, norm_first, activation, norm
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
        head_dim: int | None = None,
        dropout: float = 0.1,
        norm_first: bool = False,
        activation: Activation = "relu",
        norm: NormKind = "layer",
    ) -> None:
        super().__init__()
        if not num_encoder_layers and not num_decoder_layers:
            raise ValueError("num_encoder_layers and num_decoder_layers are 0; expected layers")
        self.d_model = check_count("d_model", d_model, 1)
        shape: tuple[int, int, int | None] = (d_model, num_heads, d_hidden)
        options: dict[str, Any] = {"head_dim": head_dim, "dropout": dropout}
        options |= {"norm_first": norm_first, "activation": activation, "norm": norm}
        self.encoder, self.embed_source = None, None
        if num_encoder_layers:
            self.encoder = Encoder(num_encoder_layers, *shape, **options)
            self.embed_source = _embedding("src_vocab_size", src_vocab_size, d_model)
        self.decoder, self.embed_target, self.to_scores = None, None, None
        if num_decoder_layers:
            options["d_memory"] = d_model if num_encoder_layers else 0
            self.decoder = Decoder(num_decoder_layers, *shape, **options)
            self.embed_target = _embedding("tgt_vocab_size", tgt_vocab_size, d_model)
        if tgt_vocab_size is not None:
            size = check_count("tgt_vocab_size", tgt_vocab_size, 1)
            self.to_scores = nn.Linear(d_model, size)
        self.dropout = nn.Dropout(dropout)

    @explain_torch_names
    def forward(
        self,
        source: Tensor | None = None,
        target: Tensor | None = None,
        *,
        source_mask: Any = None,
        target_mask: Any = None,
    ) -> Tensor:
        """Return what comes after each token of the target, or the encoded source.

        Parameters
        ----------
        source : tensor of int, shape (batch, source_tokens), optional
        target : tensor of int, shape (batch, target_tokens), optional
            In training, the right answer shifted by one: the score at i is about token i + 1.
        source_mask, target_mask : bool tensor, optional
            `padding_mask` of each: positions count from the first token, so padding comes last. The
            decoder's attention to the source uses the source's.

        Returns
        -------
        tensor, shape (batch, target_tokens, tgt_vocab_size)
            Scores, in nats, before a softmax. Without a decoder: (batch, source_tokens, d_model),
            or with an output layer (batch, source_tokens, tgt_vocab_size).

        Raises
        ------
        ValueError
            If the tokens of a stack are missing, or are not in its vocabulary, or the model has no
            such stack, or a mask of padding hides a first token and shows later ones.
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

    def encode(self, source: Tensor | None, *, mask: Any = None) -> Tensor:
        """Return the encoded source, (batch, source_tokens, d_model)."""
        if self.encoder is None or self.embed_source is None:
            raise ValueError("there is no encoder; expected num_encoder_layers > 0")
        x = self.embed(source, self.embed_source, "source")
        _check_padding("source", mask, x)
        return self.encoder(x, mask=mask)

    def decode(
        self,
        target: Tensor | None,
        memory: Tensor | None = None,
        *,
        mask: Any = None,
        memory_mask: Any = None,
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
        _check_padding("target", mask, x)
        masks = {"mask": mask, "memory_mask": memory_mask}
        return self.to_scores(self.decoder(x, memory, **masks, cache=cache))

    def embed(
        self, tokens: Tensor | None, embedding: nn.Embedding, name: str, first_position: int = 0
    ) -> Tensor:
        """Return vectors of the tokens with their positions, (batch, tokens, d_model)."""
        if tokens is None:
            raise ValueError(f"{name} is missing; expected tokens of shape (batch, {name}_tokens)")
        tokens = as_tokens(tokens, embedding, name)
        if tokens.ndim < 1:
            raise ValueError(f"{name} has shape (); expected (batch, {name}_tokens)")
        x = embedding(tokens) * math.sqrt(self.d_model)
        positions = sinusoidal_positions(
            first_position + tokens.shape[-1], self.d_model, dtype=x.dtype, device=x.device
        )
        return self.dropout(x + positions[first_position:])


def as_tokens(tokens: Any, embedding: nn.Embedding, name: str) -> Tensor:
    """Return tokens that are rows of an embedding, or raise TypeError or ValueError."""
    tokens = any_tensor(name, tokens)
    whole = not (tokens.dtype.is_floating_point or tokens.is_complex())
    if tokens.numel() and (not whole or tokens.dtype == torch.bool):  # [] is of floats
        raise TypeError(f"{name} has dtype {tokens.dtype}; expected integers")
    tokens = tokens.to(embedding.weight.device, torch.int64)
    low, high = tokens.aminmax() if tokens.numel() else (tokens.sum(), tokens.sum())
    if says((low < 0) | (high >= embedding.num_embeddings), False):
        wrong = int(low if low < 0 else high)
        raise ValueError(f"{name} has token {wrong}; expected 0 to {embedding.num_embeddings - 1}")
    return tokens


def _check_padding(name: str, mask: Any, x: Tensor) -> None:
    """Raise ValueError if a mask that several queries share hides the first tokens only."""
    if mask is None or tuple(np.shape(mask)[-2:-1]) != (1,) or x.shape[-2] < 2:
        return
    tensor = boolean(f"{name}_mask", mask, x.device)
    if says((tensor & ~tensor[..., :1]).any(), False):
        raise ValueError(
            f"{name}_mask hides the first token and shows a later one; expected padding last: "
            "positions count from the first token"
        )


def _embedding(name: str, size: int | None, d_model: int) -> nn.Embedding:
    if size is None:
        raise ValueError(f"{name} is missing; expected how many different tokens there are")
    embedding = nn.Embedding(check_count(name, size, 1), d_model)
    # So that, times sqrt(d_model), a component has variance 1, as positions have about.
    nn.init.normal_(embedding.weight, std=d_model**-0.5)
    return embedding
