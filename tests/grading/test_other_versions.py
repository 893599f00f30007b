"""Notebooks that were handed out with another version of an exercise than the course has."""

from __future__ import annotations

import json
from dataclasses import replace

import nbformat
import pytest

from coursekit.assignment.source_notebook import source_notebook
from coursekit.bank import load_bank
from coursekit.grade.grader import _of_other_versions, failed
from coursekit.grade.notebook_file import read_notebook
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.summary import Summary
from coursekit.notebook.assignment import assignment_notebook
from coursekit.results import Outcome

from .conftest import CHAPTER, code
from .test_grader import MEND


def of_version(folder, version):
    """Return the exercise to mend, of one version, from the course in a folder."""
    text = MEND.replace("exercise(\n", f"exercise(version={version},\n")
    (folder / "numbers").mkdir(exist_ok=True)
    (folder / "numbers" / "mend.py").write_text(text, encoding="utf-8")
    return load_bank(folder).chapter("numbers")


@pytest.mark.parametrize("make", [assignment_notebook, source_notebook])
@pytest.mark.parametrize(("handed_out", "now"), [(1, 1), (2, 2), (1, 2), (3, 2)])
def test_work_on_another_version_is_for_a_person_to_look_at(tmp_path, make, handed_out, now):
    work = nbformat.writes(make("Numbers", of_version(tmp_path, handed_out))).encode()
    told = [*_of_other_versions(of_version(tmp_path, now), read_notebook(work)[0])]
    line = f"its notebook has version {handed_out} of mend, which was graded as version {now}"
    assert told == [line] * (handed_out != now)


@pytest.mark.parametrize("digits", [5, 2000, 4000])
def test_a_forged_version_number_floods_nothing(grade, digits):
    about = {"exercise": "double", "role": "answer", "version": int("9" * digits)}
    row = grade(code("def double(x):\n    return 2 * x", coursekit=about))
    assert row["status"] == "needs_review"
    assert "its notebook has an impossible version of double, which" in row["reason"]
    assert "9999" not in json.dumps(row)


def test_a_long_reason_is_cut_in_the_terminal_and_kept_in_the_row(tmp_path):
    row = replace(failed((), Outcome.CRASHED, "why " * 400), assignment=CHAPTER)
    with ResultsFile(tmp_path / "r") as results:
        results.add(row)
        lines = [*Summary(CHAPTER).lines(results, tmp_path / "r")]
    (line,) = [line for line in lines if "crashed (" in line]
    assert len(line) < 400
    assert line.endswith("…)")
