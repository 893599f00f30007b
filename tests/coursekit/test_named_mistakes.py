"""``coursekit check --mistakes``: which mistakes an exercise names, found out by making them."""

from __future__ import annotations

import pytest

from coursekit.cli import main
from coursekit.selftest.mistakes import Naming, namings, table


def more(mistakes: str) -> dict[str, str]:
    """Return an edit of the example after which it has these shared mistakes as well."""
    shared = f"shared_mistakes({{}}, double=lambda x: {{{mistakes}}})"
    first = 'mistake(\n    "squares"'
    return {
        "expect_shape, mistake\n": "expect_shape, mistake, shared_mistakes\n",
        first: f"{shared}\n{first}",
    }


def test_a_mistake_that_a_wrong_answer_makes(double) -> None:
    found = namings(double)
    assert found == dict.fromkeys(["squares", "adds", "sign"], Naming.BY_ANSWER)


def test_a_mistake_is_tried_by_its_value(write_exercise) -> None:
    assert namings(write_exercise(edits=more('"three": 3 * x')))["three"] is Naming.BY_VALUE


def test_two_mistakes_with_one_value_are_not_named(write_exercise) -> None:
    found = namings(write_exercise(edits=more('"three": 3 * x, "thrice": x + 2 * x')))
    assert found["three"] is found["thrice"] is Naming.NOT_NAMED


def test_one_call_that_tells_them_apart_is_enough(write_exercise) -> None:
    found = namings(write_exercise(edits=more('"three": 3 * x, "seven": 2 * x + 3')))
    assert found["three"] is Naming.BY_VALUE  # alike for 3, different for 0.5
    assert found["seven"] is Naming.BY_VALUE


def test_what_gives_the_right_result_is_no_mistake(write_exercise) -> None:
    assert "twice" not in namings(write_exercise(edits=more('"twice": x + x')))


def test_an_answer_with_the_value_of_another_mistake_is_not_named(write_exercise) -> None:
    found = namings(write_exercise(edits=more('"two-more": x + 2')))
    assert found["adds"] is found["two-more"] is Naming.NOT_NAMED
    assert found["squares"] is Naming.BY_ANSWER


def test_table_has_a_row_for_each_mistake_and_a_column_for_each_exercise() -> None:
    exercises = {f"e{i}": {"a": Naming.BY_VALUE} for i in range(1, 11)}
    lines = list(table(exercises | {"last": {"bb": Naming.NOT_NAMED}}))
    assert lines[10:12] == [" 11 last", "    1  2  3  4  5  6  7  8  9  10  11"]
    assert lines[12] == "a   " + "○  " * 9 + " ○"
    assert lines[13].split() == ["bb", "✗"]
    assert lines[13].index("✗") == len(lines[11]) - 1


def test_command(numbers, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "exercises")
    assert main(["check", "--mistakes", "numbers", "--exercises", folder]) == 0
    said = capsys.readouterr().out
    assert "numbers\n  1 double\n" in said
    assert "adds     ●\n" in said
    assert "●    3 named" in said
    assert "twice" not in said  # a quiz has no function
