"""What an exercise is made of: checks, questions, wrong answers.

Exercise files make these through :mod:`coursekit.define`; everything else reads them from here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from coursekit._free_text import FreeText
from coursekit._parsons import Parsons
from coursekit.checks import RESERVED, Check
from coursekit.questions import AutoGraded, Choice, Numeric, Option, Question
from coursekit.verdict import BUILT_IN, CHECK_ERROR

__all__ = [
    "BUILT_IN",
    "CHECK_ERROR",
    "RESERVED",
    "AutoGraded",
    "Check",
    "Choice",
    "Exercise",
    "FreeText",
    "Numeric",
    "Option",
    "Parsons",
    "Question",
    "Wrong",
]


#: Packages that Pyodide, which runs the exercises of a page, has no build of.
NOT_IN_PAGES = frozenset({"jax", "tensorflow", "torch"})


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """A plausible wrong answer, which the exercise must reject and explain.

    At least one check must report ``misconception``, and none another one that is not listed in
    ``also``: what a learner is told must be true of the answer.
    """

    misconception: str
    code: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Everything that one exercise file declares.

    The first block is what :func:`~coursekit.define.exercise` or
    :func:`~coursekit.define.quiz` was given; the second is read by the bank from the file and
    its path.
    ``withhold`` has full names of library functions: see `coursekit.grade.learner.withhold`. What
    a learner has to do without is ``withheld``, the names of all exercises of the chapter together.
    ``starter``, ``solution``, wrong and other right answers run after ``setup``, and that after the
    answers to the exercises ``used``: those that ``uses`` names and all that they use in turn.
    """

    title: str
    version: int = 1
    hints: tuple[str, ...] = ()
    misconceptions: Mapping[str, str] = field(default_factory=dict)
    practice: bool = False
    explorable: str | None = None
    recalled: bool = True
    binds: Mapping[str, str] = field(default_factory=dict)
    withhold: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    stand_in: str = ""
    files: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    id: str = ""
    chapter: str = ""
    statement: str = ""
    setup: str = ""
    starter: str = ""
    solution: str = ""
    checks: tuple[Check, ...] = ()
    wrong: Mapping[str, Wrong] = field(default_factory=dict)
    also_right: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    path: str = ""
    used: tuple[Exercise, ...] = ()
    withheld: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["code", "quiz"]:
        """``"quiz"`` or ``"code"``."""
        return "quiz" if self.questions else "code"

    @property
    def points(self) -> float:
        """All points, those for free text included."""
        return sum(check.points for check in self.checks) + sum(q.points for q in self.free_text)

    @property
    def free_text(self) -> tuple[FreeText, ...]:
        """The questions that a person grades."""
        return tuple(q for q in self.questions if isinstance(q, FreeText))

    @property
    def auto_graded(self) -> tuple[AutoGraded, ...]:
        """The questions that are graded without a person."""
        return tuple(q for q in self.questions if not isinstance(q, FreeText))

    @property
    def answers(self) -> dict[str, Any]:
        """The correct answer of every question that has one, by its variable."""
        return {question.name: question.answer for question in self.auto_graded}

    def answer_cell(self, answers: Mapping[str, Any]) -> str:
        """Return a quiz's answer cell: one assignment a question, ``...`` where unanswered.

        Free text has its own cell and no line here.
        """
        lines = []
        for question in self.auto_graded:
            value = answers.get(question.name, ...)
            code = "..." if value is ... else repr(value)
            lines.append(f"{question.name} = {code}  # {question.answer_form}\n")
        return "".join(lines)

    @property
    def stand_in_code(self) -> str:
        """The import of what stands in for an answer; empty where nothing does."""
        if not self.stand_in:
            return ""
        return f"from {self.stand_in} import {', '.join(sorted(self.names))}\n"

    @property
    def without_torch(self) -> bool:
        """Whether it is an exercise in code that is to be solved with NumPy."""
        return not self.questions and "torch" not in self.notebook_only

    @property
    def groundwork(self) -> str:
        """The model solutions of the exercises that this one uses, as code that runs before."""
        return "".join(f"{used.setup}\n\n\n{used.solution}\n\n" for used in self.used)

    @cached_property
    def notebook_only(self) -> tuple[str, ...]:
        """The packages that its file imports and no page can run: it is for notebooks only."""
        nodes = [] if self.questions else list(ast.walk(ast.parse(self.source)))
        modules = [a.name for node in nodes if isinstance(node, ast.Import) for a in node.names]
        modules += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
        packages = {part for module in modules for part in module.split(".")}
        return tuple(sorted(packages & NOT_IN_PAGES))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the learner defines, in order of first use by a check (or question)."""
        names = [name for check in self.checks for name in check.names]
        names += [question.name for question in self.questions]
        return tuple(dict.fromkeys(names))


def withheld_by(exercises: Iterable[Exercise]) -> tuple[str, ...]:
    """Return what grading takes away from all cells of a notebook with these exercises."""
    return tuple(sorted({name for exercise in exercises for name in exercise.withhold}))
