"""The same numbers as NumPy, in every type."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import attn
import attn.torch as attn_torch
import attn.torch.local
import attn.torch.lsh

TOKENS = 13
#: Shapes of the weights of a gated network.
GATED = ((6, 5), (6, 5), (5, 6))


def call(name: str, *which: int, **options: Any) -> Callable[[ModuleType, list[Any]], Any]:
    """Return a call of the function ``name`` of either module with some of (query, key, value)."""
    return lambda module, parts: getattr(module, name)(*(parts[i] for i in which), **options)


def masks(seed: int = 0) -> dict[str, np.ndarray]:
    """Return masks of all shapes for scores (2, 3, 13, 13); some rows see nothing."""
    rng = np.random.default_rng(seed)
    shapes = {"pairs": (13, 13), "keys": (13,), "heads": (3, 13, 13), "padding": (2, 1, 1, 13)}
    made = {name: rng.random(shape) < 0.4 for name, shape in shapes.items()}
    made["pairs"][4] = False
    return made


CASES: dict[str, Callable[[ModuleType, list[Any]], Any]] = {
    "softmax": call("softmax", 0),
    "softmax axis": call("softmax", 0, axis=1),
    "softmax mask": call("softmax", 0, mask=np.arange(6) < 0),
    "softmax sink": call("softmax", 0, axis=1, sink=0.5, mask=np.arange(6) < 2),
    "weights sink": call("attention_weights", 0, 1, sink=np.array([[[0.5]], [[-1]], [[9]]])),
    "weights cap": call("attention_weights", 0, 1, soft_cap=0.5, is_causal=True),
    "attention sink": call("scaled_dot_product_attention", 0, 1, 2, sink=0.0, soft_cap=2),
    "norm": call("rms_norm", 0),
    "norm gain": call("rms_norm", 0, gain=np.arange(6.0)),
    "swiglu": lambda module, parts: module.swiglu(
        parts[0], *(np.random.default_rng(n).normal(size=s) for n, s in enumerate(GATED))
    ),
    "differential": call(
        "differential_attention", 0, 1, 2, lambda_=0.3, is_causal=True, return_weights=True
    ),
    "linear": call("linear_attention", 0, 1, 2),
    "linear causal": call("linear_attention", 0, 1, 2, is_causal=True),
    "linear decay": call(
        "linear_attention", 0, 1, 2, is_causal=True, decay=np.linspace(0.1, 1, 39).reshape(3, 13)
    ),
    "state": lambda module, parts: module.LinearAttentionState().append(*parts, 0.9),
    "rotary yarn": call("rotary", 0, scaling=attn.RotaryScaling("yarn", 4, trained_length=64)),
    "dot": call("dot_score", 0, 1),
    "scaled dot": call("scaled_dot_score", 0, 1),
    "weights": call("attention_weights", 0, 1, is_causal=True),
    "weights dot": call("attention_weights", 0, 1, score="dot"),
    "attention": call("scaled_dot_product_attention", 0, 1, 2),
    "attention scale": call("scaled_dot_product_attention", 0, 1, 2, scale=0.1),
    "attention causal": call("scaled_dot_product_attention", 0, 1, 2, is_causal=True),
    "attention both": call(
        "scaled_dot_product_attention", 0, 1, 2, return_weights=True, is_causal=True
    ),
    "blockwise": call("blockwise_attention", 0, 1, 2, is_causal=True),
    "blockwise blocks": call("blockwise_attention", 0, 1, 2, block=5, is_causal=True),
    "local": call("local_attention", 0, 1, 2, window=2),
    "local causal": call("local_attention", 0, 1, 2, window=2, is_causal=True, global_tokens=[3]),
    "local padding": call(
        "local_attention",
        *(0, 1, 2),
        window=1,
        global_tokens=np.arange(26).reshape(2, 13) % 7 == 0,
        padding=attn.padding_mask([9, 13], 13),
    ),
    "lsh": call("lsh_attention", 0, 2, num_buckets=(2, 2), num_hashes=3, chunk_length=4, rng=0),
    "lsh causal": call(
        "lsh_attention",
        *(0, 2),
        num_buckets=2,
        num_hashes=2,
        chunk_length=4,
        rng=0,
        is_causal=True,
        mask=attn.padding_mask([9, 13], 13),
    ),
    "centered": call("centered_attention", 0, 1, 2, centers=np.arange(13) / 2, window=3),
    "centered sigma": call(
        "centered_attention", 0, 1, 2, centers=[4.5], window=3, sigma=2.0, return_weights=True
    ),
    "grouped": lambda module, parts: module.grouped_query_attention(
        parts[0], parts[1][:, :1], parts[2][:, :1], is_causal=True, return_weights=True
    ),
    "rotary": call("rotary", 0),
    "rotary halves": call("rotary", 0, layout="half_split"),
    "rotary base": call("rotary", 0, positions=np.arange(13) * 5, base=100.0),
    "heads": lambda module, parts: module.merge_heads(module.split_heads(parts[0], 3)),
    "cache": lambda module, parts: module.KeyValueCache().append(parts[0], parts[1]),
    **{
        f"attention {name}": call("scaled_dot_product_attention", 0, 1, 2, mask=mask)
        for name, mask in masks().items()
    },
    **{
        f"blockwise {name}": call(
            "blockwise_attention", 0, 1, 2, mask=mask, is_causal=True, block=4
        )
        for name, mask in masks(1).items()
    },
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


@cases
@pytest.mark.parametrize("leading", [(2, 3)])
def test_equals_numpy(case: Callable[..., Any], leading: tuple[int, ...]) -> None:
    parts = list(np.random.default_rng(0).normal(size=(3, *leading, TOKENS, 6)))
    expected = listed(case(attn, parts))
    seen = listed(case(attn_torch, [torch.tensor(part) for part in parts]))
    for a, b in zip(seen, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b, atol=1e-13)


@pytest.mark.parametrize("name", ["attention", "blockwise", "local", "local causal", "lsh"])
def test_a_single_sequence_needs_no_leading_axis(name: str) -> None:
    parts = list(np.random.default_rng(0).normal(size=(3, TOKENS, 6)))
    (expected,) = listed(CASES[name](attn, parts))
    (seen,) = listed(CASES[name](attn_torch, [torch.tensor(part) for part in parts]))
    np.testing.assert_allclose(seen.numpy(), expected, atol=1e-13)


@cases
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_keeps_the_type(case: Callable[..., Any], dtype: torch.dtype) -> None:
    parts = np.random.default_rng(0).normal(size=(3, 2, 3, TOKENS, 6))
    narrow = [torch.tensor(part).to(dtype) for part in parts]
    before = [part.clone() for part in narrow]
    wide = listed(case(attn_torch, [part.float() for part in narrow]))
    for seen, expected in zip(listed(case(attn_torch, narrow)), wide, strict=True):
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


def shapes(case: Callable[..., Any], module: ModuleType, parts: list[Any]) -> list[Any] | str:
    """Return the shapes of the results, or "refused": masks for 13 tokens do not fit none."""
    try:
        return [tuple(result.shape) for result in listed(case(module, parts))]
    except ValueError:
        return "refused"


@cases
def test_no_tokens(case: Callable[..., Any]) -> None:
    parts = list(np.zeros((3, 2, 3, 0, 6)))
    expected = shapes(case, attn, parts)
    assert shapes(case, attn_torch, [torch.tensor(part) for part in parts]) == expected


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
    latent = attn.MultiHeadLatentAttention(6, 3, 5, rotary_dim=4, rng=0, dtype=np.float64)
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


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_errors_print_shapes_as_tuples(name: str) -> None:
    shapes = {"query": (2, 5, 7), "key": (2, 4, 7), "value": (2, 4, 3)}
    shapes[name] = (2, 6, 9) if name != "query" else (2, 5, 9)
    parts = [torch.zeros(shape) for shape in shapes.values()]
    with pytest.raises(ValueError, match=r"has shape \(2, \d, \d\); expected"):
        attn_torch.scaled_dot_product_attention(*parts)


def test_errors_say_what_was_seen() -> None:
    x = torch.zeros(2, 5, 7)
    attend = attn_torch.MultiHeadAttention(7, 1)
    with pytest.raises(TypeError, match=r"mask has dtype torch\.float32; expected bool"):
        attn_torch.scaled_dot_product_attention(x, x, x, mask=torch.ones(5, 5))
    with pytest.raises(ValueError, match=r"mask has shape \(3, 5, 5\).*\(2, 5, 5\)"):
        attn_torch.scaled_dot_product_attention(x, x, x, mask=torch.ones(3, 5, 5).bool())
    with pytest.raises(ValueError, match=r"mask has shape \(3, 5, 5\).*\(2, num_queries"):
        attend(x, mask=torch.ones(3, 5, 5).bool())
    with pytest.raises(ValueError, match=r"query has shape \(2, 5, 6\).*num_queries, 7"):
        attend(x[..., 1:])
    with pytest.raises(ValueError, match=r"mask has shape \(5, 4\).*\(2, 5, 7\)"):
        attn_torch.softmax(x, mask=torch.ones(5, 4).bool())
    with pytest.raises(ValueError, match=r"x has shape \(2, 5, 7\).*2 heads divide"):
        attn_torch.split_heads(x, 2)
    cache = attn_torch.KeyValueCache()
    cache.append(x, x)
    with pytest.raises(ValueError, match=r"value has shape \(2, 1, 6\)"):
        cache.append(x[:, :1], x[:, :1, 1:])
    with pytest.raises(ValueError, match=r"weight has shape \(7, 6\)"):
        attn_torch.general_score(x, x, torch.zeros(7, 6))


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
