"""Run what a course makes of a reader's answers, on the answers as they passed.

A course names a class that is made with the namespace of the answers; its ``answer`` is asked by a
figure of the page, as often as that likes.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import traceback
from collections.abc import Mapping
from typing import Any, TypedDict

from coursekit.in_page.explain import explain
from coursekit.judge.numpy_only import numpy_only
from coursekit.judge.shell import no_input

_ANSWER_TO = "your answer to "


class FinaleReply(TypedDict):
    """What the figure gets: an answer, or one line on what went wrong.

    ``step`` is the title of the exercise whose answer failed; empty where it is none of them.
    """

    answered: Any
    error: str | None
    step: str


class Finale:
    """A namespace with a reader's answers, which stays until they change."""

    def __init__(self) -> None:
        self._answers: object = None
        self._made: Any = None

    def ask(self, request: Mapping[str, Any]) -> FinaleReply:
        """Answer a figure; never raises for what the answers do.

        Parameters
        ----------
        request : mapping
            ``before``, title and code of each answer; ``runs``, the full name of the course's
            class; and ``asked``, what its ``answer`` is given.
        """
        printed = io.StringIO()  # what the answers print is shown beside their exercises
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            numpy_only(True),
        ):
            try:
                answered = self._of(request["before"], request["runs"]).answer(request["asked"])
            except BaseException as error:
                file = _file_of(error)
                step = file.removeprefix(_ANSWER_TO)
                return FinaleReply(answered=None, error=explain(error, file), step=step)
        return FinaleReply(answered=answered, error=None, step="")

    def _of(self, answers: list[dict[str, str]], runs: str) -> Any:
        if self._answers != (answers, runs):
            names: dict[str, Any] = {"__name__": "__main__", "input": no_input}
            for answer in answers:
                exec(compile(answer["code"], _ANSWER_TO + answer["title"], "exec"), names)
            module, _, name = runs.rpartition(".")
            self._made = getattr(importlib.import_module(module), name)(names)
            self._answers = answers, runs
        return self._made


def _file_of(error: BaseException) -> str:
    """Return the file of the innermost frame that is an answer's; empty if there is none."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        files.append(error.filename or "")
    return next((file for file in reversed(files) if file.startswith(_ANSWER_TO)), "")
