"""Watch a small GPT write a fable, and where each word looks."""

from __future__ import annotations

import base64
from itertools import islice
from typing import Any

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field
from attnlab.gpt import load, to_tokens, write
from attnlab.gpt.page_file import content
from attnlab.gpt.parts import gpt, softmax
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.trained import words
from attnlab.models.numpy_continuer import random_numbers

LAYERS, HEADS = len(load()["blocks"]), load()["num_heads"]
#: The temperature of the recorded run, how many of the likeliest words are stored, and the smallest
#: weight that is.
_TEMPERATURE, _NUM_BEST, _LEAST = 0.8, 5, 0.03
#: Heads rest on the first tokens when they look for nothing.
_RESTING = 4

_FOX = "once there was an old fox named Mara , who lived"
_WHOSE = (
    "once there was a hungry wolf named Mara , who lived behind the trees . she had an iron bell . "
    "one day a young otter named Vera came by . Mara lost the bell near the mill , where Vera "
    "found it . “ who has the bell now ? ” asked the owl . “"
)
_THIEF = (
    "once there was a hungry bear named Otto , who lived below the hill . he had a silver ring . "
    "one day an idle hare named Ida came by . at night , when"
)
BEGINNINGS: list[dict[str, Any]] = [
    {"label": "an old fox …", "text": _FOX, "seed": 10},
    {"label": "an honest owl …", "text": "once there was an honest owl", "seed": 1},
    {"label": "a thief …", "text": _THIEF, "seed": 3},
    {
        "label": "“Who has it now?”",
        "text": _WHOSE,
        "layer": 3,
        "head": 4,
        "seed": 1,
        "note": "Where a head looks is not yet what the model writes.",
    },
]


def checked_beginnings(name: str, value: Any) -> list[dict[str, Any]]:
    """Return beginnings with all that `Writer` says of them."""
    defaults: dict[str, Any] = {"layer": 0, "head": 0, "seed": 1, "note": ""}
    made = [defaults | dict(each) for each in value]
    for each in made:
        if set(each) != {"label", "text", *defaults}:
            raise ValueError(
                f"{name} has {sorted(each)}; expected label and text, and perhaps "
                + ", ".join(defaults)
            )
        to_tokens(each["text"])
    if not made:
        raise ValueError(f"{name} is empty; expected one or more")
    return made


def sizes(name: str, value: Any) -> list[int]:
    """Return the number of layers and that of heads."""
    layers, heads = value
    return [fields.count(name, layers), fields.count(name, heads)]


class Writer(Explorable):
    """A GPT of 223,360 weights that writes fables word by word: `attnlab.gpt` in the page.

    A recorded run of the first beginning plays until the model is there.

    Parameters
    ----------
    beginnings : list of dict
        How texts may begin: ``label``, ``text`` in words of the fables, and perhaps ``layer`` and
        ``head`` from 1 (0 follows the sharpest head), the ``seed`` of its random numbers, and a
        ``note`` that is said before the model writes.
    temperature : float
        What logits are divided by, from 0 to 2.
    layer, head : int
        The head that is shown, from 1; 0 follows the one that looks hardest at one word.
    vocabulary, heads, recorded
        The model's words, its layers and heads, and the recorded run, see `recording`.
    wanted, weights
        In a notebook, whether the front end asks for the model, and its file in base64.

    Raises
    ------
    ValueError
        If a beginning is incomplete or has a word that the model does not know.
    """

    beginnings = field(checked_beginnings, BEGINNINGS)
    temperature = field(fields.between(0.0, 2.0), _TEMPERATURE)
    layer = field(fields.count, 0)
    head = field(fields.count, 0)
    vocabulary = field(fields.words, words())
    heads = field(sizes, [LAYERS, HEADS])
    recorded = field(fields.mapping, {})
    wanted = field(fields.flag, False)
    weights = field(fields.text, "")

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        if not self.recorded:
            self.recorded = self.recording()
        self.observe(self._give, "wanted")

    def _give(self, change: Any) -> None:
        if change["new"]:
            self.weights = base64.b64encode(content()).decode()

    def recording(self) -> dict[str, Any]:
        """Return a run of the model on the first beginning, and what is seen at each of its steps.

        Returns
        -------
        recorded : dict
            ``tokens``, the ``temperature``, and ``steps``, one for each token but the last: the
            likeliest tokens ``next`` with their probabilities in thousandths, and the
            ``weights`` of the sharpest ``head`` by place, in hundredths.
        """
        model, first = load(), self.beginnings[0]
        begin = to_tokens(first["text"])
        draws = list(islice(random_numbers(first["seed"]), len(model["positions"]) - len(begin)))
        tokens = write(begin, model, draws, _TEMPERATURE)
        read = np.array(tokens[:-1])
        shares = softmax(gpt(read, model).astype(float) / _TEMPERATURE)
        maps = attention_maps(read, model)
        steps = []
        for at in range(len(read)):
            layer, head = sharpest(maps[:, :, at, : at + 1], tokens)
            best = np.argsort(-shares[at], kind="stable")[:_NUM_BEST]
            row = maps[layer, head, at]
            steps.append(
                {
                    "next": [[int(token), round(1000 * shares[at, token])] for token in best],
                    "head": [layer, head],
                    "weights": [
                        [int(j), round(100 * row[j])] for j in np.flatnonzero(row >= _LEAST)
                    ],
                }
            )
        return {"tokens": tokens, "temperature": _TEMPERATURE, "steps": steps}


def sharpest(weights: np.ndarray, tokens: list[int]) -> tuple[int, int]:
    """Return the layer and head, from 0, that look hardest at one earlier word.

    The first tokens, where heads rest, and punctuation count only where there is nothing else;
    ``weights`` are those of one token, (num_layers, num_heads, num_keys).
    """
    vocabulary = words()
    last = weights.shape[-1] - 1
    later = [j for j in range(_RESTING, last) if vocabulary[tokens[j]][0].isalpha()]
    counts = list(range(last)) if last <= _RESTING else later
    if not counts:
        return 0, 0
    layer, head = np.unravel_index(weights[:, :, counts].max(axis=-1).argmax(), weights.shape[:2])
    return int(layer), int(head)
