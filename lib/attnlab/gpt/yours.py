"""Run a GPT on functions that a reader has written, and note which of them ran.

A figure asks, in a page or in a notebook; arrays and numbers come back.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from attnlab.gpt.parts import Array
from attnlab.gpt.trained import END, Model, load

#: What a reader writes, in the order in which it runs.
NAMES = (
    "write", "gpt", "block", "layer_norm", "attend", "causal_mask", "softmax", "feed_forward",
    "next_token",
)  # fmt: skip
_DECIMALS = 5
_model = functools.cache(load)


def answer(names: MutableMapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Read a text with a reader's functions, or write its next word.

    Parameters
    ----------
    names : mutable mapping of str to object
        The namespace in which the functions look each other up. While they run, each has a wrapper
        there that counts its calls.
    asked : mapping
        ``tokens`` with ``first``, the place from which readings are wanted; or ``tokens`` with
        ``temperature`` and ``draw``, for the next token and the reading at it.

    Returns
    -------
    answered : dict
        ``calls``, how often each function of `NAMES` ran; ``token``, the next one, if it was asked
        for; ``logits``, (places, num_words), unless that token ends the text; and with them
        ``weights``, (places, blocks, heads, tokens), if the reader's attention calls the reader's
        softmax in a way that tells them.

    Raises
    ------
    KeyError
        If a function is missing.
    """
    tokens, first = [int(token) for token in asked["tokens"]], asked.get("first", 0)
    found: dict[str, Any] = {}
    with _noting(names) as (calls, shares):
        if "draw" in asked:
            tokens = names["write"](tokens, _model(), [asked["draw"]], asked["temperature"])
            found["token"], first = int(tokens[-1]), len(tokens) - 1
            shares.clear()
        if found.get("token") != END:
            logits = np.asarray(names["gpt"](np.array(tokens), _model()))
            found["logits"] = logits[first:].round(_DECIMALS)
            weights = _weights(shares, _model(), len(tokens))
            if weights is not None:
                found["weights"] = np.moveaxis(weights, 2, 0)[first:].round(_DECIMALS)
    return {**found, "calls": [calls[name] for name in NAMES]}


@contextlib.contextmanager
def _noting(
    names: MutableMapping[str, Any],
) -> Iterator[tuple[Counter[str], list[list[Array]]]]:
    """Yield how often each function has run, and what softmax gave in each call of attention."""
    calls: Counter[str] = Counter()
    shares: list[list[Array]] = []
    depth = 0  # of calls of attention

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*arguments: Any, **more: Any) -> Any:
            nonlocal depth
            calls[name] += 1
            if name == "attend":
                shares.append([])
                depth += 1
            result = function(*arguments, **more)
            if name == "attend":
                depth -= 1
            elif name == "softmax" and depth:
                shares[-1].append(np.asarray(result))
            return result

        return run

    own = {name: names[name] for name in NAMES if name in names}
    names.update({name: noted(name, function) for name, function in own.items()})
    try:
        yield calls, shares
    finally:
        names.update(own)


def _weights(shares: Sequence[list[Array]], model: Model, num_tokens: int) -> Array | None:
    """Return the weights of all blocks and heads, (blocks, heads, tokens, tokens), if softmax told.

    ``shares`` are the results of softmax in each block; it may have run once for all heads or once
    for each. None where they cannot be the weights: rows have to sum to 1 and must not look ahead.
    """
    shape = len(model["blocks"]), model["num_heads"], num_tokens, num_tokens
    try:
        found = np.array([np.concatenate([part.ravel() for part in parts]) for parts in shares])
        found = found.reshape(shape)
    except ValueError:  # of another size, or none at all
        return None
    looks_ahead = np.triu(found, 1).any()
    return None if looks_ahead or not np.allclose(found.sum(axis=-1), 1, atol=1e-4) else found
