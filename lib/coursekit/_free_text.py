"""Questions that are answered in prose and graded by a person, with a rubric and examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


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
class FreeText:
    """A question answered in prose and graded by a person with ``rubric``.

    ``examples`` show instructors, and readers who have written their own answer, what the rubric
    means: from the weakest to the best.
    """

    kind: ClassVar = "text"

    name: str
    statement: str
    rubric: Sequence[tuple[float, str]]
    examples: Sequence[Example] = ()

    @property
    def points(self) -> float:
        """The sum of the rubric's points."""
        return sum(points for points, _ in self.rubric)

    def headed(self) -> Iterator[tuple[str, str, Example]]:
        """Yield for each example a title, the points of each line of the rubric, and itself."""
        most = [points for points, _ in self.rubric]
        for example in self.examples:
            title = f"{example.quality.capitalize()} answer: {example.total:g} of {self.points:g}"
            lines = zip(example.points, most, strict=True)
            earned = ", ".join(f"{points:g} of {full:g}" for points, full in lines)
            yield f"{title} points", f"Line by line: {earned}.", example

    def as_json(self) -> dict[str, Any]:
        """Return what a page knows of the question."""
        return {"kind": self.kind, "name": self.name, "points": self.points}
