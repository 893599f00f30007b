"""The fast paths of torch, under the names of those in `attn.fast`."""

from attn.formulas import additive_scores
from attn.torch.fast.blocks import blockwise_attention
from attn.torch.fast.chunks import lsh_attention
from attn.torch.fast.fused import attention, is_faster
from attn.torch.fast.windows import sliding_window_attention

__all__ = [
    "additive_scores",
    "attention",
    "blockwise_attention",
    "is_faster",
    "lsh_attention",
    "sliding_window_attention",
]
