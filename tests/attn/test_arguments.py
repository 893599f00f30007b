"""A wrong argument gets one line in either module: what was seen, what was expected."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import given, modules

import attn
import attn.torch

X = np.zeros((2, 3, 7, 8))
AROUND = {"centers": np.arange(7.0), "window": 2}
NEAR = {"window": 1}
HASHED = {"num_buckets": 4, "num_hashes": 2, "chunk_length": 4}

#: Function, positional arguments, named ones, error, what its message says.
Wrong = tuple[str, tuple[Any, ...], dict[str, Any], type[Exception], str]
XXX = (X, X, X)

WRONG: list[Wrong] = [
    ("dot_score", (None, X), {}, TypeError, r"query has dtype object; expected"),
    ("dot_score", (X, "key"), {}, TypeError, r"key has dtype <U3; expected"),
    ("dot_score", (X, X * 1j), {}, TypeError, r"key has dtype (torch\.)?complex128; expected real"),
    ("dot_score", (X[0, 0, 0], X), {}, ValueError, r"query has shape \(8,\); expected"),
    ("scaled_dot_product_attention", (X, X[:, :2], X[:, :2]), {}, ValueError, r"\(2, 2, 7, 8\)"),
    ("blockwise_attention", (X, X[:, :2], X), {}, ValueError, r"\(2, 2, 7, 8\).*expected the same"),
    ("grouped_query_attention", (X, X[[0, 0, 0]], X), {}, ValueError, r"key \(3, 3, 7, 8\)"),
    ("grouped_query_attention", (X, X[:, :2], X[:, :2]), {}, ValueError, r"divides the 3"),
    ("scaled_dot_score", (X, X), {"scale": "m"}, TypeError, r"scale is 'm'; expected a number"),
    ("scaled_dot_score", (X, X), {"scale": [1.0]}, TypeError, r"scale is \[1\.0\]; expected"),
    ("blockwise_attention", XXX, {"scale": np.nan}, ValueError, r"scale is nan; expected"),
    ("local_attention", XXX, {"window": 1, "scale": np.inf}, ValueError, r"scale is inf; .*finite"),
    ("general_score", (X, X, "w"), {}, TypeError, r"weight has dtype <U1"),
    ("general_score", (X, X, np.eye(7)), {}, ValueError, r"weight has shape \(7, 7\); .*\(8, 8\)"),
    ("attention_weights", (X, X), {"mask": "m"}, TypeError, r"mask has dtype <U1; expected bool"),
    ("attention_weights", (X, X), {"bias": "b"}, TypeError, r"bias has dtype <U1; expected"),
    ("attention_weights", (X, X), {"score": lambda q, k: q}, ValueError, r"score returned shape"),
    ("softmax", (X,), {"axis": 4}, ValueError, r"axis is 4; expected an axis of .*\(2, 3, 7, 8\)"),
    ("softmax", (X,), {"axis": 1.5}, TypeError, r"axis is 1\.5; expected an integer"),
    ("softmax", (1.0,), {}, ValueError, r"axis is -1; .*shape \(\)"),
    ("blockwise_attention", XXX, {"block": 0}, ValueError, r"block is 0; expected at least 1"),
    ("blockwise_attention", XXX, {"block": (2, 0)}, ValueError, r"block\[1\] is 0"),
    ("blockwise_attention", XXX, {"block": (1, 2, 3)}, ValueError, r"expected one or two integers"),
    ("centered_attention", XXX, AROUND | {"window": "a"}, TypeError, r"window is 'a'; expected"),
    ("centered_attention", XXX, AROUND | {"window": np.nan}, ValueError, r"window is nan"),
    (
        "centered_attention",
        XXX,
        AROUND | {"sigma": None, "window": -1},
        ValueError,
        r"window is -1",
    ),
    ("centered_attention", XXX, AROUND | {"sigma": "a"}, TypeError, r"sigma is 'a'; expected"),
    (
        "centered_attention",
        XXX,
        AROUND | {"centers": [1, 2]},
        ValueError,
        r"centers has shape \(2,",
    ),
    (
        *("centered_attention", XXX, AROUND | {"centers": np.ones((4, 1, 7))}, ValueError),
        r"centers has shape \(4, 1, 7\); expected one that broadcasts to \(2, 3, 7\)",
    ),
    ("centered_attention", XXX, AROUND | {"mask": np.ones(7)}, TypeError, r"mask has dtype.*float"),
    (
        *("centered_attention", XXX, AROUND | {"mask": np.ones((7, 6), bool)}, ValueError),
        r"mask has shape \(7, 6\); expected one that broadcasts to \(2, 3, 7, 7\)",
    ),
    ("lsh_attention", (X, X), HASHED | {"num_buckets": 2.0}, TypeError, r"num_buckets is 2\.0"),
    ("lsh_attention", (X, X), HASHED | {"num_buckets": []}, ValueError, r"num_buckets is \[\]"),
    ("rotary", (X,), {"positions": "a"}, TypeError, r"positions has dtype <U1; expected"),
    ("rotary", (X,), {"positions": [1, 2]}, ValueError, r"positions has shape \(2,\)"),
    ("rotary", (X,), {"positions": np.ones((5, 7))}, ValueError, r"positions has shape \(5, 7\)"),
    ("rotary", (X,), {"base": "a"}, TypeError, r"base is 'a'; expected a number"),
    ("rotary", (X,), {"base": 0.0}, ValueError, r"base is 0\.0; expected a positive number"),
    ("AxialPositions", (5, (3, 4)), {}, ValueError, r"shape is 5; expected two integers"),
    ("AxialPositions", ((2, 3), None), {}, ValueError, r"dims is None; expected two integers"),
    (
        *("softmax", (X,), {"sink": np.zeros(8)}, ValueError),
        r"sink has shape \(8,\); expected one that broadcasts to \(2, 3, 7, 1\)",
    ),
    ("softmax", (X,), {"sink": "s"}, TypeError, r"sink has dtype <U1; expected"),
    (
        *("attention_weights", (X, X), {"sink": np.zeros(3)}, ValueError),
        r"sink has shape \(3,\); expected one that broadcasts to \(2, 3, 7, 1\)",
    ),
    (
        "scaled_dot_product_attention",
        XXX,
        {"soft_cap": 0},
        ValueError,
        r"soft_cap is 0; expected a",
    ),
    ("scaled_dot_product_attention", XXX, {"soft_cap": "c"}, TypeError, r"soft_cap is 'c'; exp"),
    (
        "grouped_query_attention",
        XXX,
        {"sink": np.zeros((2, 1, 1))},
        ValueError,
        r"sink .*\(2, 1, 1",
    ),
    ("MultiHeadAttention", (8, 2), {"gate": "all"}, ValueError, r"gate is 'all'; expected 'head'"),
    ("MultiHeadAttention", (8, 2), {"soft_cap": -1}, ValueError, r"soft_cap is -1; expected"),
    ("MultiHeadLatentAttention", (8, 3, 2), {}, ValueError, r"num_heads=3 does not divide"),
    ("MultiHeadLatentAttention", (8, 2, 0), {}, ValueError, r"d_latent is 0; expected at least 1"),
    ("rms_norm", (1.0,), {}, ValueError, r"x has shape \(\); expected \(..., features\)"),
    ("rms_norm", (X, X[0, 0]), {}, ValueError, r"gain has shape \(7, 8\); expected \(8,\)"),
    ("swiglu", (X[0, 0, 0], *[np.eye(8)] * 3), {}, ValueError, r"x has shape \(8,\); expected"),
    (
        *("swiglu", (X, np.ones((8, 5)), np.ones((8, 3)), np.ones((5, 8))), {}, ValueError),
        r"w_in has shape \(8, 3\); expected \(8, 5\) for x of shape \(2, 3, 7, 8\)",
    ),
    ("differential_attention", XXX, {"lambda_": "a"}, TypeError, r"lambda_ has dtype <U1"),
    (
        *("differential_attention", XXX, {"lambda_": np.zeros(3)}, ValueError),
        r"lambda_ has shape \(3,\); expected one that broadcasts to \(2, 3, 1, 1\)",
    ),
    (
        *("differential_attention", (X[..., 1:],) * 3, {"lambda_": 0.8}, ValueError),
        r"query has shape \(2, 3, 7, 7\); expected an even number of features",
    ),
    ("linear_attention", XXX, {"decay": 0.9}, ValueError, r"decay .* without is_causal=True"),
    (
        *("linear_attention", XXX, {"decay": 0.0, "is_causal": True}, ValueError),
        r"decay has numbers outside of \(0, 1\]",
    ),
    (
        *("linear_attention", XXX, {"decay": np.ones(6), "is_causal": True}, ValueError),
        r"decay has shape \(6,\); expected one that broadcasts to \(2, 3, 7\)",
    ),
    ("linear_attention", XXX, {"feature_map": "exp"}, ValueError, r"feature_map is 'exp'; exp"),
    (
        *("linear_attention", XXX, {"feature_map": lambda x: x[..., 1:, :]}, ValueError),
        r"feature_map returned shape \(2, 3, 6, 8\) for query of shape \(2, 3, 7, 8\)",
    ),
    ("RotaryScaling", ("cubic", 2), {}, ValueError, r"method is 'cubic'; expected 'linear'"),
    ("RotaryScaling", ("linear", 0.5), {}, ValueError, r"factor is 0.5; expected at least 1"),
    ("RotaryScaling", ("yarn", 2), {}, ValueError, r"trained_length is None; 'yarn' needs"),
    ("RotaryScaling", ("yarn", 2, 9, 1, 1), {}, ValueError, r"slow is 1, fast 1; expected 0 < s"),
    ("cache_size", (-1,), {"d_latent": 3}, ValueError, r"num_tokens is -1; expected at least 0"),
    (
        "cache_size",
        (1,),
        {"head_dim": 3},
        ValueError,
        r"num_kv_heads is None, head_dim 3, d_latent",
    ),
    ("cache_size", (1,), {"d_latent": 3, "head_dim": 2}, ValueError, r"expected the first two, or"),
    (
        *("cache_size", (1,), {"d_latent": 3, "local_per_global": 5}, ValueError),
        r"local_per_global is 5, local_tokens None; expected both or neither",
    ),
    ("merge_heads", (1.0,), {}, ValueError, r"x has shape \(\); expected"),
    ("split_heads", (X, 3), {}, ValueError, r"x has shape \(2, 3, 7, 8\).*3 heads"),
    ("dot_score", (X, X[..., 1:]), {}, ValueError, r"key has shape \(2, 3, 7, 7\).*num_keys, 8"),
    ("scaled_dot_product_attention", (X, X, X[:, :, 1:]), {}, ValueError, r"value .*7, d_v"),
    ("scaled_dot_product_attention", (X[..., :0],) * 3, {}, ValueError, r"query .*3, 7, 0\)"),
    ("attention_weights", (X, X), {"mask": np.ones((7, 6), bool)}, ValueError, r"mask .*\(7, 6\)"),
    ("attention_weights", (X, X), {"bias": np.zeros((3, 1))}, ValueError, r"bias .*\(3, 1\)"),
    ("attention_weights", (X, X), {"score": "cosine"}, ValueError, r"score is 'cosine'"),
    (
        *("attention_weights", (X, X), {"score": "dot", "scale": 2.0}, ValueError),
        r"scale is 2.*unless score is 'scaled_dot'",
    ),
    ("AdditiveScore", (3, 11, 0), {}, ValueError, r"d_hidden is 0"),
    ("softmax", (X * 1j,), {}, TypeError, r"complex"),
    ("softmax", (X,), {"mask": X[0, 0]}, TypeError, r"mask has dtype (torch\.)?float64.*bias"),
    ("softmax", (X,), {"mask": np.ones((2, 7), bool)}, ValueError, r"mask has shape \(2, 7\)"),
    ("blockwise_attention", XXX, {"block": 2.5}, TypeError, r"block is 2\.5"),
    ("blockwise_attention", XXX, {"mask": np.ones((3, 5, 5), bool)}, ValueError, r"mask .*3, 5, 5"),
    ("local_attention", (X, X[:, :, 1:], X[:, :, 1:]), NEAR, ValueError, r"as many tokens"),
    ("local_attention", XXX, {"window": -1}, ValueError, r"window is -1"),
    ("local_attention", XXX, {"window": 1.5}, TypeError, r"window is 1\.5"),
    (
        *("local_attention", XXX, NEAR | {"padding": np.ones((3, 7), bool)}, ValueError),
        r"padding has shape \(3, 7\); expected.*\(2, 7\)",
    ),
    ("local_attention", XXX, NEAR | {"padding": np.ones((2, 7))}, TypeError, r"padding has dtype"),
    ("local_attention", XXX, NEAR | {"global_tokens": [7]}, ValueError, r"global_tokens is \[7\]"),
    ("centered_attention", XXX, AROUND | {"centers": np.nan}, ValueError, r"centers contain NaN"),
    (
        "centered_attention",
        XXX,
        AROUND | {"sigma": 0.0},
        ValueError,
        r"sigma is 0\.0; expected a p",
    ),
    ("grouped_query_attention", (X, X, X[:, :2]), {}, ValueError, r"value .*3 heads"),
    ("grouped_query_attention", (X[0, 0], X, X), {}, ValueError, r"at least 3 axes"),
    ("lsh_attention", (X, X), HASHED | {"num_buckets": 3}, ValueError, r"is 3; expected even"),
    ("lsh_attention", (X, X), HASHED | {"num_buckets": [4, 3]}, ValueError, r"is \[4, 3\]"),
    ("lsh_attention", (X, X), HASHED | {"num_hashes": 0}, ValueError, r"num_hashes is 0"),
    ("lsh_attention", (X, X), HASHED | {"chunk_length": 0}, ValueError, r"chunk_length is 0"),
    ("lsh_attention", (X, X[:, :, 1:]), HASHED, ValueError, r"value has shape \(2, 3, 6, 8\)"),
    ("lsh_attention", (X, X), HASHED | {"mask": np.ones((3, 7), bool)}, ValueError, r"mask .*3, 7"),
    (
        *("lsh_attention", (X, X), HASHED | {"rotations": np.zeros((3, 8, 1, 2))}, ValueError),
        r"rotations has shape \(3, 8, 1, 2\); expected \(3, 8, 2",
    ),
    ("merge_heads", (X[0, 0],), {}, ValueError, r"x has shape \(7, 8\).*num_heads, tokens"),
    ("split_heads", (X, 0), {}, ValueError, r"num_heads is 0"),
]


@modules
@pytest.mark.parametrize("wrong", WRONG, ids=[f"{name} {said[:20]}" for name, *_, said in WRONG])
def test_wrong_argument_is_named(module: ModuleType, wrong: Wrong) -> None:
    name, positional, named, error, message = wrong
    with pytest.raises(error, match=message) as caught:
        getattr(module, name)(*(given(module, argument) for argument in positional), **named)
    assert "\n" not in str(caught.value)
    assert "/attn/" in str(caught.traceback[-1].path)  # not from inside NumPy or torch


def test_weights_of_no_heads() -> None:
    with pytest.raises(ValueError, match="num_heads is 0"):
        attn.MultiHeadAttention.from_parameters(attn.MultiHeadAttention(8, 2).parameters(), 0)


def test_a_refused_step_leaves_the_cache_as_it_was() -> None:
    cache, x = attn.KeyValueCache(), np.ones((2, 3, 8))
    cache.append(x, x)
    for key, value in ((x[..., 1:], x), (x, x[:, 1:]), (x[:1], x[:1])):
        with pytest.raises(ValueError, match="has shape"):
            cache.append(key, value)
    keys, values = cache.append(2 * x, 3 * x)
    assert cache.num_tokens == 6
    np.testing.assert_array_equal(keys[:, 3:], 2 * x)
    np.testing.assert_array_equal(values[:, :3], x)


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
