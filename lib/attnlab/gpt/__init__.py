"""A small GPT in NumPy, one function for each step of the chapter that builds it.

In the page these functions stand in for steps that a reader has not solved. Needs NumPy only.
"""

from attnlab.gpt.parts import (
    attend,
    block,
    causal_mask,
    feed_forward,
    gpt,
    layer_norm,
    next_token_loss,
    softmax,
)
from attnlab.gpt.trained import BEGIN, END, WEIGHTS, Model, load, probe, to_text, to_tokens
from attnlab.gpt.writing import next_token, write

__all__ = [
    "BEGIN",
    "END",
    "WEIGHTS",
    "Model",
    "attend",
    "block",
    "causal_mask",
    "feed_forward",
    "gpt",
    "layer_norm",
    "load",
    "next_token",
    "next_token_loss",
    "probe",
    "softmax",
    "to_text",
    "to_tokens",
    "write",
]
