"""``coursekit grade`` from the outside: what it writes, prints and survives."""

from __future__ import annotations

import pytest

from coursekit.cli import main
from tests.isolation import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, STUDENTS, grade_words, hand_in, notebook, rows_of


def test_every_submission_has_its_row(submitted, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    assert main(grade_words(submitted, results)) == 0
    rows = rows_of(results)
    assert [row["student"] for row in rows] == STUDENTS
    assert rows[0]["status"] == "not_submitted"
    assert rows[0]["reason"] == f"it has no {CHAPTER}.ipynb"
    assert [row["score"] for row in rows[:4]] == [0.0, 0.0, 0.0, FULL]
    assert rows[3]["isolation"].startswith(strongest_level())
    captured = capsys.readouterr()
    assert "12 submissions: 12 graded now\n" in captured.out
    assert (
        f"{results}: 12 rows of {CHAPTER} (3 graded, 8 needs_review, 1 not_submitted)\n"
        in captured.out
    )
    assert "warning: no submission" not in captured.out
    assert f"  {STUDENTS[0]}: not_submitted (it has no {CHAPTER}.ipynb)\n" in captured.out
    assert f"isolation: {strongest_level()}" in captured.err
    assert "--secret" in captured.err


def test_a_second_run_grades_only_what_is_new(submitted, tmp_path, run):
    run(submitted)
    before = (tmp_path / "r.jsonl").read_bytes()
    said = run(submitted)
    assert "12 submissions: 0 graded now, 12 kept from an earlier run\n" in said
    assert (tmp_path / "r.jsonl").read_bytes() == before
    work = submitted / STUDENTS[1] / CHAPTER / f"{CHAPTER}.ipynb"
    work.write_bytes(notebook(*RIGHT.values()))
    assert "12 submissions: 1 graded now, 11 kept" in run(submitted)
    assert rows_of(tmp_path / "r.jsonl")[1]["score"] == FULL


@pytest.mark.usefixtures("unconfined")
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["arithmetik", ".", "--results", "r"], "did you mean arithmetic"),
        ([CHAPTER, "empty", "--results", "no/folder/r"], "no submissions; expected"),
        ([CHAPTER, "class", "--results", "no/folder/r"], "there is no folder"),
        ([CHAPTER, "class", "--results", "class"], "not a file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "nowhere"], "nowhere: No such file"),
        ([CHAPTER, "class", "--results", "r", "--secret", "short"], "at least 16"),
        ([CHAPTER, "class", "--results", "r", "--secret", "picture"], "picture: not a text file"),
        ([CHAPTER, "class", "--results", "short", "--secret", "short"], "expected two files"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "short").write_text("short")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff\xfe")
    hand_in(tmp_path / "class", "anton", notebook("x = 1"))
    assert main(["grade", *arguments, "--exercises", str(BANK)]) == 2
    captured = capsys.readouterr().err.strip().splitlines()
    assert line in captured[-1]
    assert captured[-1].startswith("coursekit: ")
