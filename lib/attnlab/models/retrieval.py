"""Define a task for score functions: find the value whose key is the query's in another space."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from attn import attention_weights, general_score
from attn.torch import AdditiveScore

Score = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Batch:
    """Queries, each with keys and values of its own.

    Parameters
    ----------
    query : tensor, shape (batch, 1, d_query)
    key : tensor, shape (batch, num_keys, d_key)
    value : tensor, shape (batch, num_keys, d_value)
    target : tensor of int, shape (batch,)
        The key that belongs to the query.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    target: Tensor

    @property
    def target_value(self) -> Tensor:
        """The value of the target key, shape (batch, 1, d_value)."""
        rows = torch.arange(len(self.target))
        return self.value[rows, self.target][:, None]


class Retrieval:
    """Draws batches in which a query is its key, mapped into the space of queries by a fixed map.

    The map keeps lengths and angles, and all keys are equally long, so that one bilinear score
    finds every target. It has to be learned: without it, a query and its key are as different as
    any two vectors.

    Parameters
    ----------
    num_keys : int
    d_query, d_key : int
        Widths; ``d_query`` is at least ``d_key``.
    words : int, optional
        Draw keys from this many fixed ones, without repetition. By default each key is new.
    seed : int
        Draws the map, the words and the batches.

    Examples
    --------
    >>> batch = Retrieval(num_keys=6, d_query=7, d_key=5).batch(11)
    >>> batch.query.shape, batch.key.shape, batch.target_value.shape
    (torch.Size([11, 1, 7]), torch.Size([11, 6, 5]), torch.Size([11, 1, 4]))
    """

    D_VALUE = 4

    def __init__(
        self,
        num_keys: int = 16,
        d_query: int = 8,
        d_key: int = 8,
        *,
        words: int | None = None,
        seed: int = 0,
    ) -> None:
        if d_query < d_key or (words is not None and words < num_keys):
            raise ValueError(
                f"d_query, d_key, num_keys, words are {d_query}, {d_key}, {num_keys}, {words}; "
                "expected d_query >= d_key and words >= num_keys"
            )
        self.num_keys, self.d_query, self.d_key = num_keys, d_query, d_key
        # Not the seed itself: a model draws its initial weights from it.
        self._rng = torch.Generator().manual_seed(seed + 10**6)
        #: Shape (d_key, d_query), with orthonormal rows.
        self.map = torch.linalg.qr(self._normal(d_query, d_key))[0].T
        self.words = None if words is None else self._keys(words)

    def batch(self, size: int) -> Batch:
        """Return the next ``size`` queries."""
        key = self._draw_keys(size)
        target = torch.randint(self.num_keys, (size,), generator=self._rng)
        target_key = key[torch.arange(size), target][:, None]  # (size, 1, d_key)
        value = self._normal(size, self.num_keys, self.D_VALUE)
        return Batch(target_key @ self.map, key, value, target)

    def with_new_keys(self) -> Retrieval:
        """Return the same task with the same map, in which each key is new."""
        other = copy(self)
        other.words = None
        return other

    def _draw_keys(self, size: int) -> Tensor:
        if self.words is None:
            return self._keys(size, self.num_keys)
        order = torch.rand(size, len(self.words), generator=self._rng).argsort(-1)
        return self.words[order[:, : self.num_keys]]

    def _keys(self, *shape: int) -> Tensor:
        # As long as vectors with components of variance 1 are on average.
        return normalize(self._normal(*shape, self.d_key), dim=-1) * self.d_key**0.5

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self._rng)


def soft_loss(score: Score, batch: Batch) -> Tensor:
    """Return the mean squared error of soft attention's outputs, a scalar."""
    weights = attention_weights(batch.query, batch.key, score=score)  # (batch, 1, num_keys)
    return (weights @ batch.value - batch.target_value).square().mean()


@torch.no_grad()
def accuracy(score: Score, batch: Batch) -> float:
    """Return the share of queries with the largest weight on their target key."""
    weights = attention_weights(batch.query, batch.key, score=score)[:, 0]
    return float((weights.argmax(-1) == batch.target).double().mean())


def fit(
    score: Score,
    parameters: Iterable[nn.Parameter],
    task: Retrieval,
    updates: int,
    learning_rate: float = 0.03,
) -> list[float]:
    """Train a score function in soft attention by Adam; return the loss before each update."""
    optimiser = torch.optim.Adam(parameters, learning_rate)
    losses = []
    for _ in range(updates):
        loss = soft_loss(score, task.batch(64))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


def trained(
    kind: Literal["additive", "general"], seed: int, updates: int = 300
) -> tuple[Score, Retrieval, list[float]]:
    """Train a score on keys of width 5 out of twelve words and queries of width 7.

    Returns
    -------
    score : function of (query, key)
    task : Retrieval
        What it was trained on.
    losses : list of float
        The loss before each update.
    """
    task = Retrieval(6, d_query=7, d_key=5, words=12, seed=seed)
    if kind == "additive":
        additive = AdditiveScore(7, 5, d_hidden=32, generator=torch.Generator().manual_seed(seed))
        return additive, task, fit(additive, additive.parameters(), task, updates)
    weight = nn.Parameter(torch.zeros(7, 5))

    def general(query: Tensor, key: Tensor) -> Tensor:
        return general_score(query, key, weight)

    return general, task, fit(general, [weight], task, updates)
