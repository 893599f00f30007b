"""Attention mechanisms, of NumPy arrays and of torch tensors.

Functions take arrays, nested lists ("array_like") or tensors. They return arrays; of tensors they
return tensors, with gradients. Layers are made here for NumPy, and in `attn.torch` as modules.

Axes are ``(..., tokens, features)``; leading axes (batch, heads) broadcast. A ``mask`` is boolean:
True means *may attend*. A ``bias`` is added to the scores. A query that sees nothing has weights 0
and output 0. float32 in, float32 out.
"""

from attn._cache_size import cache_size
from attn._softmax import softmax
from attn.additive import AdditiveScore
from attn.attention import attention_weights, scaled_dot_product_attention
from attn.axial import AxialPositions
from attn.blockwise import blockwise_attention
from attn.cache import KeyValueCache
from attn.differential import differential_attention
from attn.grouped import grouped_query_attention
from attn.hard import hard_attention
from attn.heads import merge_heads, split_heads
from attn.latent import MultiHeadLatentAttention
from attn.linear import LinearAttentionState, linear_attention
from attn.lsh import lsh_attention
from attn.masks import causal_mask, global_mask, padding_mask, sliding_window_mask
from attn.multi_head import MultiHeadAttention
from attn.networks import swiglu
from attn.norms import rms_norm
from attn.positional import alibi_bias, rotary, sinusoidal_positions
from attn.predictive_local import predictive_local_attention
from attn.rotary_scaling import RotaryScaling
from attn.scores import dot_score, general_score, scaled_dot_score
from attn.sliding_window import sliding_window_attention

__version__ = "0.1.0"

__all__ = [
    "AdditiveScore",
    "AxialPositions",
    "KeyValueCache",
    "LinearAttentionState",
    "MultiHeadAttention",
    "MultiHeadLatentAttention",
    "RotaryScaling",
    "alibi_bias",
    "attention_weights",
    "blockwise_attention",
    "cache_size",
    "causal_mask",
    "differential_attention",
    "dot_score",
    "general_score",
    "global_mask",
    "grouped_query_attention",
    "hard_attention",
    "linear_attention",
    "lsh_attention",
    "merge_heads",
    "padding_mask",
    "predictive_local_attention",
    "rms_norm",
    "rotary",
    "scaled_dot_product_attention",
    "scaled_dot_score",
    "sinusoidal_positions",
    "sliding_window_attention",
    "sliding_window_mask",
    "softmax",
    "split_heads",
    "swiglu",
]
