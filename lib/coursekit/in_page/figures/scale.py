"""Map data to places on an axis: limits, linear and logarithmic scales, ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Scale:
    """One axis of a plot: its limits, its ticks, and how a number becomes a share of its length."""

    low: float | None = None
    high: float | None = None
    base: float | None = None  # of the logarithm; None is linear
    integer: bool = False
    ticks: Sequence[float] | None = None
    names: Sequence[str] | None = None
    tick_style: dict[str, Any] = field(default_factory=dict)

    def fit(self, lowest: float, highest: float, margin: float = 0.05) -> tuple[float, float]:
        """Return the limits for data: those that were set, or the data's with a margin."""
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            lowest, highest = (1.0, 10.0) if self.base else (0.0, 1.0)
        if self.base:
            lowest = max(lowest, 1e-300)
            room = margin * (math.log(highest / lowest) or 1.0)
            low, high = lowest * math.exp(-room), highest * math.exp(room)
        else:
            room = margin * ((highest - lowest) or abs(highest) or 1.0)
            low, high = lowest - room, highest + room
        return (low if self.low is None else self.low, high if self.high is None else self.high)

    def place(self, value: float, limits: tuple[float, float]) -> float:
        """Return where a value is between the limits: 0 at the first, 1 at the second."""
        low, high = limits
        if self.base:
            value, low, high = (math.log(max(each, 1e-300)) for each in (value, low, high))
        return (value - low) / ((high - low) or 1.0)

    def marks(self, limits: tuple[float, float]) -> list[tuple[float, str]]:
        """Return the ticks within the limits, each with its name."""
        low, high = sorted(limits)
        places = self.ticks
        if places is None:
            places = _decades(low, high) if self.base else _round(low, high, self.integer)
        named = self.names or [_name(place, bool(self.base)) for place in places]
        slack = 1e-9 * (high - low)
        pairs = zip(places, named, strict=False)
        return [(float(at), str(name)) for at, name in pairs if low - slack <= at <= high + slack]


def _round(low: float, high: float, integer: bool) -> list[float]:
    """Return about five round numbers."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / 5))
    step = next(power * m for m in (1, 2, 2.5, 5, 10, 20) if span / (power * m) <= 6.5)
    if integer:
        step = max(1.0, math.ceil(step))
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _decades(low: float, high: float) -> list[float]:
    """Return the powers of ten; where there are fewer than two, their halves and fifths too."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [10.0**p for p in powers]
    inside = [tick for tick in ticks if low <= tick <= high]
    if len(inside) < 2:
        ticks = [factor * tick for tick in ticks for factor in (1, 2, 5)]
    return ticks


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _name(value: float, logarithmic: bool) -> str:
    if logarithmic and value > 0 and not 1e-3 < value < 1e5:
        power = round(math.log10(value))
        if math.isclose(value, 10.0**power):
            return f"10{str(power).translate(_RAISED)}"
    return f"{round(value, 10) + 0.0:g}".replace("-", "−")
