"""Feedback pages: what they show of a verdict, its markup, and pages that are out of date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.verdict import Status

from .conftest import row


@pytest.fixture
def page(run, results) -> Callable[..., str]:
    """Return a function that writes pages for rows of results, and returns Ada's."""

    def written(*rows: dict[str, Any], more: tuple[str, ...] = ()) -> str:
        run("feedback", results(*rows), "-o", "out", *more)
        return Path("out/ada.html").read_text(encoding="utf-8")

    return written


@pytest.mark.parametrize("points", [(2, 1), (0, 0)])
def test_a_check_says_what_was_seen_and_a_hidden_one_its_explanation_alone(page, points) -> None:
    graded = row("ada", *points)
    for check in graded["checks"]:
        check["message"] = f"{check['check']}: a sum of two."
    graded["checks"][1]["explanation"] = "The sign is lost." * (not sum(points))
    shown = page(graded)
    assert f"numbers: {sum(points)} of 3 points" in shown
    for said in ("Small numbers", "small: a sum of two.", "A hidden check"):
        assert said in shown
    assert ("The sign is lost." in shown) == (not sum(points))
    for secret in ("Negative numbers", "negative"):
        assert secret not in shown


@pytest.mark.parametrize("status", Status)
def test_every_status_has_its_sign(page, status: Status) -> None:
    shown = row("ada", 2, 0)
    shown["checks"][0] |= {"status": status.value, "points": 0.0}
    assert '<span class="mark">' in page(shown)


def test_the_page_of_withdrawn_work_is_removed(page, results, run) -> None:
    page(row("ada", 2, 1), row("eve", 0, 0), row("Eve", 0, 0))
    kept = sorted(path.name for path in Path("out").iterdir())
    assert len(kept) == 3
    Path("out/notes.html").touch()
    file = results(row("ada", 2, 1), row("eve", 0, 0, withdrawn=True), row("Eve", 0, 0))
    assert "out: removed the pages of eve\n" in run("feedback", file, "-o", "out").err
    now = {path.name for path in Path("out").iterdir()}
    assert "notes.html" in now
    assert len(now & set(kept)) == 2
    assert not any(name.startswith("eve") for name in now)
    # Withdrawn from one assignment, handed in for another: the page stays.
    both = row("ada", 2, 1), row("ada", 0, 0, assignment="words", withdrawn=True)
    assert "words" not in page(*both)


def test_a_chosen_assignment_is_alone_in_pages_and_statistics(page, run) -> None:
    rows = row("ada", 2, 1, assignment="wrong"), row("ada", 0, 1), row("bob", 2, 1)
    assert "wrong" in page(*rows)
    assert "wrong" not in page(*rows, more=("--assignment", "numbers"))
    assert "wrong" not in run("stats", "results.jsonl", "--assignment", "numbers").out
    words = ["feedback", "results.jsonl", "-o", "out", "--assignment", "nmbers"]
    assert "no results for 'nmbers'; did you mean numbers?" in run(*words, status=2).err


def test_a_question_is_shown_as_it_was_asked_and_an_error_once(page) -> None:
    shown = row("ada", 0, 0)
    error = "The answer's cell stopped with SyntaxError: invalid syntax (line 1: def)."
    for check in shown["checks"]:
        check |= {"status": "not_run", "message": error}
    asked = shown["checks"][0] | {"exercise": "twice", "check": "word", "message": "Not this."}
    text = page(shown | {"checks": [*shown["checks"], asked]})
    assert "What is <em>twice</em>?" in text
    assert text.count("SyntaxError") == 1
    assert text.count('<li class="bad">') == 3


# --- a folder without a notebook is work that was not handed in -----------------------------------


MISSING = {"status": "not_submitted", "reason": "it has no numbers.ipynb"}
NAMED = "1 without a notebook, not graded: bob\n"


@pytest.fixture
def file(results) -> Path:
    """Return rows of a student with all points, and of one who handed in nothing."""
    return results(row("ada", 2, 1), row("bob", 0, 0, **MISSING))


@pytest.mark.parametrize("before", ["", "0", "2"])
@pytest.mark.parametrize("lms", ["canvas", "moodle"])
def test_its_cell_in_the_lms_s_file_is_empty(file, run, lms, before) -> None:
    column = {"canvas": "numbers", "moodle": "Grade"}[lms]
    ids = {"canvas": "SIS Login ID", "moodle": "Username"}[lms]
    Path("lms.csv").write_text(f"{ids},{column}\nada,\nbob,{before}\n")
    said = run("export", file, "--format", lms, "--lms-file", "lms.csv")
    assert said.out == f"{ids},{column}\nada,3\nbob,\n"
    assert NAMED in said.err


def test_the_page_says_so_and_shows_no_points(file, run) -> None:
    assert run("feedback", file, "-o", "pages").err == NAMED
    page = Path("pages/bob.html").read_text()
    assert "numbers: not handed in" in page
    assert "No notebook was handed in: it has no numbers.ipynb." in page
    assert "<li" not in page


def test_it_is_in_no_mean(file, results, run) -> None:
    said = run("stats", file).out
    assert "numbers: 1 submission (1 graded); mean of all 3.00 of 3 points; 1 without a" in said
    assert "below: the 1 that could be read" in said
    assert "double · small      100%" in said
    said = run("stats", results(row("bob", 0, 0, **MISSING))).out
    assert "numbers: no submission; 1 without a notebook" in said


def test_it_is_not_late_and_no_time_is_missed(results, run) -> None:
    Path("policy.toml").write_text(
        "percent_per_day = 10\n[duedates]\nnumbers = 2026-11-02T10:00:00Z\n"
    )
    late = row("eve", 0, 0, timestamp="2026-11-09T10:00:00+00:00", **MISSING)
    file = results(row("bob", 0, 0, **MISSING), late)
    said = run("feedback", file, "-o", "pages", "--policy", "policy.toml").err
    assert said == "2 without a notebook, not graded: bob, eve\n"
    assert "late" not in Path("pages/eve.html").read_text()
