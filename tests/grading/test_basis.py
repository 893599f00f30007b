"""What a row rests on: all code that can change it, and no words."""

from __future__ import annotations

import pytest

from coursekit.bank import load_bank
from coursekit.grade.basis import basis

from .conftest import CHAPTER, edit


@pytest.mark.parametrize(
    ("exercise", "old", "new"),
    [
        ("counter", "What must an instance remember?", "What does an instance remember?"),
        ("counter", 'title="A counter"', 'title="Count"'),
        ("counter", "Write a class", "Write the class"),
        ("counter", '"""Counts on from its start"""', '"""Goes on"""  # a comment'),
        ("questions", "What is half of five?", "What is the half of five?"),
        ("questions", "Why is a double", "Why is the double"),
    ],
)
def test_words_grade_nothing_again(course, exercise, old, new):
    before = basis(load_bank("exercises").chapter(CHAPTER))
    edit(course, exercise, old, new)
    assert basis(load_bank("exercises").chapter(CHAPTER)) == before


@pytest.mark.parametrize(
    ("exercise", "old", "new"),
    [
        ("counter", "== 7", "== 7.5"),
        ("counter", "points=2", "points=3"),
        ("counter", 'title="A counter",', 'title="A counter", withhold=["math.fsum"],'),
        ("counter", 'title="A counter",', 'title="A counter", version=2,'),
        ("double", "hidden=True", "hidden=False"),
        ("double", "`2 * x` → `x * x`", "`2 * x` → `x * x * x`"),
        ("double", "rng.normal(size=(3, 5))", "rng.normal(size=(3, 6))"),
        ("double", "    # BEGIN SOLUTION", "    # STARTER: return x\n    # BEGIN SOLUTION"),
        ("double", "import numpy as np", "import numpy as np\nimport math"),
        ("questions", "± 0.01", "± 0.02"),
        ("questions", "2.5", "2.4"),
        ("questions", "[2] ", "[3] "),
        ("questions", "Four is twice two.", "Four is two and two."),  # rows contain it
        ("counter", "It forgot what was added before.", "It forgot."),  # rows contain it
    ],
)
def test_what_can_change_a_row_grades_again(course, exercise, old, new):
    before = basis(load_bank("exercises").chapter(CHAPTER))
    if "STARTER" in new:
        new, old = "    # BEGIN SOLUTION\n    # STARTER: return x", "    # BEGIN SOLUTION"
    edit(course, exercise, old, new)
    assert basis(load_bank("exercises").chapter(CHAPTER)) != before


def test_an_exercise_more_or_less_grades_again(course):
    whole = load_bank("exercises").chapter(CHAPTER)
    assert len({basis(whole), basis(whole[1:]), basis(whole[:-1])}) == 3
    assert basis(whole[::-1]) == basis(whole)


def test_right_answers_in_the_file_grade_nothing_again(course):
    before = basis(load_bank("exercises").chapter(CHAPTER))
    file = course / "exercises" / CHAPTER / "double.py"
    file.write_text(file.read_text() + "\n\nALSO_RIGHT = {'sum': 'def double(x): return x + x'}\n")
    assert basis(load_bank("exercises").chapter(CHAPTER)) == before


def test_the_course_s_own_modules_are_helpers(course, monkeypatch):
    settings = '[project]\nname = "c"\nversion = "1"\n[project.entry-points.coursekit]\n'
    (course / "pyproject.toml").write_text(settings + 'exercises = "twice"\n')
    package = course / "lib" / "twice"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Twice."""\nfrom .deeper import two\n')
    (package / "deeper.py").write_text("def two():\n    return 2\n")
    (package / "other.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(course / "lib")
    edit(course, "double", "import numpy as np", "import numpy as np\nfrom twice import two")
    exercises = load_bank("exercises").chapter(CHAPTER)
    before = basis(exercises)
    (package / "other.py").write_text("x = 2\n")
    (package / "__init__.py").write_text('"""Two times."""\nfrom .deeper import two  # same\n')
    assert basis(exercises) == before
    (package / "deeper.py").write_text("def two():\n    return 2.0\n")
    assert basis(exercises) != before
