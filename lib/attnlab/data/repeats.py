"""Make texts that repeat a row of random words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

NUM_WORDS = 48
NUM_TOKENS = 48
MANY_PERIODS = tuple(range(8, 25))
#: The periods in training, by condition.
PERIODS: Mapping[str, Sequence[int]] = {"one period": (16,), "many periods": MANY_PERIODS}


class Repeats(NamedTuple):
    """Texts, and after how many tokens each begins again.

    ``tokens`` have shape (batch, num_tokens), ``periods`` have shape (batch,).
    """

    tokens: NDArray[np.int64]
    periods: NDArray[np.int64]

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Where the next token can be known: from the second time on.

        Shape (batch, num_tokens - 1); there is nothing to predict at the last token.
        """
        return np.arange(self.tokens.shape[1] - 1) >= self.periods[:, None]


def draw(rng: np.random.Generator, batch: int, num_tokens: int, periods: Sequence[int]) -> Repeats:
    """Return random texts, each with a period drawn from ``periods``.

    The words of one period are all different.

    Raises
    ------
    ValueError
        If a period is below 1 or above `NUM_WORDS`.

    Examples
    --------
    >>> draw(np.random.default_rng(0), 1, 7, [3]).tokens
    array([[ 4, 18,  2,  4, 18,  2,  4]])
    """
    if not 1 <= min(periods) <= max(periods) <= NUM_WORDS:
        raise ValueError(f"periods are {list(periods)}; expected them from 1 to {NUM_WORDS}")
    drawn = rng.choice(np.asarray(periods), batch)
    words = rng.permuted(np.tile(np.arange(NUM_WORDS), (batch, 1)), axis=1)
    places = np.arange(num_tokens) % drawn[:, None]
    return Repeats(np.take_along_axis(words, places, axis=1), drawn)


def follows_a_match(tokens: ArrayLike) -> NDArray[np.bool_]:
    """Return which keys stand behind an earlier occurrence of the query's token.

    Parameters
    ----------
    tokens : array of int, shape (..., num_tokens)

    Returns
    -------
    array of bool, shape (..., num_tokens, num_tokens)
        Rows are queries.

    Examples
    --------
    >>> follows_a_match([5, 8, 5]).astype(int)
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    tokens = np.asarray(tokens)
    num_tokens = tokens.shape[-1]
    follows = np.zeros((*tokens.shape, num_tokens), dtype=bool)
    follows[..., 1:] = tokens[..., :, None] == tokens[..., None, :-1]
    return follows & np.tri(num_tokens, dtype=bool)


def induction_scores(weights: ArrayLike, tokens: ArrayLike) -> NDArray[np.float64]:
    """Return the mean weight on what followed earlier occurrences of the query's token.

    Queries whose token did not occur before do not count.

    Parameters
    ----------
    weights : array, shape (..., num_tokens, num_tokens)
    tokens : array of int, shape (num_tokens,)

    Returns
    -------
    array, shape (...)

    Raises
    ------
    ValueError
        If no token occurs twice.

    References
    ----------
    Olsson et al. (2022), "In-context Learning and Induction Heads", who call it prefix matching.

    Examples
    --------
    >>> induction_scores([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.1, 0.7, 0.2]], [5, 8, 5])
    array(0.7)
    """
    follows = follows_a_match(tokens)
    seen = follows.any(axis=-1)
    if not seen.any():
        raise ValueError(f"no token occurs twice in {np.asarray(tokens).tolist()}")
    found = (np.asarray(weights, dtype=np.float64) * follows).sum(axis=-1)
    return np.asarray(found[..., seen].mean(axis=-1))
