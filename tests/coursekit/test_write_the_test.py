"""An exercise whose answer is a test, graded by the broken programs that it stops."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.cli import main
from coursekit.verdict import Verdict

from .round_trip import graded, hand_in

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


def checks_of(bank: Bank, folder: Path, code: str) -> dict[str, Verdict]:
    assert main(["release", "workshop", "-o", str(folder)]) == 0
    hand_in(
        folder / "workshop.ipynb",
        bank,
        folder / "submitted",
        "ada",
        lambda exercise: code if exercise.id == ID else exercise.starter,
    )
    row = graded("workshop", folder)["ada"]
    return {check.check: check for check in row.checks if check.exercise == ID}


def test_points_are_the_mutants_that_the_test_stops(bank: Bank, tmp_path: Path) -> None:
    exercise = bank[ID]
    code = exercise.wrong["blind-to-overflow"].code
    checks = checks_of(bank, tmp_path, code)
    missed = {name: check for name, check in checks.items() if not check.passed}
    assert set(missed) == {"not_a_number", "one_maximum_for_all"}
    assert sum(check.points for check in checks.values()) == len(checks) - 2
    told = missed["not_a_number"]
    assert told.misconception == "blind-to-overflow"
    assert "right for small scores and returns `nan` for large ones" in told.text
    assert "_shares" not in told.text


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_test_that_computes_nothing_earns_no_point(
    bank: Bank, tmp_path: Path, cheat: str
) -> None:
    checks = checks_of(bank, tmp_path, CHEATS[cheat])
    assert [name for name, check in checks.items() if check.passed] == []
