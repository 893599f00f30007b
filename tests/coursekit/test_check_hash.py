"""What grades an exercise has a hash: other checks show, even where the version stayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coursekit.check_hash import check_hash
from coursekit.cli import main

from .conftest import QUIZ, row


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The sign is lost.", "Where is the sign?"),
        ('title="', 'title="Another: '),
        ("TOP = 100\n", "TOP = 100  # a comment\n\n"),
        ("import math\n", "import cmath\nimport math\n"),
        ("math.fsum([x, x])", "x + x"),
        ("points=2", "points = 2"),
    ],
)
def test_words_and_form_are_no_other_check(
    write_exercise: Callable[..., Any], old: str, new: str
) -> None:
    before = check_hash(write_exercise())
    assert check_hash(write_exercise(edits={old: new})) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("points=2", "points=3"),
        ("TOP = 100", "TOP = 200"),  # a helper's number
        ("2.0 * x", "2.5 * x"),
        ("_ask(double, 0.5)\n", ""),
        ("hidden=True", "hidden=False"),
    ],
)
def test_other_checks_have_another_hash(
    write_exercise: Callable[..., Any], old: str, new: str
) -> None:
    before = check_hash(write_exercise())
    assert check_hash(write_exercise(edits={old: new})) != before


def test_a_quiz_has_the_hash_of_its_answers(write_exercise: Callable[..., Any]) -> None:
    before = check_hash(write_exercise(QUIZ, "twice"))
    for words in ("Twice 1 and twice 2?", "Each is added to itself.", "A power multiplies."):
        assert check_hash(write_exercise(QUIZ, "twice", {words: "Other words."})) == before
    for old, new in (("0.01", "0.02"), ("2, 4", "2, 5"), ("2 points", "3 points")):
        assert check_hash(write_exercise(QUIZ, "twice", {old: new})) != before


def graded(student: str, seen: str, version: int = 1) -> dict[str, Any]:
    return row(student, 2, 1, check_hashes={"double": seen}, versions={"double": version})


def test_rows_of_one_version_and_several_checks_are_named(results, capsys) -> None:
    file = results(graded("ada", "a1"), graded("bob", "b2"), graded("eve", "b2"), row("ian", 2, 1))
    for command in (["export", "--format", "totals"], ["stats"], ["feedback", "-o", "out"]):
        assert main([command[0], str(file), *command[1:]]) == 0
        assert (
            "numbers: version 1 of double was graded by different checks (1 submission, "
            "2 submissions); grade again, or raise the version where a right answer may have "
            "become wrong\n"
        ) in capsys.readouterr().err


def test_other_checks_of_another_version_are_expected(results, capsys) -> None:
    file = results(graded("ada", "a1"), graded("bob", "b2", version=2))
    assert main(["stats", str(file)]) == 0
    assert "different checks" not in capsys.readouterr().err
