"""Encoder, decoder and Transformer: what they are made of; `test_torch_oracles.py` has values."""

from __future__ import annotations

import pytest
import torch

from attn.torch import Decoder, DecoderLayer, Encoder, EncoderLayer, Transformer, padding_mask


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def transformer(**options: object) -> Transformer:
    sizes = {"src_vocab_size": 11, "tgt_vocab_size": 7, "head_dim": 5, "dropout": 0.0}
    return Transformer(6, 2, **(sizes | options)).double()  # type: ignore[arg-type]


def test_padding_of_source_and_target_is_without_effect() -> None:
    model = transformer()
    source, target = torch.randint(11, (2, 5)), torch.randint(7, (2, 4))
    before = model(source[:, :3], target[:, :2])
    masks = {"source_mask": padding_mask([3, 3], 5), "target_mask": padding_mask([2, 2], 4)}
    torch.testing.assert_close(model(source, target, **masks)[:, :2], before)


def test_exports_with_padding_and_runs_without_numbers() -> None:
    model = transformer().eval()
    source, target = torch.randint(11, (2, 5)), torch.randint(7, (2, 4))
    masks = {"source_mask": padding_mask([3, 5], 5), "target_mask": padding_mask([2, 4], 4)}
    program = torch.export.export(model, (source, target), masks).module()
    torch.testing.assert_close(
        program(source.flip(1), target.flip(0), **masks),
        model(source.flip(1), target.flip(0), **masks),
    )
    assert model.to("meta")(source.to("meta"), target.to("meta")).shape == (2, 4, 7)


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


def test_a_gated_network_has_as_many_weights() -> None:
    def weights(**options: object) -> int:
        layer = EncoderLayer(12, 2, **options)  # type: ignore[arg-type]
        return sum(p.numel() for p in layer.feed_forward.parameters() if p.ndim == 2)

    assert weights(activation="swiglu") == weights(activation="relu") == 2 * 12 * 48


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
