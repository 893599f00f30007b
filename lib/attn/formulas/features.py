"""What happens to the features of tokens: heads, rotations, unit length, a gated network."""

from __future__ import annotations

import math

from attn.formulas.namespace import Numbers, namespace, says

#: Added to the mean square before dividing by the length, as in the implementation of Reformer in
#: Hugging Face transformers: a zero vector stays zero.
LENGTH_EPSILON = 1e-6


def split_heads(x: Numbers, num_heads: int) -> Numbers:
    """Return ``x``, (..., tokens, features), as (..., num_heads, tokens, head_dim)."""
    *leading, tokens, features = x.shape
    split = x.reshape(*leading, tokens, num_heads, features // num_heads)
    # A reshape alone would mix tokens: the heads must come before them.
    return split.swapaxes(-2, -3)  # (..., num_heads, tokens, head_dim)


def merge_heads(x: Numbers) -> Numbers:
    """Return ``x``, (..., num_heads, tokens, head_dim), as (..., tokens, num_heads * head_dim)."""
    *leading, num_heads, tokens, head_dim = x.shape
    return x.swapaxes(-2, -3).reshape(*leading, tokens, num_heads * head_dim)


def rotary(x: Numbers, cos: Numbers, sin: Numbers, layout: str) -> Numbers:
    """Return ``x``, (..., tokens, d), its pairs turned; cos and sin are (..., tokens, d / 2)."""
    xp, half = namespace(x), x.shape[-1] // 2
    if layout == "interleaved":
        first, second = x[..., 0::2], x[..., 1::2]  # (..., tokens, d / 2)
    else:
        first, second = x[..., :half], x[..., half:]
    turned = first * cos - second * sin, first * sin + second * cos
    if layout == "interleaved":
        pairs = xp.stack(turned, -1)  # (..., tokens, d / 2, 2)
        return pairs.reshape(*pairs.shape[:-2], 2 * half)
    return xp.concatenate(turned, -1)


def rms_norm(x: Numbers, gain: Numbers | None = None) -> Numbers:
    """Return the vectors of ``x``, (..., d), with a mean square of 1, times the gain, (d,)."""
    normed = unit_length(x) * math.sqrt(x.shape[-1])
    return normed if gain is None else normed * gain


def gate(heads: Numbers, scores: Numbers) -> Numbers:
    """Return the outputs of heads, (..., num_heads, tokens, head_dim), each times its gate.

    ``scores``, (..., tokens, num_heads) or (..., tokens, num_heads * head_dim), are those of a
    gate for each head, or for each feature of a head.
    """
    return heads * split_heads(_sigmoid(scores), heads.shape[-3])


def swiglu(x: Numbers, w_gate: Numbers, w_in: Numbers, w_out: Numbers) -> Numbers:
    """Return tokens, (..., tokens, d_model), after a network whose hidden features are gated."""
    opened = x @ w_gate  # (..., tokens, d_hidden)
    return (opened * _sigmoid(opened) * (x @ w_in)) @ w_out


def _sigmoid(x: Numbers) -> Numbers:
    """Return 1 / (1 + exp(-x)); written with tanh, it overflows nowhere."""
    return (1 + namespace(x).tanh(x / 2)) / 2


def unit_length(x: Numbers) -> Numbers:
    """Return the vectors of ``x``, (..., tokens, d), divided by their lengths."""
    xp = namespace(x)
    squares = (x * x).sum(-1, keepdims=True)  # (..., tokens, 1)
    if says((squares == math.inf).any(), True):  # of finite numbers too: bring those near 1 first
        largest = xp.amax(abs(x), -1, keepdims=True)
        x = x / xp.where((squares == math.inf) & xp.isfinite(largest), largest, 1)
        squares = (x * x).sum(-1, keepdims=True)
    return x / xp.sqrt(squares + x.shape[-1] * LENGTH_EPSILON)
