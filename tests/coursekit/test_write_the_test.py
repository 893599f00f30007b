"""An exercise whose answer is a test, graded by the broken programs that it stops."""

from __future__ import annotations

import pytest

from coursekit.bank.load import Bank
from coursekit.bank.mistakes import wrong_answers
from coursekit.cli import main
from coursekit.judge.verdict import Verdict

from .test_round_trip import graded, hand_in

ID = "write-the-test"

#: Answers that look at anything but what the function computes.
CHEATS = {
    "the function's name": """
def check_attention(attention):
    assert attention.__name__ in ("_by_rows", "_by_loops", "<lambda>", "shuffled")
""",
    "the order of the calls": """
calls = 0
def check_attention(attention):
    global calls
    calls += 1
    assert calls % 3
""",
    "what the function has inside": """
def check_attention(attention):
    cells = getattr(attention, "__closure__", None) or ()
    names = [getattr(cell.cell_contents, "__name__", "") for cell in cells]
    assert not {"broken", "_overflowing", "attention"} & set(names)
""",
}


@pytest.fixture(scope="module")
def checks(bank: Bank, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Verdict]]:
    """Return the checks of all answers, by student: a cheat's name, or that of a wrong answer."""
    exercise, folder = bank[ID], tmp_path_factory.mktemp("workshop")
    codes = {"small": wrong_answers(exercise)["blind-to-overflow"].code, **CHEATS}
    assert main(["release", "workshop", "-o", str(folder)]) == 0
    for student, code in codes.items():
        hand_in(
            folder / "workshop.ipynb",
            bank,
            folder / "submitted",
            student,
            lambda exercise, code=code: code if exercise.id == ID else exercise.starter,
        )
    return {
        student: {check.check: check for check in row.checks if check.exercise == ID}
        for student, row in graded("workshop", folder).items()
    }


def test_points_are_the_mutants_that_the_test_stops(checks) -> None:
    found = checks["small"]
    missed = {name: check for name, check in found.items() if not check.passed}
    assert set(missed) == {"not_a_number", "one_maximum_for_all"}
    assert sum(check.points for check in found.values()) == len(found) - 2
    told = missed["not_a_number"]
    assert told.misconception == "blind-to-overflow"
    assert "right for small scores and returns `nan` for large ones" in told.text
    assert "np.exp" not in told.text


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_test_that_computes_nothing_earns_no_point(checks, cheat: str) -> None:
    assert checks[cheat]
    assert [name for name, check in checks[cheat].items() if check.passed] == []
