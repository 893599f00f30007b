"""Which cells an exercise has in a notebook of any kind: a reader's, a student's, nbgrader's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from coursekit.command import counted
from coursekit.course import course_of
from coursekit.errors import DefinitionError
from coursekit.model import AutoGraded, Check, Exercise, FreeText
from coursekit.notebook.check_cells import check_code, form_code, question_code, reader_code
from coursekit.notebook.commonmark import folded, to_commonmark
from coursekit.notebook.references import References
from coursekit.notebook.statements import NOTEBOOK_BUTTON, PAGE_BUTTON, statement
from coursekit.source import STARTER, split

Role = Literal[
    "statement",
    "figure",
    "hints",
    "answer",
    "restored",
    "checks",
    "check",
    "text",
    "rubric",
]

#: What stands in a cell for prose before the student's answer.
WRITE_HERE = "*Write your answer here.*"
_PASTE_HERE = (
    f'# Press "{NOTEBOOK_BUTTON}" in the figure above and paste here; run this, then the check:'
)
_FORM_ONLY = (
    "**Check the form of your answer**: run the {} below. This cannot tell whether it is right; "
    "that is graded after you have handed in your work."
)
#: Longest cell id that a notebook may have (characters).
_ID_LENGTH = 64


@dataclass(frozen=True, kw_only=True)
class ExerciseCell:
    """One cell of an exercise.

    Attributes
    ----------
    role : str
        What the cell is for.
    source : str
        What readers get.
    exercise, item : str
        Id of the exercise; name of the check or question, where the cell belongs to one.
    solved : str
        The source with the solution between ``### BEGIN SOLUTION`` and ``### END SOLUTION``
        (an answer), or with the rubric there (free text). For a check that readers get in another
        form, the code that grades.
    points : float
        What the cell is worth.
    hidden : bool
        Only the grader gets the cell.
    folded : bool
        The notebook hides the cell's code until the reader opens it.
    may_raise : bool
        An exception in the cell is part of working on the exercise.
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
    """Return a cell's id, ``<exercise>-<role>-<item>``; a hash ends one that would be too long."""
    id = "-".join(part for part in (exercise, role, item) if part)
    if len(id) <= _ID_LENGTH:
        return id
    digest = hashlib.sha256(id.encode()).hexdigest()[:8]
    return f"{id[: _ID_LENGTH - 9]}-{digest}"


def cells_of(
    exercise: Exercise,
    references: References | None = None,
    *,
    practice: bool = True,
    together: bool = False,
    by_name: bool = False,
) -> Iterator[ExerciseCell]:
    """Yield the cells of an exercise in order, including those of hidden checks.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    references : References, optional
        What its texts may refer to.
    practice : bool
        Whether readers get cells that tell at once if the answer to a question is right. With
        False, for work that earns marks, they check the form of the answer, and only
        `ExerciseCell.solved` holds the right one. An exercise that is declared as practice always
        tells.
    together : bool
        Whether one cell runs all visible checks, as readers have it. Otherwise each check has its
        own cell, as nbgrader wants it: it grades by cells, and reports by them.
    by_name : bool
        With ``together``: whether that cell names the exercise, which the library beside the
        notebook has, or carries its checks.
    """
    solution = exercise.solution if practice and exercise.practice else ""
    practice = practice or exercise.practice
    references = references or References()
    yield ExerciseCell(
        role="statement", source=statement(exercise, references), exercise=exercise.id
    )
    if exercise.explorable:
        yield _figure(exercise)
    if exercise.hints:
        yield ExerciseCell(role="hints", source=_hints(exercise, references), exercise=exercise.id)
    if exercise.starter:
        yield _answer(exercise)
    if exercise.checks and together:
        if exercise.questions and not practice:
            form_only = _FORM_ONLY.format("cell")
            yield ExerciseCell(role="checks", source=form_only, exercise=exercise.id)
        yield _reader_check(exercise, practice, solution, by_name)
    elif exercise.checks:
        how = f"**Check your answer**: run the {{}} below. {_hidden_checks(exercise)}".strip()
        how = how if practice or exercise.kind == "code" else _FORM_ONLY
        yield ExerciseCell(role="checks", source=how.format("cells"), exercise=exercise.id)
        questions = {question.name: question for question in exercise.auto_graded}
        for check in exercise.checks:
            yield _check(exercise, check, questions.get(check.name), practice)
    for question in exercise.free_text:
        yield from _text(exercise, question, references, practice)


def _figure(exercise: Exercise) -> ExerciseCell:
    package, _, name = course_of(exercise.path).explorables.rpartition(".")
    if not name:
        raise DefinitionError(
            f"{exercise.path}: shows the figure {exercise.explorable!r}, but the course names no "
            'module of figures; add explorables = "mylib.explorables" to '
            "[project.entry-points.coursekit] in its pyproject.toml"
        )
    imports = f"from {package} import {name}" if package else f"import {name}"
    answers = f"answers={[*exercise.binds.values()]!r}" if exercise.binds else ""
    source = f"{imports}\n\n{name}.{exercise.explorable}({answers})"
    return ExerciseCell(role="figure", source=source, exercise=exercise.id, folded=True)


def _hints(exercise: Exercise, references: References) -> str:
    texts = [to_commonmark(hint, references) for hint in exercise.hints]
    return "\n\n".join(folded(f"Hint {number}", text) for number, text in enumerate(texts, 1))


def _answer(exercise: Exercise) -> ExerciseCell:
    def with_setup(code: str) -> str:
        # The starter's comment names the page's button, which a notebook does not have.
        code = re.sub(rf'^# .*"{PAGE_BUTTON}".*$', _PASTE_HERE, code, flags=re.MULTILINE)
        gap = "\n\n\n" if code.startswith(("def ", "class ", "@")) else "\n\n"
        return gap.join(text.strip("\n") for text in (exercise.setup, code) if text)

    starter = with_setup(exercise.starter)
    return ExerciseCell(
        role="answer",
        source=starter,
        solved=with_setup(_solved(exercise)),
        exercise=exercise.id,
        # A placeholder that stands at the top, or that a print at the top calls.
        may_raise=bool(re.search(r"^(raise NotImplementedError|print\()", starter, re.MULTILINE)),
    )


def _solved(exercise: Exercise) -> str:
    """Return the learner's part with its solution between nbgrader's markers."""
    if exercise.questions:
        starter = [f"{STARTER}{line}" for line in exercise.starter.splitlines()]
        lines = ["# BEGIN SOLUTION", *starter, *exercise.solution.splitlines(), "# END SOLUTION"]
        text = "\n".join(lines)
    else:
        text = split(exercise.source).learner_text
    return re.sub(r"^([ \t]*)# (BEGIN|END) SOLUTION$", r"\1### \2 SOLUTION", text, flags=re.M)


def _reader_check(exercise: Exercise, practice: bool, solution: str, by_name: bool) -> ExerciseCell:
    """Return the cell that runs all visible checks; its first line is seen where it is folded."""
    hidden = sum(check.hidden for check in exercise.checks)
    later = f" ({counted(hidden, 'more check')} when graded)" if hidden else ""
    title = f"Check your answer: run this cell{later}"
    code = reader_code(exercise, title, practice=practice, solution=solution, by_name=by_name)
    return ExerciseCell(role="check", source=code, exercise=exercise.id, folded=True)


def _hidden_checks(exercise: Exercise) -> str:
    hidden = [check for check in exercise.checks if check.hidden]
    if not hidden:
        return ""
    points = sum(check.points for check in hidden)
    more = f"{len(hidden)} more checks run" if len(hidden) > 1 else "One more check runs"
    return f"{more} when the work is graded ({counted(points, 'point')})."


def _check(
    exercise: Exercise, check: Check, question: AutoGraded | None, practice: bool
) -> ExerciseCell:
    code = question_code(exercise, question) if question else check_code(exercise, check)
    form = form_code(question) if question and not practice else ""
    return ExerciseCell(
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


def _text(
    exercise: Exercise, question: FreeText, references: References, practice: bool
) -> Iterator[ExerciseCell]:
    asked = (
        f"{to_commonmark(question.statement, references)}\n\n*{counted(question.points, 'point')}*"
    )
    yield ExerciseCell(role="statement", source=asked, exercise=exercise.id, item=question.name)
    rubric = [f"- {points:g}: {line}" for points, line in question.rubric]
    told = ["What earns points:", "", *rubric, *_examples(question, references)]
    lines = ["### BEGIN SOLUTION", *told, "### END SOLUTION"]
    yield ExerciseCell(
        role="text",
        source=WRITE_HERE,
        solved="\n".join(lines),
        exercise=exercise.id,
        item=question.name,
        points=question.points,
    )
    if practice and question.examples:
        summary = "When you have written yours: what a good answer says"
        compare = folded(summary, "\n".join(told))
        yield ExerciseCell(role="rubric", source=compare, exercise=exercise.id, item=question.name)


def _examples(question: FreeText, references: References) -> Iterator[str]:
    """Yield the lines of the example answers with their points."""
    for title, points, example in question.headed():
        answer = to_commonmark(example.text, references).splitlines()
        quoted = [f"> {line}".rstrip() for line in answer]
        yield from ("", f"**{title}**", "", *quoted, "")
        yield f"{points} {to_commonmark(example.why, references)}"
