"""Exercises as cells: readable, self-contained, and without what a reader may not have."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

import nbformat
import pytest

from coursekit.kernel.asked import Asked, unpack
from coursekit.model import Exercise
from coursekit.notebook import assignment_notebook, cell_id, cells_of, student_cells
from coursekit.notebook.check_cells import Name, call, source_of
from coursekit.source import STUB
from tests.course import BANK

from .cells import execute, shown_by


def by_role(cells, role: str):
    return [cell for cell in cells if cell.metadata.coursekit.role == role]


def test_cells_come_in_reading_order(double) -> None:
    cells = student_cells(double)
    assert [cell.metadata.coursekit.role for cell in cells] == [
        "statement", "hints", "answer", "check",
    ]  # fmt: skip
    assert cells[0].source == (
        "### Exercise: Twice as much\n\n*3 points*\n\nWrite `double`, which doubles a number $x$."
    )
    assert cells[1].source.startswith("<details><summary>Hint 1</summary>\n\nWhat is twice 3?")


def test_the_answer_cell_is_setup_and_starter(double) -> None:
    (answer,) = by_role(student_cells(double), "answer")
    assert answer.source == (
        'import math\nimport numpy as np\n\n\ndef double(x):\n    """Return twice x."""\n    '
        + STUB
    )
    assert "tags" not in answer.metadata


TITLE = "#@title Check your answer: run this cell (1 more check when graded)\n"


def test_a_check_cell_is_one_line_and_folds(double) -> None:
    (check,) = by_role(student_cells(double, by_name=True), "check")
    assert check.source == (
        TITLE + '__import__("coursekit.kernel").kernel.check_answer("double", globals())'
    )
    assert "tags" not in check.metadata  # It raises nothing, so it needs no leave to.
    assert check.metadata.jupyter == {"source_hidden": True}
    assert check.metadata.cellView == "form"
    newer = replace(double, version=2)
    (check,) = by_role(student_cells(newer, by_name=True), "check")
    assert check.source.endswith('check_answer("double", globals(), version=2)')


def carried_by(cell) -> Asked:
    """Return the exercise that a check cell carries."""
    (word,) = re.findall(r'check_packed\("([^"]+)", globals\(\)\)$', cell.source)
    return unpack(word)


def test_a_cell_that_is_handed_out_carries_its_checks(double) -> None:
    (check,) = by_role(student_cells(double), "check")
    assert check.source.startswith(f'{TITLE}__import__("coursekit.kernel").kernel.check_packed("')
    asked = carried_by(check)
    assert [each.name for each in asked.checks] == ["small"]
    assert asked.hidden == 1
    assert asked.without_torch
    assert asked.solution == ""
    assert asked.misconceptions == {
        "squares": "That is the square. Twice is a sum of two equal numbers.",
        "adds": "That adds 2.",
    }


def test_nbgrader_has_a_cell_for_each_check(double, twice) -> None:
    made = [cell for exercise in (double, twice) for cell in cells_of(exercise)]
    items = [cell.item for cell in made if cell.role == "check"]
    assert items == ["small", "negative", "pair", "word"]
    assert [cell.item for cell in made if cell.hidden] == ["negative"]
    (how,) = [cell.source for cell in cells_of(double) if cell.role == "checks"]
    assert how == (
        "**Check your answer**: run the cells below. "
        "One more check runs when the work is graded (1 point)."
    )


def test_no_answer_of_a_quiz_can_be_read_in_passing(twice) -> None:
    (check,) = by_role(student_cells(twice), "check")
    assert check.source.count("\n") == 1
    for told in ("correct", "misconception", "sum", "2, 4", "squares"):
        assert told not in check.source
    asked = carried_by(check)
    assert [each.name for each in asked.checks] == ["pair", "word"]
    for each, right in zip(asked.checks, ([2, 4], "a"), strict=True):
        each(right)


def test_a_quiz_shows_its_questions_and_options(twice) -> None:
    cells = student_cells(twice)
    asked = cells[0].source
    assert "**1.** Twice 1 and twice 2?\n\n(Your answer goes into `pair`.)" in asked
    assert "- **a**: a sum\n- **b**: a power\n\n(Your answer goes into `word`.)" in asked
    assert by_role(cells, "answer")[0].source == (
        'pair = ...  # a list of 2 numbers\nword = ...  # one of "a", "b"'
    )
    why, text = cells[-2:]
    assert (why.cell_type, why.source) == ("markdown", "Why is twice a sum?\n\n*3 points*")
    assert (text.cell_type, text.source) == ("markdown", "*Write your answer here.*")
    assert text.metadata.coursekit == {"exercise": "twice", "role": "text", "item": "why"}
    assert "names the sum" not in str(cells)


def test_example_answers_are_for_readers_and_not_handed_out(write_exercise, twice) -> None:
    line = "- [1] an example\n"
    edit = {line: f"{line}### weak (0, 1)\nIt is *so*.\n> No sum.\n"}
    exercise = write_exercise(twice.source, "twice", edit)
    (cell,) = by_role(student_cells(exercise), "rubric")
    assert cell.source.startswith("<details><summary>When you have written yours")
    assert "- 2: names the sum\n" in cell.source
    assert "**Weak answer: 1 of 3 points**\n\n> It is *so*.\n" in cell.source
    assert "Line by line: 0 of 2, 1 of 1. No sum." in cell.source
    assert by_role(student_cells(exercise, practice=False), "rubric") == []
    (text,) = [cell for cell in cells_of(exercise, practice=False) if cell.role == "text"]
    assert "It is *so*." in text.solved
    assert "It is *so*." not in text.source


@pytest.mark.parametrize("exercise", BANK.values(), ids=lambda exercise: exercise.id)
def test_check_cells_know_a_starter(exercise: Exercise) -> None:
    cells = student_cells(exercise, by_name=True)
    (answer,) = by_role(cells, "answer") or [None]
    if answer is not None:
        execute(exercise.groundwork, names := {})
        with suppress(NotImplementedError):  # a starter may call its placeholder
            execute(answer.source, names)
        for check in by_role(cells, "check"):
            assert shown_by(check.source, names).text.startswith("○ Not started")


def test_a_starter_that_raises_does_not_stop_the_notebook(write_exercise) -> None:
    raising = write_exercise(
        edits={
            'def double(x):\n    """Return': "# BEGIN SOLUTION\nsign = 1\n# END SOLUTION\n\n\n"
            'def double(x):\n    """Return'
        }
    )
    (answer,) = by_role(student_cells(raising), "answer")
    assert answer.metadata.tags == ["raises-exception"]


def test_exercises_are_a_valid_notebook_with_stable_ids(numbers) -> None:
    made, again = (
        assignment_notebook("Numbers", numbers.values(), install="a.whl[notebook]") for _ in "12"
    )
    nbformat.validate(made)
    assert nbformat.writes(made) == nbformat.writes(again)
    ids = [cell.id for cell in made.cells]
    assert len(set(ids)) == len(ids)
    assert '%pip install -q "a.whl[notebook]"' in made.cells[1].source


def test_ids_are_short_enough_and_differ() -> None:
    long = "a-very-long-name-of-an-exercise-that-goes-on-and-on"
    one, two = (cell_id(long, "check", f"looks_at_{which}_thing") for which in ("one", "other"))
    assert one != two
    assert max(len(one), len(two)) <= 64
    assert re.fullmatch(r"[a-zA-Z0-9-_]+", one)
    assert cell_id("softmax", "answer") == "softmax-answer"


@pytest.mark.parametrize(
    "value",
    [
        'quotes " and \\ and \n lines, ümläut, √2 ' * 9,
        "nospaces" * 40,
        " leading and trailing  double  spaces " * 5,
        {"a": "x" * 80, "b": ["y" * 60, {"c": 1.5, "d": None, "e": True}, -2.5, {}, ""]},
    ],
)
def test_a_call_is_written_with_its_arguments_values(value) -> None:
    source = source_of(call("dict", first=value, second=call("list")))
    assert eval(source) == {"first": value, "second": []}
    if "nospaces" not in str(value):
        assert max(map(len, source.splitlines())) <= 100


def test_a_name_is_written_as_it_is() -> None:
    assert source_of(call("f", x=Name("globals()"), y="a")) == "f(x=globals(), y='a')"
