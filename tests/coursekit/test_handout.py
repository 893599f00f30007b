"""Nothing can be read off what is handed out: neither by somebody who tries all, nor at all."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

from coursekit import CheckFailed, Choice, FreeText, Match, Numeric, Parsons
from coursekit.bank.load import Bank, exercise_files, load_exercise
from coursekit.bank.model import Exercise, Question
from coursekit.cli import main
from coursekit.in_notebook.obfuscated import unpack
from coursekit.notebooks import assignment_notebook, cells_of, source_notebook

from .cells import shown_by

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
FILES = exercise_files(EXERCISES)
CHAPTERS = sorted({file.parent.name for file in FILES})
#: Those that take long are run in `make verify`.
LONG = {"gpt-torch-train", "gpt-torch-module"}
ROOT = EXERCISES.parent
#: What the adversary takes where nothing is withheld; all other chapters are heavy.
TAKEN = {"scaled-dot-product": {"stable-softmax"}, "self-and-cross": {"cross-attention"}}


def read_off(
    folder: Path, *chapters: str, options: Sequence[str] = (), mode: str = "withheld"
) -> dict[str, dict[str, float]]:
    """Return the protected points that the adversary earns with each released chapter."""
    for chapter in chapters:
        assert main(["release", chapter, "-o", str(folder), *options]) == 0
    command = [sys.executable, "-m", "tests.coursekit.adversary", str(folder), mode, *chapters]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}  # it forks
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    points: dict[str, dict[str, float]] = json.loads(done.stdout)
    return points


@pytest.mark.parametrize(
    "chapters",
    [[*TAKEN], pytest.param(sorted({*CHAPTERS} - {*TAKEN}), marks=pytest.mark.heavy)],
    ids=["few", "all others"],
)
def test_who_solves_nothing_earns_none_of_the_protected_points(
    tmp_path: Path, chapters: list[str]
) -> None:
    assert read_off(tmp_path, *chapters) == {chapter: {} for chapter in chapters}


def test_the_adversary_reads_all_that_is_there(tmp_path: Path, bank: Bank) -> None:
    chapter = "scaled-dot-product"
    points = read_off(tmp_path, chapter, options=["--practice"])[chapter]
    quizzes = {e.id: e.points for e in bank.chapter(chapter) if e.questions}
    assert points == quizzes


def test_the_adversary_takes_what_is_not_withheld(tmp_path: Path) -> None:
    points = read_off(tmp_path, *TAKEN, mode="open")
    assert {chapter: set(of) for chapter, of in points.items()} == TAKEN


# --- what is handed out does not depend on what is right ------------------------------------


def other_choice(question: Choice) -> Choice:
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


def other_numbers(question: Numeric) -> Numeric:
    numbers = (np.asarray(question.answer, float) * 3 + 1).tolist()
    return replace(
        question,
        answer=numbers,
        tolerance=7.0,
        mistakes={"another": numbers},
        success_message="another",
        failure_message="another",
    )


def other_pairs(question: Match) -> Match:
    """Return the same items with other partners."""
    letters = [*question.right]
    next_to = dict(zip(letters, [*letters[1:], letters[0]], strict=True))
    return replace(
        question,
        answer={number: next_to[letter] for number, letter in question.answer.items()},
        mistakes={"another": tuple(n + letter for n, letter in question.answer.items())},
        success_message="another message",
        failure_message="another message",
    )


def other_text(question: FreeText) -> FreeText:
    return replace(question, rubric=((question.points, "another rubric"),), examples=())


def other_order(question: Parsons) -> Parsons:
    """Return the same lines with other right orders, all told otherwise."""
    orders = tuple(order[::-1] for order in question.orders)
    # That some line is indented is no secret: it is in the form of an answer.
    return replace(
        question,
        orders=orders,
        mistakes={"another": question.orders[0][:2]},
        absent=dict.fromkeys(question.absent, "another"),
        success_message="another message",
        failure_message="another message",
        works=None,
    )


#: By kind, a question that looks alike and has another answer in every respect.
OTHER: dict[type[Question], Callable[[Any], Question]] = {
    Choice: other_choice,
    Numeric: other_numbers,
    Parsons: other_order,
    Match: other_pairs,
    FreeText: other_text,
}


def other_quiz(quiz: Exercise) -> Exercise:
    questions = tuple(OTHER[type(question)](question) for question in quiz.questions)
    return replace(
        quiz, questions=questions, solution="another", misconceptions={"another": "another"}
    )


def other_code(exercise: Exercise, folder: Path) -> Exercise:
    """Return the exercise with another solution, other hidden checks and other wrong answers."""
    lines, is_hidden = [], False
    for line in exercise.source.splitlines():
        if line.strip() == "# END SOLUTION":
            lines.append(line.replace("END SOLUTION", "another solution"))
        is_hidden = is_hidden or (line.startswith("@check(") and "hidden=True" in line)
        if is_hidden and line.startswith("    "):
            line, is_hidden = f'{line}\n    "another check"', False
        lines.append(line)
    file = folder / exercise.chapter / f"{exercise.id}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    for used in exercise.used:
        shutil.copy(used.path, file.parent)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return replace(load_exercise(file), also_right={})


def handed_out(exercise: Exercise) -> str:
    return str(nbformat.writes(assignment_notebook("Title", [exercise])))


@pytest.mark.parametrize(
    "file",
    [pytest.param(f, marks=[pytest.mark.heavy] * (f.stem in LONG)) for f in FILES],
    ids=lambda file: file.stem,
)
def test_another_answer_gives_the_same_notebook(file: Path, tmp_path: Path) -> None:
    exercise = load_exercise(file)
    if exercise.questions:
        other = other_quiz(exercise)
        graded = [part for part in (exercise, other) if part.points]
        assert len({str(source_notebook("Title", [part])) for part in graded}) == 2
    else:
        other = other_code(exercise, tmp_path)
        assert other.solution != exercise.solution
        hidden = any(check.hidden for check in exercise.checks)
        assert ("another check" in other.source) == hidden
    assert handed_out(other) == handed_out(exercise)


def test_practice_depends_on_the_answer(twice: Exercise) -> None:
    declared = replace(twice, practice=True)
    assert handed_out(replace(other_quiz(twice), practice=True)) != handed_out(declared)
    text = handed_out(declared)
    (word,) = re.findall(r'load_checks\(\\"([^"\\]+)\\"', text)
    assert "correct" in str(unpack(word))
    assert "forms" not in unpack(word)["twice"]


# --- what its cells say ----------------------------------------------------------------------


@pytest.fixture
def asked(twice: Exercise) -> Callable[..., dict[str, str]]:
    """Return a function that runs a quiz's check cell and returns what it says of each answer."""

    def ask(**names: object) -> dict[str, str]:
        lines = shown_by(twice, dict(names), practice=False).text.splitlines()
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
    with pytest.raises(CheckFailed, match=r"^✗ pair\nNo answer yet"):
        exec(cells["pair"], {"pair": ...})


def test_it_says_when_it_will_be_graded_and_what_is_withheld(twice, double) -> None:
    withholding = replace(double, withhold=("a.double", "b.c.twice"))
    cells = assignment_notebook("Numbers", [twice, withholding]).cells
    assert [cell.id for cell in cells[:3]] == ["title", "withheld", "attachment"]
    assert cells[1].source.endswith("calling one is an error: `a.double`, `b.c.twice`.")
    texts = {c.metadata.coursekit.exercise: c.source for c in cells if c.id.endswith("-checks")}
    assert texts["twice"].startswith("**Check the form of your answer**")
    assert set(texts) == {"twice"}
    assert "withheld" not in {cell.id for cell in assignment_notebook("Twice", [twice]).cells}
