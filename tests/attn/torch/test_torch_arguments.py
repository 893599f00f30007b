"""A wrong argument of a model gets one line: what was seen, what was expected."""

from __future__ import annotations

import pytest
import torch

import attn
import attn.torch


def test_tokens_that_a_transformer_does_not_know() -> None:
    model = attn.torch.Transformer(8, 2, src_vocab_size=11, tgt_vocab_size=7)
    tokens = torch.zeros(2, 3, dtype=torch.long)
    with pytest.raises(ValueError, match="target has token 7; expected 0 to 6"):
        model(tokens, tokens + 7)
    with pytest.raises(ValueError, match="source has token -1; expected 0 to 10"):
        model(tokens - 1, tokens)
    with pytest.raises(TypeError, match=r"source has dtype torch\.float32; expected integers"):
        model(tokens.float(), tokens)
    assert model([[1, 2]], [[1, 2, 3]]).shape == (1, 3, 7)


def test_a_source_without_an_encoder_is_not_passed_over() -> None:
    model = attn.torch.Transformer(8, 2, 0, 1, tgt_vocab_size=7)
    tokens = torch.zeros(2, 3, dtype=torch.long)
    with pytest.raises(ValueError, match="source is given; expected target only"):
        model(tokens, tokens)


def test_log_probabilities_of_more_samples_than_losses() -> None:
    # Broadcast, they would make the gradient four times as large.
    with pytest.raises(ValueError, match=r"log_prob has shape \(4, 3\); .*\(3,\)"):
        attn.torch.score_function_loss(torch.ones(3), torch.ones(4, 3))
    with pytest.raises(ValueError, match=r"baseline has shape \(5,\); .*\(3,\)"):
        attn.torch.score_function_loss(torch.ones(3), torch.ones(3), torch.ones(5))
