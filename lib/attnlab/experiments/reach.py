"""Measure how far stacked windows see: which inputs have a gradient, and where most of it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOKENS, WINDOW, WIDTH = 129, 4, 16
MIDDLE = TOKENS // 2
#: All knobs turned at once.
TURNED = {"tokens": 97, "window": 7, "width": 8}
CLAIM = Claim(
    chapter="windows",
    sentence="After L layers with a window of w on each side, the receptive field of an output "
    "reaches at most w L positions to either side; in an untrained stack with scores of ordinary "
    "size, all of them.",
    source="Beltagy et al. (2020), section 3.1, who count w on both sides together: a receptive "
    "field of l × w after l layers.",
    refuted_by="A position farther than w L from the output that has a gradient; or, in an "
    "untrained stack with scores of ordinary size, one within w L that has none.",
    seconds=4,
    knobs={"tokens": TOKENS, "window": WINDOW, "width": WIDTH},
)
LAYERS = (1, 2, 4, 8, 12, 16, 20)


def in_reach(position: int, num_tokens: int, window: int, num_layers: int) -> int:
    """Return min(n - 1, i + w L) - max(0, i - w L) + 1: the positions that can inform one output.

    Examples
    --------
    >>> in_reach(0, 129, 4, 8), in_reach(64, 129, 4, 8), in_reach(64, 129, 4, 20)
    (33, 65, 129)
    """
    far = window * num_layers
    return min(num_tokens - 1, position + far) - max(0, position - far) + 1


def influence(
    position: int,
    num_layers: int,
    seed: int,
    *,
    num_tokens: int = TOKENS,
    window: int = WINDOW,
    global_tokens: Sequence[int] | None = None,
    causal: bool = False,
    width: int = WIDTH,
) -> NDArray[np.float64]:
    """Return how strongly each input moves one output of an untrained stack, shape (num_tokens,).

    The length of the gradient of a random projection of the output. A layer adds the output of
    local attention, with random projections, to its input. An input out of reach has exactly 0.
    """
    import torch

    from attn import sliding_window_attention

    generator = torch.Generator().manual_seed(seed)

    def numbers(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    inputs = numbers(num_tokens, width).requires_grad_()
    x = inputs
    for _ in range(num_layers):
        query, key, value = (x @ numbers(width, width) / width**0.5 for _ in range(3))
        # Without a normalisation the sum would grow from layer to layer, and the softmax harden.
        x = torch.nn.functional.layer_norm(
            x
            + sliding_window_attention(
                query, key, value, window=window, global_tokens=global_tokens, causal=causal
            ),
            (width,),
        )
    (x[position] @ numbers(width)).backward()
    assert inputs.grad is not None
    return np.linalg.norm(inputs.grad.numpy(), axis=-1)


def holding(share: float, influences: NDArray[np.float64]) -> int:
    """Return how many positions, the strongest first, hold a share of all influence.

    Examples
    --------
    >>> holding(0.9, np.array([0.0, 1.0, 8.0, 1.0]))
    2
    """
    strongest_first = np.sort(influences)[::-1].cumsum()
    return int(np.searchsorted(strongest_first, share * strongest_first[-1] * (1 - 1e-12))) + 1


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Count over the layers what reaches a token in the middle and the first one."""
    start = time.perf_counter()
    layers = LAYERS[:3] if quick else LAYERS
    curves = {}
    for suffix, (tokens, window, width) in {
        "": (TOKENS, WINDOW, WIDTH),
        ", turned": tuple(TURNED.values()),
    }.items():
        sized = partial(influence, num_tokens=tokens, window=window, width=width)
        for place, position in {"middle": tokens // 2, "first": 0}.items():
            name = place + suffix
            influences = [[sized(position, n, seed) for n in layers] for seed in seeds]
            counts = [[int(np.count_nonzero(at)) for at in row] for row in influences]
            nearby = [[holding(0.9, at) for at in row] for row in influences]
            expected = [[in_reach(position, tokens, window, n) for n in layers]] * len(seeds)
            curves[f"{name}: has a gradient"] = Curve(layers, counts)
            curves[f"{name}: formula"] = Curve(layers, expected)
            curves[f"{name}: nine tenths of it"] = Curve(layers, nearby)
    linked = [
        [int(np.count_nonzero(influence(MIDDLE, n, s, global_tokens=[0]))) for n in layers]
        for s in seeds
    ]
    curves["middle: one global token"] = Curve(layers, linked)
    settings = {"tokens": TOKENS, "window": WINDOW, "width": WIDTH, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Compare every count with the formula's, as it is and with all knobs turned."""
    made = []
    for suffix, at in {"": {}, ", turned": TURNED}.items():
        exact = [
            (result[f"{place}: has a gradient"].array == result[f"{place}: formula"].array).all(1)
            for place in (f"middle{suffix}", f"first{suffix}")
        ]
        made += each_seed(np.logical_and(*exact), at=at)
    return made


def because(result: Result) -> str:
    """Return the counts, and how few positions hold most of the gradient."""
    counted, most = result["middle: has a gradient"], result["middle: nine tenths of it"]
    return (
        f"After {most.x[-1]:g} untrained layers {counted.mean[-1]:.0f} positions have a gradient, "
        f"and the formula gives {result['middle: formula'].mean[-1]:.0f}. Being in reach does not "
        f"mean having influence: the {most.mean[-1]:.0f} strongest hold nine tenths of the "
        f"gradient."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many positions an output depends on."""
    names = ("has a gradient", "nine tenths of it")
    return plot_curves(
        {name: result[f"middle: {name}"] for name in names},
        accent="has a gradient",
        log="xy",
        x_label="layers",
        y_label="positions that matter",
    )
