"""Figures of the benchmark: time relative to torch's kernel, and time over the number of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attnlab.drawing import describe, palette
from attnlab.drawing.matplotlib_style import new_axes
from attnlab.speed.results import exponent, ratios, seconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FULL = {
    "NumPy, as the formula reads": ("o", "query"),
    "torch, as the formula reads": ("s", "key"),
    "blockwise": ("^", "value"),
    "blockwise, causal": ("v", "value"),
}
#: Blocks are drawn without the running maximum, which the library leaves out where it is safe.
_FAST_PATH = {peer: f"{peer} (fast path)" for peer in ("blockwise", "blockwise, causal")}
_LONG = {
    ("local", "HF Longformer"): ("s", "key"),
    ("local", "local_attention"): ("^", "value"),
    ("lsh", "HF Reformer"): ("D", "key"),
    ("lsh", "lsh_attention"): ("v", "value"),
}


def full_attention() -> Figure:
    """Return a figure of full attention: time relative to torch's fused kernel."""
    figure, ax = new_axes(6.0, 4.2, layout="constrained")
    colours, table = palette(), ratios("dense", "torch SDPA")
    ax.axhline(1, color=colours["ink"], linewidth=1)
    ax.annotate("torch SDPA", (8192, 1.06), color=colours["ink"], ha="right")
    for peer, (marker, colour) in _FULL.items():
        times, label = table[peer], _FAST_PATH.get(peer, peer)
        ax.plot(
            list(times), list(times.values()), marker, ls="-", color=colours[colour], label=label
        )
    ax.set(xscale="log", xlabel="tokens", ylabel="time / torch SDPA", ylim=(0, None))
    _finish(ax, table["blockwise"])
    last = (f"{_FAST_PATH.get(peer, peer)} {list(table[peer].values())[-1]:.2f}" for peer in _FULL)
    describe(
        ax, f"Time over that of torch SDPA, by tokens. At the largest size: {', '.join(last)}."
    )
    return figure


def long_sequences() -> Figure:
    """Return a figure of local and LSH attention: a slope of 1 is linear growth."""
    figure, ax = new_axes(6.0, 4.2, layout="constrained")
    colours = palette()
    growth: list[str] = []
    sizes: set[int] = set()
    for (group, peer), (marker, colour) in _LONG.items():
        times, slope = seconds(group)[peer], exponent(group, peer)
        label = f"{peer}, tokens$^{{{slope:.2f}}}$"
        ax.plot(
            list(times), list(times.values()), marker, ls="-", color=colours[colour], label=label
        )
        growth.append(f"{peer} grows with tokens to the {slope:.2f}")
        sizes |= set(times)
    ax.set(xscale="log", yscale="log", xlabel="tokens", ylabel="seconds, one thread")
    _finish(ax, sizes)
    describe(ax, f"Seconds over tokens, both logarithmic. {'; '.join(growth)}.")
    return figure


def _finish(ax: Axes, sizes: Iterable[int]) -> None:
    """Label the sizes that were measured, and put the legend below the axes."""
    ticks = sorted(sizes)
    ax.set_xticks(ticks, [str(size) for size in ticks])
    ax.minorticks_off()
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2, frameon=False)
