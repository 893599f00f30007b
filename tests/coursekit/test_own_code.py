"""Which of a notebook's code an answer is judged by: its newest, also after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.in_notebook import progress, state

from .cells import notebook
from .test_kernel import ABOUT


@pytest.fixture(autouse=True)
def _a_new_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    state.standings.clear()


def two(value: object, name: str = "two") -> str:
    return f"def {name}():\n    return {value}\n"


def test_an_answer_is_judged_by_its_newest_code() -> None:
    with notebook() as shell:
        shell.load({"e": ABOUT})

        def said(source: str, id: str = "e-answer") -> str:
            shell.run(source, id)
            return shell.run('import coursekit; coursekit.check_answer("e")', "check").text

        assert said(ABOUT["starter"]).startswith("○ Not started")
        assert said(two(2)).startswith("✓ Done.")
        assert "`two` is not defined" in said(two(2, "tow"))  # renamed, and the kernel has both
        assert said(two(2)).startswith("✓ Done.")
        assert "does not run: SyntaxError: '[' was never closed (line 2" in said(two("[2"))


CHECK = 'import coursekit; coursekit.check_answer("e")'


def test_after_a_restart_a_check_takes_no_points_before_the_answer_has_run_again() -> None:
    with notebook() as shell:
        shell.load({"e": ABOUT})
        shell.run(two(2), "e-answer")
        assert shell.run(CHECK, "check").text.startswith("✓ Done.")
    with notebook() as shell:
        shell.load({"e": ABOUT})
        for _ in range(2):
            assert shell.run(CHECK, "check").text == (
                "○ This kernel has not run your answer yet: run its cell, then this one. "
                "When last checked, it had 3 of 3 points."
            )
        assert progress().text.startswith("3 of 3 points; 1 of 1 exercises done.")
        shell.run(two(4), "e-answer")
        shell.run(CHECK, "check")
        assert progress().text.startswith("1 of 3 points; 0 of 1 exercises done.")


def test_where_no_cell_has_an_id_a_renamed_answer_is_not_judged_by_its_first_version() -> None:
    counted = (
        "def two():\n    total = 0\n    for _ in range(2):\n        total += 1\n    return total\n"
    )
    with notebook() as shell:
        shell.load({"e": ABOUT})
        for source, said in (
            (two(7), "Gives"),
            (counted, "✓ Done."),
            (counted.replace("two", "tow"), "`two` is not defined"),
        ):
            shell.run(source, "")
            assert said in shell.run(CHECK, "").text


def test_a_renamed_answer_is_not_taken_from_another_exercise_that_defines_the_name() -> None:
    other = ABOUT | {"exercise": "f", "title": "Second", "answer": "f-answer"}
    with notebook() as shell:
        shell.load({"e": ABOUT, "f": other})
        shell.run(two(2), "f-answer")
        shell.run(two(2, "tow"), "e-answer")
        assert "`two` is not defined" in shell.run(CHECK, "check").text
        shell.run(two(2), "a cell of the learner's own")
        assert shell.run(CHECK, "check").text.startswith("✓ Done.")
