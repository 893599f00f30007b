"""Every mechanism as a call with arrays and with tensors, for tests of both."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import attn

#: A call of a mechanism with query, key and value.
Path = Callable[[Any, Any, Any], Any]

WIDTH, HEADS, TOKENS = 8, 3, 7
#: Of the first of two sentences, the last two tokens are padding.
REAL = np.arange(TOKENS) < np.array([[TOKENS - 2], [TOKENS]])


class Library:
    """`attn` as those see it who have arrays, or tensors: its functions, and the layers of either.

    Parameters
    ----------
    name : "numpy" or "torch"
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        """Return a function of `attn`, or a class of `attn` or `attn.torch`."""
        if self.name == "torch":
            layers = import_module("attn.torch")
            if name in layers.__all__:
                return getattr(layers, name)
        return getattr(attn, name)

    def give(self, argument: Any) -> Any:
        """Return an array as the library's numbers; anything else as it is."""
        if self.name == "numpy" or not isinstance(argument, np.ndarray):
            return argument
        import torch

        return torch.from_numpy(argument)

    def cast(self, numbers: Any, dtype: str) -> Any:
        """Return numbers in the type of that name."""
        if self.name == "numpy":
            return numbers.astype(dtype)
        import torch

        return self.give(numbers).to(getattr(torch, dtype))

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def seeded(self) -> dict[str, Any]:
        """Return the argument of layers that draws the same numbers each time."""
        if self.name == "numpy":
            return {"rng": 0}
        import torch

        return {"generator": torch.Generator().manual_seed(0)}


NUMPY, TORCH = Library("numpy"), Library("torch")
# The folder of tests beside this file is called torch as well: it has no origin.
_FOUND = find_spec("torch")
LIBRARIES = [NUMPY, TORCH] if _FOUND is not None and _FOUND.origin else [NUMPY]
libraries = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)


@cache
def hiding_paths(library: Library) -> dict[str, Path]:
    """Return all that can hide keys, called so that padding is hidden: (2, heads, tokens, 8)."""
    mask = REAL[:, None, None, :]
    bias = np.where(mask, 0.0, -np.inf)
    additive = library.AdditiveScore(WIDTH, WIDTH, 5, **library.seeded())
    layer = library.MultiHeadAttention(WIDTH, 2, **library.seeded())

    def general(query: Any, key: Any) -> Any:
        return library.general_score(query, key, np.tri(WIDTH))

    def attend(name: str, **options: Any) -> Path:
        return lambda q, k, v: getattr(library, name)(q, k, v, **options)

    def weigh(**options: Any) -> Path:
        return lambda q, k, v: library.attention_weights(q, k, **options)

    window = "sliding_window_attention"
    everything = {"return_weights": True}
    grouped = library.grouped_query_attention
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
        "local": attend(window, window=2, padding=REAL),
        "local, global": attend(window, window=1, padding=REAL, global_tokens=[1, 6]),
        "centered": attend("predictive_local_attention", mask=mask, **around, **everything),
        "hard": lambda q, k, v: library.hard_attention(q, k, v, mask=mask, rng=0),
        "hard, bias": lambda q, k, v: library.hard_attention(q, k, v, bias=bias, rng=0),
        "grouped": lambda q, k, v: grouped(q, k[:, :1], v[:, :1], mask=mask, **everything),
        "lsh": lambda q, k, v: library.lsh_attention(k, v, mask=REAL, **hashed),
        "heads": lambda q, k, v: layer(q[:, 0], k[:, 0], v[:, 0], mask=mask[:, 0], **everything),
    } | paths_of_today(library)


def paths_of_today(library: Library) -> dict[str, Path]:
    """Return those of `hiding_paths` that models have had since 2020."""
    mask = REAL[:, None, None, :]
    everything_on = {"sink": True, "qk_norm": True, "gate": "head", "soft_cap": 5.0}
    today = library.MultiHeadAttention(WIDTH, 2, **library.seeded(), **everything_on)
    latent = library.MultiHeadLatentAttention(WIDTH, 2, 3, rotary_dim=2, **library.seeded())

    def attend(name: str, **options: Any) -> Path:
        return lambda q, k, v: getattr(library, name)(q, k, v, mask=mask, **options)

    def to_latents(query: Any, key: Any, **options: Any) -> Any:
        stored = latent.compress(key[:, 0])
        return latent.attend(query[:, 0], *stored, mask=mask[:, 0], **options)

    bias, everything = np.where(mask, 0.0, -np.inf), {"return_weights": True}
    grouped, differential = library.grouped_query_attention, library.differential_attention
    return {
        "sink": attend("scaled_dot_product_attention", sink=0.5),
        "sink, weights": lambda q, k, v: library.attention_weights(
            q, k, mask=mask, sink=np.zeros((HEADS, 1, 1))
        ),
        "sink, grouped": lambda q, k, v: grouped(q, k[:, :1], v[:, :1], mask=mask, sink=0.5),
        "soft cap": attend("scaled_dot_product_attention", soft_cap=2.0),
        "differential": attend("differential_attention", lambda_=0.8, **everything),
        "differential, bias": lambda q, k, v: differential(q, k, v, bias=bias, lambda_=0.8),
        "linear": attend("linear_attention"),
        "linear, decay": attend("linear_attention", causal=True, decay=0.9),
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
    return [np.asarray(x.detach() if hasattr(x, "detach") else x) for x in listed(result)]


def empty_calls(library: Library, queries: int, keys: int) -> dict[str, Callable[[Any], Any]]:
    """Return calls that take a function (shape) -> zeros; some axis may have no length."""
    mask = np.zeros((1, 1, keys), bool)
    around = {"centers": np.zeros(queries), "window": 1, "sigma": 1.0}
    hashed = {"num_buckets": 2, "num_hashes": 2, "chunk_length": 3, "rng": 0}
    layer = library.MultiHeadAttention(WIDTH, 2)
    today = library.MultiHeadAttention(WIDTH, 2, sink=True, qk_norm=True, gate="feature")
    latent = library.MultiHeadLatentAttention(WIDTH, 2, 3, rotary_dim=2)

    def attend(name: str, **options: Any) -> Callable[[Any], Any]:
        sizes = (queries, keys, keys)
        return lambda zeros: getattr(library, name)(*(zeros(n) for n in sizes), **options)

    return {
        "scaled dot product": attend("scaled_dot_product_attention"),
        "causal": attend("scaled_dot_product_attention", causal=True),
        "mask": attend("scaled_dot_product_attention", mask=mask, return_weights=True),
        "blocks": attend("blockwise_attention", block=2, causal=True),
        "blocks, mask": attend("blockwise_attention", mask=mask),
        "sink": attend("scaled_dot_product_attention", sink=0.0, return_weights=True),
        "differential": attend("differential_attention", lambda_=0.8, mask=mask),
        "linear": attend("linear_attention"),
        "linear, causal": attend("linear_attention", causal=True),
        "state": lambda zeros: library.LinearAttentionState().append(*[zeros(keys)] * 3),
        "norm": lambda zeros: library.rms_norm(zeros(queries)),
        "swiglu": lambda zeros: library.swiglu(zeros(queries), *[np.eye(WIDTH)] * 3),
        "heads, today": lambda zeros: today(zeros(queries), zeros(keys)),
        "latent": lambda zeros: latent(zeros(keys), causal=True),
        "latent, absorbed": lambda zeros: latent(zeros(keys), absorbed=True),
        "centered": attend("predictive_local_attention", **around),
        "grouped": attend("grouped_query_attention"),
        "hard": attend("hard_attention", rng=0),
        "local": lambda zeros: library.sliding_window_attention(
            *[zeros(keys)] * 3, window=1, padding=np.ones(keys, bool), global_tokens=[]
        ),
        "lsh": lambda zeros: library.lsh_attention(zeros(keys), zeros(keys), **hashed),
        "heads": lambda zeros: layer(zeros(queries), zeros(keys), return_weights=True),
        "additive": lambda zeros: library.AdditiveScore(8, 8, 2)(zeros(queries), zeros(keys)),
        "rotary": lambda zeros: library.rotary(zeros(queries)),
        "cache": lambda zeros: library.KeyValueCache().append(zeros(keys), zeros(keys)),
    }


def masks(seed: int = 0) -> dict[str, np.ndarray]:
    """Return masks of all shapes for scores (2, heads, tokens, tokens); some rows see nothing."""
    rng = np.random.default_rng(seed)
    shapes = {
        "pairs": (TOKENS, TOKENS),
        "keys": (TOKENS,),
        "heads": (HEADS, TOKENS, TOKENS),
        "padding": (2, 1, 1, TOKENS),
    }
    made = {name: rng.random(shape) < 0.4 for name, shape in shapes.items()}
    made["pairs"][4] = False
    return made


def _call(library: Library, name: str, *which: int, **options: Any) -> Path:
    """Return a call with some of the parts."""
    return lambda *parts: getattr(library, name)(*(parts[i] for i in which), **options)


@cache
def cases(library: Library) -> dict[str, Path]:
    """Return all functions with what they can be asked for, as calls."""
    return {**_plain_cases(library), **_attention_cases(library), **_sparse_cases(library)}


def _plain_cases(library: Library) -> dict[str, Path]:
    call = partial(_call, library)
    shapes = ((WIDTH, 5), (WIDTH, 5), (5, WIDTH))
    gated = [np.random.default_rng(n).normal(size=shape) for n, shape in enumerate(shapes)]
    decay = np.linspace(0.1, 1, HEADS * TOKENS).reshape(HEADS, TOKENS)
    return {
        "softmax": call("softmax", 0),
        "softmax axis": call("softmax", 0, axis=1),
        "softmax mask": call("softmax", 0, mask=np.arange(WIDTH) < 0),
        "softmax sink": call("softmax", 0, axis=1, sink=0.5, mask=np.arange(WIDTH) < 2),
        "norm": call("rms_norm", 0),
        "norm gain": call("rms_norm", 0, gain=np.arange(float(WIDTH))),
        "swiglu": lambda *parts: library.swiglu(parts[0], *gated),
        "linear": call("linear_attention", 0, 1, 2),
        "linear causal": call("linear_attention", 0, 1, 2, causal=True),
        "linear decay": call("linear_attention", 0, 1, 2, causal=True, decay=decay),
        "state": lambda *parts: library.LinearAttentionState().append(*parts, 0.9),
        "rotary yarn": call("rotary", 0, scaling=attn.RotaryScaling("yarn", 4, trained_length=64)),
        "dot": call("dot_score", 0, 1),
        "scaled dot": call("scaled_dot_score", 0, 1),
        "rotary": call("rotary", 0),
        "rotary halves": call("rotary", 0, layout="half_split"),
        "rotary base": call("rotary", 0, positions=np.arange(TOKENS) * 5, base=100.0),
        "heads": lambda *parts: library.merge_heads(library.split_heads(parts[0], 2)),
        "cache": lambda *parts: library.KeyValueCache().append(parts[0], parts[1]),
    }


def _attention_cases(library: Library) -> dict[str, Path]:
    weights = partial(_call, library, "attention_weights", 0, 1)
    attention = partial(_call, library, "scaled_dot_product_attention", 0, 1, 2)
    blocks = partial(_call, library, "blockwise_attention", 0, 1, 2, causal=True)
    differential = partial(_call, library, "differential_attention", 0, 1, 2, lambda_=0.3)
    return {
        "weights": weights(causal=True),
        "weights dot": weights(score="dot"),
        "weights sink": weights(sink=np.array([[[0.5]], [[-1]], [[9]]])),
        "weights cap": weights(soft_cap=0.5, causal=True),
        "attention": attention(),
        "attention sink": attention(sink=0.0, soft_cap=2),
        "attention scale": attention(scale=0.1),
        "attention causal": attention(causal=True),
        "attention both": attention(return_weights=True, causal=True),
        "differential": differential(causal=True, return_weights=True),
        "blockwise": blocks(),
        "blockwise blocks": blocks(block=5),
        "grouped": lambda *parts: library.grouped_query_attention(
            parts[0], parts[1][:, :1], parts[2][:, :1], causal=True, return_weights=True
        ),
        **{f"attention {name}": attention(mask=mask) for name, mask in masks().items()},
        **{f"blockwise {name}": blocks(mask=mask, block=4) for name, mask in masks(1).items()},
    }


def _sparse_cases(library: Library) -> dict[str, Path]:
    window = partial(_call, library, "sliding_window_attention", 0, 1, 2)
    hashed = partial(_call, library, "lsh_attention", 0, 2, chunk_length=4, rng=0)
    around = partial(_call, library, "predictive_local_attention", 0, 1, 2, window=3)
    marked = np.arange(2 * TOKENS).reshape(2, TOKENS) % 5 == 0
    return {
        "local": window(window=2),
        "local causal": window(window=2, causal=True, global_tokens=[3]),
        "local padding": window(window=1, global_tokens=marked, padding=REAL),
        "lsh": hashed(num_buckets=(2, 2), num_hashes=3),
        "lsh causal": hashed(num_buckets=2, num_hashes=2, causal=True, mask=REAL),
        "centered": around(centers=np.arange(TOKENS) / 2),
        "centered sigma": around(centers=[4.5], sigma=2.0, return_weights=True),
    }


@cache
def calls(library: Library) -> dict[str, Path]:
    """Return `cases`, and as further calls `hiding_paths` with their layers."""
    hiding = {f"hiding, {name}": path for name, path in hiding_paths(library).items()}
    latent = library.MultiHeadLatentAttention(WIDTH, 2, 3, rotary_dim=2, **library.seeded())
    layers: dict[str, Path] = {
        "MLA": lambda q, k, v: latent(q),
        "MLA, absorbed": lambda q, k, v: latent(q, absorbed=True),
    }
    return cases(library) | hiding | layers


def listed(result: Any) -> list[Any]:
    """Return one result or several as a list."""
    return list(result) if isinstance(result, tuple | list) else [result]
