"""How an exercise file declares the questions of its quiz."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Mapping, Sequence

from coursekit.checks import RIGHT, WRONG
from coursekit.errors import DefinitionError
from coursekit.free_text import Example, FreeText
from coursekit.questions import Choice, Numeric, Option


def option(
    text: str,
    *,
    correct: bool = False,
    success_message: str = "",
    failure_message: str = "",
    misconception: str | None = None,
) -> Option:
    """Return one option of a :func:`choice`.

    The correct one has a ``success_message``: why it is correct. Every other has a
    ``failure_message``, and names the ``misconception`` of those who pick it.
    """
    if correct == (misconception is not None):
        raise DefinitionError(
            f"option {text!r}: wrong options name a misconception, correct ones none"
        )
    messages = (bool(success_message.strip()), bool(failure_message.strip()))
    if messages != (correct, not correct):
        needed, other = "success_message", "failure_message"
        if not correct:
            needed, other = other, needed
        kind = "correct" if correct else "wrong"
        raise DefinitionError(f"option {text!r}: a {kind} option has a {needed} and no {other}")
    return Option(
        text=text,
        correct=correct,
        success_message=success_message,
        failure_message=failure_message,
        misconception=misconception,
    )


def choice(
    name: str, statement: str, options: Mapping[str, Option], *, points: float = 1.0
) -> Choice:
    """Return a multiple-choice question with exactly one correct option. Keys are a, b, c …"""
    correct = sum(option.correct for option in options.values())
    if correct != 1:
        raise DefinitionError(f"choice {name}: {correct} options are correct; expected exactly 1")
    return Choice(name=_variable(name), statement=statement, options=dict(options), points=points)


def numeric(
    name: str,
    statement: str,
    *,
    answer: Sequence[float] | float,
    tolerance: float,
    mistakes: Mapping[str, Sequence[float] | float] | None = None,
    unit: str = "",
    success_message: str = RIGHT,
    failure_message: str = WRONG,
    points: float = 1.0,
) -> Numeric:
    """Return a numeric question; ``mistakes`` maps misconception ids to the values they give.

    ``success_message`` says in a sentence why the answer is correct; ``failure_message`` is
    shown with a wrong answer that fits none of the mistakes.
    """
    return Numeric(
        name=_variable(name),
        statement=statement,
        answer=answer,
        tolerance=tolerance,
        mistakes=dict(mistakes or {}),
        unit=unit,
        success_message=success_message,
        failure_message=failure_message,
        points=points,
    )


def free_text(
    name: str,
    statement: str,
    *,
    rubric: Sequence[tuple[float, str]],
    examples: Sequence[Example] = (),
) -> FreeText:
    """Return a prose question; ``rubric`` lists points and what earns them.

    ``examples`` are answers from weak to excellent, each made by :func:`example`: graders see them
    with the rubric, readers after they have written their own.
    """
    rubric = tuple(rubric)
    for one in examples:
        where = f"free_text {name}: the {one.quality} example"
        if len(one.points) != len(rubric):
            raise DefinitionError(
                f"{where} has {len(one.points)} points; expected one for each of the "
                f"{len(rubric)} lines of the rubric"
            )
        for points, (most, line) in zip(one.points, rubric, strict=True):
            if not 0 <= points <= most:
                raise DefinitionError(
                    f"{where} has {points:g} points for {line!r}; expected 0 to {most:g}"
                )
    return FreeText(
        name=_variable(name), statement=statement, rubric=rubric, examples=tuple(examples)
    )


def example(quality: str, text: str, *, points: Sequence[float], why: str) -> Example:
    """Return an example answer of a :func:`free_text`.

    ``points`` has what each line of the rubric gives it, and ``why`` says for what, and what is
    missing.
    """
    for what, words in (("quality", quality), ("text", text), ("why", why)):
        if not words.strip():
            raise DefinitionError(f"example {quality!r}: {what} is empty")
    return Example(quality=quality, text=text, points=tuple(points), why=why)


def _variable(name: str) -> str:
    if not name.isidentifier():
        raise DefinitionError(
            f"question {name!r}: its name is the answer's variable, such as weights"
        )
    if hasattr(builtins, name) or keyword.iskeyword(name):
        raise DefinitionError(
            f"question {name!r}: Python has a meaning for this name; take another, such as weights"
        )
    return name
