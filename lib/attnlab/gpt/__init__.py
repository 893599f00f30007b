"""Build a small GPT in NumPy, one function for each step of the chapter.

In the page these functions stand in for steps that a reader has not solved. Needs NumPy only.
"""

from attnlab.gpt.cached import attend_next, empty_caches, gpt_next
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
    "attend_next",
    "block",
    "causal_mask",
    "empty_caches",
    "feed_forward",
    "gpt",
    "gpt_next",
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
