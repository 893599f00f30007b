"""Draw the benchmark: time relative to torch's kernel, and time over the number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnlab.drawing import plot_curves
from attnlab.results import Curve
from attnlab.speed.results import exponent, ratios, seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Blocks are drawn without the running maximum, which the library leaves out where it is safe.
_FULL = {
    "torch SDPA": "torch SDPA",
    "NumPy, as the formula reads": "NumPy, as the formula reads",
    "torch, as the formula reads": "torch, as the formula reads",
    "blockwise": "blockwise, fast path",
    "blockwise, causal": "blockwise, causal, fast path",
}
_LONG = {
    ("local", "HF Longformer"): "HF: Longformer",
    ("lsh", "HF Reformer"): "HF: Reformer",
    ("local", "sliding_window_attention"): "attn: windows",
    ("lsh", "lsh_attention"): "attn: hashing",
}


def full_attention() -> Figure:
    """Return a figure of full attention: time relative to torch's fused kernel."""
    table = ratios("dense", "torch SDPA")
    return plot_curves(
        {name: _curve(table[peer]) for peer, name in _FULL.items()},
        accent=_FULL["blockwise"],
        log="x",
        x_label="tokens",
        y_label="time / torch SDPA",
        top=max(max(table[peer].values()) for peer in _FULL),
    )


def long_sequences() -> Figure:
    """Return a figure of local and LSH attention: a slope of 1 is linear growth."""
    curves = {
        f"{name}, n^{exponent(group, peer):.2f}": _curve(seconds(group)[peer])
        for (group, peer), name in _LONG.items()
    }
    return plot_curves(
        curves,
        accent=list(curves)[2],
        log="xy",
        x_label="tokens",
        y_label="seconds, one thread",
    )


def _curve(times: dict[int, float]) -> Curve:
    return Curve(list(times), [list(times.values())])
