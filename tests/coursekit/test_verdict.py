"""A verdict is data: code looks at its status, and what the sentences say is free."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from coursekit.grade.grader import failed
from coursekit.reports.stats import items
from coursekit.results import Outcome, Row, read_results
from coursekit.verdict import Status, Verdict

from .conftest import row

LIB = Path(__file__).resolve().parents[2] / "lib" / "coursekit"


@pytest.mark.parametrize(
    ("about", "lines"),
    [
        ({"message": "Seen 3.", "explanation": "A square."}, ["Seen 3.", "A square."]),
        ({"message": "Seen 3."}, ["Seen 3."]),
        ({"hidden": True, "message": "Seen 3."}, ["Your answer does not hold for other inputs."]),
        ({"hidden": True, "message": "Seen 3.", "explanation": "A square."}, ["A square."]),
        (
            {"hidden": True, "message": "Seen 3.", "misconception": "raises"},
            ["Your code raised an error for other inputs."],
        ),
        ({"hidden": True, "message": "Seen 3.", "status": Status.PASSED}, []),
        ({"hidden": True, "message": "Out of time.", "status": Status.NOT_RUN}, ["Out of time."]),
    ],
)
def test_a_learner_reads_nothing_of_a_hidden_check_s_inputs(about, lines: list[str]) -> None:
    common = {"exercise": "e", "check": "c", "status": Status.FAILED, "points": 0, "max_points": 1}
    assert Verdict(**common | about).lines() == lines


def test_nothing_of_a_lost_submission_was_run(twice, double) -> None:
    checks = failed([double, twice], Outcome.CRASHED, "the file is torn").as_json()["checks"]
    assert [check["status"] for check in checks] == ["not_run"] * 5
    assert {check["misconception"] for check in checks} == {None}


def prose(status: str, message: str) -> dict:
    """Return a row whose second check is prose."""
    waits = row("ada", 2, 0)
    waits["checks"][1] |= {
        "check": "why",
        "hidden": False,
        "status": status,
        "message": message,
        "misconception": None,
    }
    return waits


@pytest.mark.parametrize("wording", ["", "Someone will read this.", "Not graded.", "Passed."])
def test_no_wording_decides(results, wording: str) -> None:
    found = items(read_results(results(prose("manual", wording), row("bob", 0, 0))))
    assert "why" not in [item.check for item in found]
    found = items(read_results(results(prose("failed", wording))))
    assert [item.check for item in found] == ["small", "why"]


def test_no_code_looks_at_a_sentence() -> None:
    """A text is shown, never compared, searched or tested for emptiness."""
    text = r"(?<![\w.])(?:[\w.!]+\.)?(?:message|explanation|failed_message|success_message)"
    patterns = [
        rf"{text}\s*(?:===?|!==?)",
        rf"(?:===?|!==?|\bin)\s+{text}\b",
        rf"{text}\.(?:startswith|endswith|startsWith|endsWith|includes|match|test|length)\b",
        rf"(?:\bif|\bnot|\bwhile|!)\s*\(?{text}\s*(?:[:)&?]|\band\b|\bor\b)",
    ]
    files = [path for kind in ("py", "ts") for path in sorted(LIB.rglob(f"*.{kind}"))]
    files = [path for path in files if path.parent.name != "sandbox"]  # sockets have messages, too
    assert len(files) > 100
    found = [
        f"{path.name}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(re.search(pattern, line) for pattern in patterns)
    ]
    assert found == []


@pytest.mark.parametrize("status", Status)
def test_a_row_comes_back_as_it_was_written(status: Status) -> None:
    about = {"exercise": "e", "check": "c", "status": status, "points": 1.5, "max_points": 2.0}
    verdict = Verdict(**about, hidden=True, message="m", misconception="i", explanation="x")
    written = Row(
        key="k",
        student="ada",
        assignment="numbers",
        status=Outcome.TIMEOUT,
        reason="why",
        timestamp=datetime(2026, 1, 2, tzinfo=UTC),
        withdrawn=True,
        seconds=3.5,
        checks=(verdict, Verdict(**about)),
    )
    assert Row.from_json(json.loads(json.dumps(written.as_json()))) == written
    assert (written.score, written.max_score) == (3.0, 4.0)
    assert written.needs_manual == (status is Status.MANUAL)
