"""Compute what learners' mistakes give, each once for every exercise in which it can be made.

A function such as `of_attention` takes the arguments of a call and returns, for each mistake that
can be made with them, its id and a function that computes what the mistake gives. An exercise names
it in `coursekit.shared_mistakes`, with `EXPLANATIONS`, what learners are told.
"""

from attnlab.mistakes.attention import of_attention, of_scores, of_softmax, of_weights
from attnlab.mistakes.explanations import EXPLANATIONS, Mistake, explained
from attnlab.mistakes.hashing import of_buckets, of_visible
from attnlab.mistakes.heads import of_merge_heads, of_split_heads
from attnlab.mistakes.masks import of_causal_mask
from attnlab.mistakes.multi_head import of_multi_head
from attnlab.mistakes.online import of_absorb
from attnlab.mistakes.windows import of_stack, of_window_mask

__all__ = [
    "EXPLANATIONS",
    "Mistake",
    "explained",
    "of_absorb",
    "of_attention",
    "of_buckets",
    "of_causal_mask",
    "of_merge_heads",
    "of_multi_head",
    "of_scores",
    "of_softmax",
    "of_split_heads",
    "of_stack",
    "of_visible",
    "of_weights",
    "of_window_mask",
]
