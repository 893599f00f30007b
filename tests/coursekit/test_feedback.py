"""Feedback pages: what they show of a verdict, its markup, and pages that are out of date."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.verdict import Status

from .conftest import row


def page(*words: str, student: str = "ada") -> str:
    assert main(["feedback", "results.jsonl", "-o", "out", *words]) == 0
    return Path(f"out/{student}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("points", [(2, 1), (0, 0)])
def test_a_check_says_what_was_seen_and_a_hidden_one_its_explanation_alone(results, points) -> None:
    graded = row("ada", *points)
    for check in graded["checks"]:
        check["message"] = f"{check['check']}: a sum of two."
    graded["checks"][1]["explanation"] = "The sign is lost." * (not sum(points))
    results(graded)
    shown = page()
    assert f"numbers: {sum(points)} of 3 points" in shown
    for said in ("Small numbers", "small: a sum of two.", "A hidden check"):
        assert said in shown
    assert ("The sign is lost." in shown) == (not sum(points))
    for secret in ("Negative numbers", "negative"):
        assert secret not in shown


@pytest.mark.parametrize("status", Status)
def test_every_status_has_its_sign(results, status: Status) -> None:
    shown = row("ada", 2, 0)
    shown["checks"][0] |= {"status": status.value, "points": 0.0}
    results(shown)
    assert '<span class="mark">' in page()


def test_the_page_of_withdrawn_work_is_removed(results, capsys) -> None:
    results(row("ada", 2, 1), row("eve", 0, 0), row("Eve", 0, 0))
    page()
    kept = sorted(path.name for path in Path("out").iterdir())
    assert len(kept) == 3
    Path("out/notes.html").touch()
    results(row("ada", 2, 1), row("eve", 0, 0, withdrawn=True), row("Eve", 0, 0))
    capsys.readouterr()
    page()
    assert "out: removed the pages of eve\n" in capsys.readouterr().err
    now = {path.name for path in Path("out").iterdir()}
    assert "notes.html" in now
    assert len(now & set(kept)) == 2
    assert not any(name.startswith("eve") for name in now)
    # Withdrawn from one assignment, handed in for another: the page stays.
    results(row("ada", 2, 1), row("ada", 0, 0, assignment="words", withdrawn=True))
    assert "words" not in page()


def test_a_chosen_assignment_is_alone_in_pages_and_statistics(results, capsys) -> None:
    results(row("ada", 2, 1, assignment="wrong"), row("ada", 0, 1), row("bob", 2, 1))
    assert "wrong" in page()
    assert "wrong" not in page("--assignment", "numbers")
    capsys.readouterr()
    assert main(["stats", "results.jsonl", "--assignment", "numbers"]) == 0
    assert "wrong" not in capsys.readouterr().out
    assert main(["feedback", "results.jsonl", "-o", "out", "--assignment", "nmbers"]) == 2
    assert "no results for 'nmbers'; did you mean numbers?" in capsys.readouterr().err


def test_a_question_is_shown_as_it_was_asked_and_an_error_once(results) -> None:
    shown = row("ada", 0, 0)
    error = "The answer's cell stopped with SyntaxError: invalid syntax (line 1: def)."
    for check in shown["checks"]:
        check |= {"status": "not_run", "message": error}
    asked = shown["checks"][0] | {"exercise": "twice", "check": "word", "message": "Not this."}
    results(shown | {"checks": [*shown["checks"], asked]})
    text = page()
    assert "What is <em>twice</em>?" in text
    assert text.count("SyntaxError") == 1
    assert text.count('<li class="bad">') == 3


# --- a folder without a notebook is work that was not handed in -----------------------------------


MISSING = {"status": "not_submitted", "reason": "it has no numbers.ipynb"}
NAMED = "1 without a notebook, not graded: bob\n"


@pytest.fixture
def file(results) -> str:
    """Return rows of a student with all points, and of one who handed in nothing."""
    return str(results(row("ada", 2, 1), row("bob", 0, 0, **MISSING)))


@pytest.mark.parametrize("before", ["", "0", "2"])
@pytest.mark.parametrize("lms", ["canvas", "moodle"])
def test_its_cell_in_the_lms_s_file_is_empty(file, capsys, lms, before) -> None:
    column = {"canvas": "numbers", "moodle": "Grade"}[lms]
    ids = {"canvas": "SIS Login ID", "moodle": "Username"}[lms]
    Path("lms.csv").write_text(f"{ids},{column}\nada,\nbob,{before}\n")
    assert main(["export", file, "--format", lms, "--lms-file", "lms.csv"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{ids},{column}\nada,3\nbob,\n"
    assert NAMED in said.err


def test_the_page_says_so_and_shows_no_points(file, capsys) -> None:
    assert main(["feedback", file, "-o", "pages"]) == 0
    page = Path("pages/bob.html").read_text()
    assert "numbers: not handed in" in page
    assert "No notebook was handed in: it has no numbers.ipynb." in page
    assert "<li" not in page
    assert capsys.readouterr().err == NAMED


def test_it_is_in_no_mean(file, capsys) -> None:
    assert main(["stats", file]) == 0
    said = capsys.readouterr().out
    assert "numbers: 1 submission (1 graded); mean of all 3.00 of 3 points; 1 without a" in said
    assert "below: the 1 that could be read" in said
    assert "double · small      100%" in said


def test_a_class_that_handed_in_nothing_has_no_mean(results, capsys) -> None:
    file = str(results(row("bob", 0, 0, **MISSING)))
    assert main(["stats", file]) == 0
    assert "numbers: no submission; 1 without a notebook" in capsys.readouterr().out


def test_it_is_not_late_and_no_time_is_missed(results, capsys) -> None:
    Path("policy.toml").write_text(
        "percent_per_day = 10\n[duedates]\nnumbers = 2026-11-02T10:00:00Z\n"
    )
    late = row("eve", 0, 0, timestamp="2026-11-09T10:00:00+00:00", **MISSING)
    file = str(results(row("bob", 0, 0, **MISSING), late))
    assert main(["feedback", file, "-o", "pages", "--policy", "policy.toml"]) == 0
    assert capsys.readouterr().err == "2 without a notebook, not graded: bob, eve\n"
    assert "late" not in Path("pages/eve.html").read_text()
