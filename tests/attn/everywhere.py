"""Every mechanism as a call of either module, `attn` or `attn.torch`, for tests of both."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import attn
import attn.torch

#: A call of a mechanism with query, key and value.
Path = Callable[[Any, Any, Any], Any]

WIDTH, HEADS, TOKENS = 8, 3, 7
#: Of the first of two sentences, the last two tokens are padding.
REAL = np.arange(TOKENS) < np.array([[TOKENS - 2], [TOKENS]])


#: A test of both modules.
modules = pytest.mark.parametrize("module", [attn, attn.torch], ids=lambda module: module.__name__)


def given(module: ModuleType, argument: Any) -> Any:
    """Return an argument as a module takes it: arrays are tensors for torch."""
    is_array = module is attn.torch and isinstance(argument, np.ndarray)
    return torch.from_numpy(argument) if is_array else argument


def seeded(module: ModuleType) -> dict[str, Any]:
    """Return the argument that draws the same numbers each time."""
    if module is attn:
        return {"rng": 0}
    return {"generator": torch.Generator().manual_seed(0)}


@cache
def hiding_paths(module: ModuleType) -> dict[str, Path]:
    """Return all that can hide keys, called so that padding is hidden: (2, heads, tokens, 8)."""
    mask = REAL[:, None, None, :]
    bias = np.where(mask, 0.0, -np.inf)
    additive = module.AdditiveScore(WIDTH, WIDTH, 5, **seeded(module))
    layer = module.MultiHeadAttention(WIDTH, 2, **seeded(module))
    square = np.random.default_rng(0).normal(size=(WIDTH, WIDTH))

    def general(query: Any, key: Any) -> Any:
        return module.general_score(query, key, square)

    def attend(name: str, **options: Any) -> Path:
        return lambda q, k, v: getattr(module, name)(q, k, v, **options)

    def weigh(**options: Any) -> Path:
        return lambda q, k, v: module.attention_weights(q, k, **options)

    everything = {"return_weights": True}
    grouped = module.grouped_query_attention
    around = {"centers": np.arange(float(TOKENS)), "window": 3, "sigma": 1.5}
    hashed = {"num_buckets": 2, "num_hashes": 2, "chunk_length": 3, "rng": 0}
    return {
        "scaled dot product": attend("scaled_dot_product_attention", mask=mask),
        "with weights": attend("scaled_dot_product_attention", mask=mask, **everything),
        "bias": attend("scaled_dot_product_attention", bias=bias),
        "mask and bias": attend("scaled_dot_product_attention", mask=mask, bias=0 * REAL[0]),
        "weights, bias": weigh(bias=bias),
        "weights, dot": weigh(mask=mask, score="dot"),
        "weights, general": weigh(mask=mask, score=general),
        "weights, additive": weigh(mask=mask, score=additive),
        "blocks": attend("blockwise_attention", mask=mask),
        "small blocks": attend("blockwise_attention", mask=mask, block=2),
        "local": attend("local_attention", window=2, padding=REAL),
        "local, global": attend("local_attention", window=1, padding=REAL, global_tokens=[1, 6]),
        "centered": attend("centered_attention", mask=mask, **around, **everything),
        "hard": lambda q, k, v: module.hard_attention(q, k, v, mask=mask, **seeded(module)),
        "hard, bias": lambda q, k, v: module.hard_attention(q, k, v, bias=bias, **seeded(module)),
        "grouped": lambda q, k, v: grouped(q, k[:, :1], v[:, :1], mask=mask, **everything),
        "lsh": lambda q, k, v: module.lsh_attention(k, v, mask=REAL, **hashed),
        "heads": lambda q, k, v: layer(q[:, 0], k[:, 0], v[:, 0], mask=mask[:, 0], **everything),
    } | paths_of_today(module)


def paths_of_today(module: ModuleType) -> dict[str, Path]:
    """Return those of `hiding_paths` that models have had since 2020."""
    mask = REAL[:, None, None, :]
    everything_on = {"sink": True, "qk_norm": True, "gate": "head", "soft_cap": 5.0}
    today = module.MultiHeadAttention(WIDTH, 2, **seeded(module), **everything_on)
    latent = module.MultiHeadLatentAttention(WIDTH, 2, 3, rotary_dim=2, **seeded(module))

    def attend(name: str, **options: Any) -> Path:
        return lambda q, k, v: getattr(module, name)(q, k, v, mask=mask, **options)

    def to_latents(query: Any, key: Any, **options: Any) -> Any:
        stored = latent.compress(key[:, 0])
        return latent.attend(query[:, 0], *stored, mask=mask[:, 0], **options)

    bias, everything = np.where(mask, 0.0, -np.inf), {"return_weights": True}
    grouped, differential = module.grouped_query_attention, module.differential_attention
    return {
        "sink": attend("scaled_dot_product_attention", sink=0.5),
        "sink, weights": lambda q, k, v: module.attention_weights(
            q, k, mask=mask, sink=np.zeros((HEADS, 1, 1))
        ),
        "sink, grouped": lambda q, k, v: grouped(q, k[:, :1], v[:, :1], mask=mask, sink=0.5),
        "soft cap": attend("scaled_dot_product_attention", soft_cap=2.0),
        "differential": attend("differential_attention", lambda_=0.8, **everything),
        "differential, bias": lambda q, k, v: differential(q, k, v, bias=bias, lambda_=0.8),
        "linear": attend("linear_attention"),
        "linear, decay": attend("linear_attention", is_causal=True, decay=0.9),
        "heads, today": lambda q, k, v: today(q[:, 0], k[:, 0], v[:, 0], mask=mask[:, 0]),
        "latent": lambda q, k, v: to_latents(q, k),
        "latent, absorbed": lambda q, k, v: to_latents(q, k, absorbed=True),
    }


def parts(dtype: Any = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return query, key and value, (2, heads, tokens, 8) each; padding is zero."""
    query, key, value = np.random.default_rng(1).normal(size=(3, 2, HEADS, TOKENS, WIDTH))
    shown = REAL[:, None, :, None]
    key, value = key * shown, value * shown
    return query.astype(dtype), key.astype(dtype), value.astype(dtype)


def fill_padding(part: np.ndarray, number: float) -> np.ndarray:
    """Return a copy in which padding holds ``number``."""
    return np.where(REAL[:, None, :, None], part, part.dtype.type(number))


def overflowing(dtype: Any) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Return parts without and with padding whose scores alone overflow."""
    query, key, value = parts(dtype)
    large = dtype(1e25 if dtype is np.float32 else 1e200)
    query, key = query * large, key / large
    return (query, key, value), (query, fill_padding(key, large), value)


def arrays(result: Any) -> list[np.ndarray]:
    """Return one result or several as arrays."""
    found = result if isinstance(result, tuple | list) else (result,)
    return [np.asarray(x.detach() if hasattr(x, "detach") else x) for x in found]


def empty_calls(module: ModuleType, queries: int, keys: int) -> dict[str, Callable[[Any], Any]]:
    """Return calls that take a function (shape) -> zeros; some axis may have no length."""
    mask = np.zeros((1, 1, keys), bool)
    around = {"centers": np.zeros(queries), "window": 1, "sigma": 1.0}
    hashed = {"num_buckets": 2, "num_hashes": 2, "chunk_length": 3, "rng": 0}
    layer = module.MultiHeadAttention(WIDTH, 2)
    today = module.MultiHeadAttention(WIDTH, 2, sink=True, qk_norm=True, gate="feature")
    latent = module.MultiHeadLatentAttention(WIDTH, 2, 3, rotary_dim=2)

    def attend(name: str, **options: Any) -> Callable[[Any], Any]:
        sizes = (queries, keys, keys)
        return lambda zeros: getattr(module, name)(*(zeros(n) for n in sizes), **options)

    return {
        "scaled dot product": attend("scaled_dot_product_attention"),
        "causal": attend("scaled_dot_product_attention", is_causal=True),
        "mask": attend("scaled_dot_product_attention", mask=mask, return_weights=True),
        "blocks": attend("blockwise_attention", block=2, is_causal=True),
        "blocks, mask": attend("blockwise_attention", mask=mask),
        "sink": attend("scaled_dot_product_attention", sink=0.0, return_weights=True),
        "differential": attend("differential_attention", lambda_=0.8, mask=mask),
        "linear": attend("linear_attention"),
        "linear, causal": attend("linear_attention", is_causal=True),
        "state": lambda zeros: module.LinearAttentionState().append(*[zeros(keys)] * 3),
        "norm": lambda zeros: module.rms_norm(zeros(queries)),
        "swiglu": lambda zeros: module.swiglu(zeros(queries), *[np.eye(WIDTH)] * 3),
        "heads, today": lambda zeros: today(zeros(queries), zeros(keys)),
        "latent": lambda zeros: latent(zeros(keys), is_causal=True),
        "latent, absorbed": lambda zeros: latent(zeros(keys), absorbed=True),
        "centered": attend("centered_attention", **around),
        "grouped": attend("grouped_query_attention"),
        "hard": attend("hard_attention", **seeded(module)),
        "local": lambda zeros: module.local_attention(
            *[zeros(keys)] * 3, window=1, padding=np.ones(keys, bool), global_tokens=[]
        ),
        "lsh": lambda zeros: module.lsh_attention(zeros(keys), zeros(keys), **hashed),
        "heads": lambda zeros: layer(zeros(queries), zeros(keys), return_weights=True),
        "additive": lambda zeros: module.AdditiveScore(8, 8, 2)(zeros(queries), zeros(keys)),
        "rotary": lambda zeros: module.rotary(zeros(queries)),
        "cache": lambda zeros: module.KeyValueCache().append(zeros(keys), zeros(keys)),
    }


#: Shapes of the weights of a gated network.
GATED = ((6, 5), (6, 5), (5, 6))


def calling(name: str, *which: int, **options: Any) -> Callable[[ModuleType, list[Any]], Any]:
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
    "softmax": calling("softmax", 0),
    "softmax axis": calling("softmax", 0, axis=1),
    "softmax mask": calling("softmax", 0, mask=np.arange(6) < 0),
    "softmax sink": calling("softmax", 0, axis=1, sink=0.5, mask=np.arange(6) < 2),
    "weights sink": calling("attention_weights", 0, 1, sink=np.array([[[0.5]], [[-1]], [[9]]])),
    "weights cap": calling("attention_weights", 0, 1, soft_cap=0.5, is_causal=True),
    "attention sink": calling("scaled_dot_product_attention", 0, 1, 2, sink=0.0, soft_cap=2),
    "norm": calling("rms_norm", 0),
    "norm gain": calling("rms_norm", 0, gain=np.arange(6.0)),
    "swiglu": lambda module, parts: module.swiglu(
        parts[0], *(np.random.default_rng(n).normal(size=s) for n, s in enumerate(GATED))
    ),
    "differential": calling(
        "differential_attention", 0, 1, 2, lambda_=0.3, is_causal=True, return_weights=True
    ),
    "linear": calling("linear_attention", 0, 1, 2),
    "linear causal": calling("linear_attention", 0, 1, 2, is_causal=True),
    "linear decay": calling(
        "linear_attention", 0, 1, 2, is_causal=True, decay=np.linspace(0.1, 1, 39).reshape(3, 13)
    ),
    "state": lambda module, parts: module.LinearAttentionState().append(*parts, 0.9),
    "rotary yarn": calling("rotary", 0, scaling=attn.RotaryScaling("yarn", 4, trained_length=64)),
    "dot": calling("dot_score", 0, 1),
    "scaled dot": calling("scaled_dot_score", 0, 1),
    "weights": calling("attention_weights", 0, 1, is_causal=True),
    "weights dot": calling("attention_weights", 0, 1, score="dot"),
    "attention": calling("scaled_dot_product_attention", 0, 1, 2),
    "attention scale": calling("scaled_dot_product_attention", 0, 1, 2, scale=0.1),
    "attention causal": calling("scaled_dot_product_attention", 0, 1, 2, is_causal=True),
    "attention both": calling(
        "scaled_dot_product_attention", 0, 1, 2, return_weights=True, is_causal=True
    ),
    "blockwise": calling("blockwise_attention", 0, 1, 2, is_causal=True),
    "blockwise blocks": calling("blockwise_attention", 0, 1, 2, block=5, is_causal=True),
    "local": calling("local_attention", 0, 1, 2, window=2),
    "local causal": calling(
        "local_attention", 0, 1, 2, window=2, is_causal=True, global_tokens=[3]
    ),
    "local padding": calling(
        "local_attention",
        *(0, 1, 2),
        window=1,
        global_tokens=np.arange(26).reshape(2, 13) % 7 == 0,
        padding=attn.padding_mask([9, 13], 13),
    ),
    "lsh": calling("lsh_attention", 0, 2, num_buckets=(2, 2), num_hashes=3, chunk_length=4, rng=0),
    "lsh causal": calling(
        "lsh_attention",
        *(0, 2),
        num_buckets=2,
        num_hashes=2,
        chunk_length=4,
        rng=0,
        is_causal=True,
        mask=attn.padding_mask([9, 13], 13),
    ),
    "centered": calling("centered_attention", 0, 1, 2, centers=np.arange(13) / 2, window=3),
    "centered sigma": calling(
        "centered_attention", 0, 1, 2, centers=[4.5], window=3, sigma=2.0, return_weights=True
    ),
    "grouped": lambda module, parts: module.grouped_query_attention(
        parts[0], parts[1][:, :1], parts[2][:, :1], is_causal=True, return_weights=True
    ),
    "rotary": calling("rotary", 0),
    "rotary halves": calling("rotary", 0, layout="half_split"),
    "rotary base": calling("rotary", 0, positions=np.arange(13) * 5, base=100.0),
    "heads": lambda module, parts: module.merge_heads(module.split_heads(parts[0], 3)),
    "cache": lambda module, parts: module.KeyValueCache().append(parts[0], parts[1]),
    **{
        f"attention {name}": calling("scaled_dot_product_attention", 0, 1, 2, mask=mask)
        for name, mask in masks().items()
    },
    **{
        f"blockwise {name}": calling(
            "blockwise_attention", 0, 1, 2, mask=mask, is_causal=True, block=4
        )
        for name, mask in masks(1).items()
    },
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def results_of(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]
