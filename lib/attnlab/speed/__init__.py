"""Compare the speed of `attn` with its peers: results of `make bench` as numbers and figures.

``attention.json`` is written by ``benchmarks/attention.py`` and ships with the package, so that a
chapter shows it wherever it runs. A ratio holds for the environment that was stored with it.
"""

from attnlab.speed.figures import full_attention, long_sequences
from attnlab.speed.results import FILE, environment, memory, ratios, seconds

__all__ = [
    "FILE",
    "environment",
    "full_attention",
    "long_sequences",
    "memory",
    "ratios",
    "seconds",
]
