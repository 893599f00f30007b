"""Draw ``results/attention.json``: `python benchmarks/attention_figure.py`.

Left, full attention: time over that of torch's fused kernel. Right, attention that does not look at
all pairs: time over tokens, with the exponent of its growth.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from attnlab import style

RESULTS = Path(__file__).parent / "results" / "attention.json"
FULL = {
    "NumPy, as the formula reads": ("o", "query"),
    "torch, as the formula reads": ("s", "key"),
    "blockwise": ("^", "value"),
    "blockwise, causal": ("v", "value"),
}
SPARSE = {
    ("local", "HF Longformer"): ("s", "key"),
    ("local", "local_attention"): ("^", "value"),
    ("lsh", "HF Reformer"): ("D", "key"),
    ("lsh", "lsh_attention"): ("v", "value"),
}


def main() -> None:
    """Draw the figure beside the results."""
    style.use()
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
    full_attention(left, results["groups"]["dense"]["seconds"])
    sparse_attention(right, results["groups"])
    target = RESULTS.with_suffix(".svg")
    figure.savefig(target, metadata={"Date": None})
    print(target)


def full_attention(axes: Axes, seconds: dict[str, dict[str, float]]) -> None:
    """Draw ratios to torch's fused kernel."""
    colours = style.palette()
    axes.axhline(1, color=colours["ink"], linewidth=1)
    axes.annotate("torch SDPA", (8192, 1.08), color=colours["ink"], ha="right")
    for peer, (marker, colour) in FULL.items():
        sizes = [size for size, times in seconds.items() if peer in times]
        ratios = [seconds[size][peer] / seconds[size]["torch SDPA"] for size in sizes]
        axes.plot([int(s) for s in sizes], ratios, marker=marker, color=colours[colour], label=peer)
    axes.set(xscale="log", xlabel="tokens", ylabel="time / torch SDPA", ylim=(0, None))
    ticks(axes, seconds)
    beneath(axes)


def sparse_attention(axes: Axes, groups: dict[str, Any]) -> None:
    """Draw times over tokens; a straight line with slope 1 is linear growth."""
    colours = style.palette()
    for (group, peer), (marker, colour) in SPARSE.items():
        seconds = groups[group]["seconds"]
        label = f"{peer}, tokens$^{{{groups[group]['exponents'][peer]:.2f}}}$"
        times = [part[peer] for part in seconds.values()]
        axes.plot(
            [int(s) for s in seconds], times, marker=marker, color=colours[colour], label=label
        )
    axes.set(xscale="log", yscale="log", xlabel="tokens", ylabel="seconds, one thread")
    ticks(axes, groups["lsh"]["seconds"] | groups["local"]["seconds"])
    beneath(axes)


def beneath(axes: Axes) -> None:
    """Put the legend under the axes, where no line runs through it."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False)


def ticks(axes: Axes, sizes: dict[str, Any]) -> None:
    """Label the sizes that were measured, and no powers of ten."""
    shown = sorted(int(size) for size in sizes)
    axes.set_xticks(shown, [str(size) for size in shown])
    axes.minorticks_off()


if __name__ == "__main__":
    main()
