"""Encoder, decoder and Transformer: who sees what, and that they learn."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from attn import padding_mask
from attn.torch import Decoder, DecoderLayer, Encoder, EncoderLayer, Transformer


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def transformer(**options: object) -> Transformer:
    sizes = {"src_vocab_size": 11, "tgt_vocab_size": 7, "head_dim": 5, "dropout": 0.0}
    return Transformer(6, 2, **(sizes | options)).double()  # type: ignore[arg-type]


def changed(before: Tensor, after: Tensor) -> list[bool]:
    """Return at which tokens the outputs differ."""
    return ((before - after).abs().amax((0, 2)) > 1e-12).tolist()


@pytest.mark.parametrize("norm_first", [False, True])
def test_decoder_sees_the_past_and_the_whole_source(norm_first: bool) -> None:
    model = transformer(norm_first=norm_first)
    source, target = torch.randint(11, (1, 5)), torch.randint(7, (1, 4))
    before = model(source, target)
    assert before.shape == (1, 4, 7)
    other = target.clone()
    other[0, 2] = (target[0, 2] + 1) % 7
    assert changed(before, model(source, other)) == [False, False, True, True]
    source[0, 4] = (source[0, 4] + 1) % 11
    assert changed(before, model(source, target)) == [True] * 4


def test_padding_of_source_and_target_is_without_effect() -> None:
    model = transformer()
    source, target = torch.randint(11, (2, 5)), torch.randint(7, (2, 4))
    before = model(source[:, :3], target[:, :2])
    masks = {"source_mask": padding_mask([3, 3], 5), "target_mask": padding_mask([2, 2], 4)}
    torch.testing.assert_close(model(source, target, **masks)[:, :2], before)


def test_encoder_only_is_bidirectional() -> None:
    model = transformer(num_decoder_layers=0, tgt_vocab_size=None)
    source = torch.randint(11, (1, 5))
    before = model(source)
    assert before.shape == (1, 5, 6)
    source[0, 4] = (source[0, 4] + 1) % 11
    assert changed(before, model(source)) == [True] * 5


def test_decoder_only_is_a_language_model() -> None:
    model = transformer(num_encoder_layers=0, src_vocab_size=None)
    target = torch.randint(7, (1, 5))
    before = model(target=target)
    assert before.shape == (1, 5, 7)
    target[0, 3] = (target[0, 3] + 1) % 7
    assert changed(before, model(target=target)) == [False] * 3 + [True] * 2
    assert all(layer.cross_attention is None for layer in model.decoder.layers)


def test_stacks_return_the_weights_of_each_layer() -> None:
    x, memory = torch.randn(2, 5, 6), torch.randn(2, 3, 6)
    encoder, decoder = Encoder(3, 6, 2, dropout=0.0), Decoder(3, 6, 2, dropout=0.0, norm_first=True)
    output, weights = encoder(x, return_weights=True)
    torch.testing.assert_close(output, encoder(x))
    assert [w.shape for w in weights] == [(2, 2, 5, 5)] * 3
    output, weights = decoder(x, memory, return_weights=True)
    torch.testing.assert_close(output, decoder(x, memory))
    assert [w["self"].shape for w in weights] == [(2, 2, 5, 5)] * 3
    assert [w["cross"].shape for w in weights] == [(2, 2, 5, 3)] * 3
    assert (weights[0]["self"].triu(1) == 0).all()


def test_dropout_only_in_training() -> None:
    layer = EncoderLayer(6, 2, dropout=0.5)
    x = torch.randn(2, 5, 6)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))


def test_order_is_visible() -> None:
    model = transformer(num_decoder_layers=0, tgt_vocab_size=None)
    source = torch.tensor([[1, 2, 3, 4, 5]])
    swapped = source[:, [0, 2, 1, 3, 4]]
    assert not torch.allclose(model(source)[:, 0], model(swapped)[:, 0])
    encode = Encoder(2, 6, 2, dropout=0.0).double()
    x = torch.randn(1, 5, 6).double()
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(encode(x[:, order]), encode(x)[:, order])  # without positions


def test_a_gated_network_has_as_many_weights() -> None:
    def weights(**options: object) -> int:
        layer = EncoderLayer(12, 2, **options)  # type: ignore[arg-type]
        return sum(p.numel() for p in layer.feed_forward.parameters() if p.ndim == 2)

    assert weights(activation="swiglu") == weights(activation="relu") == 2 * 12 * 48


@pytest.mark.parametrize("today", [False, True])
def test_learns_to_reverse_a_sequence(today: bool) -> None:
    options: dict[str, object] = {"src_vocab_size": 8, "tgt_vocab_size": 9, "d_hidden": 32}
    options |= {"norm": "rms", "activation": "swiglu"} if today else {}
    model = Transformer(16, 2, 1, 1, dropout=0.0, **options)  # type: ignore[arg-type]
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(250):
        source = torch.randint(8, (64, 4))
        answer = source.flip(1)
        start = torch.full((64, 1), 8)
        scores = model(source, torch.cat([start, answer[:, :-1]], dim=1))
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), answer.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.5 * math.log(8)


def test_errors_say_what_is_missing() -> None:
    source, target = torch.zeros(1, 5, dtype=torch.int64), torch.zeros(1, 4, dtype=torch.int64)
    with pytest.raises(ValueError, match="expected layers"):
        Transformer(6, 2, 0, 0)
    with pytest.raises(ValueError, match="tgt_vocab_size is missing"):
        Transformer(6, 2, src_vocab_size=5)
    with pytest.raises(ValueError, match="source is missing"):
        transformer()(None, target)
    with pytest.raises(ValueError, match="target is missing"):
        transformer()(source)
    with pytest.raises(ValueError, match="there is no decoder"):
        transformer(num_decoder_layers=0)(source, target)
    with pytest.raises(ValueError, match="memory is missing; expected it given"):
        DecoderLayer(6, 2)(torch.zeros(1, 4, 6))
    with pytest.raises(ValueError, match="memory is given; expected it None"):
        DecoderLayer(6, 2, d_memory=0)(torch.zeros(1, 4, 6), torch.zeros(1, 4, 6))
    with pytest.raises(ValueError, match="norm is 'batch'; expected 'layer' or 'rms'"):
        EncoderLayer(6, 2, norm="batch")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="activation is 'tanh'"):
        EncoderLayer(6, 2, activation="tanh")  # type: ignore[arg-type]
