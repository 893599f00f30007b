"""Notebooks that were handed out with another version of an exercise than the course has."""

from __future__ import annotations

from contextlib import closing

import nbformat
import pytest

from coursekit.assignment import source_notebook
from coursekit.bank import load_bank
from coursekit.grade.grader import Grader
from coursekit.notebook.assignment import assignment_notebook

from .conftest import LIMITS, sandbox_for
from .test_grader import MEND


def of_version(folder, version):
    """Return the exercise to mend, of one version, from the course in a folder."""
    text = MEND.replace('id="mend",', f'id="mend", version={version},')
    (folder / "numbers").mkdir(exist_ok=True)
    (folder / "numbers" / "mend.py").write_text(text, encoding="utf-8")
    return load_bank(folder).chapter("numbers")


@pytest.mark.parametrize("make", [assignment_notebook, source_notebook])
@pytest.mark.parametrize(("handed_out", "now"), [(1, 1), (2, 2), (1, 2), (3, 2)])
def test_work_on_another_version_is_for_a_person_to_look_at(tmp_path, make, handed_out, now):
    work = nbformat.writes(make("Numbers", of_version(tmp_path, handed_out))).encode()
    with closing(sandbox_for()) as sandbox:
        row = Grader(of_version(tmp_path, now), sandbox, LIMITS).grade(work)
    if handed_out == now:
        assert (row.status, row.reason) == ("graded", "")
    else:
        assert row.status == "needs_review"
        assert f"version {handed_out} of mend, which was graded as version {now}" in row.reason
