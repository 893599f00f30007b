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


def test_a_passed_check_says_why_and_a_hidden_one_nothing(results) -> None:
    passed = row("ada", 2, 1)
    for check in passed["checks"]:
        check["message"] = f"{check['check']}: a sum of two."
    results(passed)
    shown = page()
    assert "small: a sum of two." in shown
    assert "negative: a sum" not in shown


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
