"""Attention mechanisms in NumPy; `attn.torch` has the same names with gradients.

Axes are ``(..., tokens, features)``; leading axes (batch, heads) broadcast. A ``mask`` is boolean:
True means *may attend*. A ``bias`` is added to the scores. A query that sees nothing has weights 0
and output 0. float32 in, float32 out.
"""

from attn.attention import attention_weights, scaled_dot_product_attention
from attn.heads import merge_heads, split_heads
from attn.masks import causal_mask, global_mask, padding_mask, sliding_window_mask
from attn.multi_head import MultiHeadAttention
from attn.normalisation import softmax
from attn.positions import sinusoidal_positions
from attn.scores import dot_score, general_score, scaled_dot_score

__all__ = [
    "MultiHeadAttention",
    "attention_weights",
    "causal_mask",
    "dot_score",
    "general_score",
    "global_mask",
    "merge_heads",
    "padding_mask",
    "scaled_dot_product_attention",
    "scaled_dot_score",
    "sinusoidal_positions",
    "sliding_window_mask",
    "softmax",
    "split_heads",
]
