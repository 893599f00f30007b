"""Ask to match each item on the left with one on the right.

Items on the left have numbers, those on the right letters; ``"2c"`` is the pair of 2 and c. An item
on the right may have several partners, or none. Partial credit is the share of right pairs; less
than half earns nothing.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from coursekit.errors import DefinitionError
from coursekit.judge.checks import RIGHT
from coursekit.judge.expect import CheckFailed
from coursekit.judge.verdict import NOT_STARTED
from coursekit.judge.which import which
from coursekit.kinds.base import LEAST_CREDIT, Listed, WithMistakes, earned_share, variable

Pairs = Mapping[str, str]

#: Fewer items on the left are found out by trying.
_MIN_LEFT = 3


@dataclass(frozen=True, kw_only=True)
class Match(WithMistakes):
    """Items to match; ``name`` is the variable that holds a letter for each number.

    Attributes
    ----------
    left, right : mapping of str to str
        Number, or letter, to MyST, in the order in which they are shown.
    answer : mapping of str to str
        The letter of each number.
    mistakes : mapping of str to tuple of str
        A misconception's id to what shows it: pairs such as ``"2c"``, or a letter, which is its
        item with any wrong partner.
    """

    kind: ClassVar[str] = "match"
    declared_with: ClassVar[tuple[str, ...]] = ("match",)
    minutes: ClassVar[float] = 3.0
    task: ClassVar[str] = "items to match"

    left: Mapping[str, str]
    right: Mapping[str, str]
    answer: Pairs
    failure_message: str = ""

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        shown = ", ".join(f'"{number}": "a"' for number in [*self.left][:2])
        return f"a letter for each number, such as {{{shown}}}"

    @property
    def answer_text(self) -> str:
        """The correct answer as MyST, for a card."""
        return "\n".join(f"- {self.left[n]}: {self.right[self.answer[n]]}" for n in self.left)

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        return [
            (dict(self.answer) | {pair[0]: pair[1]}, id)
            for id in self.mistakes
            for pair in self._pairs_of(id)
        ]

    @property
    def lists(self) -> tuple[Listed, ...]:
        """Both sides."""
        left = Listed("ck-left-side", self.left, on_paper="ck-write")
        right = Listed("ck-right-side", self.right, before="Each belongs to one of these:")
        return left, right

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed`, with partial credit, unless every pair is right."""
        pairs = _as_pairs(answer, [*self.left], [*self.right])
        wrong = [n for n in self.left if n in pairs and pairs[n] != self.answer[n]]
        right = len(pairs) - len(wrong)
        if right == len(self.left):
            return
        named = ((n, self.mistake_in(f"{n}{pairs[n]}")) for n in wrong)
        number, id = next(((n, id) for n, id in named if id), ("", None))
        parts = [f"{right} of the {len(self.left)} pairs {'is' if right == 1 else 'are'} right."]
        if without := len(self.left) - len(pairs):
            parts.append(f"{without} {'is' if without == 1 else 'are'} still to be made.")
        if number:
            parts.append(f"Look at {number} again.")
        message = " ".join((*parts, self.failure_message)).strip()
        raise CheckFailed(message, id, credit=earned_share(right / len(self.left)))

    def mistake_in(self, pair: str) -> str | None:
        """Return the misconception that a wrong pair shows, if it is one alone."""
        return which(self.mistakes, lambda pairs: pair in pairs or pair[1] in pairs)

    @property
    def form(self) -> dict[str, Any]:
        """The numbers and the letters."""
        return {"left": list(self.left), "right": list(self.right)}

    @classmethod
    def echo(cls, value: Any, form: Mapping[str, Any]) -> str:
        """Return the pairs as they were understood, or raise `CheckFailed`."""
        return " ".join(f"{n}{letter}" for n, letter in _as_pairs(value, **form).items())

    def declared(self) -> dict[str, Any]:
        """Return the arguments by which a cell declares what grades answers; no statement."""
        declared = super().declared() | {"answer": _joined(self.answer)}
        if self.mistakes:
            declared["mistakes"] = {id: " ".join(pairs) for id, pairs in self.mistakes.items()}
        return declared

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the question that `declared` was asked of, after JSON, without its text."""
        mistakes = {id: tuple(pairs.split()) for id, pairs in data.get("mistakes", {}).items()}
        return cls(statement="", **{**data, "answer": _split(data["answer"]), "mistakes": mistakes})

    def defects(self) -> Iterator[str]:
        """Yield what can be guessed, and wrong pairs that nothing explains."""
        if len(self.left) < _MIN_LEFT:
            yield f"has {len(self.left)} items to match; expected at least {_MIN_LEFT}"
        letter, most = Counter(self.answer.values()).most_common(1)[0]
        if most >= LEAST_CREDIT * len(self.left):
            yield f"gives points for {letter} everywhere"
        shown = sum(self.answer[n] == key for n, key in zip(self.left, self.right, strict=False))
        if shown >= LEAST_CREDIT * len(self.left):
            yield f"has {shown} pairs side by side; shuffle them"
        for number in self.left:
            for key in self.right:
                if key != self.answer[number] and self.mistake_in(f"{number}{key}") is None:
                    yield f"the wrong pair {number}{key} shows no mistake, or several"

    def _pairs_of(self, id: str) -> Iterator[str]:
        """Yield the wrong pairs that show a mistake."""
        for entry in self.mistakes[id]:
            numbers = self.left if len(entry) == 1 else entry[0]
            yield from (f"{n}{entry[-1]}" for n in numbers if self.answer[n] != entry[-1])

    def _graded_with(self) -> dict[str, Any]:
        return {
            "left": list(self.left),
            "right": list(self.right),
            "answer": _joined(self.answer).split(),
            "mistakes": [{"id": id, "pairs": list(p)} for id, p in self.mistakes.items()],
        }


def _as_pairs(answer: Any, left: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """Return an answer as the letter of each number, or raise `CheckFailed`."""
    if answer is Ellipsis or (isinstance(answer, dict | list | tuple | str) and not len(answer)):
        raise CheckFailed("No answer yet.", NOT_STARTED)
    if isinstance(answer, str):
        items: list[tuple[Any, Any]] = [(w[:1], w[1:]) for w in answer.replace(",", " ").split()]
    elif isinstance(answer, dict):
        items = [*answer.items()]
    elif isinstance(answer, list | tuple) and len(answer) == len(left):
        items = [*zip(left, answer, strict=True)]
    elif isinstance(answer, list | tuple):
        raise CheckFailed(f"Your list has length {len(answer)}; expected {len(left)} letters.")
    else:
        raise CheckFailed(
            f"Your answer is of type {type(answer).__name__}; expected a dict with a letter for "
            "each number."
        )
    return _known(items, left, right)


def _known(
    items: Sequence[tuple[Any, Any]], left: Sequence[str], right: Sequence[str]
) -> dict[str, str]:
    """Return pairs in the order of the left side, or raise `CheckFailed`."""
    pairs: dict[str, str] = {}
    for key, value in items:
        number, letter = str(key).strip(), str(value).strip().lower()
        if value is Ellipsis:
            continue
        if number not in left or letter not in right:
            raise CheckFailed(
                f"{reprlib.repr(key)} with {reprlib.repr(value)} is not a pair; expected one of "
                f"{', '.join(left)} with one of {', '.join(right)}."
            )
        if number in pairs:
            raise CheckFailed(f"{number} has two partners in your answer; give it one.")
        pairs[number] = letter
    if not pairs:
        raise CheckFailed("No answer yet.", NOT_STARTED)
    return {number: pairs[number] for number in left if number in pairs}


def _joined(pairs: Pairs) -> str:
    return " ".join(f"{number}{letter}" for number, letter in pairs.items())


def _split(text: str) -> dict[str, str]:
    return {pair[0]: pair[1:] for pair in text.split()}


def match(
    name: str,
    statement: str,
    *,
    left: Mapping[str, str],
    right: Mapping[str, str],
    answer: str,
    mistakes: Mapping[str, str] | None = None,
    success_message: str = RIGHT,
    failure_message: str = "",
    points: float = 1.0,
) -> Match:
    """Return a question that matches ``left``, by number, to ``right``, by letter. Both are MyST.

    ``answer`` has every right pair, ``"1c 2a 3c"``; letters in none of them are distractors.
    ``mistakes`` maps misconception ids to the wrong pairs that show them, ``"1a 2c"``; a letter
    alone, ``"d"``, is its item with any wrong partner. Of several wrong pairs the first is named.
    """
    made = Match(
        name=variable(name),
        statement=statement,
        left=dict(left),
        right=dict(right),
        answer=_split(answer),
        mistakes={id: tuple(pairs.split()) for id, pairs in (mistakes or {}).items()},
        success_message=success_message,
        failure_message=failure_message,
        points=points,
    )
    if list(left) != [str(number) for number in range(1, len(left) + 1)] or len(left) > 9:
        raise DefinitionError(f"match {name}: left has the keys {[*left]}; expected 1, 2, 3 …")
    if any(len(key) != 1 or not "a" <= key <= "z" for key in right):
        raise DefinitionError(f"match {name}: right has the keys {[*right]}; expected a, b, c …")
    if [*made.answer] != [*left] or not set(made.answer.values()) <= set(right):
        raise DefinitionError(f"match {name}: answer={answer!r} is not one pair for each number")
    for id, pairs in made.mistakes.items():
        for pair in pairs:
            if pair[-1] not in right or (pair[:-1] and pair[:-1] not in left):
                raise DefinitionError(f"match {name}: the mistake {id!r} has no pair in {pair!r}")
            if len(pair) == 2 and made.answer[pair[0]] == pair[1]:
                raise DefinitionError(f"match {name}: the mistake {id!r} has the right pair {pair}")
    return made
