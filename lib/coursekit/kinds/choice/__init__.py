"""Ask to choose one of several options, each with what it tells those who pick it."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from coursekit.calls import call
from coursekit.errors import DefinitionError
from coursekit.judge.expect import CheckFailed
from coursekit.judge.verdict import NOT_STARTED
from coursekit.kinds.base import AutoGraded, Listed, variable


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option of a multiple-choice question.

    The one that is ``correct`` has a ``success_message``; every other has a ``failure_message``
    and names its ``misconception``.
    """

    text: str
    correct: bool = False
    success_message: str = ""
    failure_message: str = ""
    misconception: str | None = None


@dataclass(frozen=True, kw_only=True)
class Choice(AutoGraded):
    """A multiple-choice question; ``name`` is the variable that holds the answer's letter."""

    kind: ClassVar[str] = "choice"
    declared_with: ClassVar[tuple[str, ...]] = ("choice", "option")
    explains_itself: ClassVar[bool] = True

    options: Mapping[str, Option]

    @property
    def answer(self) -> str:
        """The letter of the correct option."""
        return next(key for key, option in self.options.items() if option.correct)

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        return "one of " + ", ".join(f'"{key}"' for key in self.options)

    @property
    def answer_text(self) -> str:
        """The correct answer as MyST, for a card."""
        return f"{self.answer}) {self.options[self.answer].text}"

    @property
    def why(self) -> str:
        """Why the answer is correct, as plain text."""
        return self.options[self.answer].success_message

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        options = self.options.items()
        return [(key, o.misconception) for key, o in options if o.misconception is not None]

    @property
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""
        return {
            f"option {key}: {name}": text
            for key, option in self.options.items()
            for name, text in (
                ("success_message", option.success_message),
                ("failure_message", option.failure_message),
            )
        }

    @property
    def lists(self) -> tuple[Listed, ...]:
        """The options."""
        texts = {key: option.text for key, option in self.options.items()}
        return (Listed("ck-options", texts, on_paper="ck-tick"),)

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed` unless the answer is the letter of the correct option."""
        option = self.options[_key(answer, self.options)]
        if not option.correct:
            raise CheckFailed(option.failure_message, option.misconception)

    @property
    def form(self) -> dict[str, Any]:
        """The letters to choose from."""
        return {"options": list(self.options)}

    @classmethod
    def echo(cls, value: Any, form: Mapping[str, Any]) -> str:
        """Return the letter of an option, or raise `CheckFailed`."""
        return _key(value, form["options"])

    def declared(self) -> dict[str, Any]:
        """Return the arguments by which a cell declares what grades answers; no statement."""
        options = {
            key: call("option", **{k: v for k, v in asdict(option).items() if v})
            for key, option in self.options.items()
        }
        return super().declared() | {"options": options}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the question that `declared` was asked of, after JSON, without its text."""
        options = {key: Option(**option) for key, option in data["options"].items()}
        return cls(statement="", **{**data, "options": options})

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        options = [
            {
                "key": key,
                "correct": option.correct,
                "success_message": option.success_message,
                "failure_message": option.failure_message,
                "misconception": option.misconception,
            }
            for key, option in self.options.items()
        ]
        return super().as_json() | {"options": options}

    def defects(self) -> Iterator[str]:
        """Yield that there is nothing to choose from."""
        if len(self.options) < 2:
            yield "has one option"


def _key(answer: Any, options: Collection[str]) -> str:
    if answer is Ellipsis:
        raise CheckFailed("No answer yet.", NOT_STARTED)
    key = str(answer).strip().lower()
    if key not in options:
        keys = ", ".join(options)
        seen = reprlib.repr(answer)  # Some learners give a whole page.
        raise CheckFailed(f"{seen} is none of the options; expected one of {keys}.")
    return key


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
    return Choice(name=variable(name), statement=statement, options=dict(options), points=points)
