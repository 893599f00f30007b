"""The formulas, each written once: for NumPy arrays and for torch tensors.

Arguments have been checked before they come here. A formula calls what NumPy and torch name alike,
in the library that `namespace` returns. The softmax alone has two forms.
"""

from attn.formulas.attention import (
    attention_weights,
    differential_attention,
    scaled_dot_product_attention,
    softmax,
    softmax_with_sink,
    warn_if_infinite,
    weighted_sum,
)
from attn.formulas.features import (
    gate,
    merge_heads,
    rms_norm,
    rotary,
    split_heads,
    swiglu,
    unit_length,
)
from attn.formulas.latent import latent_attention, latent_queries
from attn.formulas.linear import elu_plus_one, linear_attention, linear_recurrence
from attn.formulas.scores import additive_scores, gaussian

__all__ = [
    "additive_scores",
    "attention_weights",
    "differential_attention",
    "elu_plus_one",
    "gate",
    "gaussian",
    "latent_attention",
    "latent_queries",
    "linear_attention",
    "linear_recurrence",
    "merge_heads",
    "rms_norm",
    "rotary",
    "scaled_dot_product_attention",
    "softmax",
    "softmax_with_sink",
    "split_heads",
    "swiglu",
    "unit_length",
    "warn_if_infinite",
    "weighted_sum",
]
