"""A verdict is data: code looks at its status, and what the sentences say is free."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.grade.grader import failed, unreadable
from coursekit.grade.notebook_file import Cell
from coursekit.results import read_results
from coursekit.results.items import items
from coursekit.running import run_check
from coursekit.verdict import Status

from .conftest import row


@pytest.mark.parametrize(
    ("function", "status"),
    [(lambda x: 2 * x, Status.PASSED), (lambda x: x * x, Status.FAILED), (None, Status.FAILED)],
)
def test_a_check_passes_or_fails(double, function, status: Status) -> None:
    names = {} if function is None else {"double": function}
    result = run_check(double.checks[0], names, misconceptions=double.misconceptions)
    assert (result.status, result.passed) == (status, status is Status.PASSED)


def test_the_explanation_stands_beside_what_was_seen(double) -> None:
    names = {"double": lambda x: x * x}
    result = run_check(double.checks[0], names, misconceptions=double.misconceptions)
    assert "square" not in result.message
    assert result.explanation == double.misconceptions["squares"]
    assert result.text == f"{result.message} {result.explanation}"


@pytest.mark.parametrize("outcome", [unreadable, lambda e, why: failed(e, "crashed", why)])
def test_nothing_of_a_lost_submission_was_run(twice, double, outcome) -> None:
    checks = outcome([double, twice], "the file is torn").as_json()["checks"]
    assert [check["status"] for check in checks] == ["not_run"] * 5
    assert {check["misconception"] for check in checks} == {None}


@pytest.mark.parametrize(
    ("prose", "status"),
    [("A sum of two.", "manual"), ("", "failed"), (None, "failed")],
)
def test_prose_waits_for_a_person_where_there_is_some(twice, prose, status) -> None:
    from coursekit.grade.grader import _free_text
    from coursekit.notebook.exercise_cells import cell_id

    cell = Cell(source=prose or "", is_code=False, grade_id=cell_id("twice", "text", "why"))
    (result,) = _free_text([twice], () if prose is None else (cell,))
    assert result.status == status


def prose(status: str, message: str) -> dict:
    """Return a row whose second check is prose."""
    waits = row("ada", 2, 0, needs_manual=status == "manual")
    waits["checks"][1] |= {
        "check": "why",
        "hidden": False,
        "status": status,
        "message": message,
        "misconception": None,
    }
    return waits


@pytest.mark.parametrize("wording", ["", "Someone will read this.", "Not graded."])
def test_no_wording_decides(results, wording: str) -> None:
    found = items(read_results(results(prose("manual", wording), row("bob", 0, 0))))
    assert "why" not in [item.check for item in found]
    found = items(read_results(results(prose("failed", wording))))
    assert [item.check for item in found] == ["small", "why"]


def test_a_hidden_check_that_was_not_run_says_why_in_any_words(results) -> None:
    lost = row("ada", 2, 0)
    lost["checks"][1] |= {"status": "not_run", "message": "The file was torn.", "points": 0.0}
    assert main(["feedback", str(results(lost)), "-o", "out"]) == 0
    assert "The file was torn." in Path("out/ada.html").read_text(encoding="utf-8")
    # The same words of a check that was run may tell what it tried.
    lost["checks"][1] |= {"status": "failed", "message": "Not graded: 5 was tried."}
    assert main(["feedback", str(results(lost)), "-o", "out"]) == 0
    assert "5 was tried" not in Path("out/ada.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("status", ["open", None, 3])
def test_an_unknown_status_is_no_result(results, capsys, status) -> None:
    strange = row("ada", 2, 0)
    strange["checks"][0]["status"] = status
    assert main(["stats", str(results(strange))]) == 2
    assert "line 1 is not a result" in capsys.readouterr().err


def test_a_status_can_be_imported_anywhere() -> None:
    code = "import sys, coursekit.verdict as v; print('coursekit.grade' in sys.modules, v.Status)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False")
