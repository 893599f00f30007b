"""What is graded again, and whose marks that changes: no mark changes silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from coursekit.bank import SHARED, load_bank
from coursekit.grade.batch import basis
from coursekit.results import read_results

from .conftest import CHAPTER, RIGHT, edit, notebook, rows_of, task_for


@pytest.fixture
def grade(course, run) -> Callable[..., str]:
    """Return a function that grades the class of `course` and returns what the run said."""
    return partial(run, course / "class", bank=course / "exercises")


def scores() -> dict[str, float]:
    return {row.student: row.score for row in read_results(Path("r.jsonl"))}


def test_a_changed_check_says_whose_marks_changed(course, grade):
    grade()
    edit(course, "questions", "± 0.01", "± 0.001")
    assert "2 graded now\nchanged: bob 8 → 6; lower: 1\n" in grade()
    assert scores() == {"ada": 8, "bob": 6}
    assert "changed:" not in grade()
    edit(course, "questions", "± 0.001", "± 0.02")
    assert "changed: bob 6 → 8; lower: 0\n" in grade()


def test_other_work_is_no_changed_check(course, grade):
    grade()
    path = course / "class" / "ada" / CHAPTER / f"{CHAPTER}.ipynb"
    path.write_bytes(notebook(RIGHT["double"]))
    assert "1 kept from an earlier run\nhanded in again: ada 8 → 3; lower: 1\n" in grade()


def test_exercises_come_and_none_goes_because_its_folder_was_forgotten(course, grade):
    counter = course / "exercises" / CHAPTER / "counter.py"
    counter.rename(course / "counter.py")
    grade()
    (course / "counter.py").rename(counter)
    assert "changed: ada 6 of 8 → 8 of 10, bob 6 of 8 → 8 of 10; lower: 0\n" in grade()
    counter.unlink()
    before = Path("r.jsonl").read_bytes()
    line = grade(status=2).splitlines()[-1]
    assert "its rows have exercises that are not here: counter; expected their folder" in line
    assert Path("r.jsonl").read_bytes() == before


# --- what a row rests on, besides the work ------------------------------------------------------


def test_each_part_of_a_task_that_can_change_a_row_grades_again():
    exercises = load_bank("exercises").chapter("motivation")
    task = task_for(files={"a.py": "a", SHARED: ""}, secret="a secret of some length")
    others = [
        replace(task, chapter="other"),
        replace(task, secret="another secret of some length"),
        replace(task, files={"a.py": "b", SHARED: ""}),
        replace(task, files={"a.py": "a", SHARED: "x"}),
        replace(task, files={"a.py": "a"}),
    ]
    assert len({basis(each, exercises) for each in (task, *others)}) == 1 + len(others)
    assert task.secret not in basis(task, exercises)


def test_the_course_s_own_packages_are_part_of_it(course, monkeypatch):
    settings = '[project]\nname = "c"\nversion = "1"\n[project.entry-points.coursekit]\n'
    (course / "pyproject.toml").write_text(settings + 'exercises = "twice"\n')
    package = course / "lib" / "twice"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .deeper import two\n")
    (package / "deeper.py").write_text("def two():\n    return 2\n")
    monkeypatch.syspath_prepend(course / "lib")
    edit(course, "double", "import numpy as np", "import numpy as np\nfrom twice import two")
    exercises, task = load_bank("exercises").chapter(CHAPTER), task_for()
    before = basis(task, exercises)
    assert basis(task, exercises) == before
    (package / "deeper.py").write_text("def two():\n    return 2.0\n")
    assert basis(task, exercises) != before


# --- the secret -----------------------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path: Path) -> list[str]:
    """Return the option with a secret."""
    (tmp_path / "secret.txt").write_text("a secret of some length\n")
    return ["--secret", str(tmp_path / "secret.txt")]


def test_a_row_tells_whether_a_secret_was_used_and_not_which(course, tmp_path, secret, run):
    work = course / "class"
    results = tmp_path / "r.jsonl"
    assert "warning: without --secret FILE" in run(work)
    before = rows_of(results)
    assert [row["secret_fingerprint"] for row in before] == ["", ""]
    said = run(work, *secret)
    assert not {row["key"] for row in before} & {row["key"] for row in rows_of(results)}
    assert "secret" not in said
    first, second = (row["secret_fingerprint"] for row in rows_of(results))
    assert first == second
    assert len(first) == 8
    assert "a secret" not in results.read_text()


def test_rows_with_a_secret_are_graded_again_with_another_one_and_never_without(
    course, tmp_path, secret, run
):
    work = course / "class"
    run(work, *secret)
    content = (tmp_path / "r.jsonl").read_bytes()
    before = {row["secret_fingerprint"] for row in rows_of(tmp_path / "r.jsonl")}
    line = run(work, status=2).splitlines()[-1]
    assert f"its rows of {CHAPTER} were graded with a secret; expected the same" in line
    assert (tmp_path / "r.jsonl").read_bytes() == content
    (tmp_path / "secret.txt").write_text("another secret of some length")
    assert "that were graded with another secret" in run(work, *secret)
    assert not before & {row["secret_fingerprint"] for row in rows_of(tmp_path / "r.jsonl")}
    assert "another secret" not in run(work, *secret)
