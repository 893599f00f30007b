"""The mechanisms of `attn` in torch: the same names, with gradients."""

from attn.torch.attention import attention_weights, scaled_dot_product_attention, softmax
from attn.torch.heads import merge_heads, split_heads
from attn.torch.masks import causal_mask, global_mask, padding_mask, sliding_window_mask
from attn.torch.multi_head import MultiHeadAttention
from attn.torch.scores import dot_score, general_score, scaled_dot_score

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
    "sliding_window_mask",
    "softmax",
    "split_heads",
]
