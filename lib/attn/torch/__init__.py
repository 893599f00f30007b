"""The mechanisms of `attn` in torch: the same names, with gradients.

Some look at their numbers to choose a fast path. Where there are none to look at, in
`torch.export`, under `torch.vmap` and on the meta device, they take the path that is right for all;
an export under `torch.no_grad` has fewer nodes. `lsh_attention` sorts on the host: it needs them.
"""

from attn._cache_size import cache_size
from attn.rotary_scaling import RotaryScaling
from attn.torch.additive import AdditiveScore
from attn.torch.attention import attention_weights, scaled_dot_product_attention, softmax
from attn.torch.blockwise import blockwise_attention
from attn.torch.cache import KeyValueCache
from attn.torch.centered import centered_attention
from attn.torch.decoding import greedy_decode
from attn.torch.differential import DifferentialAttention, differential_attention
from attn.torch.grouped import grouped_query_attention
from attn.torch.hard import hard_attention, score_function_loss
from attn.torch.heads import merge_heads, split_heads
from attn.torch.latent import MultiHeadLatentAttention
from attn.torch.layers import DecoderLayer, EncoderLayer
from attn.torch.linear import LinearAttentionState, linear_attention
from attn.torch.local import local_attention
from attn.torch.lsh import lsh_attention
from attn.torch.masks import causal_mask, global_mask, padding_mask, sliding_window_mask
from attn.torch.multi_head import MultiHeadAttention
from attn.torch.networks import swiglu
from attn.torch.norms import rms_norm
from attn.torch.positions import AxialPositions, alibi_bias, rotary, sinusoidal_positions
from attn.torch.scores import dot_score, general_score, scaled_dot_score
from attn.torch.stacks import Decoder, Encoder
from attn.torch.transformer import Transformer

__all__ = [
    "AdditiveScore",
    "AxialPositions",
    "Decoder",
    "DecoderLayer",
    "DifferentialAttention",
    "Encoder",
    "EncoderLayer",
    "KeyValueCache",
    "LinearAttentionState",
    "MultiHeadAttention",
    "MultiHeadLatentAttention",
    "RotaryScaling",
    "Transformer",
    "alibi_bias",
    "attention_weights",
    "blockwise_attention",
    "cache_size",
    "causal_mask",
    "centered_attention",
    "differential_attention",
    "dot_score",
    "general_score",
    "global_mask",
    "greedy_decode",
    "grouped_query_attention",
    "hard_attention",
    "linear_attention",
    "local_attention",
    "lsh_attention",
    "merge_heads",
    "padding_mask",
    "rms_norm",
    "rotary",
    "scaled_dot_product_attention",
    "scaled_dot_score",
    "score_function_loss",
    "sinusoidal_positions",
    "sliding_window_mask",
    "softmax",
    "split_heads",
    "swiglu",
]
