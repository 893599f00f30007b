"""Nothing can be read off what is handed out: it does not depend on what is right."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest

from coursekit import CheckFailed
from coursekit.assignment.source_notebook import source_notebook
from coursekit.bank import load_exercise
from coursekit.kernel.asked import unpack
from coursekit.model import Choice, Exercise, FreeText, Numeric, Parsons, Question
from coursekit.notebook import assignment_notebook, cells_of, student_cells
from tests.course import BANK, ROOT

from .cells import shown_by


def other_question(question: Question) -> Question:
    """Return a question that looks alike and has another answer in every respect."""
    if isinstance(question, Choice):
        keys = list(question.options)
        answer = keys[(keys.index(question.answer) + 1) % len(keys)]
        options = {
            key: replace(
                option,
                correct=key == answer,
                success_message="another message" if key == answer else "",
                failure_message="" if key == answer else "another message",
                misconception=None if key == answer else "another",
            )
            for key, option in question.options.items()
        }
        return replace(question, options=options)
    if isinstance(question, Numeric):
        numbers = (np.asarray(question.answer, float) * 3 + 1).tolist()
        return replace(
            question,
            answer=numbers,
            tolerance=7.0,
            mistakes={"another": numbers},
            success_message="another",
            failure_message="another",
        )
    if isinstance(question, Parsons):
        return other_order(question)
    assert isinstance(question, FreeText)
    return replace(question, rubric=((question.points, "another rubric"),), examples=())


def other_order(question: Parsons) -> Parsons:
    """Return the same lines with other right orders, all told otherwise."""
    orders = tuple(order[::-1] for order in question.orders)
    # That some line is indented is no secret: it is in the form of an answer.
    return replace(
        question,
        orders=orders,
        mistakes={"another": question.orders[0][:2]},
        success_message="another message",
        failure_message="another message",
        works=None,
    )


def other_quiz(quiz: Exercise) -> Exercise:
    questions = tuple(map(other_question, quiz.questions))
    return replace(
        quiz, questions=questions, solution="another", misconceptions={"another": "another"}
    )


def other_code(exercise: Exercise, folder: Path) -> Exercise:
    """Return the exercise with another solution and other hidden checks."""
    lines, is_hidden = [], False
    for line in exercise.source.splitlines():
        if line.strip() == "# BEGIN SOLUTION":
            line = f"{line}\n{line.replace('BEGIN', 'another')}"
        is_hidden = is_hidden or (line.startswith("@check(") and "hidden=True" in line)
        if is_hidden and line.startswith("    "):
            line, is_hidden = f'{line}\n    "another check"', False
        lines.append(line)
    file = folder / exercise.chapter / f"{exercise.id}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "exercises" / "mistakes.txt", folder)
    for used in exercise.used:
        shutil.copy(used.path, file.parent)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return replace(load_exercise(file), also_right={}, withheld=exercise.withheld)


def handed_out(exercise: Exercise) -> str:
    return str(nbformat.writes(assignment_notebook("Title", [exercise])))


@pytest.mark.parametrize("exercise", BANK.values(), ids=lambda exercise: exercise.id)
def test_another_answer_gives_the_same_notebook(exercise: Exercise, tmp_path: Path) -> None:
    if exercise.questions:
        other = other_quiz(exercise)
        graded = [part for part in (exercise, other) if part.points]
        assert len({str(source_notebook("Title", [part])) for part in graded}) == 2
    else:
        other = other_code(exercise, tmp_path)
        assert other.solution != exercise.solution
        hidden = any(check.hidden for check in exercise.checks)
        assert ("another check" in other.source) == hidden
        published, others = (str(student_cells(one)) for one in (exercise, other))
        assert exercise.practice or others == published
    assert handed_out(other) == handed_out(exercise)


def test_practice_depends_on_the_answer(write_exercise, twice: Exercise) -> None:
    declared = write_exercise(twice.source, "twice", {"quiz(": "quiz(\n    practice=True,"})
    assert handed_out(other_quiz(declared)) != handed_out(declared)
    text = handed_out(declared)
    (word,) = re.findall(r'check_packed\(\\"([^"\\]+)\\"', text)
    assert [check.name for check in unpack(word).checks] == ["pair", "word"]
    assert "check_forms" not in text


# --- what its cells say ----------------------------------------------------------------------


@pytest.fixture
def asked(twice: Exercise) -> Callable[..., dict[str, str]]:
    """Return a function that runs a quiz's check cell and returns what it says of each answer."""
    cells = assignment_notebook("Twice", [twice]).cells
    (code,) = [c.source for c in cells if c.metadata.get("coursekit", {}).get("role") == "check"]

    def ask(**names: object) -> dict[str, str]:
        lines = shown_by(code, dict(names)).text.splitlines()
        return {
            head[2:]: f"{head[0]}{text}" for head, text in zip(lines[::2], lines[1::2], strict=True)
        }

    return ask


def test_a_graded_question_is_checked_for_its_form(asked) -> None:
    graded = "It is graded when you have handed in."
    for answer in ("a", "b", " B "):
        letter = answer.strip().lower()
        assert asked(word=answer)["word"] == f"·  Your answer to word is {letter}. {graded}"
    assert asked(word="c")["word"] == ("✗  'c' is none of the options; expected one of a, b.")
    assert asked(word=...)["word"] == "○  No answer yet."
    assert asked()["word"] == "○  `word` is not defined. Keep the name that the exercise gives."
    for answer in ([2, 4], [1, 4], [0.25, -7]):
        message = asked(pair=answer)["pair"]
        assert re.fullmatch(rf"·  Your answer to pair is \[ ?[-0-9., ]+\]\. {graded}", message)
    assert asked(pair=2)["pair"] == "✗  Your answer has shape (); expected 2 numbers."
    assert asked(pair="two")["pair"].startswith("✗  your answer is of type str")
    assert asked(pair=..., word="a")["pair"] == "○  No answer yet."


def test_nbgrader_s_cells_check_the_form_as_well(twice: Exercise, capsys) -> None:
    cells = {cell.item: cell.source for cell in cells_of(twice, practice=False)}
    exec(cells["word"], {"word": "b"})
    assert capsys.readouterr().out == (
        "Your answer to word is b. It is graded when you have handed in.\n"
    )
    for pair, said in ((..., "No answer yet"), ([1, 2, 3], r"Your answer has shape \(3,\)")):
        with pytest.raises(CheckFailed, match=rf"^✗ pair\n{said}"):
            exec(cells["pair"], {"pair": pair})


def test_it_says_when_it_will_be_graded_and_what_is_withheld(twice, double) -> None:
    withholding = replace(double, withhold=("a.double", "b.c.twice"))
    cells = assignment_notebook("Numbers", [twice, withholding], "a.whl").cells
    assert [cell.id for cell in cells[:4]] == ["title", "install", "withheld", "twice-statement"]
    assert cells[2].source.endswith("calling one is an error: `a.double`, `b.c.twice`.")
    texts = {c.metadata.coursekit.exercise: c.source for c in cells if c.id.endswith("-checks")}
    assert texts["twice"].startswith("**Check the form of your answer**")
    assert set(texts) == {"twice"}
    assert "withheld" not in {cell.id for cell in assignment_notebook("Twice", [twice]).cells}
