"""A wrong argument gets one line: what was seen, and what was expected or is its name here."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import given, modules

import attn
import attn.torch as t

X = np.zeros((2, 3, 7, 8))
AROUND: dict[str, Any] = {"centers": np.arange(7.0), "window": 2}
HASHED: dict[str, Any] = {"num_buckets": 4, "num_hashes": 2, "chunk_length": 4}
TOKENS = np.zeros((2, 5, 6))
WORDS = torch.zeros(2, 3, dtype=torch.long)
START = torch.zeros(2, 1, dtype=torch.long)

#: A call of a module with X as it takes it, and what the message says.
Wrong = tuple[Callable[[ModuleType, Any], Any], str]


def attend(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.scaled_dot_product_attention(x, x, x, **options)


def blocks(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.blockwise_attention(x, x, x, **options)


def local(m: ModuleType, x: Any, window: Any = 1, **options: Any) -> Any:
    return m.local_attention(x, x, x, window=window, **options)


def centered(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.centered_attention(x, x, x, **AROUND | options)


def hashed(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.lsh_attention(x, x, **HASHED | options)


def linear(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.linear_attention(x, x, x, **options)


def differ(m: ModuleType, x: Any, lambda_: Any) -> Any:
    return m.differential_attention(x, x, x, lambda_=lambda_)


def grouped(m: ModuleType, x: Any, **options: Any) -> Any:
    return m.grouped_query_attention(x, x, x, **options)


def layer(m: ModuleType) -> Any:
    """Return a layer whose widths differ, 6, 4 and 3, and whose heads do not divide them."""
    return m.MultiHeadAttention(6, 3, 5, d_key=4, d_value=3)


def latent(m: ModuleType) -> tuple[Any, ...]:
    """Return a layer with latents of 7, and what it stores of TOKENS."""
    made = m.MultiHeadLatentAttention(6, 3, 7, rotary_dim=4)
    return made, *made.compress(TOKENS)


TYPES: list[Wrong] = [
    (lambda m, x: m.dot_score(None, x), r"query has dtype object; expected"),
    (lambda m, x: m.dot_score(x, "key"), r"key has dtype <U3; expected"),
    (lambda m, x: m.dot_score(x, X * 1j), r"key has dtype (torch\.)?complex128; expected real"),
    (lambda m, x: m.scaled_dot_score(x, x, scale="m"), r"scale is 'm'; expected a number"),
    (lambda m, x: m.general_score(x, x, "w"), r"weight has dtype <U1"),
    (lambda m, x: m.attention_weights(x, x, mask="m"), r"mask has dtype <U1; expected bool"),
    (lambda m, x: m.attention_weights(x, x, bias="b"), r"bias has dtype <U1; expected"),
    (lambda m, x: m.softmax(x, axis=1.5), r"axis is 1\.5; expected an integer"),
    (lambda m, x: m.softmax(x * 1j), r"complex"),
    (lambda m, x: m.softmax(x, mask=X[0, 0]), r"mask has dtype (torch\.)?float64.*bias"),
    (lambda m, x: m.softmax(x, sink="s"), r"sink has dtype <U1; expected"),
    (lambda m, x: centered(m, x, window="a"), r"window is 'a'; expected"),
    (lambda m, x: centered(m, x, sigma="a"), r"sigma is 'a'; expected"),
    (lambda m, x: centered(m, x, mask=np.ones(7)), r"mask has dtype.*float"),
    (lambda m, x: hashed(m, x, num_buckets=2.0), r"num_buckets is 2\.0"),
    (lambda m, x: m.rotary(x, "a"), r"positions has dtype <U1; expected"),
    (lambda m, x: m.rotary(x, base="a"), r"base is 'a'; expected a number"),
    (lambda m, x: attend(m, x, soft_cap="c"), r"soft_cap is 'c'; exp"),
    (lambda m, x: differ(m, x, "a"), r"lambda_ has dtype <U1"),
    (lambda m, x: blocks(m, x, block=2.5), r"block is 2\.5"),
    (lambda m, x: local(m, x, 1.5), r"window is 1\.5"),
    (lambda m, x: local(m, x, padding=np.ones((2, 7))), r"padding has dtype"),
    (lambda m, x: m.padding_mask([1.5], 7), r"float64.*integers"),
    (lambda m, x: m.causal_mask(2.0, 2), r"num_queries is 2.0"),
    (lambda m, x: m.causal_mask(True, 2), r"num_queries is True"),
    (lambda m, x: m.global_mask(5, [1.0]), r"float64|float32"),
    # What torch names differently, or has and we do not.
    (lambda m, x: attend(m, x, attn_mask=X), r"^scaled_dot_product_attention takes no attn_mask: "),
    (lambda m, x: grouped(m, x, attn_mask=X), r"use mask= \(boolean, True = may attend"),
    (lambda m, x: blocks(m, x, key_padding_mask=X), r"takes no key_padding_mask: use mask= "),
    (lambda m, x: centered(m, x, attn_mask=X), r"centered_attention takes no attn_mask"),
    (lambda m, x: m.hard_attention(x, x, x, attn_mask=X), r"hard_attention takes no attn_mask"),
    (lambda m, x: local(m, x, key_padding_mask=X), r"local_attention .* use padding= .*True = may"),
    (lambda m, x: m.attention_weights(x, x, attn_mask=X), r"attention_weights .*: use mask="),
    (lambda m, x: m.attention_weights(x, x, need_weights=True), r"leave it out"),
    (lambda m, x: attend(m, x, dropout_p=0.1), r"no dropout_p: there is no dropout on weights"),
    (lambda m, x: attend(m, x, enable_gqa=True), r"no enable_gqa: call grouped_query_attention"),
    (lambda m, x: m.softmax(x, dim=1), r"softmax takes no dim: use axis="),
    (lambda m, x: layer(m)(x, need_weights=True), r"MultiHeadAttention .*: use return_weights="),
    (lambda m, x: layer(m)(x, key_padding_mask=X), r"MultiHeadAttention .*: use mask="),
    (lambda m, x: latent(m)[0](x, attn_mask=X), r"MultiHeadLatentAttention .*: use mask= "),
    # What torch does not have either is Python's to refuse.
    (lambda m, x: m.softmax(x, axes=1), r"unexpected keyword argument 'axes'"),
]
for _name, _options in (
    ("scaled_dot_product_attention", {}),
    ("grouped_query_attention", {}),
    ("blockwise_attention", {}),
    ("centered_attention", AROUND),
    ("hard_attention", {}),
):
    TYPES.append(
        (
            lambda m, x, name=_name, options=_options: getattr(m, name)(x, x, x, X, **options),
            rf"^{_name} takes 3 positional arguments \(query, key, value\), but 4 were given: name "
            r"the others; a mask is passed as mask= \(boolean, True = may attend\)$",
        )
    )

VALUES: list[Wrong] = [
    (lambda m, x: m.dot_score(x[0, 0, 0], x), r"query has shape \(8,\); expected"),
    (lambda m, x: m.dot_score(x, x[..., 1:]), r"key has shape \(2, 3, 7, 7\).*num_keys, 8"),
    (lambda m, x: m.scaled_dot_product_attention(x, x[:, :2], x[:, :2]), r"\(2, 2, 7, 8\)"),
    (lambda m, x: m.scaled_dot_product_attention(x, x, x[:, :, 1:]), r"value .*7, d_v"),
    (lambda m, x: attend(m, x[..., :0]), r"query .*3, 7, 0\)"),
    (lambda m, x: m.blockwise_attention(x, x[:, :2], x), r"\(2, 2, 7, 8\).*expected the same"),
    (lambda m, x: m.grouped_query_attention(x, x[[0, 0, 0]], x), r"key \(3, 3, 7, 8\)"),
    (lambda m, x: m.grouped_query_attention(x, x[:, :2], x[:, :2]), r"divides the 3"),
    (lambda m, x: m.grouped_query_attention(x, x, x[:, :2]), r"value .*3 heads"),
    (lambda m, x: m.grouped_query_attention(x[0, 0], x, x), r"at least 3 axes"),
    (lambda m, x: grouped(m, x, sink=np.zeros((2, 1, 1))), r"sink .*\(2, 1, 1"),
    (lambda m, x: blocks(m, x, scale=np.nan), r"scale is nan; expected"),
    (lambda m, x: local(m, x, scale=np.inf), r"scale is inf; .*finite"),
    (lambda m, x: m.general_score(x, x, np.eye(7)), r"weight has shape \(7, 7\); .*\(8, 8\)"),
    (lambda m, x: m.attention_weights(x, x, score=lambda q, k: q), r"score returned shape"),
    (lambda m, x: m.attention_weights(x, x, score="cosine"), r"score is 'cosine'"),
    (lambda m, x: m.attention_weights(x, x, score="dot", scale=2.0), r"scale is 2.*unless sc"),
    (lambda m, x: m.attention_weights(x, x, mask=np.ones((7, 6), bool)), r"mask .*\(7, 6\)"),
    (lambda m, x: m.attention_weights(x, x, bias=np.zeros((3, 1))), r"bias .*\(3, 1\)"),
    (lambda m, x: m.attention_weights(x, x, sink=np.zeros(3)), r"sink .*to \(2, 3, 7, 1\)"),
    (lambda m, x: m.AdditiveScore(3, 11, 0), r"d_hidden is 0"),
    (lambda m, x: m.softmax(x, axis=4), r"axis is 4; expected an axis of .*\(2, 3, 7, 8\)"),
    (lambda m, x: m.softmax(1.0), r"axis is -1; .*shape \(\)"),
    (lambda m, x: m.softmax(x, mask=np.ones((2, 7), bool)), r"mask has shape \(2, 7\)"),
    (lambda m, x: m.softmax(x, sink=np.zeros(8)), r"sink has shape \(8,\); .*to \(2, 3, 7, 1\)"),
    (lambda m, x: attend(m, x, soft_cap=0), r"soft_cap is 0; expected a"),
    (lambda m, x: blocks(m, x, block=0), r"block is 0; expected at least 1"),
    (lambda m, x: blocks(m, x, block=(2, 0)), r"block\[1\] is 0"),
    (lambda m, x: blocks(m, x, block=(1, 2, 3)), r"expected one or two integers"),
    (lambda m, x: blocks(m, x, mask=np.ones((3, 5, 5), bool)), r"mask .*3, 5, 5"),
    (lambda m, x: centered(m, x, window=np.nan), r"window is nan"),
    (lambda m, x: centered(m, x, sigma=None, window=-1), r"window is -1"),
    (lambda m, x: centered(m, x, sigma=0.0), r"sigma is 0\.0; expected a p"),
    (lambda m, x: centered(m, x, centers=[1, 2]), r"centers has shape \(2,"),
    (lambda m, x: centered(m, x, centers=np.ones((4, 1, 7))), r"centers .* to \(2, 3, 7\)"),
    (lambda m, x: centered(m, x, centers=np.nan), r"centers contain NaN"),
    (lambda m, x: centered(m, x, mask=np.ones((7, 6), bool)), r"mask .*7, 6.* \(2, 3, 7, 7\)"),
    (lambda m, x: hashed(m, x, num_buckets=[]), r"num_buckets is \[\]"),
    (lambda m, x: hashed(m, x, num_buckets=[4, 3]), r"is \[4, 3\]"),
    (lambda m, x: hashed(m, x, num_hashes=0), r"num_hashes is 0"),
    (lambda m, x: hashed(m, x, chunk_length=0), r"chunk_length is 0"),
    (lambda m, x: hashed(m, x, mask=np.ones((3, 7), bool)), r"mask .*3, 7"),
    (lambda m, x: hashed(m, x, rotations=np.zeros((3, 8, 1, 2))), r"rotations .*ted \(3, 8, 2"),
    (lambda m, x: m.lsh_attention(x, x[:, :, 1:], **HASHED), r"value has shape \(2, 3, 6, 8\)"),
    (lambda m, x: m.local_attention(x, x[..., 1:, :], x[..., 1:, :], window=1), r"as many tokens"),
    (lambda m, x: local(m, x, -1), r"window is -1"),
    (lambda m, x: local(m, x, padding=np.ones((3, 7), bool)), r"padding has .*expected.*\(2, 7\)"),
    (lambda m, x: local(m, x, global_tokens=[7]), r"global_tokens is \[7\]"),
    (lambda m, x: m.rotary(x, np.ones((5, 7))), r"positions has shape \(5, 7\)"),
    (lambda m, x: m.rotary(x, base=0.0), r"base is 0\.0; expected a positive number"),
    (lambda m, x: m.rotary(x[..., 1:]), r"x has shape \(2, 3, 7, 7\).*even"),
    (lambda m, x: m.rotary(x, layout="neox"), r"layout is 'neox'; expected 'interleaved' or 'half"),
    (lambda m, x: m.sinusoidal_positions(-1, 4), r"num_tokens is -1"),
    (lambda m, x: m.alibi_bias(0, 2, 2), r"num_heads is 0"),
    (lambda m, x: m.AxialPositions(5, (3, 4)), r"shape is 5; expected two integers"),
    (lambda m, x: m.AxialPositions((2, 3), None), r"dims is None; expected two integers"),
    (lambda m, x: m.AxialPositions((3, 0), (2, 7)), r"shape\[1\] is 0"),
    (lambda m, x: m.AxialPositions((3, 5), (2, 7), "diagonal"), r"'diagonal'"),
    (lambda m, x: m.AxialPositions((3, 5), (2, 7))(16), r"num_tokens is 16.*3 \* 5 = 15"),
    (lambda m, x: m.RotaryScaling("cubic", 2), r"method is 'cubic'; expected 'linear'"),
    (lambda m, x: m.RotaryScaling("linear", 0.5), r"factor is 0.5; expected at least 1"),
    (lambda m, x: m.RotaryScaling("yarn", 2), r"trained_length is None; 'yarn' needs"),
    (lambda m, x: m.RotaryScaling("yarn", 2, 9, 1, 1), r"slow is 1, fast 1; expected 0 < s"),
    (lambda m, x: m.RotaryScaling("ntk", 2).frequencies(5), r"d is 5; expected an even number"),
    (lambda m, x: m.RotaryScaling("ntk", 2).frequencies(6, 1), r"base is 1; expected a .* above 1"),
    (lambda m, x: m.rms_norm(1.0), r"x has shape \(\); expected \(..., features\)"),
    (lambda m, x: m.rms_norm(x, x[0, 0]), r"gain has shape \(7, 8\); expected \(8,\)"),
    (lambda m, x: m.swiglu(x[0, 0, 0], *[np.eye(8)] * 3), r"x has shape \(8,\); expected"),
    (lambda m, x: m.swiglu(x, X[0, 0].T, np.eye(8), X[0, 0]), r"w_in .*\(8, 8\); .*\(8, 7\)"),
    (lambda m, x: differ(m, x, np.zeros(3)), r"lambda_ has .*\(3,\); .* to \(2, 3, 1, 1\)"),
    (lambda m, x: differ(m, x[..., 1:], 0.8), r"query .*7, 7\); expected an even number of feat"),
    (lambda m, x: linear(m, x, decay=0.9), r"decay .* without is_causal=True"),
    (lambda m, x: linear(m, x, decay=0.0, is_causal=True), r"decay .* outside of \(0, 1\]"),
    (lambda m, x: linear(m, x, decay=np.ones(6), is_causal=True), r"decay .* to \(2, 3, 7\)"),
    (lambda m, x: linear(m, x, feature_map="exp"), r"feature_map is 'exp'; exp"),
    (lambda m, x: linear(m, x, feature_map=lambda x: x[..., 1:, :]), r"feature_map returned shape"),
    (lambda m, x: m.cache_size(-1, d_latent=3), r"num_tokens is -1; expected at least 0"),
    (lambda m, x: m.cache_size(1, head_dim=3), r"num_kv_heads is None, head_dim 3, d_latent"),
    (lambda m, x: m.cache_size(1, d_latent=3, head_dim=2), r"expected the first two, or"),
    (lambda m, x: m.cache_size(1, d_latent=3, local_per_global=5), r"local_tokens None"),
    (lambda m, x: m.merge_heads(1.0), r"x has shape \(\); expected"),
    (lambda m, x: m.merge_heads(x[0, 0]), r"x has shape \(7, 8\).*num_heads, tokens"),
    (lambda m, x: m.split_heads(x, 3), r"x has shape \(2, 3, 7, 8\).*3 heads"),
    (lambda m, x: m.split_heads(x, 0), r"num_heads is 0"),
    (lambda m, x: m.padding_mask([3, 8], 7), r"lengths are \[3, 8\].*0 to num_keys = 7"),
    (lambda m, x: m.padding_mask([-1], 7), r"\[-1\]"),
    (lambda m, x: m.padding_mask([[1, 0, 0]], 3), r"\(1, 3\).*\(bool\)\[:, None"),
    (lambda m, x: m.padding_mask(3, 7), r"lengths have shape \(\)"),
    (lambda m, x: m.causal_mask(-1, 2), r"num_queries is -1"),
    (lambda m, x: m.sliding_window_mask(2, 2, -1), r"window is -1"),
    (lambda m, x: m.global_mask(4, [1, 0, 0, 0]), r"each once.*marks\.astype\(bool\)"),
    (lambda m, x: m.global_mask(5, [1, 5]), r"\[1, 5\]; expected positions 0 to 4"),
    (lambda m, x: m.global_mask(5, [[1]]), r"shape \(1, 1\)"),
    (lambda m, x: m.global_mask(5, [True, False]), r"shape \(2,\).*5"),
    # Layers.
    (lambda m, x: m.MultiHeadAttention(8, 2, gate="all"), r"gate is 'all'; expected 'head'"),
    (lambda m, x: m.MultiHeadAttention(8, 2, soft_cap=-1), r"soft_cap is -1; expected"),
    (lambda m, x: m.MultiHeadAttention(50, 3), r"num_heads=3 does not divide d_model=50.*head_dim"),
    (lambda m, x: m.MultiHeadAttention(6, 3, num_kv_heads=2), r"num_kv_heads=2 does not divide"),
    (lambda m, x: layer(m)(TOKENS[..., 1:], TOKENS), r"query .*5, 5\).*num_queries, 6"),
    (lambda m, x: layer(m)(TOKENS), r"key has shape \(2, 5, 6\).*num_keys, 4"),
    (lambda m, x: layer(m)(TOKENS, TOKENS[..., 2:]), r"value has shape \(2, 5, 4\).*num_keys, 3"),
    (lambda m, x: layer(m)(TOKENS, value=TOKENS), r"value is given without key"),
    (lambda m, x: m.MultiHeadAttention(6, 2)(TOKENS, mask=X[:, :1] > 0), r"mask has .*1, 7, 8"),
    (lambda m, x: m.MultiHeadAttention(6, 2)(TOKENS, mask=X[0] > 0), r"mask .*\(2, num_queries"),
    (lambda m, x: layer(m).to_torch(), r"num_heads \* head_dim == d_model"),
    (lambda m, x: m.MultiHeadAttention.from_torch({"w": X}, 2), r"state has no 'q_proj_weight'"),
    (lambda m, x: m.MultiHeadLatentAttention(8, 3, 2), r"num_heads=3 does not divide"),
    (lambda m, x: m.MultiHeadLatentAttention(8, 2, 0), r"d_latent is 0; expected at least 1"),
    (lambda m, x: m.MultiHeadLatentAttention(12, 3, 7, rotary_dim=3), r"rotary_dim is 3; .* even"),
    (lambda m, x: latent(m)[0](TOKENS[..., 1:]), r"x has .*5, 5\); expected \(..., tokens, 6\)"),
    (lambda m, x: latent(m)[0](TOKENS, mask=X[0] > 0), r"mask .*\(2, num_queries"),
]


def of_latents(swapped: bool) -> Any:
    made, stored, key = latent(attn)
    return made.attend(TOKENS, *((key, stored) if swapped else (stored, key[:, 1:])))


def of_parameters(kind: Any, num_heads: int, without: str = "", **others: Any) -> Any:
    options = (
        {"qk_norm": True, "sink": True} if kind is attn.MultiHeadAttention else {"d_latent": 5}
    )
    made = kind(6, 2, **options).parameters() | others
    made.pop(without, None)
    return kind.from_parameters(made, num_heads)


MULTI, LATENT = attn.MultiHeadAttention, attn.MultiHeadLatentAttention
#: Of NumPy's layers, which torch's share, and of those that only torch has.
ALONE: list[tuple[Callable[[], Any], str]] = [
    (lambda: of_latents(swapped=True), r"latent has shape \(2, 5, 4\); expected .*tokens, 7"),
    (lambda: of_latents(swapped=False), r"rotary_key .*\(2, 4, 4\); expected \(2, 5, 4\)"),
    (lambda: of_parameters(LATENT, 4), r"parameters of 4 heads do not fit together: g_latent"),
    (lambda: LATENT.from_parameters({"w_query": X}, 2), r"together: w_query .*; expected g_latent"),
    (lambda: of_parameters(MULTI, 5), r"do not fit together.*w_query \(6, 6\)"),
    (lambda: of_parameters(MULTI, 0), r"num_heads is 0"),
    (lambda: of_parameters(MULTI, 2, "g_key"), r"parameters are .* expected .*g_query and g_key"),
    (lambda: of_parameters(MULTI, 2, sinks=np.zeros(3)), r"do not fit together: .*sinks"),
    (lambda: MULTI.from_keras([np.zeros(3)] * 3), r"4 or 8 weights; these are 3"),
    (lambda: MULTI(6, 2, sink=True).to_torch(), r"torch.nn.MultiheadAttention has no .*stay here"),
    (lambda: MULTI(6, 2, qk_norm=True).to_torch(), r"torch.nn.MultiheadAttention has no .*stay"),
    (lambda: MULTI(6, 2, gate="head").to_keras(), r"keras.layers.MultiHeadAttention has no .*stay"),
    (lambda: MULTI(6, 2, soft_cap=3.0).to_torch(), r"soft_cap"),
    # Broadcast, they would make the gradient four times as large.
    (lambda: t.score_function_loss(torch.ones(3), torch.ones(4, 3)), r"log_prob .*\(4, 3\); .*\("),
    (lambda: t.score_function_loss(*[torch.ones(3)] * 2, torch.ones(5)), r"baseline has .*\(5,\);"),
    (lambda: t.DifferentialAttention(8, 3), r"2 \* num_heads = 6 does not divide d_model=8"),
    (lambda: t.DifferentialAttention(12, 3)(torch.zeros(2, 5)), r"x has .*expected \(..., tokens,"),
    (lambda: t.DecoderLayer(6, 2)(torch.zeros(1, 4, 6)), r"memory is missing; expected it given"),
    (lambda: t.DecoderLayer(6, 2, d_memory=0)(*[torch.zeros(1, 4, 6)] * 2), r"memory is given"),
    (lambda: t.EncoderLayer(6, 2, norm="batch"), r"norm is 'batch'; expected 'layer' or 'rms'"),
    (lambda: t.EncoderLayer(6, 2, activation="tanh"), r"activation is 'tanh'"),
    (lambda: t.Transformer(6, 2, 0, 0), r"expected layers"),
    (lambda: t.Transformer(6, 2, src_vocab_size=5), r"tgt_vocab_size is missing"),
    (lambda: whole()(None, WORDS), r"source is missing"),
    (lambda: whole()(WORDS), r"target is missing"),
    (lambda: whole(num_decoder_layers=0)(WORDS, WORDS), r"there is no decoder"),
    (lambda: whole()(WORDS, WORDS + 7), r"target has token 7; expected 0 to 6"),
    (lambda: whole()(WORDS - 1, WORDS), r"source has token -1; expected 0 to 10"),
    (lambda: writer()(WORDS, WORDS), r"source is given; expected target only"),
    (
        lambda: writer()(target=[[0, 2]], target_mask=torch.tensor([[[False, True]]])),
        r"hides the first tok",
    ),
    (lambda: t.greedy_decode(whole(), start=START, max_tokens=3), r"source is missing"),
    (lambda: t.greedy_decode(writer(), START, start=START, max_tokens=3), r"there is no encoder"),
    (lambda: write(START, t.Transformer(6, 2, 1, 0, src_vocab_size=5)), r"model has no decoder"),
    (lambda: write(START[:, 0]), r"start has prompts of shapes \["),
    (lambda: write([[1], []]), r"start has prompts of shapes \["),
    (lambda: write([]), r"start has prompts of shapes \["),
    (lambda: write([[1], [2, 13]]), r"start has token 13; expected 0 to 12"),
]
#: Those of torch's that are errors of type.
ALONE_TYPES: list[tuple[Callable[[], Any], str]] = [
    (lambda: whole()(WORDS.float(), WORDS), r"source has dtype torch\.float32; expected integers"),
    (lambda: write([[1], [2.5]]), r"start has dtype torch.float"),
    (lambda: t.Encoder(1, 8, 2)(X, src_key_padding_mask=X), r"Encoder takes no .*: use mask="),
    (lambda: t.Decoder(1, 8, 2)(X, memory_key_padding_mask=X), r"Decoder .*: use memory_mask="),
    (lambda: whole()(WORDS, WORDS, tgt_key_padding_mask=X), r"Transformer .*: use target_mask="),
    (lambda: attn.dot_score(X, torch.ones(7, 8).requires_grad_()), r"read key: .*detach\(\)"),
]


def whole(**options: Any) -> t.Transformer:
    return t.Transformer(8, 2, **{"src_vocab_size": 11, "tgt_vocab_size": 7} | options)


def writer() -> t.Transformer:
    return t.Transformer(8, 2, 0, 1, tgt_vocab_size=13)


def write(start: Any, model: t.Transformer | None = None) -> Any:
    return t.greedy_decode(model or writer(), start=start, max_tokens=3)


def refused(error: type[Exception], message: str, call: Callable[..., Any], *given: Any) -> None:
    with pytest.raises(error, match=message) as caught:
        call(*given)
    assert "\n" not in str(caught.value)
    if "unexpected keyword" not in message:
        assert "/attn/" in str(caught.traceback[-1].path)  # not from inside NumPy or torch


@modules
@pytest.mark.parametrize(("call", "message"), TYPES)
def test_a_wrong_type_or_name_is_said(module: ModuleType, call: Any, message: str) -> None:
    refused(TypeError, message, call, module, given(module, X))


@modules
@pytest.mark.parametrize(("call", "message"), VALUES)
def test_a_wrong_value_is_said(module: ModuleType, call: Any, message: str) -> None:
    refused(ValueError, message, call, module, given(module, X))


@pytest.mark.parametrize(("call", "message"), ALONE)
def test_so_it_is_of_layers(call: Any, message: str) -> None:
    refused(ValueError, message, call)


@pytest.mark.parametrize(("call", "message"), ALONE_TYPES)
def test_and_of_their_types(call: Any, message: str) -> None:
    refused(TypeError, message, call)


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
