"""Write with the functions that a reader has written, and note which of them ran.

A figure asks, in a page or a notebook; what goes in and comes out is plain data.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from attnlab.gpt.cached import Cache, empty_caches
from attnlab.gpt.parts import Array
from attnlab.gpt.trained import Model, UnknownWordError, load, to_tokens

#: What a reader writes, in the order in which it runs.
NAMES = (
    "layer_norm", "causal_mask", "softmax", "attend", "attend_next", "feed_forward", "block",
    "gpt", "gpt_next", "next_token", "write",
)  # fmt: skip
_DECIMALS = 5


class _Notes:
    """What happened while the reader's functions ran."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        #: For each call of attention, what softmax gave in it.
        self.shares: list[list[Array]] = []
        self.attends = False


class Yours:
    """A model that runs on functions which a namespace has under the names of `NAMES`.

    Parameters
    ----------
    names : mutable mapping of str to object
        The namespace in which the functions look each other up. While they run, each has a wrapper
        there that counts its calls.
    """

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        self._names, self._model = names, load()
        self._last: tuple[list[int], Array] | None = None
        self._kept: tuple[list[int], list[Cache]] = ([], empty_caches(self._model))

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the figure.

        Parameters
        ----------
        asked : mapping
            Either ``beginning``, a text; or ``tokens`` with ``first``, the place from which
            readings are wanted, and ``cached``, whether to use the reader's cache; or ``tokens``
            with ``temperature`` and ``draw``, for the next token.

        Returns
        -------
        answered : dict
            ``tokens``, or a word that is ``unknown`` with the ``nearest``; or ``readings``, for
            each place ``logits`` and, if the reader's attention calls the reader's softmax in a way
            that tells them, ``weights`` by block and head; or ``token``. With the last two
            ``calls``, how often each function ran, and ``seconds``.
        """
        if "beginning" in asked:
            return _beginning(asked["beginning"])
        tokens, cached = [int(token) for token in asked["tokens"]], asked["cached"]
        found: dict[str, Any]
        with self._noting() as notes:
            start = time.perf_counter()
            if "draw" in asked:
                draw = asked["temperature"], asked["draw"]
                found = {"token": int(self._choose(tokens, *draw, cached))}
            else:
                read = self._read_on if cached else self._read_all
                found = {"readings": read(tokens, asked["first"], notes)}
            seconds = time.perf_counter() - start
        return {**found, "calls": dict(notes.calls), "seconds": seconds}

    def _read_all(self, tokens: list[int], first: int, notes: _Notes) -> list[dict[str, Any]]:
        """Return the readings from a place on, by the reader's ``gpt`` on the whole text."""
        self._last = None
        logits = np.asarray(self._names["gpt"](np.array(tokens), self._model))
        self._last = tokens, logits
        weights = _weights(notes.shares, self._model, len(tokens))
        return [_reading(logits, weights, place) for place in range(first, len(tokens))]

    def _read_on(self, tokens: list[int], first: int, notes: _Notes) -> list[dict[str, Any]]:
        """Return the readings from a place on, by the reader's ``gpt_next``, token by token."""
        known, caches = self._kept
        if known != tokens[: len(known)] or len(known) != first:
            known, caches = [], empty_caches(self._model)
        readings = []
        for place, token in enumerate(tokens[len(known) :], len(known)):
            notes.shares.clear()
            logits, caches = self._names["gpt_next"](token, self._model, caches)
            weights = _weights(notes.shares, self._model, place + 1, rows=1)
            readings.append(_reading(np.asarray(logits)[None], weights, place, row=0))
        self._kept, self._last = (tokens, caches), (tokens, np.asarray(logits)[None])
        return readings[first - len(known) :]

    def _choose(self, tokens: list[int], temperature: float, draw: float, cached: bool) -> int:
        """Return the next token, by the reader's ``write``, or ``next_token`` after his cache."""
        if cached and self._last and self._last[0] == tokens:
            return int(self._names["next_token"](self._last[1][-1], temperature, draw))
        return int(self._names["write"](list(tokens), self._model, [draw], temperature)[-1])

    @contextlib.contextmanager
    def _noting(self) -> Iterator[_Notes]:
        notes = _Notes()
        own = {name: self._names[name] for name in NAMES if name in self._names}
        self._names.update({name: self._noted(name, f, notes) for name, f in own.items()})
        try:
            yield notes
        finally:
            self._names.update(own)

    def _noted(self, name: str, function: Callable[..., Any], notes: _Notes) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*arguments: Any, **more: Any) -> Any:
            if name == "gpt" and self._last and np.array_equal(arguments[0], self._last[0]):
                return self._last[1]  # it has run on this text, for the bars
            notes.calls[name] += 1
            if name in ("attend", "attend_next"):
                notes.shares.append([])
                notes.attends = True
            result = function(*arguments, **more)
            if name in ("attend", "attend_next"):
                notes.attends = False
            if name == "softmax" and notes.attends:
                notes.shares[-1].append(np.asarray(result))
            return result

        return run


def _beginning(text: str) -> dict[str, Any]:
    try:
        return {"tokens": to_tokens(text)}
    except UnknownWordError as error:
        return {"unknown": error.word, "nearest": error.nearest}


def _reading(
    logits: Array, weights: Array | None, place: int, row: int | None = None
) -> dict[str, Any]:
    """Return what the figure shows of a place, which has a row of its own among those given."""
    row = place if row is None else row
    looks = None if weights is None else weights[:, :, row, : place + 1].round(_DECIMALS).tolist()
    return {"logits": logits[row].round(_DECIMALS).tolist(), "weights": looks}


def _weights(
    shares: Sequence[list[Array]], model: Model, num_tokens: int, rows: int | None = None
) -> Array | None:
    """Return the weights of all blocks and heads, (blocks, heads, rows, tokens), if softmax told.

    ``shares`` are the results of softmax in each block; it may have run once for all heads or once
    for each. None where they cannot be the weights: rows have to sum to 1 and must not look ahead.
    """
    rows = rows or num_tokens
    try:
        found = np.array([np.concatenate([part.ravel() for part in parts]) for parts in shares])
        found = found.reshape(len(model["blocks"]), model["num_heads"], rows, num_tokens)
    except ValueError:  # of another size, or none at all
        return None
    looks_ahead = np.triu(found, 1 + num_tokens - rows).any()
    return None if looks_ahead or not np.allclose(found.sum(axis=-1), 1, atol=1e-4) else found
