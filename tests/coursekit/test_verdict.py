"""A verdict is data: code looks at its status, and what the sentences say is free."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from ast import literal_eval
from datetime import UTC, datetime
from pathlib import Path

import pytest

from coursekit.cli import main
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


@pytest.mark.parametrize("wording", ["", "Someone will read this.", "Not graded."])
def test_no_wording_decides(results, wording: str) -> None:
    found = items(read_results(results(prose("manual", wording), row("bob", 0, 0))))
    assert "why" not in [item.check for item in found]
    found = items(read_results(results(prose("failed", wording))))
    assert [item.check for item in found] == ["small", "why"]


WORDS = ("", "Passed.", "Not graded: 5 was tried.", "Graded by a person, with the rubric.")


@pytest.mark.parametrize("words", WORDS)
def test_statistics_and_exports_look_at_no_sentence(results, capsys, words: str) -> None:
    def told(rows: list[dict]) -> list[str]:
        said = []
        for command in (["stats"], ["export", "--format", "nbgrader"], ["feedback", "-o", "out"]):
            assert main([command[0], str(results(*rows)), *command[1:]]) == 0
            said.append(capsys.readouterr().out)
        for name in ("ada", "bob"):
            page = Path(f"out/{name}.html").read_text(encoding="utf-8")
            said += re.findall(r'<li class="\w+"><span class="mark">.</span>', page)
        return said

    rows = [row("ada", 2, 1), row("bob", 0, 0), prose("manual", "Graded by a person.")]
    rows[2]["student"] = "eve"
    before = told(rows)
    for one in rows:
        for check in one["checks"]:
            check |= {"message": words, "explanation": words}
    assert told(rows) == before


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


def test_verdicts_need_the_standard_library_alone() -> None:
    code = f"""
import importlib.util, sys, types
sys.modules["coursekit"] = package = types.ModuleType("coursekit")
package.__path__ = [{str(LIB)!r}]
for missing in ("resource", "fcntl", "numpy"):
    sys.modules[missing] = None
before = set(sys.modules)
import coursekit.verdict
print(sorted(name for name in set(sys.modules) - before if name.startswith("coursekit.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(literal_eval(done.stdout)) == {"coursekit.verdict"}


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
