"""The same numbers as NumPy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import NUMPY, TORCH, Library, arrays, cases, parts

import attn
import attn.torch as attn_torch
from attn.torch.fast import chunks, windows

named = pytest.mark.parametrize("name", list(cases(NUMPY)))


def both(name: str, *given: np.ndarray) -> list[list[np.ndarray]]:
    """Return what a case gives of arrays, and of tensors."""
    return [arrays(cases(library)[name](*map(library.give, given))) for library in (NUMPY, TORCH)]


@named
def test_equals_numpy(name: str) -> None:
    for seen, expected in zip(*both(name, *parts()), strict=True):
        np.testing.assert_allclose(seen, expected, atol=1e-13)


@pytest.mark.parametrize("name", ["attention", "blockwise", "local", "local causal", "lsh"])
def test_a_single_sequence_needs_no_leading_axis(name: str) -> None:
    for seen, expected in zip(*both(name, *(part[0, 0] for part in parts())), strict=True):
        np.testing.assert_allclose(seen, expected, atol=1e-13)


@named
def test_no_tokens(name: str) -> None:
    def shapes(library: Library) -> list[Any] | str:
        nothing = library.give(np.zeros((2, 3, 0, 8)))
        try:
            return [result.shape for result in arrays(cases(library)[name](*[nothing] * 3))]
        except ValueError:
            return "refused"  # masks for 7 tokens do not fit none

    assert shapes(NUMPY) == shapes(TORCH)


@pytest.mark.parametrize(("num_queries", "num_keys"), [(5, 13), (13, 5)])
def test_blocks_of_other_numbers_of_queries_than_keys(num_queries: int, num_keys: int) -> None:
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, num_queries, 3)), rng.normal(size=(2, num_keys, 3))
    for mask in (None, rng.random((num_queries, num_keys)) < 0.7):
        options = {"causal": True, "block": 4, "mask": mask}
        expected = attn.blockwise_attention(query, key, key, **options)
        tensors = [torch.tensor(part) for part in (query, key, key)]
        seen = attn.blockwise_attention(*tensors, **options)
        np.testing.assert_allclose(seen.numpy(), expected, atol=1e-13)


def test_made_from_numbers_alone() -> None:
    x = torch.zeros(2, dtype=torch.float32)
    for name, arguments in {
        "causal_mask": (3, 5),
        "sliding_window_mask": (3, 5, 1),
        "sinusoidal_positions": (5, 7),
        "alibi_bias": (3, 4, 5),
    }.items():
        seen, expected = getattr(attn, name)(*arguments, like=x), getattr(attn, name)(*arguments)
        torch.testing.assert_close(seen, torch.tensor(expected).to(seen.dtype))
        assert seen.dtype in (torch.bool, torch.float32)
    assert attn.alibi_bias(3, 4, 5, like=x, dtype=torch.float64).dtype == torch.float64
    assert attn.alibi_bias(3, 4, 5, like=x.numpy()).dtype == np.float32
    lengths = torch.tensor([2, 3])
    assert attn.padding_mask(lengths, 5).tolist() == attn.padding_mask([2, 3], 5).tolist()
    for tokens in (torch.tensor([True, False, True]), torch.tensor([0, 2])):
        marked = attn.global_mask(3, tokens)
        assert isinstance(marked, torch.Tensor)
        assert marked.tolist() == attn.global_mask(3, [0, 2]).tolist()


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
        seen = trained_latent(tensors[0], causal=True, absorbed=absorbed)
        expected = latent(x, causal=True)
        np.testing.assert_allclose(seen.detach().numpy(), expected, atol=1e-13)
    score = attn.AdditiveScore(6, 3, 5, rng=0, dtype=np.float64)
    trained = attn_torch.AdditiveScore(6, 3, 5).double()
    trained.load_state_dict(
        {name: torch.tensor(w) for name, w in vars(score).items() if name[0] == "w"}
    )
    np.testing.assert_allclose(trained(*tensors).detach().numpy(), score(x, y), atol=1e-13)
    weight = rng.normal(size=(6, 3))
    general = attn.attention_weights(
        *tensors, score=partial(attn.general_score, weight=torch.tensor(weight))
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
        attn.scaled_dot_product_attention(*parts)


def test_errors_say_what_was_seen() -> None:
    x = torch.zeros(2, 5, 7)
    attend = attn_torch.MultiHeadAttention(7, 1)
    with pytest.raises(TypeError, match=r"mask has dtype torch\.float32; expected bool"):
        attn.scaled_dot_product_attention(x, x, x, mask=torch.ones(5, 5))
    with pytest.raises(ValueError, match=r"mask has shape \(3, 5, 5\).*\(2, 5, 5\)"):
        attn.scaled_dot_product_attention(x, x, x, mask=torch.ones(3, 5, 5).bool())
    with pytest.raises(ValueError, match=r"mask has shape \(3, 5, 5\).*\(2, num_queries"):
        attend(x, mask=torch.ones(3, 5, 5).bool())
    with pytest.raises(ValueError, match=r"query has shape \(2, 5, 6\).*num_queries, 7"):
        attend(x[..., 1:])
    with pytest.raises(ValueError, match=r"mask has shape \(5, 4\).*\(2, 5, 7\)"):
        attn.softmax(x, mask=torch.ones(5, 4).bool())
    with pytest.raises(ValueError, match=r"x has shape \(2, 5, 7\).*2 heads divide"):
        attn.split_heads(x, 2)
    cache = attn.KeyValueCache()
    cache.append(x, x)
    with pytest.raises(ValueError, match=r"value has shape \(2, 1, 6\)"):
        cache.append(x[:, :1], x[:, :1, 1:])
    with pytest.raises(ValueError, match=r"weight has shape \(7, 6\)"):
        attn.general_score(x, x, torch.zeros(7, 6))


def test_lsh_of_tokens_whose_squares_overflow(rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 3, 24, 5)).astype(np.float32)
    options: dict[str, Any] = {"num_buckets": 4, "num_hashes": 3, "chunk_length": 4, "rng": 0}
    expected = attn.lsh_attention(1e25 * x.astype(np.float64), value, **options)
    large = torch.from_numpy(np.float32(1e25) * x).requires_grad_()
    output = attn.lsh_attention(large, torch.from_numpy(value), **options)
    np.testing.assert_allclose(output.detach(), expected, atol=1e-5)
    output.square().sum().backward()
    assert large.grad is not None
    assert torch.isfinite(large.grad).all()


@pytest.mark.parametrize("name", [n for n in cases(NUMPY) if n.startswith(("local", "lsh"))])
def test_groups_of_blocks_are_without_effect(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [torch.tensor(part) for part in parts()]
    at_once = cases(TORCH)[name](*given)
    for module in (windows, chunks):
        monkeypatch.setattr(module, "_GROUP", 1)
    monkeypatch.setattr(windows, "_ROWS", 2)
    torch.testing.assert_close(cases(TORCH)[name](*given), at_once)
