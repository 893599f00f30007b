"""Which cells an exercise has in a notebook, whatever kind of notebook it is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from coursekit.model import Check, Choice, Exercise, FreeText, Numeric, Question
from coursekit.notebook.checks import check_code, form_code, question_code
from coursekit.notebook.commonmark import to_commonmark
from coursekit.notebook.references import References
from coursekit.source import STARTER, split

Role = Literal["statement", "figure", "hints", "answer", "restored", "checks", "check", "text"]

#: Module of the class which an exercise's ``explorable`` names.
EXPLORABLES = "attnlab.explorables"
WRITE_HERE = "*Write your answer here.*"
#: A figure's button on the page, which fills the answer in, and in a notebook, which copies it.
PAGE_BUTTON, NOTEBOOK_BUTTON = "Use as answer", "Copy as answer"
_HOW_TO_USE = (
    f"The figure below has a button, **{NOTEBOOK_BUTTON}**. Paste what it copies into the answer "
    "cell in place of the lines there, run that cell, then run the check."
)
_PASTE_HERE = (
    f'# Press "{NOTEBOOK_BUTTON}" in the figure above and paste here; run this, then the check:'
)
_FORM_ONLY = (
    "**Check the form of your answer**: run the cells below. They do not know what is right: that "
    "is graded when you have handed in."
)
#: Longest cell id that a notebook may have (characters).
_ID_LENGTH = 64


@dataclass(frozen=True, kw_only=True)
class Part:
    """One cell of an exercise.

    Attributes
    ----------
    exercise, item : str
        Id of the exercise; name of the check or question, where the cell has one.
    solved : str
        The source with the solution between ``### BEGIN SOLUTION`` and ``### END SOLUTION``
        (an answer), or with the rubric there (free text). Of a check that readers have in another
        form: what grades.
    points : float
        What the cell is worth.
    hidden : bool
        It is for the grader only.
    folded : bool
        Its code is of no interest to the reader.
    may_raise : bool
        An error in it is part of working on the exercise.
    """

    role: Role
    source: str
    exercise: str
    item: str = ""
    solved: str = ""
    points: float = 0.0
    hidden: bool = False
    folded: bool = False
    may_raise: bool = False

    @property
    def is_code(self) -> bool:
        """Whether it is a code cell."""
        return self.role in ("figure", "answer", "restored", "check")

    @property
    def id(self) -> str:
        """The cell's id, and its nbgrader grade id."""
        return cell_id(self.exercise, self.role, self.item)


def cell_id(exercise: str, role: Role, item: str = "") -> str:
    """Return the id of a cell: ``<exercise>-<role>-<item>``, cut by a hash where too long."""
    id = "-".join(part for part in (exercise, role, item) if part)
    if len(id) <= _ID_LENGTH:
        return id
    digest = hashlib.sha256(id.encode()).hexdigest()[:8]
    return f"{id[: _ID_LENGTH - 9]}-{digest}"


def exercise_parts(
    exercise: Exercise, references: References | None = None, *, practice: bool = True
) -> Iterator[Part]:
    """Yield the cells of an exercise in order, those of hidden checks included.

    ``practice=False`` is for work that earns marks: what readers have of a question's check looks
    at the form of the answer, and the right one is in `Part.solved` alone. An exercise that is
    declared practice says at once what is right in any case.
    """
    practice = practice or exercise.practice
    references = references or References()
    yield Part(role="statement", source=_statement(exercise, references), exercise=exercise.id)
    if exercise.explorable:
        yield _figure(exercise)
    if exercise.hints:
        yield Part(role="hints", source=_hints(exercise, references), exercise=exercise.id)
    if exercise.starter:
        yield _answer(exercise)
    if exercise.checks:
        told = _how_to_check(exercise) if practice or exercise.kind == "code" else _FORM_ONLY
        yield Part(role="checks", source=told, exercise=exercise.id)
        yield from _checks(exercise, practice)
    for question in exercise.free_text:
        yield from _text(exercise, question, references)


def _statement(exercise: Exercise, references: References) -> str:
    head = [f"### Exercise: {exercise.title}", f"*{_points(exercise.points)}*"]
    asked = [q for q in exercise.questions if not isinstance(q, FreeText)]
    number = len(asked) > 1
    body = [
        exercise.statement.replace(PAGE_BUTTON, NOTEBOOK_BUTTON),
        *([_HOW_TO_USE] if exercise.explorable and exercise.binds else []),
        *(_question(q, i, number) for i, q in enumerate(asked, 1)),
    ]
    return "\n\n".join(head + [to_commonmark(text, references) for text in body])


def _points(points: float) -> str:
    return f"{points:g} point{'s' if points != 1 else ''}"


def _question(question: Question, place: int, number: bool) -> str:
    text = f"**{place}.** {question.statement}" if number else question.statement
    if isinstance(question, Choice):
        options = [f"- **{key}**: {option.text}" for key, option in question.options.items()]
        text += "\n\n" + "\n".join(options)
    return f"{text}\n\n(Your answer goes into `{question.name}`.)"


def _figure(exercise: Exercise) -> Part:
    module, _, name = EXPLORABLES.rpartition(".")
    answers = f"answers={[*exercise.binds.values()]!r}" if exercise.binds else ""
    source = f"from {module} import {name}\n\n{name}.{exercise.explorable}({answers})"
    return Part(role="figure", source=source, exercise=exercise.id, folded=True)


def _hints(exercise: Exercise, references: References) -> str:
    texts = [to_commonmark(hint, references) for hint in exercise.hints]
    return "\n\n".join(
        f"<details><summary>Hint {number}</summary>\n\n{text}\n\n</details>"
        for number, text in enumerate(texts, 1)
    )


def _answer(exercise: Exercise) -> Part:
    def after_setup(code: str) -> str:
        # The comment speaks of the page's button, which a notebook does not have.
        code = re.sub(rf'^# .*"{PAGE_BUTTON}".*$', _PASTE_HERE, code, flags=re.MULTILINE)
        gap = "\n\n\n" if code.startswith(("def ", "class ", "@")) else "\n\n"
        return gap.join(text.strip("\n") for text in (exercise.setup, code) if text)

    starter = after_setup(exercise.starter)
    return Part(
        role="answer",
        source=starter,
        solved=after_setup(_solved(exercise)),
        exercise=exercise.id,
        may_raise=bool(re.search(r"^raise NotImplementedError", starter, re.MULTILINE)),
    )


def _solved(exercise: Exercise) -> str:
    """Return the learner's part with its solution between nbgrader's markers."""
    if exercise.questions:
        given = [f"{STARTER}{line}" for line in exercise.starter.splitlines()]
        lines = ["# BEGIN SOLUTION", *given, *exercise.solution.splitlines(), "# END SOLUTION"]
        text = "\n".join(lines)
    else:
        text = split(exercise.source).learner_text
    return re.sub(r"^([ \t]*)# (BEGIN|END) SOLUTION$", r"\1### \2 SOLUTION", text, flags=re.M)


def _how_to_check(exercise: Exercise) -> str:
    text = "**Check your answer**: run the cells below."
    hidden = [check for check in exercise.checks if check.hidden]
    if not hidden:
        return text
    points = sum(check.points for check in hidden)
    many = f"{len(hidden)} more checks run" if len(hidden) > 1 else "One more check runs"
    return f"{text} {many} when the work is graded ({_points(points)})."


def _checks(exercise: Exercise, practice: bool) -> Iterator[Part]:
    asked: dict[str, Choice | Numeric] = {
        q.name: q for q in exercise.questions if not isinstance(q, FreeText)
    }
    for check in exercise.checks:
        yield _check(exercise, check, asked.get(check.name), practice)


def _check(
    exercise: Exercise, check: Check, question: Choice | Numeric | None, practice: bool
) -> Part:
    code = question_code(exercise, question) if question else check_code(exercise, check)
    form = form_code(question) if question and not practice else ""
    return Part(
        role="check",
        source=form or code,
        solved=code if form else "",
        exercise=exercise.id,
        item=check.name,
        points=check.points,
        hidden=check.hidden,
        folded=True,
        may_raise=True,
    )


def _text(exercise: Exercise, question: FreeText, references: References) -> Iterator[Part]:
    asked = f"{to_commonmark(question.statement, references)}\n\n*{_points(question.points)}*"
    yield Part(role="statement", source=asked, exercise=exercise.id, item=question.name)
    rubric = [f"- {points:g}: {line}" for points, line in question.rubric]
    lines = ["### BEGIN SOLUTION", "What earns points:", "", *rubric, "### END SOLUTION"]
    yield Part(
        role="text",
        source=WRITE_HERE,
        solved="\n".join(lines),
        exercise=exercise.id,
        item=question.name,
        points=question.points,
    )
