"""Writing with a model, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from attn._arguments import check_count
from attn.torch.transformer import Transformer, as_tokens


@torch.no_grad()
def greedy_decode(
    model: Transformer,
    source: Tensor | None = None,
    *,
    start: Tensor | Sequence[Any],
    max_tokens: int,
    end: int | None = None,
    source_mask: Any = None,
    use_cache: bool = True,
) -> Tensor:
    """Return what a model writes after ``start``, at each step the token with the highest score.

    Parameters
    ----------
    model : Transformer
        With a decoder. It decodes in evaluation mode, without dropout.
    source : tensor of int, shape (batch, source_tokens), optional
        Needed by a model with an encoder.
    start : tensor of int, shape (batch, tokens), or a list of prompts
        What stands there before: a mark for the beginning, or a text to go on with. The prompts of
        a list, tensors or lists of int, may differ in length: each is continued as it would be
        alone. Pass them without padding, which would be read as tokens.
    max_tokens : int
        How many tokens to write at most.
    end : int, optional
        The token that ends a sequence. What follows it is filled with it.
    source_mask : bool tensor, optional
        The source's `padding_mask`.
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
    check_count("max_tokens", max_tokens)
    prompts = _prompts(model, start)
    was_training = model.training
    model.eval()
    try:
        memory = None if model.encoder is None else model.encode(source, mask=source_mask)
        return _write(model, memory, source_mask, prompts, max_tokens, end, use_cache)
    finally:
        model.train(was_training)


def _prompts(model: Transformer, start: Tensor | Sequence[Any]) -> list[Tensor]:
    """Return the tokens of each prompt, or raise ValueError."""
    assert model.embed_target is not None
    embedding = model.embed_target
    prompts = [as_tokens(prompt, embedding, "start") for prompt in start]
    shapes = [tuple(prompt.shape) for prompt in prompts]
    if not shapes or any(len(shape) != 1 or 0 in shape for shape in shapes):
        raise ValueError(
            f"start has prompts of shapes {shapes}; expected (tokens,), not 0, of each"
        )
    return prompts


def _write(
    model: Transformer,
    memory: Tensor | None,
    memory_mask: Any,
    prompts: list[Tensor],
    max_tokens: int,
    end: int | None,
    use_cache: bool,
) -> Tensor:
    """Return what comes after each prompt.

    All begin in the first column. Where one has ended, the model writes; longer ones are read on:
    so nothing is padded, and a token's column is its position.
    """
    assert model.decoder is not None
    cache = model.decoder.new_cache() if use_cache else None
    written = functional.pad(pad_sequence(prompts, batch_first=True), (0, max_tokens), value=end)
    lengths = torch.tensor([len(prompt) for prompt in prompts], device=written.device)
    ended = torch.zeros_like(lengths, dtype=torch.bool)
    first = min(map(len, prompts))
    new = written[:, :first]
    for column in range(first, written.shape[1]):
        scores = model.decode(new, memory, memory_mask=memory_mask, cache=cache)
        token = scores[:, -1].argmax(dim=-1)  # (batch,)
        token = torch.where(column < lengths, written[:, column], token)
        if end is not None:
            token = torch.where(ended, end, token)
            ended |= (token == end) & (column >= lengths)
        written[:, column] = token
        if bool(ended.all()):
            break
        new = written[:, [column]] if use_cache else written[:, : column + 1]
    columns = lengths[:, None] + torch.arange(max_tokens, device=written.device)
    texts = written.gather(1, columns)  # (batch, max_tokens)
    if end is None:
        return texts
    return texts[:, ~((texts == end).cumsum(1) > 1).all(0)]  # until the last has ended
