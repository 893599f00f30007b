"""Layers, encoder, decoder, Transformer: what they are made of, what they see, how they write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attn.torch as attn_torch
from attn.torch import (
    Decoder,
    Encoder,
    EncoderLayer,
    KeyValueCache,
    MultiHeadAttention,
    Transformer,
    greedy_decode,
    padding_mask,
)


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def transformer(**options: Any) -> Transformer:
    sizes = {"src_vocab_size": 11, "tgt_vocab_size": 7, "dropout": 0.0}
    model = Transformer(6, 2, 3, 2, **(sizes | options)).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model


def language_model(**options: Any) -> Transformer:
    model = Transformer(6, 2, 0, 3, tgt_vocab_size=13, dropout=0.0, **options).double()
    for parameter in model.parameters():
        if parameter.ndim == 2:  # biases as large would make it write one token for ever
            nn.init.normal_(parameter, std=0.7)
    return model


def test_padding_of_source_and_target_is_without_effect() -> None:
    model = transformer(head_dim=5)
    source, target = torch.randint(11, (2, 5)), torch.randint(7, (2, 4))
    before = model(source[:, :3].tolist(), target[:, :2].tolist())  # lists, too
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


@pytest.mark.parametrize("norm_first", [False, True])
def test_each_cached_step_gives_the_scores_of_the_full_pass(norm_first: bool) -> None:
    model = transformer(norm_first=norm_first)
    source, target = torch.randint(11, (3, 5)), torch.randint(7, (3, 8))
    mask = padding_mask([5, 2, 4], 5)
    memory = model.encode(source, mask=mask)
    expected = model.decode(target, memory, memory_mask=mask)
    cache = model.decoder.new_cache()
    for first, last in [(0, 3), (3, 4), (4, 5), (5, 8)]:  # a start of 3, then one by one, then 3
        step = model.decode(target[:, first:last], memory, memory_mask=mask, cache=cache)
        torch.testing.assert_close(step, expected[:, first:last])
    assert [layer.own.num_tokens for layer in cache] == [8, 8]
    assert [layer.cross.num_tokens for layer in cache] == [5, 5]


def test_source_is_projected_once() -> None:
    model = transformer()
    memory, cache = model.encode(torch.randint(11, (1, 5))), model.decoder.new_cache()
    model.decode(torch.tensor([[1]]), memory, cache=cache)
    nothing = torch.zeros(1, 2, 0, 3).double()
    kept = cache[0].cross.append(nothing, nothing)[0].clone()
    # What the encoder returned is not read again.
    model.decode(torch.tensor([[2]]), torch.full_like(memory, 9.0), cache=cache)
    after, _ = cache[0].cross.append(nothing, nothing)
    torch.testing.assert_close(after, kept)


@pytest.mark.parametrize("use_cache", [False, True])
def test_writes_the_likeliest_token_at_each_step(use_cache: bool) -> None:
    model, source = transformer(), torch.randint(11, (3, 5))
    start = torch.full((3, 1), 2)
    written = greedy_decode(model, source, start=start, max_tokens=6, use_cache=use_cache)
    assert written.shape == (3, 6)
    scores = model(source, torch.cat([start, written[:, :-1]], dim=1))
    assert torch.equal(written, scores.argmax(-1))


def test_language_model_goes_on_with_a_text() -> None:
    model, start = language_model(norm_first=True), torch.randint(13, (5, 4))
    cached = greedy_decode(model, start=start, max_tokens=7)
    assert torch.equal(cached, greedy_decode(model, start=start, max_tokens=7, use_cache=False))
    assert cached.unique().numel() > 1


def test_a_sequence_that_has_ended_stays_so() -> None:
    model, start = language_model(), torch.arange(13)[:, None]
    free = greedy_decode(model, start=start, max_tokens=9)
    end = int(free.flatten().mode().values)
    written = greedy_decode(model, start=start, max_tokens=9, end=end)
    length = written.shape[1]
    for ours, without in zip(written.tolist(), free.tolist(), strict=True):
        stop = without.index(end) if end in without else length
        assert ours == (without[:stop] + [end] * length)[:length]
    bias = model.to_scores.bias
    with torch.no_grad():
        bias[end] = 1e3
    every = greedy_decode(model, start=[[end], [end, 5, end]], max_tokens=9, end=end)
    assert every.tolist() == [[end]] * 2


@pytest.mark.parametrize("use_cache", [False, True])
@pytest.mark.parametrize("end", [None, 3])
def test_prompts_of_several_lengths_go_on_as_each_alone(use_cache: bool, end: int | None) -> None:
    model = language_model(norm_first=True)
    prompts: list[Any] = [
        [0, 3, 2, 6],
        torch.tensor([3, 12], dtype=torch.uint8),
        [2],
        [7, 1, 4, 9, 5],
    ]
    options: dict[str, Any] = {"max_tokens": 6, "end": end, "use_cache": use_cache}
    together = greedy_decode(model, start=prompts, **options).tolist()
    alone = [greedy_decode(model, start=[p], **options).tolist()[0] for p in prompts]
    longest = max(map(len, alone))
    assert together == [text + [end] * (longest - len(text)) for text in alone]
    assert len({token for text in alone for token in text}) > 2
    assert (len({len(text) for text in alone}) > 1) == (end is not None)


def test_decodes_without_dropout_and_leaves_the_mode() -> None:
    model = language_model()
    model.dropout.p = 0.9
    model.train()
    start = torch.randint(13, (2, 3))
    first = greedy_decode(model, start=start, max_tokens=5)
    assert torch.equal(first, greedy_decode(model, start=start, max_tokens=5))
    assert model.training


def test_cached_attention_with_grouped_heads_stores_few() -> None:
    layer, cache = MultiHeadAttention(12, 6, num_kv_heads=2).double(), KeyValueCache()
    x = torch.randn(3, 5, 12).double()
    steps = [layer.forward_cached(x[:, [i]], cache=cache, is_causal=True) for i in range(5)]
    torch.testing.assert_close(torch.cat(steps, dim=1), layer(x, is_causal=True))
    assert cache.append(torch.ones(3, 2, 0, 2), torch.ones(3, 2, 0, 2))[0].shape == (3, 2, 5, 2)


# --- one class, three settings ------------------------------------------------------------------


def test_encoder_and_decoder_alone_differ_in_the_mask_only() -> None:
    options = {"dropout": 0.0, "tgt_vocab_size": 13, "norm_first": True}
    bert = Transformer(6, 2, 3, 0, src_vocab_size=13, **options).double()
    gpt = Transformer(6, 2, 0, 3, **options).double()
    count = [sum(p.numel() for p in model.parameters()) for model in (bert, gpt)]
    assert count[0] == count[1]
    names = {"encoder": "decoder", "source": "target", ".attention": ".self_attention"}
    names |= {"norm_attention": "norm_self"}
    state = gpt.state_dict()
    for name in bert.state_dict():
        theirs = name
        for old, new in names.items():
            theirs = theirs.replace(old, new)
        state[name] = state.pop(theirs)
    bert.load_state_dict(state)
    tokens = torch.randint(13, (2, 5))
    x = bert.embed(tokens, bert.embed_source, "source")
    causal = bert.to_scores(bert.encoder(x, is_causal=True))
    torch.testing.assert_close(causal, gpt(target=tokens))
    assert not torch.allclose(bert(tokens), gpt(target=tokens))
    # The last token sees everything in both, but what it sees has itself seen more.
    one = tokens[:, :1]
    torch.testing.assert_close(bert(one), gpt(target=one))


def test_masked_model_scores_the_token_at_each_place() -> None:
    model = Transformer(6, 2, 2, 0, src_vocab_size=13, tgt_vocab_size=13)
    assert model(torch.randint(13, (2, 5))).shape == (2, 5, 13)
    assert Transformer(6, 2, 2, 0, src_vocab_size=13)(torch.randint(13, (2, 5))).shape == (2, 5, 6)


TODAY: dict[str, Callable[[], nn.Module]] = {
    "all": lambda: attn_torch.MultiHeadAttention(
        6, 2, sink=True, qk_norm=True, gate="feature", soft_cap=2.0
    ),
    "latent": lambda: attn_torch.MultiHeadLatentAttention(6, 2, 5, rotary_dim=2),
    "differential": lambda: attn_torch.DifferentialAttention(6, 3),
}
layers = pytest.mark.parametrize("make", TODAY.values(), ids=list(TODAY))


def made(make: Callable[[], nn.Module]) -> nn.Module:
    torch.manual_seed(0)
    layer = make().double()
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.7)
    return layer


@layers
def test_padding_gives_no_parameter_a_gradient(make: Callable[[], nn.Module]) -> None:
    gradients = []
    for filling in (0.5, torch.nan, torch.inf):
        layer = made(make)
        x = torch.randn(2, 5, 6, dtype=torch.float64)
        x[0, 3:] = filling
        output = layer(x, mask=attn_torch.padding_mask([3, 5], 5))
        (output[0, :3].square().sum() + output[1].square().sum()).backward()
        gradients.append([parameter.grad for parameter in layer.parameters()])
    assert all(gradient.any() for gradient in gradients[0])
    for spoiled in gradients[1:]:
        for after, before in zip(spoiled, gradients[0], strict=True):
            torch.testing.assert_close(after, before)


@layers
def test_asks_nothing_of_numbers_that_are_not_there(make: Callable[[], nn.Module]) -> None:
    layer, x = made(make), torch.randn(3, 5, 6, dtype=torch.float64)
    parameters = dict(layer.named_parameters())

    def loss(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
        output = torch.func.functional_call(layer, parameters, (x,), {"is_causal": True})
        return output.square().sum()

    each = torch.func.grad(loss)
    together = torch.func.vmap(each, (None, 0))(parameters, x)
    for i, sample in enumerate(x):
        for name, gradient in each(parameters, sample).items():
            torch.testing.assert_close(together[name][i], gradient)
    program = torch.export.export(layer, (x,), {"is_causal": True}).module()
    torch.testing.assert_close(program(x + 1, is_causal=True), layer(x + 1, is_causal=True))
    assert layer.to("meta")(x.to("meta"), is_causal=True).shape == x.shape


@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")  # torch's kernel
@torch.no_grad()
def test_under_vmap_the_path_is_right_for_all_data() -> None:
    x, value = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
    value[:, 4] = torch.nan
    mask = torch.stack([attn_torch.causal_mask(5, 5)] * 2)
    mask[1, 3] = False
    bias = torch.zeros(2, 5, 5).masked_fill(~mask, -torch.inf)
    attend = attn_torch.scaled_dot_product_attention
    for seen, expected in (
        (torch.vmap(lambda m: attend(*[x[0]] * 3, mask=m))(mask), attend(*[x[0]] * 3, mask=mask)),
        (
            torch.vmap(lambda v, b: attend(x[0], x[0], v, bias=b))(value, bias),
            attend(x[0], x[0], value, bias=bias),
        ),
        (torch.vmap(attn_torch.rms_norm)(1e25 * x), attn_torch.rms_norm(1e25 * x)),
    ):
        assert seen[:, 0].isfinite().all()
        torch.testing.assert_close(seen, expected, equal_nan=True)


def test_an_exported_layer_takes_other_numbers_of_tokens_and_contains_nan() -> None:
    layer = made(lambda: attn_torch.MultiHeadAttention(6, 2))
    batch, tokens = torch.export.Dim("batch"), torch.export.Dim("tokens")
    sizes = {"query": {0: batch, 1: tokens}, "mask": {0: batch, 2: tokens}, "is_causal": None}
    options: dict[str, Any] = {"mask": attn_torch.padding_mask([3, 5], 5), "is_causal": True}
    example = torch.randn(2, 5, 6, dtype=torch.float64)
    program = torch.export.export(layer, (example,), options, dynamic_shapes=sizes).module()
    x = torch.randn(3, 7, 6, dtype=torch.float64)
    x[0, 4:] = torch.nan
    options["mask"] = attn_torch.padding_mask([4, 7, 1], 7)
    torch.testing.assert_close(program(x, **options), layer(x, **options), equal_nan=True)


def test_a_differential_layer_says_its_lambda() -> None:
    layer = attn_torch.DifferentialAttention(12, 3, lambda_init=0.3)
    assert repr(layer) == (
        "DifferentialAttention(d_model=12, num_heads=3, head_dim=2, lambda_init=0.3)"
    )
    with torch.no_grad():
        layer.lambda_query[1] = layer.lambda_key[1] = 0
        layer.lambda_query[0] = layer.lambda_key[0] = 0
        assert layer.lambda_.item() == pytest.approx(0.3)
        layer.lambda_query[0, 0] = layer.lambda_key[0, 0] = 1
        assert layer.lambda_.item() == pytest.approx(0.3 + torch.e - 1)
