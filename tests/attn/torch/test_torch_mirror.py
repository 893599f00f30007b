"""The same numbers as NumPy, in every type."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import CASES, results_of

import attn
import attn.torch as attn_torch
import attn.torch.local
import attn.torch.lsh
from attn.lsh import quadratic_lsh_attention

TOKENS = 13


def scattered(part: np.ndarray) -> torch.Tensor:
    return torch.tensor(part).permute(3, 2, 1, 0).contiguous().permute(3, 2, 1, 0)


def of_numpy(part: np.ndarray) -> np.ndarray:
    """Return the same numbers as torch does not take them: reversed, big-endian, read-only."""
    view = part[::-1].astype(">f8")[::-1]
    view.flags.writeable = False
    return view


REAL = np.arange(TOKENS) < np.array([[9], [TOKENS]])
#: The draws of the two modules differ.
SAME = pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("hard")])


def drawn() -> list[np.ndarray]:
    return list(np.random.default_rng(0).normal(size=(3, 2, 3, TOKENS, 6)))


@SAME
@pytest.mark.parametrize("give", [torch.tensor, scattered, of_numpy])
@torch.no_grad()
def test_equals_numpy_however_memory_is_laid_out(
    name: str, give: Callable[[np.ndarray], Any]
) -> None:
    expected = results_of(CASES[name](attn, *drawn(), REAL))
    seen = results_of(CASES[name](attn_torch, *map(give, drawn()), REAL))
    for a, b in zip(seen, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b, atol=1e-13)


@pytest.mark.parametrize("name", ["attention", "blocks, causal", "local", "local, causal", "lsh"])
def test_a_single_sequence_needs_no_leading_axis(name: str) -> None:
    parts = [part[0, 0] for part in drawn()]
    expected = CASES[name](attn, *parts, REAL)
    seen = CASES[name](attn_torch, *map(torch.tensor, parts), REAL)
    np.testing.assert_allclose(seen.numpy(), expected, atol=1e-13)


@SAME
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
@torch.no_grad()
def test_keeps_the_type(name: str, dtype: torch.dtype) -> None:
    narrow = [torch.tensor(part).to(dtype) for part in drawn()]
    before = [part.clone() for part in narrow]
    wide = results_of(CASES[name](attn_torch, *(part.float() for part in narrow), REAL))
    for seen, expected in zip(
        results_of(CASES[name](attn_torch, *narrow, REAL)), wide, strict=True
    ):
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
    parts = [torch.tensor(part) for part in drawn()]
    at_once = CASES[name](attn_torch, *parts, REAL)
    for module in (attn.torch.local, attn.torch.lsh):
        monkeypatch.setattr(module, "_GROUP", 1)
    monkeypatch.setattr(attn.torch.local, "_ROWS", 2)
    torch.testing.assert_close(CASES[name](attn_torch, *parts, REAL), at_once)


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


def test_modules_of_other_sizes_with_the_same_weights(rng: np.random.Generator) -> None:
    x, y = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 3))
    multi = attn.MultiHeadAttention(6, 4, 5, d_key=3, num_kv_heads=2, rng=0, dtype=np.float64)
    same = attn_torch.MultiHeadAttention.from_parameters(multi.parameters(), 4)
    seen = same(torch.tensor(x), torch.tensor(y)).detach()
    np.testing.assert_allclose(seen.numpy(), multi(x, y), atol=1e-13)
    options = {"sink": True, "qk_norm": True, "gate": "head", "soft_cap": 2.0}
    today = attn.MultiHeadAttention(6, 3, rng=0, dtype=np.float64, **options)
    today.sinks, today.g_key = np.array([1.0, 0.0, -1.0]), np.array([2.0, -3.0])
    same = attn_torch.MultiHeadAttention.from_parameters(today.parameters(), 3, soft_cap=2.0)
    np.testing.assert_allclose(same(torch.tensor(x)).detach().numpy(), today(x), atol=1e-13)
    assert repr(same) == repr(today)
    axial = attn.AxialPositions((3, 5), (2, 4), "column_major", rng=0)
    table = attn_torch.AxialPositions((3, 5), (2, 4), "column_major")
    table.tables = torch.nn.ParameterList([torch.tensor(t) for t in axial.tables])
    np.testing.assert_array_equal(table(11).detach().numpy(), axial(11))


def test_lsh_of_tokens_whose_squares_overflow(rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 3, 24, 5)).astype(np.float32)
    options: dict[str, Any] = {"num_buckets": 4, "num_hashes": 3, "chunk_length": 4, "rng": 0}
    expected = attn.lsh_attention(1e25 * x.astype(np.float64), value, **options)
    for attend in (attn.lsh_attention, quadratic_lsh_attention):
        np.testing.assert_allclose(
            attend(np.float32(1e25) * x, value, **options), expected, atol=1e-5
        )
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


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (2, 3, 2), (5, 2, 3, 2)])
@pytest.mark.parametrize("name", ["scaled_dot_product_attention", "blockwise_attention"])
def test_a_mask_of_every_shape_that_broadcasts(name: str, leading: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=(*leading, n, w)) for n, w in ((4, 5), (6, 5), (6, 3))]
    pairs = (*leading, 4, 6)
    choices = [(1, size) for size in pairs]
    shapes = [s for axes in range(len(pairs) + 1) for s in product(*choices[len(pairs) - axes :])]
    if not leading and name == "scaled_dot_product_attention":  # more axes than the rest
        shapes += [(2, 1, 6), (2, 3, 4, 6), (2, 3, 1, 4, 1)]
    for shape in shapes:
        mask = np.asarray(rng.random(shape) < 0.6)
        expected = getattr(attn, name)(*parts, mask=mask)
        tensors = (torch.from_numpy(part) for part in parts)
        seen = getattr(attn_torch, name)(*tensors, mask=torch.from_numpy(mask))
        np.testing.assert_allclose(seen, expected, atol=1e-12, err_msg=str(shape))
