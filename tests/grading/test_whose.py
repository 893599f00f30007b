"""Whole runs in which whose a file is matters."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from .conftest import CHAPTER, FULL, RIGHT, hand_in, notebook, rows_of
from .handed_in import make_zip

SOLVED = notebook(*RIGHT.values())


def scores(tmp_path: Path) -> dict[str, Any]:
    """Return each student's status and score."""
    rows = rows_of(tmp_path / "r.jsonl")
    return {row["student"]: (row["status"], row["score"]) for row in rows}


def test_a_class_without_a_point_is_a_warning(tmp_path, run):
    names = [f"ada/other/{CHAPTER}.ipynb", "bob/other/other.ipynb"]
    said = run(make_zip(tmp_path / "class.zip", dict.fromkeys(names, SOLVED)))
    assert "warning: no submission has earned a point; check that these are submissions" in said


def test_a_disk_that_fails_on_the_way_stops_the_batch_and_the_next_run_goes_on(
    tmp_path, monkeypatch, run
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
    last = run(folder, status=2).splitlines()[-1]
    assert last.startswith(f"coursekit: {bad}: cannot be read (Input/output error)")
    assert "berta" not in scores(tmp_path)
    run(folder)
    assert scores(tmp_path) == dict.fromkeys(("anton", "berta"), ("graded", FULL))


@pytest.mark.parametrize("listed", ["Zo\u00eb", "Zoe\u0308"])
@pytest.mark.parametrize("handed_in", ["Zo\u00eb", "Zoe\u0308"])
def test_a_name_is_one_student_in_every_spelling(tmp_path, run, listed, handed_in):
    folder, lms = tmp_path / "class", tmp_path / "canvas.csv"
    path = hand_in(folder, handed_in, SOLVED)
    lms.write_text(f"Student,SIS Login ID\nZ,{listed}\n", encoding="utf-8")
    run(folder, "--lms-file", str(lms), "--only", listed)
    assert scores(tmp_path) == {"Zo\u00eb": ("graded", FULL)}
    # The same work from a system that spells names in the other way is not graded again.
    other = {"Zo\u00eb": "Zoe\u0308", "Zoe\u0308": "Zo\u00eb"}[handed_in]
    path.parents[1].rename(folder / other)
    assert "0 graded now, 1 kept" in run(folder, "--lms-file", str(lms))
