"""The same numbers as NumPy, in every type."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import CASES, cases, results_of

import attn
import attn.torch as attn_torch
import attn.torch.local
import attn.torch.lsh

TOKENS = 13


def scattered(part: np.ndarray) -> torch.Tensor:
    return torch.tensor(part).permute(3, 2, 1, 0).contiguous().permute(3, 2, 1, 0)


def of_numpy(part: np.ndarray) -> np.ndarray:
    """Return the same numbers as torch does not take them: reversed, big-endian, read-only."""
    view = part[::-1].astype(">f8")[::-1]
    view.flags.writeable = False
    return view


@cases
@pytest.mark.parametrize("give", [torch.tensor, scattered, of_numpy])
def test_equals_numpy_however_memory_is_laid_out(
    case: Callable[..., Any], give: Callable[[np.ndarray], Any]
) -> None:
    parts = list(np.random.default_rng(0).normal(size=(3, 2, 3, TOKENS, 6)))
    expected = results_of(case(attn, parts))
    given = [give(part) for part in parts]
    for a, b in zip(results_of(case(attn_torch, given)), expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b, atol=1e-13)


@pytest.mark.parametrize("name", ["attention", "blockwise", "local", "local causal", "lsh"])
def test_a_single_sequence_needs_no_leading_axis(name: str) -> None:
    parts = list(np.random.default_rng(0).normal(size=(3, TOKENS, 6)))
    (expected,) = results_of(CASES[name](attn, parts))
    (seen,) = results_of(CASES[name](attn_torch, [torch.tensor(part) for part in parts]))
    np.testing.assert_allclose(seen.numpy(), expected, atol=1e-13)


@cases
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_keeps_the_type(case: Callable[..., Any], dtype: torch.dtype) -> None:
    parts = np.random.default_rng(0).normal(size=(3, 2, 3, TOKENS, 6))
    narrow = [torch.tensor(part).to(dtype) for part in parts]
    before = [part.clone() for part in narrow]
    wide = results_of(case(attn_torch, [part.float() for part in narrow]))
    for seen, expected in zip(results_of(case(attn_torch, narrow)), wide, strict=True):
        assert seen.dtype == dtype
        torch.testing.assert_close(seen.float(), expected, atol=3e-2, rtol=3e-2)
    assert all(torch.equal(a, b) for a, b in zip(narrow, before, strict=True))


@pytest.mark.parametrize(("num_queries", "num_keys"), [(5, 13), (13, 5)])
def test_blocks_of_other_numbers_of_queries_than_keys(num_queries: int, num_keys: int) -> None:
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, num_queries, 3)), rng.normal(size=(2, num_keys, 3))
    for mask in (None, rng.random((num_queries, num_keys)) < 0.7):
        options = {"is_causal": True, "block": 4, "mask": mask}
        expected = attn.blockwise_attention(query, key, key, **options)
        tensors = [torch.tensor(part) for part in (query, key, key)]
        seen = attn_torch.blockwise_attention(*tensors, **options)
        np.testing.assert_allclose(seen.numpy(), expected, atol=1e-13)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(("local", "lsh"))])
def test_groups_of_blocks_are_without_effect(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [torch.randn(2, 3, 13, 6, dtype=torch.float64) for _ in range(3)]
    at_once = CASES[name](attn_torch, parts)
    for module in (attn.torch.local, attn.torch.lsh):
        monkeypatch.setattr(module, "_GROUP", 1)
    monkeypatch.setattr(attn.torch.local, "_ROWS", 2)
    torch.testing.assert_close(CASES[name](attn_torch, parts), at_once)


def test_made_from_numbers_alone() -> None:
    for name, arguments in {
        "causal_mask": (3, 5),
        "sliding_window_mask": (3, 5, 1),
        "global_mask": (5, [1, 3]),
        "padding_mask": ([2, 3], 5),
        "sinusoidal_positions": (5, 7),
        "alibi_bias": (3, 4, 5),
    }.items():
        seen, expected = getattr(attn_torch, name)(*arguments), getattr(attn, name)(*arguments)
        torch.testing.assert_close(seen, torch.tensor(expected).to(seen.dtype))
    lengths = torch.tensor([2, 3])
    assert attn_torch.padding_mask(lengths, 5).tolist() == attn.padding_mask([2, 3], 5).tolist()
    marks = torch.tensor([True, False, True])
    assert attn_torch.global_mask(3, marks).tolist() == attn.global_mask(3, [0, 2]).tolist()


def test_modules_with_the_same_weights(rng: np.random.Generator) -> None:
    x, y = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 3))
    tensors = torch.tensor(x), torch.tensor(y)
    multi = attn.MultiHeadAttention(6, 4, 5, d_key=3, num_kv_heads=2, rng=0, dtype=np.float64)
    same = attn_torch.MultiHeadAttention.from_parameters(multi.parameters(), 4)
    mask = rng.random((2, 1, 7)) < 0.6
    for seen, expected in zip(
        same(*tensors, mask=mask, return_weights=True),
        multi(x, y, mask=mask, return_weights=True),
        strict=True,
    ):
        np.testing.assert_allclose(seen.detach().numpy(), expected, atol=1e-13)
    options = {"sink": True, "qk_norm": True, "gate": "head", "soft_cap": 2.0}
    today = attn.MultiHeadAttention(6, 3, rng=0, dtype=np.float64, **options)
    today.sinks, today.g_key = np.array([1.0, 0.0, -1.0]), np.array([2.0, -3.0])
    same = attn_torch.MultiHeadAttention.from_parameters(today.parameters(), 3, soft_cap=2.0)
    np.testing.assert_allclose(same(tensors[0]).detach().numpy(), today(x), atol=1e-13)
    assert repr(same) == repr(today)
    latent = attn.MultiHeadLatentAttention(6, 3, 7, rotary_dim=4, rng=0, dtype=np.float64)
    trained_latent = attn_torch.MultiHeadLatentAttention.from_parameters(latent.parameters(), 3)
    for absorbed in (False, True):
        seen = trained_latent(tensors[0], is_causal=True, absorbed=absorbed)
        expected = latent(x, is_causal=True)
        np.testing.assert_allclose(seen.detach().numpy(), expected, atol=1e-13)
    score = attn.AdditiveScore(6, 3, 5, rng=0, dtype=np.float64)
    trained = attn_torch.AdditiveScore(6, 3, 5).double()
    trained.load_state_dict(
        {name: torch.tensor(w) for name, w in vars(score).items() if name[0] == "w"}
    )
    np.testing.assert_allclose(trained(*tensors).detach().numpy(), score(x, y), atol=1e-13)
    weight = rng.normal(size=(6, 3))
    general = attn_torch.attention_weights(
        *tensors, score=partial(attn_torch.general_score, weight=torch.tensor(weight))
    )
    expected = attn.attention_weights(x, y, score=partial(attn.general_score, weight=weight))
    np.testing.assert_allclose(general.numpy(), expected, atol=1e-13)
    axial = attn.AxialPositions((3, 5), (2, 4), "column_major", rng=0)
    table = attn_torch.AxialPositions((3, 5), (2, 4), "column_major")
    table.tables = torch.nn.ParameterList([torch.tensor(t) for t in axial.tables])
    np.testing.assert_array_equal(table(11).detach().numpy(), axial(11))


def test_lsh_of_tokens_whose_squares_overflow(rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 3, 24, 5)).astype(np.float32)
    options: dict[str, Any] = {"num_buckets": 4, "num_hashes": 3, "chunk_length": 4, "rng": 0}
    expected = attn.lsh_attention(1e25 * x.astype(np.float64), value, **options)
    large = torch.from_numpy(np.float32(1e25) * x).requires_grad_()
    output = attn_torch.lsh_attention(large, torch.from_numpy(value), **options)
    np.testing.assert_allclose(output.detach(), expected, atol=1e-5)
    output.square().sum().backward()
    assert large.grad is not None
    assert torch.isfinite(large.grad).all()


def test_weights_of_bfloat16_stay_so_in_torch_and_are_float32_in_numpy() -> None:
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).bfloat16()
    layer = attn_torch.MultiHeadAttention.from_torch(dict(theirs.named_parameters()), 2)
    assert {weight.dtype for weight in layer.parameters()} == {torch.bfloat16}
    back = layer.to_torch()
    for name, weight in theirs.state_dict().items():
        assert torch.equal(back[name], weight)
    array = attn.MultiHeadAttention.from_torch(theirs.state_dict(), 2)
    for name, weight in layer.to_numpy().items():
        assert weight.dtype == np.float32
        np.testing.assert_array_equal(array.parameters()[name], weight)


def test_numpy_refuses_tensors_with_gradients_by_name() -> None:
    x = torch.ones(3, 4, requires_grad=True)
    with pytest.raises(TypeError, match=r"NumPy cannot read key: .*detach\(\)"):
        attn.dot_score(x.detach(), x)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_positions_of_16_bits_are_refused(dtype: torch.dtype) -> None:
    places, x = torch.arange(3).to(dtype), torch.ones(3, 8)
    latent = attn_torch.MultiHeadLatentAttention(8, 2, 3, rotary_dim=2)
    for call in (attn_torch.rotary, attn.rotary, latent.compress):
        with pytest.raises(TypeError, match=f"positions has dtype {dtype}; expected integers"):
            call(x, positions=places)
    with pytest.raises(TypeError, match=f"positions has dtype {dtype}; expected integers"):
        latent.attend(x, *latent.compress(x), positions=places)


def test_everything_is_made_on_the_default_device() -> None:
    with torch.device("meta"):
        layer = attn_torch.MultiHeadAttention(8, 2, sink=True, qk_norm=True, gate="head")
        made = [attn_torch.causal_mask(2, 3), attn_torch.sinusoidal_positions(2, 4)]
        made += [attn_torch.alibi_bias(2, 2, 3), attn_torch.padding_mask([1], 2)]
    assert {tensor.device.type for tensor in [*layer.parameters(), *made]} == {"meta"}
