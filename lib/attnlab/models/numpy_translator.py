"""Translate in NumPy, word by word, with the attention open to changes.

This computes what `attnlab.models.translators.AttentionTranslator` computes, without torch: for the
figure in which a reader's sentences are translated, whose TypeScript is compared with this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data.grammar import Grammar, Tokens
from attnlab.models.stored_weights import FOLDER

Floats = NDArray[np.float64]
Weights = Mapping[str, Floats]
#: The stored weights of the first of the three translators, trained on French.
PATH = FOLDER / "attention-0.npz"
#: The sentences that it knows.
GRAMMAR = Grammar("french")
#: How many words it may write beyond those of a right translation before it is stopped.
SPARE = 4


class Translation(NamedTuple):
    """What the decoder did at each step, the mark for the end included.

    ``words`` are target tokens, shape (num_steps,). ``scores`` and ``weights`` have shape
    (num_steps, num_tokens); a hidden word has a score, and the weight 0. ``contexts`` have shape
    (num_steps, width) and ``shares``, the probabilities of the words, (num_steps, num_targets).
    """

    words: Tokens
    scores: Floats
    weights: Floats
    contexts: Floats
    shares: Floats


def load(path: Path = PATH) -> Weights:
    """Return the stored weights by the names that torch gives them.

    Raises
    ------
    FileNotFoundError
        If there are no such weights; the message says which command makes them.
    """
    if not path.is_file():
        raise FileNotFoundError(
            f"no weights at {path}; make them: python -m attnlab.models.checkpoints"
        )
    with np.load(path) as stored:
        return {name: stored[name].astype(np.float64) for name in stored.files}


def encode(model: Weights, tokens: Tokens) -> tuple[Floats, Floats]:
    """Return a vector for each word, (num_tokens, width), and the state the decoder starts with."""
    embedded = model["embed_source.weight"][tokens]
    forwards = _states(model, embedded, "")
    backwards = _states(model, embedded[::-1], "_reverse")
    start = np.concatenate([forwards[-1], backwards[-1]])
    return np.concatenate([forwards, backwards[::-1]], axis=1), start


def translate(
    model: Weights, tokens: Tokens, hidden: Collection[int] = (), uniform: bool = False
) -> Translation:
    """Return the translation that the model writes, at each step the likeliest word.

    Parameters
    ----------
    model : mapping of str to array
        Weights, from `load`.
    tokens : array of int, shape (num_tokens,)
    hidden : collection of int
        Positions of words that no step may attend to. The encoder still reads them.
    uniform : bool
        Give every word that is not hidden the same weight, whatever was learned.

    Raises
    ------
    ValueError
        If a hidden position does not exist, or no word is left.
    """
    mask = _mask(len(tokens), hidden)
    score = _score(model)
    encoded, state = encode(model, tokens)
    word, steps = Grammar.BEGIN, list[tuple[Any, ...]]()
    while len(steps) <= len(tokens) + SPARE and (not steps or word != Grammar.END):
        scores = score(state[None], encoded)[0]
        weights = attn.softmax(0 * scores if uniform else scores, mask=mask)
        context = weights @ encoded
        inputs = np.concatenate([model["embed_target.weight"][word], context])
        state = _gru(inputs, state, *_matrices(model, "decoder", ""))
        logits = model["to_logits.weight"] @ np.concatenate([state, context])
        shares = attn.softmax(logits + model["to_logits.bias"])
        word = int(shares.argmax())
        steps.append((word, scores, weights, context, shares))
    return Translation(*(np.array(part) for part in zip(*steps, strict=True)))


def _mask(count: int, hidden: Collection[int]) -> NDArray[np.bool_]:
    for position in hidden:
        if not 0 <= position < count:
            raise ValueError(f"hidden has {position}; expected positions from 0 to {count - 1}")
    if len(set(hidden)) == count:
        raise ValueError(f"all {count} words are hidden; expected one or more to attend to")
    return ~np.isin(np.arange(count), list(hidden))


def _score(model: Weights) -> attn.AdditiveScore:
    width, d_hidden = model["score.w_query"].shape
    score = attn.AdditiveScore(width, width, d_hidden)
    for name in ("w_query", "w_key", "w_score"):
        setattr(score, name, model[f"score.{name}"])
    return score


def _matrices(model: Weights, layer: str, end: str) -> list[Floats]:
    parts = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return [model[f"{layer}.{part}{end}"] for part in parts]


def _states(model: Weights, inputs: Floats, direction: str) -> Floats:
    matrices = _matrices(model, "encoder", f"_l0{direction}")
    state, states = np.zeros(matrices[1].shape[1]), []
    for vector in inputs:
        state = _gru(vector, state, *matrices)
        states.append(state)
    return np.stack(states)


def _gru(
    inputs: Floats, state: Floats, w_in: Floats, w_state: Floats, b_in: Floats, b_state: Floats
) -> Floats:
    """Return the next state of a GRU; rows of the matrices: reset gate, update gate, new state."""
    given = np.split(w_in @ inputs + b_in, 3)
    own = np.split(w_state @ state + b_state, 3)
    reset, update = (1 / (1 + np.exp(-(a + b))) for a, b in zip(given[:2], own[:2], strict=True))
    new = np.tanh(given[2] + reset * own[2])
    return np.asarray((1 - update) * new + update * state)
