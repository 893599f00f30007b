"""A folder without a notebook is work that was not handed in, wherever marks are given out."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.cli import main

from .conftest import row

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
