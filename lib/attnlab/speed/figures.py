"""Figures of the benchmark: time relative to torch's kernel, and time over the number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnlab.drawing import plot_curves
from attnlab.results import Curve
from attnlab.speed.results import exponent, ratios, seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Each by its name in the figure. Blocks are drawn without the running maximum, which the library
#: leaves out where it is safe.
_FULL = {
    "blockwise (fast path)": "blockwise",
    "blockwise, causal (fast path)": "blockwise, causal",
    "NumPy, as the formula reads": "NumPy, as the formula reads",
    "torch, as the formula reads": "torch, as the formula reads",
    "torch SDPA": "torch SDPA",
}
_LONG = (
    ("local", "local_attention"),
    ("local", "HF Longformer"),
    ("lsh", "lsh_attention"),
    ("lsh", "HF Reformer"),
)


def full_attention() -> Figure:
    """Return a figure of full attention: time relative to torch's fused kernel."""
    table = ratios("dense", "torch SDPA")
    return plot_curves(
        {name: _curve(table[peer]) for name, peer in _FULL.items()},
        accent="blockwise (fast path)",
        log="x",
        x_label="tokens",
        y_label="time / torch SDPA",
    )


def long_sequences() -> Figure:
    """Return a figure of local and LSH attention: a slope of 1 is linear growth."""
    return plot_curves(
        {
            f"{peer}, tokens to the {exponent(group, peer):.2f}": _curve(seconds(group)[peer])
            for group, peer in _LONG
        },
        log="xy",
        x_label="tokens",
        y_label="seconds, one thread",
    )


def _curve(times: dict[int, float]) -> Curve:
    return Curve(list(times), [list(times.values())])
