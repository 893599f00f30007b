"""Ask for prose that a person grades, with a rubric and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from coursekit.errors import DefinitionError
from coursekit.kinds.base import Fold, Question, variable


@dataclass(frozen=True, kw_only=True)
class Example:
    """An answer of a known quality, with the points that it earns.

    Attributes
    ----------
    quality : str
        How good it is, in a word: ``"weak"``, ``"excellent"``.
    text : str
        The answer as somebody might write it. MyST.
    points : tuple of float
        What each line of the rubric gives it, in the rubric's order.
    why : str
        Why these points, and what is missing. MyST.
    """

    quality: str
    text: str
    points: tuple[float, ...]
    why: str

    @property
    def total(self) -> float:
        """The sum of its points."""
        return sum(self.points)


@dataclass(frozen=True, kw_only=True)
class FreeText(Question):
    """A question answered in prose and graded by a person with ``rubric``.

    ``examples`` show instructors, and readers who have written their own answer, what the rubric
    means: from the weakest to the best.
    """

    kind: ClassVar[str] = "text"
    declared_with: ClassVar[tuple[str, ...]] = ("free_text",)
    minutes: ClassVar[float] = 8.0
    task: ClassVar[str] = "an answer in your own words"
    room: ClassVar[int] = 7

    rubric: Sequence[tuple[float, str]]
    examples: Sequence[Example] = ()

    @property
    def points(self) -> float:
        """The sum of the rubric's points."""
        return sum(points for points, _ in self.rubric)

    @property
    def folds(self) -> tuple[Fold, ...]:
        """The rubric, and in it the examples."""
        lines = (
            f"- {text} ({points:g} point{'' if points == 1 else 's'})"
            for points, text in self.rubric
        )
        examples = tuple(
            Fold("ck-example", title, "\n".join([*_quoted(example.text), "", text]))
            for title, example, text in self._headed()
        )
        return (Fold("ck-rubric", "What a good answer says", "\n".join(lines), examples),)

    def told(self, written: Callable[[str], str]) -> list[str]:
        """Return the lines of the rubric and the examples for a notebook's cell.

        ``written`` makes of MyST what the cell has.
        """
        rubric = [f"- {points:g}: {text}" for points, text in self.rubric]
        lines = ["What earns points:", "", *rubric]
        for title, example, text in self._headed():
            quoted = _quoted(written(example.text))
            lines += ["", f"**{title}**", "", *quoted, "", written(text)]
        return lines

    def defects(self) -> Iterator[str]:
        """Yield what leaves graders alone, and examples that teach nothing."""
        if not self.rubric or any(points <= 0 for points, _ in self.rubric):
            yield "needs a rubric in which every line is worth points"
        totals = [example.total for example in self.examples]
        if totals != sorted(set(totals)):
            yield f"has examples worth {totals}; expected each to be better than the one before"
        if totals and totals[-1] < self.points:
            yield f"has a best example worth {totals[-1]:g} of {self.points:g} points; expected all"

    def _headed(self) -> Iterator[tuple[str, Example, str]]:
        """Yield for each example a title, itself, and the points of each line with their reason."""
        most = [points for points, _ in self.rubric]
        for example in self.examples:
            title = f"{example.quality.capitalize()} answer: {example.total:g} of {self.points:g}"
            lines = zip(example.points, most, strict=True)
            earned = ", ".join(f"{points:g} of {full:g}" for points, full in lines)
            yield f"{title} points", example, f"Line by line: {earned}. {example.why}"


def _quoted(text: str) -> list[str]:
    return [f"> {line}".rstrip() for line in text.splitlines()]


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
        name=variable(name), statement=statement, rubric=rubric, examples=tuple(examples)
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
