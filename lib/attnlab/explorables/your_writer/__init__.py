"""Watch a GPT write fables with the functions that a reader has written."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

import numpy as np

from attnlab import gpt
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field
from attnlab.explorables.writer import BEGINNINGS, HEADS, LAYERS, checked_beginnings, sizes
from attnlab.gpt.trained import words
from attnlab.gpt.yours import NAMES, answer

_ONE_WORD = {"tokens": [gpt.BEGIN], "temperature": 0.0, "draw": 0.5}


class YourWriter(Explorable):
    """A GPT that writes with a reader's own functions, and shows which of them run.

    In a page the figure is shut until the exercises pass that define the functions, and asks the
    page's Python; in a notebook it asks the kernel.

    Parameters
    ----------
    namespace : mutable mapping of str to object, optional
        The names among which the functions are: in a notebook ``globals()``.
    ready, warm, edition
        Whether it may write, whether it may begin unasked, and how often the functions have
        changed.
    functions : list of str
        The functions in the order in which they run.
    beginnings, vocabulary, heads, most
        As in `attnlab.explorables.Writer`, and the longest text that the model reads, in words.
    trouble : str
        Why it is not ready.
    asked, answered
        In a notebook, what the front end asks of `attnlab.gpt.yours.answer`, and the answer.

    Examples
    --------
    >>> YourWriter(vars(gpt).copy()).trouble, YourWriter({}).trouble
    ('', 'There is no function write yet.')
    """

    ready = field(fields.flag, False)
    warm = field(fields.flag, False)
    edition = field(fields.count, 0)
    functions = field(fields.words, list(NAMES))
    beginnings = field(checked_beginnings, BEGINNINGS)
    vocabulary = field(fields.words, words())
    heads = field(sizes, [LAYERS, HEADS])
    most = field(fields.count, len(gpt.load()["positions"]))
    trouble = field(fields.text, "")
    asked = field(fields.mapping, {})
    answered = field(fields.mapping, {})

    def __init__(self, namespace: MutableMapping[str, Any] | None = None, **state: Any) -> None:
        super().__init__(**state)
        self._namespace: MutableMapping[str, Any] = {} if namespace is None else namespace
        self.trouble = self._tried(_ONE_WORD).get("error", "")
        self.ready = self.warm = fields.LIVE and not self.trouble
        self.observe(self._answer, "asked")

    def _answer(self, change: Any) -> None:
        asked = change["new"]
        self.answered = {"number": asked["number"], **self._tried(asked["asked"])}

    def _tried(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the reader's functions answer, or the ``error`` in one line."""
        try:
            found = answer(self._namespace, asked)
        except Exception as error:
            if isinstance(error, KeyError) and error.args[0] in NAMES:
                return {"error": f"There is no function {error.args[0]} yet."}
            if isinstance(error, NotImplementedError):
                return {"error": "It writes once all its functions are written."}
            return {"error": f"{type(error).__name__}: {error}"}
        return {"values": {name: np.asarray(value).tolist() for name, value in found.items()}}
