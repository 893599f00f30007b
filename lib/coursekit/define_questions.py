"""How an exercise file declares the questions of its quiz."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise

from coursekit._free_text import Example, FreeText
from coursekit._parsons import Parsons, depth_of
from coursekit.checks import RIGHT, WRONG
from coursekit.errors import DefinitionError
from coursekit.orders import Order
from coursekit.picture import RIGHT as RIGHT_PARTS
from coursekit.picture import Picture
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
    name: str,
    statement: str,
    options: Mapping[str, Option],
    *,
    points: float = 1.0,
    picture: Picture | None = None,
) -> Choice:
    """Return a multiple-choice question with exactly one correct option. Keys are a, b, c …"""
    correct = sum(option.correct for option in options.values())
    if correct != 1:
        raise DefinitionError(f"choice {name}: {correct} options are correct; expected exactly 1")
    ids = {id for option in options.values() if (id := option.misconception)}
    _check_picture(name, picture, ids)
    return Choice(
        name=_variable(name),
        statement=statement,
        options=dict(options),
        points=points,
        picture=picture,
    )


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
    picture: Picture | None = None,
) -> Numeric:
    """Return a numeric question; ``mistakes`` maps misconception ids to the values they give.

    ``success_message`` says in a sentence why the answer is correct; ``failure_message`` is
    shown with a wrong answer that fits none of the mistakes. ``picture`` draws what answers mean.
    """
    _check_picture(name, picture, mistakes or {})
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
        picture=picture,
    )


def _check_picture(name: str, picture: Picture | None, ids: Container[str]) -> None:
    for id in picture.means if picture else ():
        if id != RIGHT_PARTS and id not in ids:
            raise DefinitionError(f"{name}: the picture has {id!r}, which is none of its mistakes")


def parsons(
    name: str,
    statement: str,
    *,
    lines: Mapping[str, str],
    orders: Sequence[str],
    mistakes: Mapping[str, str] | None = None,
    works: Callable[[str], bool] | None = None,
    success_message: str = RIGHT,
    failure_message: str = "",
    points: float = 1.0,
) -> Parsons:
    """Return a Parsons problem: ``lines``, by letter and as they are shown, to put in order.

    ``orders`` has every right answer as letters, ``"c a >b"`` with b indented once. Lines in none
    of them are distractors. ``mistakes`` maps misconception ids to patterns: ``"b a"`` is b before
    a, ``"d"`` is d used at all, ``"|b"`` and ``">b"`` are b at the margin and indented once, and
    ``"!b"`` is b missing where fewer lines are missing than there. The first that fits is named.
    ``works`` tells whether the assembled text does what is asked; the self-test uses it.
    """
    made = Parsons(
        name=_variable(name),
        statement=statement,
        lines=dict(lines),
        orders=tuple(tuple(order.split()) for order in orders),
        mistakes={id: tuple(pattern.split()) for id, pattern in (mistakes or {}).items()},
        works=works,
        success_message=success_message,
        failure_message=failure_message,
        points=points,
    )
    if not made.orders or not all(made.orders):
        raise DefinitionError(f"parsons {name}: has no right order")
    for letters in made.orders:
        _check_order(made, letters)
    for id, pattern in made.mistakes.items():
        if not pattern or any(entry[-1] not in made.lines for entry in pattern):
            raise DefinitionError(f"parsons {name}: the mistake {id!r} names an unknown line")
        if len(pattern) > 1 and any(entry[0] == "!" for entry in pattern):
            raise DefinitionError(
                f"parsons {name}: the mistake {id!r} joins an absent line with others; "
                'expected "!c" alone'
            )
    return made


def _check_order(question: Parsons, order: Order) -> None:
    """Refuse an order that no answer could have."""
    keys, shown = [entry[-1] for entry in order], " ".join(order)
    if not set(keys) <= set(question.lines) or len(set(keys)) != len(keys):
        raise DefinitionError(
            f"parsons {question.name}: the order {shown!r} has an unknown line, or one twice"
        )
    if any(len(k) != 1 or not "a" <= k <= "z" for k in question.lines):
        raise DefinitionError(f"parsons {question.name}: lines have letters from a to z")
    depths = [0, *map(depth_of, order)]
    if depths[1] or any(b > a + 1 for a, b in pairwise(depths)):
        raise DefinitionError(
            f"parsons {question.name}: the order {shown!r} indents a line too far"
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
