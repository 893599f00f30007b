"""Marks as courses use them: bonus, the lowest dropped, the best attempt, exact figures."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from coursekit.cli import main

from .conftest import row

DUE = """
[late]
percent_per_day = 10

[assignments.numbers]
duedate = 2026-11-02T23:59:00+01:00
attempts = "best"
"""
BONUS = "[assignments.bonus]\nextra_credit = ['double']\n"

Table = list[dict[str, str]]


@pytest.fixture
def export(results, capsys) -> Callable[..., str]:
    """Return a function that writes rules and rows, and returns what an export prints."""

    def write(policy: str, *rows: dict[str, Any], format: str = "totals", lms: str = "") -> str:
        Path("policy.toml").write_text(policy, encoding="utf-8")
        words = ["export", str(results(*rows)), "--format", format, "--policy", "policy.toml"]
        if lms:
            Path("lms.csv").write_text(lms, encoding="utf-8")
            words += ["--lms-file", "lms.csv"]
        assert main(words) == 0
        return str(capsys.readouterr().out)

    return write


def table(text: str) -> Table:
    return list(csv.DictReader(io.StringIO(text)))


def sheet(student: str, assignment: str, *points: float) -> dict[str, Any]:
    return row(student, *points, assignment=assignment)


# --- extra credit throughout ----------------------------------------------------------------


def test_a_bonus_sheet_adds_to_the_total(export) -> None:
    rows = [sheet("ada", "hw", 2, 0), sheet("ada", "bonus", 2, 1), sheet("bob", "hw", 2, 0)]
    ada, bob = table(export("[assignments.hw]\nweight = 3\n" + BONUS, *rows))
    assert ada["bonus (3 extra)"] == "3"
    assert (ada["total (%)"], bob["total (%)"]) == ("100", "66.6667")  # (3 · 2/3 + 1 · 3/3) / 3


def test_bonus_sheets_alone_are_a_total_of_their_own(export) -> None:
    (ada,) = table(export(BONUS + "weight = 2\n", sheet("ada", "bonus", 2, 0)))
    assert ada["total (%)"] == "66.6667"


@pytest.mark.parametrize(("most", "points"), [("0", "3"), ("6", "6"), ("", "3")])
def test_a_bonus_sheet_counts_in_the_lms(export, most: str, points: str) -> None:
    head = f"Student,SIS Login ID,bonus\nPoints Possible,,{most}\nA,ada,\n"
    out = export(BONUS, sheet("ada", "bonus", 2, 1), format="canvas", lms=head)
    assert out.endswith(f"A,ada,{points}\n")
    moodle = f"Identifier,Maximum Grade,Grade\nParticipant 7,{most},\n"
    out = export(BONUS, sheet("7", "bonus", 2, 1), format="moodle", lms=moodle)
    assert out.endswith(f"Participant 7,{most},{points}\n")


def test_pages_say_what_bonus_points_are_of(export) -> None:
    export(BONUS, sheet("ada", "bonus", 2, 1))
    assert main(["feedback", "results.jsonl", "-o", "out", "--policy", "policy.toml"]) == 0
    assert "bonus: 3 of 3 extra points" in Path("out/ada.html").read_text(encoding="utf-8")


# --- the lowest dropped ---------------------------------------------------------------------


def test_the_lowest_is_dropped_and_named(export) -> None:
    rows = [sheet("ada", "a", 2, 1), sheet("ada", "b", 2, 0), sheet("ada", "c", 0, 1)]
    rows += [sheet("bob", "a", 2, 1), sheet("bob", "c", 0, 1)]
    rows += [sheet("cy", "a", 2, 1), sheet("cy", "b", 2, 1), sheet("cy", "c", 2, 1)]
    text = export("drop_lowest = 1", *rows)
    ada, bob, cy = table(text)
    assert (ada["dropped"], ada["total (%)"]) == ("c", "83.3333")  # (1 + 2/3) / 2
    assert (bob["dropped"], bob["total (%)"]) == ("b", "66.6667")  # not handed in: it goes first
    assert (cy["dropped"], cy["total (%)"]) == ("a", "100")
    assert ada["c (of 3)"] == "1"  # the points stay
    assert "dropped" not in export("", *rows)
    assert [line["dropped"] for line in table(export("drop_lowest = 2", *rows))] == [
        "c; b", "b; c", "a; b",
    ]  # fmt: skip


def test_what_counts_nothing_is_not_dropped_and_one_always_stays(export) -> None:
    rows = [sheet("ada", "hw", 2, 0), sheet("ada", "bonus", 0, 0), sheet("ada", "trial", 0, 0)]
    rules = "drop_lowest = 5\n[assignments.trial]\nweight = 0\n" + BONUS
    (ada,) = table(export(rules, *rows))
    assert (ada["dropped"], ada["total (%)"]) == ("", "66.6667")


def test_of_equal_shares_the_heavier_goes(export) -> None:
    rows = [sheet("ada", "a", 2, 1), sheet("ada", "b", 2, 0), sheet("ada", "c", 2, 0)]
    (ada,) = table(export("drop_lowest = 1\n[assignments.c]\nweight = 5", *rows))
    assert (ada["dropped"], ada["total (%)"]) == ("c", "83.3333")


@pytest.mark.parametrize("value", ["-1", "1.5", "true", "'1'"])
def test_a_number_to_drop_is_whole(results, capsys, value: str) -> None:
    Path("policy.toml").write_text(f"drop_lowest = {value}\n")
    assert main(["stats", str(results(row("ada", 2, 1))), "--policy", "policy.toml"]) == 2
    assert "expected a whole number, 0 or more" in capsys.readouterr().err


# --- the best of attempts -------------------------------------------------------------------


def tried(*attempts: tuple[str, float, float]) -> dict[str, Any]:
    """Return ada's row after some attempts: time and points of each."""
    rows = [
        row("ada", *points, timestamp=f"2026-11-{day}:00+00:00", work=f"w{number}")
        for number, (day, *points) in enumerate(attempts)
    ]
    return rows[-1] | {"attempts": rows[:-1]}


@pytest.mark.parametrize(
    ("attempts", "score"),
    [
        ([("02T10:00", 2, 1), ("02T12:00", 2, 0)], 3),  # the first
        ([("02T10:00", 0, 1), ("02T12:00", 2, 0)], 2),  # the last
        ([("02T10:00", 2, 0), ("03T10:00", 2, 1)], 2.7),  # late, and still better
        ([("02T10:00", 2, 0), ("06T10:00", 2, 1)], 2),  # 3 less 40 % are 1.8
        ([("02T10:00", 0, 1), ("02T11:00", 2, 1), ("02T12:00", 2, 0)], 3),
    ],
)
def test_the_best_attempt_counts_after_its_own_penalty(export, attempts, score) -> None:
    made = tried(*attempts)
    (ada,) = table(export(DUE, made, format="nbgrader"))
    assert float(ada["score"]) == score
    assert f"ada,{score}," in export(DUE, made)
    last = DUE.replace('"best"', '"last"')
    (ada,) = table(export(last, made, format="nbgrader"))
    assert float(ada["raw_score"]) == sum(attempts[-1][1:])


def test_an_earlier_attempt_is_told(results, capsys) -> None:
    Path("policy.toml").write_text(DUE)
    file = results(tried(("02T10:00", 2, 1), ("02T12:00", 2, 0)))
    words = [str(file), "--policy", "policy.toml"]
    assert main(["feedback", *words, "-o", "out"]) == 0
    assert "1 mark of an earlier attempt: ada\n" in capsys.readouterr().err
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "numbers: 3 of 3 points" in page
    assert "An earlier attempt counts, handed in on 2026-11-02 at 11:00 UTC+01:00" in page
    assert main(["stats", *words]) == 0
    assert "mean of all 3.00 of 3 points" in capsys.readouterr().out


def test_attempts_that_different_checks_graded_are_named(results, capsys) -> None:
    Path("policy.toml").write_text(DUE)
    made = tried(("02T10:00", 2, 1), ("02T12:00", 2, 0))
    for then, is_named in (("a", False), ("b", True)):
        made["attempts"][0]["check_hashes"], made["check_hashes"] = (
            {"double": then},
            {"double": "a"},
        )
        words = ["export", str(results(made)), "--format", "totals", "--policy", "policy.toml"]
        assert main(words) == 0
        said = "1 student with attempts that different checks graded, compared as they are: ada"
        assert (said in capsys.readouterr().err) == is_named


@pytest.mark.parametrize("duedate", ["", "duedate = 2026-11-02T23:59:00+01:00\n"])
def test_rules_for_late_work_without_a_due_date_are_named(results, capsys, duedate) -> None:
    Path("policy.toml").write_text(f"{DUE.split('[assign')[0]}[assignments.numbers]\n{duedate}")
    words = ["export", str(results(row("ada", 2, 1))), "--format", "totals"]
    assert main([*words, "--policy", "policy.toml"]) == 0
    said = "nothing is taken off for late work in numbers: the policy has no due date"
    assert (said in capsys.readouterr().err) == (not duedate)


def test_what_attempts_may_be(results, capsys) -> None:
    Path("policy.toml").write_text("[assignments.numbers]\nattempts = 'first'\n")
    assert main(["stats", str(results(row("ada", 2, 1))), "--policy", "policy.toml"]) == 2
    assert 'numbers.attempts is \'first\'; expected "last" or "best"' in capsys.readouterr().err


# --- exact figures --------------------------------------------------------------------------

_LONG = re.compile(r"\d\.\d{7,}|\de[-+]?\d")


@pytest.mark.parametrize("percent", ["7.3", "33.3", "0.1", "12.5"])
@pytest.mark.parametrize("points", [(0.1, 0.2), (1.4, 2.8), (4.6, 0.3), (1e-05, 0.1)])
def test_no_format_shows_what_floats_add(export, capsys, percent: str, points) -> None:
    rules = DUE.replace("10", percent, 1)
    late = row("ada", *points, timestamp="2026-11-03T12:00:00+00:00", max_score=7.4)
    for check, most in zip(late["checks"], (4.6, 2.8), strict=True):
        check["max_points"] = most
    late["score"] = round(sum(points), 6)
    exact = sum(map(Fraction, map(str, points))) * (1 - Fraction(percent) / 100)
    (ada,) = table(export(rules, late, format="nbgrader"))
    assert abs(Fraction(ada["score"]) - exact) <= Fraction(1, 10**6)
    assert not _LONG.search(" ".join(ada.values()))
    (ada,) = table(export(rules, late))
    assert not _LONG.search(" ".join(ada.values()))
    assert abs(Fraction(ada["total (%)"]) - 100 * exact / Fraction("7.4")) < Fraction(1, 10000)
    lms = "Student,SIS Login ID,numbers\nPoints Possible,,1000\nA,ada,\n"
    cell = export(rules, late, format="canvas", lms=lms).split(",")[-1].strip()
    assert abs(Fraction(cell) - 1000 * exact / Fraction("7.4")) < Fraction(2, 10000)
    words = ["results.jsonl", "--policy", "policy.toml", "-o"]
    assert main(["feedback", *words, "out"]) == 0
    body = Path("out/ada.html").read_text(encoding="utf-8").partition("<main>")[2]
    assert not _LONG.search(body)


def test_the_reported_figure_is_gone(export) -> None:
    late = row("ada", 3.5, 0, timestamp="2026-11-03T12:00:00+00:00")
    (ada,) = table(export(DUE.replace("10", "12.4", 1), late, format="nbgrader"))
    assert ada["score"] == "3.066"


# --- identifiers ----------------------------------------------------------------------------

COMPOSED, DECOMPOSED = "Zo\u00eb@uni.de", "Zoe\u0308@uni.de"


@pytest.mark.parametrize("listed", [COMPOSED, DECOMPOSED, COMPOSED.upper()])
@pytest.mark.parametrize("handed_in", [COMPOSED, DECOMPOSED])
def test_a_name_is_one_name_in_every_spelling(export, listed: str, handed_in: str) -> None:
    lms = f"Student,SIS Login ID,numbers\nZ,{listed},\n"
    out = export("", row(handed_in, 2, 1), format="canvas", lms=lms)
    assert out.endswith(f"Z,{listed},3\n")


@pytest.mark.parametrize("granted", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("handed_in", [COMPOSED, DECOMPOSED])
def test_an_extension_finds_its_student(export, granted: str, handed_in: str) -> None:
    lines = f"assignment,student_id,days\nnumbers,{granted},2\n"
    Path("extensions.csv").write_text(lines, encoding="utf-8")
    late = row(handed_in, 2, 1, timestamp="2026-11-03T12:00:00+00:00")
    (zoe,) = table(export('extensions = "extensions.csv"\n' + DUE, late, format="nbgrader"))
    assert zoe["score"] == "3.0"


def test_what_turns_a_line_around_is_one_spelling_too(export) -> None:
    lms = "Student,SIS Login ID,numbers\nE,\u202eevil,\n"
    out = export("", row("%202eevil", 2, 1), format="canvas", lms=lms)
    assert out.endswith("E,\u202eevil,3\n")
