"""Rotary positions for more tokens than a model was trained with: its frequencies, lowered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from attn._arguments import check_count, check_number
from attn._types import Array

Method = Literal["linear", "ntk", "yarn"]


@dataclass(frozen=True)
class RotaryScaling:
    r"""How `rotary` lowers its frequencies so that ``factor`` times as many tokens fit.

    Parameters
    ----------
    method : "linear", "ntk" or "yarn"
        "linear" (position interpolation) divides every frequency by the factor. "ntk" raises the
        base instead, to :math:`b\,s^{d/(d-2)}`: the highest frequency stays, the lowest is divided
        by the factor. "yarn" keeps what turns often within the trained length, divides what turns
        less than once, and mixes the two in between.
    factor : float
        s, at least 1: the new number of tokens divided by that of training.
    trained_length : int, optional
        Tokens of training; needed by "yarn" alone.
    fast, slow : float
        "yarn": the frequencies that turn ``fast`` times or more within ``trained_length`` stay;
        those that turn ``slow`` times or less are divided. In the paper :math:`\beta` and
        :math:`\alpha`.

    Raises
    ------
    ValueError
        If the method is unknown, the factor is below 1, "yarn" has no ``trained_length``, or
        ``fast`` is not above ``slow``.

    References
    ----------
    Chen et al. (2023), "Extending Context Window of Large Language Models via Positional
    Interpolation"; Peng et al. (2024), "YaRN", sections 3.1 (NTK-aware), 3.2 (by parts) and 3.4
    (temperature). As in the code published with it, the mix is linear in the number of the pair of
    features; in the paper, in its number of turns.

    Examples
    --------
    >>> scaling = RotaryScaling("yarn", factor=4, trained_length=2048)
    >>> scaling.frequencies(8, base=10000.0).round(5)
    array([1.00e+00, 1.00e-01, 6.25e-03, 2.50e-04])
    >>> round(scaling.attention_factor, 4)
    1.1386
    """

    # It is the same class in attn.torch; documentation knows it by this name.
    __module__ = "attn"

    method: Method
    factor: float
    trained_length: int | None = None
    fast: float = 32.0
    slow: float = 1.0

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.method not in get_args(Method):
            raise ValueError(f"method is {self.method!r}; expected 'linear', 'ntk' or 'yarn'")
        if not 1 <= check_number("factor", self.factor) < math.inf:
            raise ValueError(f"factor is {self.factor}; expected at least 1")
        if self.method == "yarn" and self.trained_length is None:
            raise ValueError("trained_length is None; 'yarn' needs the tokens of training")
        if self.trained_length is not None:
            check_count("trained_length", self.trained_length, 1)
        if not 0 < check_number("slow", self.slow) < check_number("fast", self.fast) < math.inf:
            raise ValueError(f"slow is {self.slow}, fast {self.fast}; expected 0 < slow < fast")

    @property
    def attention_factor(self) -> float:
        """What `rotary` multiplies queries and keys by: 0.1 ln(factor) + 1 for "yarn", else 1.

        Scores are multiplied by its square: more keys compete, so the softmax is sharpened.
        """
        return 0.1 * math.log(self.factor) + 1 if self.method == "yarn" else 1.0

    def frequencies(self, d: int, base: float = 10000.0) -> Array:
        """Return the lowered frequencies of ``d`` features.

        Parameters
        ----------
        d : int
            Even.
        base : float

        Returns
        -------
        array, shape (d / 2,), in radians a token

        Raises
        ------
        ValueError
            If ``d`` is odd, or the base is not above 1.
        """
        if check_count("d", d) % 2:
            raise ValueError(f"d is {d}; expected an even number")
        if not 1 < check_number("base", base) < math.inf:
            raise ValueError(f"base is {base}; expected a number above 1")
        if self.method == "ntk":
            # With a single pair of features, which turns by 1, there is nothing to lower.
            return frequencies(d, base * self.factor ** (d / (d - 2)) if d > 2 else base)
        original = frequencies(d, base)
        if self.method == "linear":
            return original / self.factor
        kept = self._kept(d, base)
        return original * kept + original / self.factor * (1 - kept)

    def _kept(self, d: int, base: float) -> Array:
        """Return for each pair of features how much of its frequency stays, from 1 down to 0."""
        first = max(math.floor(self._pair_that_turns(self.fast, d, base)), 0)
        last = min(math.ceil(self._pair_that_turns(self.slow, d, base)), d - 1)
        # A ramp of no length would divide by zero.
        ramp = (np.arange(d // 2) - first) / (max(last - first, 0) or 0.001)
        return 1 - np.clip(ramp, 0, 1)

    def _pair_that_turns(self, times: float, d: int, base: float) -> float:
        """Return the number of the pair that turns so often within the trained length."""
        assert self.trained_length is not None
        return d * math.log(self.trained_length / (times * 2 * math.pi)) / (2 * math.log(base))


def frequencies(d: int, base: float) -> Array:
    """Return the frequencies of `rotary` as trained, (d / 2,), in radians a token."""
    return float(base) ** (-np.arange(0, d, 2) / max(d, 1))
