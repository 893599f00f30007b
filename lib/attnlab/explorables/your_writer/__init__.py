"""Watch a GPT write fables with the functions that a reader has written."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, MutableMapping
from typing import Any

import numpy as np

from attnlab import gpt
from attnlab.drawing.text import escape
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field
from attnlab.explorables.writer import BEGINNINGS, HEADS, LAYERS, checked_beginnings, sizes
from attnlab.gpt.trained import words
from attnlab.gpt.yours import NAMES, Yours

_DRAWS, _SEED, _TEMPERATURE = 150, 5, 0.8
_ONE_WORD = {"tokens": [gpt.BEGIN], "first": 0}


def _data(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}; expected a mapping")
    return dict(value)


class YourWriter(Explorable):
    """A GPT that writes with a reader's own functions, and shows which of them run.

    Parameters
    ----------
    namespace : mutable mapping of str to object, optional
        The names among which the functions are: in a notebook ``globals()``. A page has them.
    ready, warm, extra, edition
        Whether it may write, whether it may begin unasked, whether the reader has written a cache,
        and how often the functions have changed.
    functions : list of str
        The functions in the order in which they run.
    beginnings, vocabulary, heads, most
        As in `attnlab.explorables.Writer`, and the longest text that the model reads, in words.
    trouble : str
        Why it is not ready.
    asked, answered
        In a notebook, what the front end asks, and the answer of `attnlab.gpt.yours.Yours`.
    task, answers
        As in every explorable.

    Examples
    --------
    >>> YourWriter(vars(gpt).copy()).ready, YourWriter({}).ready
    (True, False)
    """

    _esm = bundle("your_writer")
    element = "attn-your-writer"
    alone = False
    title = field(fields.text, "Your model writes a fable")
    names = (
        "ready", "warm", "extra", "edition", "functions", "beginnings", "vocabulary", "heads",
        "most", "trouble", "asked", "answered",
    )  # fmt: skip
    answer_names = ()

    ready = field(fields.flag, False)
    warm = field(fields.flag, False)
    extra = field(fields.flag, False)
    edition = field(fields.count, 0)
    functions = field(fields.words, [*NAMES, "next_token_loss"])
    beginnings = field(checked_beginnings, BEGINNINGS)
    vocabulary = field(fields.words, words())
    heads = field(sizes, [LAYERS, HEADS])
    most = field(fields.count, len(gpt.load()["positions"]))
    trouble = field(fields.text, "")
    asked = field(_data, {})
    answered = field(_data, {})

    def __init__(self, namespace: MutableMapping[str, Any] | None = None, **state: Any) -> None:
        super().__init__(**state)
        self._namespace = namespace
        if namespace is None:
            return
        self._yours = Yours(namespace)
        self.trouble = self._tried(_ONE_WORD | {"cached": False}).get("error", "")
        self.ready = self.warm = not self.trouble
        self.extra = "error" not in self._tried(_ONE_WORD | {"cached": True})
        self.observe(self._answer, "asked")

    def _answer(self, change: Any) -> None:
        asked = change["new"]
        self.answered = {"number": asked["number"], **self._tried(asked["asked"])}

    def _tried(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the reader's functions answer, or the ``error`` in one line."""
        try:
            return {"answered": self._yours.answer(asked)}
        except Exception as error:
            if isinstance(error, KeyError) and error.args[0] in NAMES:
                return {"error": f"There is no function {error.args[0]} yet."}
            frames = traceback.extract_tb(error.__traceback__)
            ran = [frame.name for frame in frames if frame.name in NAMES]
            where = f"In your {ran[-1]}: " if ran else ""
            return {"error": f"{where}{type(error).__name__}: {error}"}

    def figure(self) -> str:
        """Return a fable: in a notebook the reader's own, as far as the functions work."""
        if self.trouble:
            return f"<p>{escape(self.trouble)}</p>"
        own = self._namespace
        write = own["write"] if own else gpt.write
        draws = np.random.default_rng(_SEED).random(_DRAWS)
        tokens = write(gpt.to_tokens(BEGINNINGS[0]["text"]), gpt.load(), draws, _TEMPERATURE)
        whose = "Your functions" if own else "The course’s functions"
        return f"<p>{whose} wrote this:</p><blockquote>{escape(gpt.to_text(tokens))}</blockquote>"
