"""Every mechanism as one call for `attn` and `attn.torch`, for the tests that hold for all."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import attn
import attn.torch

#: A call of a module's mechanism with query, key, value, (batch, heads, tokens, width) each, and
#: which tokens are real, (batch, tokens).
Call = Callable[[ModuleType, Any, Any, Any, np.ndarray], Any]

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


def results_of(result: Any) -> list[Any]:
    """Return what was returned, one or several, as a list."""
    return list(result) if isinstance(result, tuple) else [result]


def arrays(result: Any) -> list[np.ndarray]:
    """Return one result or several as arrays."""
    return [np.asarray(x.detach() if hasattr(x, "detach") else x) for x in results_of(result)]


# --- layers with the same weights in both modules -----------------------------------------------


def sizes(x: Any) -> tuple[int, dict[str, Any]]:
    """Return the width of tokens, and what makes weights of their type."""
    wide = str(x.dtype).endswith(("float64", "f8"))
    return x.shape[-1], {"rng": 0, "dtype": np.float64 if wide else np.float32}


def heads(m: ModuleType, x: Any, **options: Any) -> Any:
    """Return a layer of two heads for tokens as wide as ``x``."""
    width, drawn = sizes(x)
    weights = attn.MultiHeadAttention(width, 2, **drawn, **options).parameters()
    return m.MultiHeadAttention.from_parameters(weights, 2, soft_cap=options.get("soft_cap"))


def latent(m: ModuleType, x: Any) -> Any:
    """Return a layer with latents for tokens as wide as ``x``."""
    width, drawn = sizes(x)
    weights = attn.MultiHeadLatentAttention(width, 2, 3, rotary_dim=2, **drawn).parameters()
    return m.MultiHeadLatentAttention.from_parameters(weights, 2)


def additive(m: ModuleType, x: Any) -> Any:
    """Return an additive score for tokens as wide as ``x``."""
    width, drawn = sizes(x)
    score = attn.AdditiveScore(width, width, 5, **drawn)
    if m is attn:
        return score
    weights = {name: torch.tensor(w) for name, w in vars(score).items() if name[0] == "w"}
    same = m.AdditiveScore(width, width, 5).to(weights["w_key"].dtype)
    same.load_state_dict(weights)
    return same


def drawn_weight(*shape: int) -> np.ndarray:
    """Return a matrix of numbers that are the same each time."""
    return np.random.default_rng(0).normal(size=shape)


# --- what hides padding -------------------------------------------------------------------------


def hides(name: str, **options: Any) -> Call:
    """Return a call of a function in which padding is hidden by a mask."""
    return lambda m, q, k, v, r: getattr(m, name)(q, k, v, mask=r[:, None, None, :], **options)


def by_bias(r: np.ndarray) -> np.ndarray:
    return np.where(r[:, None, None, :], 0.0, -np.inf)


def to_latents(m: ModuleType, q: Any, k: Any, r: np.ndarray, **options: Any) -> Any:
    layer = latent(m, q)
    return layer.attend(q[:, 0], *layer.compress(k[:, 0]), mask=r[:, None, :], **options)


WHOLE, EVERYTHING = "scaled_dot_product_attention", {"return_weights": True}
TODAY: dict[str, Any] = {"sink": True, "qk_norm": True, "gate": "head", "soft_cap": 5.0}
HASHED: dict[str, Any] = {"num_buckets": 2, "num_hashes": 2, "chunk_length": 4, "rng": 0}

HIDING: dict[str, Call] = {
    "attention, padding": hides(WHOLE),
    "attention, padding, weights": hides(WHOLE, return_weights=True),
    "attention, mask and bias": hides(WHOLE, bias=0.0),
    "attention, bias": lambda m, q, k, v, r: getattr(m, WHOLE)(q, k, v, bias=by_bias(r)),
    "attention, sink, padding": hides(WHOLE, sink=0.5),
    "attention, cap, padding": hides(WHOLE, soft_cap=2.0),
    "weights, bias": lambda m, q, k, v, r: m.attention_weights(q, k, bias=by_bias(r)),
    "weights, dot, padding": lambda m, q, k, v, r: m.attention_weights(
        q, k, mask=r[:, None, None, :], score="dot"
    ),
    "weights, general": lambda m, q, k, v, r: m.attention_weights(
        q,
        k,
        mask=r[:, None, None, :],
        score=lambda a, b: m.general_score(a, b, drawn_weight(q.shape[-1], k.shape[-1])),
    ),
    "weights, additive": lambda m, q, k, v, r: m.attention_weights(
        q, k, mask=r[:, None, None, :], score=additive(m, q)
    ),
    "weights, sinks": lambda m, q, k, v, r: m.attention_weights(
        q, k, mask=r[:, None, None, :], sink=np.linspace(-1, 9, q.shape[-3])[:, None, None]
    ),
    "blocks, padding": hides("blockwise_attention"),
    "blocks of 2, padding": hides("blockwise_attention", block=2),
    "local, padding": lambda m, q, k, v, r: m.local_attention(q, k, v, window=2, padding=r),
    "local, padding, global": lambda m, q, k, v, r: m.local_attention(
        q, k, v, window=1, padding=r, global_tokens=np.arange(r.size).reshape(r.shape) % 5 == 0
    ),
    "centered, padding": lambda m, q, k, v, r: m.centered_attention(
        *(q, k, v), centers=np.arange(q.shape[-2]) / 1.1, window=3, sigma=1.5,
        mask=r[:, None, None, :], **EVERYTHING,
    ),
    "hard": lambda m, q, k, v, r: hides("hard_attention", **seeded(m))(m, q, k, v, r),
    "hard, bias": lambda m, q, k, v, r: m.hard_attention(q, k, v, bias=by_bias(r), **seeded(m)),
    "grouped, padding": lambda m, q, k, v, r: m.grouped_query_attention(
        q, k[:, :1], v[:, :1], mask=r[:, None, None, :], sink=0.5, **EVERYTHING
    ),
    "lsh, padding": lambda m, q, k, v, r: m.lsh_attention(k, v, mask=r, **HASHED),
    "lsh, padding, causal": lambda m, q, k, v, r: m.lsh_attention(
        k, v, mask=r, is_causal=True, **HASHED
    ),
    "differential, padding": hides("differential_attention", lambda_=0.8, return_weights=True),
    "differential, bias": lambda m, q, k, v, r: m.differential_attention(
        q, k, v, bias=by_bias(r), lambda_=0.8
    ),
    "linear, padding": hides("linear_attention"),
    "linear, padding, decay": hides("linear_attention", is_causal=True, decay=0.9),
    "layer": lambda m, q, k, v, r: heads(m, q)(
        q[:, 0], k[:, 0], v[:, 0], mask=r[:, None, :], **EVERYTHING
    ),
    "layer, today": lambda m, q, k, v, r: heads(m, q, **TODAY)(
        q[:, 0], k[:, 0], v[:, 0], mask=r[:, None, :]
    ),
    "layer, latent": lambda m, q, k, v, r: to_latents(m, q, k, r),
    "layer, latent, absorbed": lambda m, q, k, v, r: to_latents(m, q, k, r, absorbed=True),
}  # fmt: skip


# --- and the rest -------------------------------------------------------------------------------


def plain(name: str, *which: int, **options: Any) -> Call:
    """Return a call of the function ``name`` with some of (query, key, value)."""
    return lambda m, *parts: getattr(m, name)(*(parts[i] for i in which), **options)


def masked(name: str, of: str, **options: Any) -> Call:
    """Return a call with a mask of a shape by name; some rows of pairs see nothing."""

    def call(m: ModuleType, q: Any, k: Any, v: Any, r: np.ndarray) -> Any:
        batch, number, queries, keys = (*q.shape[:3], k.shape[-2])
        shapes = {"pairs": (queries, keys), "keys": (keys,), "heads": (number, queries, keys)}
        mask = np.random.default_rng(0).random((shapes | {"batch": (batch, 1, 1, keys)})[of]) < 0.4
        if of == "pairs":
            mask[4:5] = False
        return getattr(m, name)(q, k, v, mask=mask, **options)

    return call


def gated(m: ModuleType, q: Any, *_: Any) -> Any:
    width = q.shape[-1]
    w_gate, w_in = drawn_weight(2, width, 5)
    return m.swiglu(q, w_gate, w_in, drawn_weight(5, width))


CASES: dict[str, Call] = HIDING | {
    "softmax": plain("softmax", 0),
    "softmax axis": plain("softmax", 0, axis=1),
    "softmax sink": plain("softmax", 0, axis=1, sink=0.5),
    "softmax mask": lambda m, q, *_: m.softmax(q, mask=np.arange(q.shape[-1]) < 1),
    "softmax nothing": lambda m, q, *_: m.softmax(q, mask=np.arange(q.shape[-1]) < 0),
    "dot": plain("dot_score", 0, 1),
    "scaled dot": plain("scaled_dot_score", 0, 1),
    "weights": plain("attention_weights", 0, 1, is_causal=True),
    "weights, cap": plain("attention_weights", 0, 1, soft_cap=0.5, is_causal=True),
    "attention": plain(WHOLE, 0, 1, 2),
    "attention, scale": plain(WHOLE, 0, 1, 2, scale=0.1),
    "attention, causal": plain(WHOLE, 0, 1, 2, is_causal=True),
    "attention, causal, weights": plain(WHOLE, 0, 1, 2, is_causal=True, **EVERYTHING),
    "attention, sink": plain(WHOLE, 0, 1, 2, sink=0.0, soft_cap=2, **EVERYTHING),
    "attention, alibi": lambda m, q, k, v, r: getattr(m, WHOLE)(
        q, k, v, bias=attn.alibi_bias(q.shape[-3], q.shape[-2], k.shape[-2])
    ),
    **{f"attention, {of}": masked(WHOLE, of) for of in ("pairs", "keys", "heads", "batch")},
    "attention, all": masked(WHOLE, "pairs", sink=0.5, soft_cap=0.7, **EVERYTHING),
    "blocks, causal": plain("blockwise_attention", 0, 1, 2, is_causal=True),
    "blocks of 5, causal": plain("blockwise_attention", 0, 1, 2, block=5, is_causal=True),
    **{
        f"blocks, {of}": masked("blockwise_attention", of, is_causal=True, block=4)
        for of in ("pairs", "keys", "heads", "batch")
    },
    "local": plain("local_attention", 0, 1, 2, window=2),
    "local, causal": plain("local_attention", 0, 1, 2, window=2, is_causal=True),
    "local, global": lambda m, q, k, v, r: m.local_attention(
        q, k, v, window=2, is_causal=True, global_tokens=np.arange(q.shape[-2]) % 4 == 3
    ),
    "lsh": plain("lsh_attention", 0, 2, **HASHED | {"num_buckets": (2, 2), "num_hashes": 3}),
    "lsh, causal": plain("lsh_attention", 0, 2, is_causal=True, **HASHED),
    "centered": lambda m, q, k, v, r: m.centered_attention(
        q, k, v, centers=np.arange(q.shape[-2]) / 2, window=3
    ),
    "centered, sigma": plain(
        "centered_attention", 0, 1, 2, centers=[4.5], window=3, sigma=2.0, **EVERYTHING
    ),
    "grouped": lambda m, q, k, v, r: m.grouped_query_attention(
        q, k[:, :1], v[:, :1], is_causal=True, **EVERYTHING
    ),
    "differential": plain("differential_attention", 0, 1, 2, lambda_=0.3, is_causal=True),
    "differential, pairs": masked("differential_attention", "pairs", lambda_=0.8),
    "linear": plain("linear_attention", 0, 1, 2),
    "linear, causal": plain("linear_attention", 0, 1, 2, is_causal=True),
    "linear, pairs": masked("linear_attention", "pairs", decay=0.7, is_causal=True),
    "linear, decays": lambda m, q, k, v, r: m.linear_attention(
        *(q, k, v),
        is_causal=True,
        decay=np.linspace(0.1, 1, k.shape[-3])[:, None] * np.linspace(0.9, 1, k.shape[-2]),
    ),
    "state": lambda m, q, k, v, r: m.LinearAttentionState().append(q, k, v, 0.9),
    "norm": plain("rms_norm", 0),
    "norm, gain": lambda m, q, *_: m.rms_norm(q, gain=np.arange(float(q.shape[-1]))),
    "swiglu": gated,
    "rotary": plain("rotary", 0),
    "rotary, halves": plain("rotary", 0, layout="half_split"),
    "rotary, base": lambda m, q, *_: m.rotary(q, np.arange(q.shape[-2]) * 5, base=100.0),
    "rotary, yarn": plain("rotary", 0, scaling=attn.RotaryScaling("yarn", 4, trained_length=64)),
    "split and merged": lambda m, q, *_: m.merge_heads(m.split_heads(q, 2)),
    "cache": lambda m, q, k, v, r: m.KeyValueCache().append(k, v),
    "layer, causal, latent": lambda m, q, *_: latent(m, q)(q[:, 0], is_causal=True),
    "layer, causal, absorbed": lambda m, q, *_: latent(m, q)(q[:, 0], absorbed=True),
}
cases = pytest.mark.parametrize("name", CASES)
