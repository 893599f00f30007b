"""Register the kinds of question: a line for each here, and all else in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coursekit.judge.expect import CheckFailed, not_defined
from coursekit.kinds.base import AutoGraded, Question
from coursekit.kinds.choice import Choice, Option, choice, option
from coursekit.kinds.match import Match, match
from coursekit.kinds.numeric import Numeric, numeric
from coursekit.kinds.parsons import Parsons, parsons
from coursekit.kinds.text import FreeText, example, free_text

__all__ = [
    "Choice",
    "FreeText",
    "Match",
    "Numeric",
    "Option",
    "Parsons",
    "choice",
    "example",
    "free_text",
    "match",
    "numeric",
    "option",
    "parsons",
]

KINDS: tuple[type[Question], ...] = (Choice, Numeric, Parsons, Match, FreeText)
_GRADED = {kind.kind: kind for kind in KINDS if issubclass(kind, AutoGraded)}


def question_data(question: AutoGraded) -> dict[str, Any]:
    """Return all that grades a question, ready for JSON but for dataclasses."""
    return {"kind": question.kind, **question.declared()}


def question_of(data: Mapping[str, Any]) -> AutoGraded:
    """Return the question that `question_data` was given, without its text.

    Raises
    ------
    KeyError, TypeError
        The data are another version's.
    """
    given = {key: value for key, value in data.items() if key != "kind"}
    return _GRADED[data["kind"]].from_data(given)


def check_form(name: str, names: Mapping[str, Any], *, kind: str, **form: Any) -> None:
    """Print in a notebook whether an answer can be graded, and not whether it is correct.

    Parameters
    ----------
    name : str
        The answer's variable.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    kind, **form : str, objects
        The kind of question, and the form of its answers: its `AutoGraded.form`.

    Raises
    ------
    CheckFailed
        There is no answer, or it does not have this form.
    """
    try:
        print(form_of(name, names, kind=kind, **form))
    except CheckFailed as failed:
        raise CheckFailed(f"✗ {name}\n{failed.message}", failed.misconception) from None


def form_of(name: str, names: Mapping[str, Any], *, kind: str, **form: Any) -> str:
    """Return what `check_form` prints, or raise `CheckFailed` with the bare reason."""
    if name not in names:
        raise not_defined(name)
    answer = _GRADED[kind].echo(names[name], form)
    return f"Your answer to {name} is {answer}. It is graded when you have handed in."
