"""Whole runs in which whose a file is matters."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from coursekit.cli import main

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook
from .handed_in import make_zip

pytestmark = pytest.mark.usefixtures("unconfined")

SOLVED = notebook(*RIGHT.values())


def grade(submitted: Path, *more: str) -> int:
    """Grade into results.jsonl beside it and return the exit status."""
    results = submitted.with_name("results.jsonl")
    words = ["grade", CHAPTER, str(submitted), "--results", str(results), "--exercises", str(BANK)]
    return main([*words, "--jobs", "1", *more])


def scores(submitted: Path) -> dict[str, Any]:
    """Return each student's status and score."""
    lines = submitted.with_name("results.jsonl").read_text(encoding="utf-8").splitlines()
    return {(row := json.loads(line))["student"]: (row["status"], row["score"]) for line in lines}


def test_a_class_without_a_point_is_a_warning(tmp_path, capsys):
    names = [f"ada/other/{CHAPTER}.ipynb", "bob/other/other.ipynb"]
    path = make_zip(tmp_path / "class.zip", dict.fromkeys(names, SOLVED))
    assert grade(path) == 0
    out = capsys.readouterr().out
    assert (
        f"warning: no submission has earned a point; check that these are submissions to {CHAPTER}"
        in out
    )


def test_a_disk_that_fails_on_the_way_stops_the_batch_and_the_next_run_goes_on(
    tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "submitted"
    bad = [hand_in(folder, student, SOLVED) for student in ("anton", "berta")][1]
    opened, real = [], os.open

    def failing(path: Any, *more: Any, **named: Any) -> int:
        if str(path) == str(bad):
            opened.append(path)
            if len(opened) == 1:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", failing)
    assert grade(folder) == 2
    err = capsys.readouterr().err.splitlines()
    assert err[-1].startswith(f"coursekit: {bad}: cannot be read (Input/output error)")
    assert "berta" not in scores(folder)
    assert grade(folder) == 0
    assert scores(folder) == dict.fromkeys(("anton", "berta"), ("graded", FULL))


@pytest.mark.parametrize("listed", ["Zo\u00eb", "Zoe\u0308"])
@pytest.mark.parametrize("handed_in", ["Zo\u00eb", "Zoe\u0308"])
def test_a_name_is_one_student_in_every_spelling(tmp_path, capsys, listed, handed_in):
    folder, lms = tmp_path / "class", tmp_path / "canvas.csv"
    path = hand_in(folder, handed_in, SOLVED)
    lms.write_text(f"Student,SIS Login ID\nZ,{listed}\n", encoding="utf-8")
    assert grade(folder, "--lms-file", str(lms), "--only", listed) == 0
    assert scores(folder) == {"Zo\u00eb": ("graded", FULL)}
    # The same work from a system that spells names in the other way is not graded again.
    other = {"Zo\u00eb": "Zoe\u0308", "Zoe\u0308": "Zo\u00eb"}[handed_in]
    path.parents[1].rename(folder / other)
    capsys.readouterr()
    assert grade(folder, "--lms-file", str(lms)) == 0
    assert "0 graded now, 1 kept" in capsys.readouterr().out
