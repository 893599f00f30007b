"""Estimates with their standard errors beside the exact values, as a static SVG."""

from __future__ import annotations

from collections.abc import Sequence

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_WIDE, _TALL, _ROOM = 340, 150, 10


def estimates_svg(
    exact: Sequence[float], estimates: Sequence[float], errors: Sequence[float], label: str
) -> str:
    """Return ``<svg>`` with a line for each exact value and a dot with a whisker for its estimate.

    Parameters
    ----------
    exact, estimates, errors
        For each component its value, the estimate, and the standard error, half of the whisker.
    label
        The alternative text.
    """
    limit = max(
        *(abs(x) for x in exact),
        *(abs(x) + error for x, error in zip(estimates, errors, strict=True)),
    )
    step = (_WIDE - 2 * _ROOM) / len(exact)

    def height(value: float) -> str:
        return f"{_TALL / 2 - value / limit * (_TALL / 2 - _ROOM):.1f}"

    parts = []
    for i, (value, estimate, error) in enumerate(zip(exact, estimates, errors, strict=True)):
        x = _ROOM + (i + 0.5) * step
        parts.append(
            f'<path d="M{x:.1f} {height(estimate - error)}V{height(estimate + error)}" '
            f'style="stroke:{var("muted")}"/><circle cx="{x:.1f}" cy="{height(estimate)}" r="3.5" '
            f'style="fill:{var("accent")}"/><path d="M{x - 7:.1f} {height(value)}h14" '
            f'style="stroke:{var("ink")};stroke-width:2.5"/>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDE} {_TALL}" width="{_WIDE}" height="{_TALL}" role="img" '
        f'aria-label="{escape(label)}"><path d="M0 {_TALL / 2}H{_WIDE}" '
        f'style="stroke:{var("line")}"/>{"".join(parts)}</svg>'
    )
