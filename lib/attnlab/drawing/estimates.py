"""Estimates with their standard errors beside the exact values, as a static SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_WIDE, _TALL, _LEFT, _ROOM, _FOOT = 340, 150, 38, 8, 16


def estimates_svg(
    exact: Sequence[float],
    estimates: Sequence[float],
    errors: Sequence[float],
    right: int,
    label: str,
) -> str:
    """Return ``<svg>`` with a line for each exact value and a dot with a whisker for its estimate.

    Parameters
    ----------
    exact, estimates, errors
        For each component its value, the estimate, and the standard error, half of the whisker.
    right
        The component whose number is bold.
    label
        The alternative text.
    """
    limit = _nice(
        max(
            *(abs(x) for x in exact),
            *(abs(x) + error for x, error in zip(estimates, errors, strict=True)),
        )
    )
    step = (_WIDE - _LEFT) / len(exact)

    def height(value: float) -> str:
        return f"{_TALL / 2 - value / limit * (_TALL / 2 - _ROOM):.1f}"

    parts = []
    for i, (value, estimate, error) in enumerate(zip(exact, estimates, errors, strict=True)):
        x = _LEFT + (i + 0.5) * step
        weight = "bold" if i == right else "normal"
        parts.append(
            f'<path d="M{x:.1f} {height(estimate - error)}V{height(estimate + error)}" '
            f'style="stroke:{var("muted")}"/><circle cx="{x:.1f}" cy="{height(estimate)}" r="3.5" '
            f'style="fill:{var("ink")}"/><path d="M{x - 7:.1f} {height(value)}h14" '
            f'style="stroke:{var("ink")};stroke-width:2.5"/>'
            f"{_tick(x, _TALL + 11, str(i + 1), 'middle', weight)}"
        )
    axis = "".join(
        f'<path d="M{_LEFT} {height(value)}H{_WIDE}" style="stroke:{var("line")}"/>'
        f"{_tick(_LEFT - 4, float(height(value)) + 4, f'{value:g}'.replace('-', '−'), 'end')}"
        for value in (limit, 0, -limit)
    )
    return (
        f'<svg viewBox="0 0 {_WIDE} {_TALL + _FOOT}" width="{_WIDE}" height="{_TALL + _FOOT}" '
        f'role="img" aria-label="{escape(label)}">{axis}{"".join(parts)}</svg>'
    )


def _nice(least: float) -> float:
    """Return the first of a few round numbers times a power of ten that is not below ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    round_ones = (1, 1.5, 2, 3, 4, 6, 10)
    return next(n * power for n in round_ones if n * power >= least * (1 - 1e-9))


def _tick(x: float, y: float, text: str, anchor: str, weight: str = "normal") -> str:
    style = f"fill:{var('muted')};font-size:10px;text-anchor:{anchor};font-weight:{weight}"
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" style="{style}">{text}</text>'
