"""An exercise says its version, by which a page keeps a reader's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coursekit.define import DefinitionError

from .conftest import QUIZ


def test_an_exercise_says_its_version(write_exercise: Callable[..., Any]) -> None:
    assert write_exercise().version == 1
    changed = write_exercise(edits={"exercise(": "exercise(version=2,"})
    assert changed.version == 2


@pytest.mark.parametrize("version", ["0", "-1", "1.5", "True", '"2"'])
def test_a_version_is_a_whole_number(write_exercise: Callable[..., Any], version: str) -> None:
    with pytest.raises(DefinitionError, match="expected a whole number, 1 or more"):
        write_exercise(edits={"exercise(": f"exercise(version={version},"})


def test_a_quiz_has_one_version_for_all_its_questions(write_exercise: Callable[..., Any]) -> None:
    assert write_exercise(QUIZ, "twice", {"quiz(": "quiz(version=3,"}).version == 3
