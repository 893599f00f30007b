"""Writing with a model, token by token."""

from __future__ import annotations

import torch
from torch import Tensor

from attn._arguments import check_count
from attn._types import Given
from attn.torch.transformer import Transformer


@torch.no_grad()
def greedy_decode(
    model: Transformer,
    source: Tensor | None = None,
    *,
    start: Tensor,
    max_tokens: int,
    end: int | None = None,
    source_mask: Given | None = None,
    use_cache: bool = True,
) -> Tensor:
    """Return what a model writes after ``start``, at each step the token with the highest score.

    Parameters
    ----------
    model : Transformer
        With a decoder. It decodes in evaluation mode, without dropout.
    source : tensor of int, shape (batch, source_tokens), optional
        Needed by a model with an encoder.
    start : tensor of int, shape (batch, tokens)
        What stands there before: a mark for the beginning, or a text to go on with.
    max_tokens : int
        How many tokens to write at most.
    end : int, optional
        The token that ends a sequence. What follows it is filled with it.
    source_mask : bool tensor, optional
        The source's `attn.padding_mask`.
    use_cache : bool
        Keep keys and values between steps. Without, each step computes all tokens anew; up to
        rounding the scores are the same.

    Returns
    -------
    tensor of int, shape (batch, new tokens)
        Without ``start``; shorter than ``max_tokens`` if every sequence has ended.

    Raises
    ------
    ValueError
        If the model has no decoder, or ``source`` or ``start`` does not fit it.

    Examples
    --------
    >>> import torch
    >>> model = Transformer(12, 3, 0, 2, tgt_vocab_size=7)
    >>> greedy_decode(model, start=torch.zeros(2, 1, dtype=torch.int64), max_tokens=5).shape
    torch.Size([2, 5])
    """
    if model.decoder is None:
        raise ValueError("model has no decoder; expected num_decoder_layers > 0")
    if model.encoder is None and source is not None:
        raise ValueError("source is given; expected start only: there is no encoder")
    if start.ndim != 2 or start.shape[1] == 0:
        raise ValueError(f"start has shape {tuple(start.shape)}; expected (batch, tokens), not 0")
    check_count("max_tokens", max_tokens)
    was_training = model.training
    model.eval()
    try:
        memory = None if model.encoder is None else model.encode(source, mask=source_mask)
        written = _write(model, memory, source_mask, start, max_tokens, end, use_cache)
    finally:
        model.train(was_training)
    return written[:, start.shape[1] :]


def _write(
    model: Transformer,
    memory: Tensor | None,
    memory_mask: Given | None,
    written: Tensor,
    max_tokens: int,
    end: int | None,
    use_cache: bool,
) -> Tensor:
    """Return ``written`` with the new tokens."""
    assert model.decoder is not None
    cache = model.decoder.new_cache() if use_cache else None
    new = written
    ended = torch.zeros_like(written[:, 0], dtype=torch.bool)
    for _ in range(max_tokens):
        scores = model.decode(new, memory, memory_mask=memory_mask, cache=cache)
        token = scores[:, -1].argmax(dim=-1)  # (batch,)
        if end is not None:
            token = torch.where(ended, end, token)
            ended |= token == end
        written = torch.cat([written, token[:, None]], dim=1)
        new = token[:, None] if use_cache else written
        if bool(ended.all()):
            break
    return written
