"""Counts by formula equal those of a model, and torch's own count of operations."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from attn.torch import Transformer
from attnlab.models import counts

KINDS: dict[str, dict[str, Any]] = {
    "encoder-decoder": {"num_encoder_layers": 3, "num_decoder_layers": 2, "src_vocab_size": 23},
    "norm first": {
        "num_encoder_layers": 3,
        "num_decoder_layers": 2,
        "src_vocab_size": 23,
        "norm_first": True,
    },
    "encoder only": {"num_encoder_layers": 3, "num_decoder_layers": 0, "src_vocab_size": 19},
    "decoder only": {"num_encoder_layers": 0, "num_decoder_layers": 5, "norm_first": True},
}


def model(kind: str) -> Transformer:
    return Transformer(14, 2, d_hidden=29, tgt_vocab_size=19, dropout=0.0, **KINDS[kind]).eval()


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_by_formula_are_those_of_the_model(kind: str) -> None:
    made = model(kind)
    assert counts.counted(made) == counts.parameters(counts.Sizes.of(made))
    assert sum(counts.counted(made).values()) == sum(p.numel() for p in made.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_multiplications_by_formula_are_those_that_torch_counts(kind: str) -> None:
    made = model(kind)
    tokens: dict[str, Any] = {}
    if made.encoder is not None:
        tokens["source"] = torch.randint(19, (1, 11))
    if made.decoder is not None:
        tokens["target"] = torch.randint(19, (1, 7))
    # The counter does not know the fused kernel of a CPU.
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        made(**tokens)
    expected = counts.multiplications(counts.Sizes.of(made), 11, 7)
    assert counter.get_total_flops() == 2 * sum(expected.values())


def test_the_base_model_of_the_paper() -> None:
    # Vaswani et al. (2017): 65 million (table 3), "about 37000 tokens" (section 5.1), and one
    # matrix for both embeddings and the output layer (section 3.4).
    sizes = counts.Sizes(512, 2048, 6, 6, 37_000, 37_000)
    count = counts.parameters(sizes)
    shared = count | {"embeddings": count["embeddings"] // 2, "output layer": 0}
    assert sum(shared.values()) == pytest.approx(65e6, rel=0.04)


def test_a_name_of_no_part_is_refused() -> None:
    with pytest.raises(ValueError, match="name is 'head'"):
        counts.part_of("head")
