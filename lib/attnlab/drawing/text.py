"""Numbers, vectors and shapes as text, the same in every figure; its twin is ``text.ts``."""

from __future__ import annotations

import html
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

#: A float of this size is a whole number.
_FRACTIONAL = 1e15


def number(value: float, decimals: int = 2) -> str:
    """Return a number with a true minus sign and without a negative zero.

    A number halfway between two is rounded away from zero, as JavaScript's ``toFixed`` does it.

    Examples
    --------
    >>> number(-0.001), number(-1.5), number(0.125)
    ('0.00', '−1.50', '0.13')
    """
    text = f"{value:.{decimals}f}"
    if abs(value) < _FRACTIONAL:
        text = str(Decimal(float(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def decimals_of(value: float) -> int:
    """Return 0 for a whole number, else 2."""
    return 0 if float(value).is_integer() else 2


def vector_text(values: Iterable[float], decimals: int | None = None) -> str:
    """Return a vector as prose writes it; by default a whole number has no decimals.

    Examples
    --------
    >>> vector_text([-1.0, 0.5])
    '(−1, 0.50)'
    """
    numbers = (number(v, decimals_of(v) if decimals is None else decimals) for v in values)
    return f"({', '.join(numbers)})"


def subscript(count: int) -> str:
    """Return a whole number as subscript digits.

    Examples
    --------
    >>> subscript(13)
    '₁₃'
    """
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(count))


def escape(text: object) -> str:
    """Return text that is safe as HTML content and in a quoted attribute."""
    return html.escape(str(text), quote=True)
