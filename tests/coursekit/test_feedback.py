"""Feedback pages: what they show of a verdict, its markup, and pages that are out of date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from coursekit.bank.load import Bank
from coursekit.cli import main
from coursekit.errors import MissingExtraError
from coursekit.judge.verdict import Status
from coursekit.marked import message_html
from coursekit.notebooks.commonmark import to_commonmark
from coursekit.results import feedback
from coursekit.results.feedback import course_html
from coursekit.row import RowStatus

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


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Use `a < b`, *not* this.", "Use <code>a &lt; b</code>, <em>not</em> this."),
        ("a * b * c and `x`*2", "a * b * c and <code>x</code>*2"),
        ("`*` and **", "<code>*</code> and **"),
        ("<b>*<i>*</b>", "&lt;b&gt;<em>&lt;i&gt;</em>&lt;/b&gt;"),
        ("It costs $5 or $6 $", "It costs $5 or $6 $"),
    ],
)
def test_messages_have_code_and_stress(text: str, html: str) -> None:
    assert message_html(text) == html
    assert course_html(text) == html


def test_a_learner_s_message_has_no_formula() -> None:
    assert message_html("x is $y$.") == "x is $y$."


def test_formulas_are_mathml() -> None:
    html = course_html("Take $\\sqrt{d_k}$, and `$x$` as it is.")
    assert re.fullmatch(r"Take <math .*<msqrt>.*</math>, and <code>\$x\$</code> as it is\.", html)
    assert course_html("Take $\\frac{$.") == "Take <code>\\frac{</code>."


def test_without_the_library_a_formula_is_its_source(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert course_html("Take $d_k < 3$.") == "Take <code>d_k &lt; 3</code>."


def test_without_the_parser_hints_are_there(results, monkeypatch) -> None:
    def missing(text: str) -> str:
        raise MissingExtraError("markdown-it-py", "grading")

    monkeypatch.setattr("coursekit.results.feedback.to_commonmark", missing)
    results(row("ada", 0, 0))
    assert "<li>Use <code>*</code>.</li>" in page()


def test_no_hint_of_the_course_shows_its_markup(bank: Bank) -> None:
    for exercise in bank.values():
        for hint in exercise.hints:
            html = course_html(to_commonmark(hint))
            shown = re.sub(r"<code>.*?</code>|<math.*?</math>", "", html)
            assert not re.search(r"\$|`|\\\\[a-z]|(?<!\w)\*\w", shown), (exercise.id, shown)
            sources = re.findall(r"`([^`]*)`", hint)
            assert html.count("<code>") == len(sources), (exercise.id, "a formula failed")


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


def test_every_status_of_a_row_has_a_sentence_and_a_line_for_instructors() -> None:
    assert {*feedback._STATUS} == {*RowStatus}
    page = Path(__file__).resolve().parents[2] / "book" / "instructors.md"
    first = [line.split("|")[1] for line in page.read_text("utf-8").splitlines() if "|" in line]
    told = {name for cell in first for name in re.findall(r"`(\w+)`", cell)}
    assert {status.value for status in RowStatus} <= told
