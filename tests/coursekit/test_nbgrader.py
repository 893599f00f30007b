"""nbgrader itself releases our assignment and gives the expected points.

One course, one assignment of small exercises and of the course's own (a widget exercise among
them), a few submissions: nbgrader takes seconds for each.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import nbformat
import pytest

from coursekit.assignment.course import nbgrader, write_course
from coursekit.assignment.source_notebook import source_notebook
from coursekit.bank import exercise_files, load_exercise
from coursekit.demo_class import filled
from coursekit.errors import CoursekitError
from coursekit.grade.gradebook import open_gradebook
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE, cells_of

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
NAME = "numbers"
CHAPTERS = sorted({file.parent.name for file in exercise_files(EXERCISES)})
OWN = ("context-vector-widget", "context-vector", "context-vector-by-hand")


def right(exercise: Exercise) -> str:
    return f"{exercise.setup}\n{exercise.solution}"


def nothing(exercise: Exercise) -> str:
    return f"{exercise.setup}\n{exercise.starter}"


#: Student: their code, and their prose.
Submissions: TypeAlias = Mapping[str, tuple[Callable[[Exercise], str], str]]
SUBMISSIONS: Submissions = {
    "unsolved": (nothing, WRITE_HERE),
    "solved": (right, "Because it is x + x."),
}


@pytest.fixture(scope="module")
def exercises(sources: dict[str, str], tmp_path_factory, bank) -> list[Exercise]:
    folder = tmp_path_factory.mktemp("bank") / "numbers"
    folder.mkdir()
    for id, source in sources.items():
        (folder / f"{id}.py").write_text(source, encoding="utf-8")
    return [load_exercise(folder / f"{id}.py") for id in sources] + [bank[id] for id in OWN]


@pytest.fixture(scope="module")
def course(exercises: list[Exercise], tmp_path_factory) -> Path:
    """Return a course whose assignment is released, handed in and graded."""
    folder = tmp_path_factory.mktemp("course")
    grade(folder, NAME, exercises, SUBMISSIONS)
    return folder


def grade(course: Path, name: str, exercises: Sequence[Exercise], handed_in: Submissions) -> None:
    released = write_course(course, name, name.capitalize(), exercises, None)
    for student, (code, prose) in handed_in.items():
        hand_in(released, course / "submitted" / student / name, exercises, code, prose)
    nbgrader(course, "autograde", name)


def hand_in(
    released: Path,
    folder: Path,
    exercises: Sequence[Exercise],
    code: Callable[[Exercise], str],
    prose: str,
) -> None:
    folder.mkdir(parents=True)
    (folder / released.name).write_text(filled(released, exercises, code, prose))


def scores(course: Path, assignment: str) -> dict[str, dict[str, float | None]]:
    """Return what nbgrader's gradebook holds: the automatic score of each cell, by student."""
    with open_gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        return {
            submission.student.id: {
                grade.name: grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(assignment)
        }


@pytest.fixture(scope="module")
def grades(course: Path) -> dict[str, dict[str, float | None]]:
    return scores(course, NAME)


def test_source_has_valid_metadata_and_all_points(exercises: list[Exercise]) -> None:
    from nbgrader.nbgraderformat import MetadataValidator

    notebook = source_notebook("Numbers", exercises)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert {cell.metadata.nbgrader.schema_version for cell in cells} == {3}
    assert all(cell.metadata.nbgrader.grade_id == cell.id for cell in cells)
    points = sum(cell.metadata.nbgrader.get("points", 0) for cell in cells)
    assert points == sum(exercise.points for exercise in exercises)


def test_source_runs_as_it_stands(exercises: list[Exercise]) -> None:
    names: dict[str, object] = {}
    for cell in source_notebook("Numbers", exercises[:2]).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), names)  # A failing check would raise.


def test_release_keeps_starters_and_no_secrets(course: Path, exercises: list[Exercise]) -> None:
    released = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", 4)
    sources = {cell.id: cell.source for cell in released.cells}
    for exercise in exercises:
        (answer,) = (part for part in cells_of(exercise) if part.role == "answer")
        assert sources[answer.id] == answer.source
        code = [line for line in exercise.starter.splitlines() if not line.startswith("#")]
        assert answer.source.endswith("\n".join(code).strip())
        assert "Use as answer" not in "".join(sources.values())
    assert sources["double-check-negative"] == "#@title A check that runs when the work is graded"
    assert sources["twice-text-why"] == WRITE_HERE
    text = "\n".join(sources.values())
    for secret in ("SOLUTION", "HIDDEN", "fsum", "names the sum", "Negative numbers"):
        assert secret not in text
    for secret in ("correct", "answer=", "feedback", "Yes: of two", "Those are squares"):
        assert secret not in nbformat.writes(released)


def test_solved_earns_all(grades, exercises: list[Exercise]) -> None:
    expected = {
        f"{exercise.id}-check-{check.name}": check.points
        for exercise in exercises
        for check in exercise.checks
    }
    assert grades["solved"] == {**expected, "twice-text-why": None}  # Prose waits for a person.


def validated(released: Path, folder: Path, exercises: Sequence[Exercise], pair: str) -> str:
    """Return what nbgrader says of a notebook that answers everything, one question with pair."""

    def answer(exercise: Exercise) -> str:
        return f'{pair}\nword = "b"' if exercise.id == "twice" else right(exercise)

    hand_in(released, folder, exercises, answer, "Because.")
    command = [sys.executable, "-m", "nbgrader", "validate", str(folder / released.name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout


def test_validate_complains_of_the_form_alone(
    course: Path, exercises: list[Exercise], tmp_path: Path
) -> None:
    released = course / "release" / NAME / f"{NAME}.ipynb"
    wrong_and_well_formed = validated(released, tmp_path / "a", exercises, "pair = [1, 4]")
    assert "Success! Your notebook passes all the tests." in wrong_and_well_formed
    report = validated(released, tmp_path / "b", exercises, "pair = [1, 2, 3]")
    assert "VALIDATION FAILED ON 1 CELL(S)" in report
    assert "Your answer has shape (3,); expected 2 numbers." in report


def test_settings_are_written_once(course: Path, exercises: list[Exercise]) -> None:
    settings = course / "nbgrader_config.py"
    own = settings.read_text(encoding="utf-8") + "\n# Mine.\n"
    settings.write_text(own, encoding="utf-8")
    write_course(course, "more", "More", exercises[:1], None)
    assert settings.read_text(encoding="utf-8") == own


def test_nbgrader_s_refusal_is_one_line_and_changes_nothing(
    course: Path, exercises: list[Exercise]
) -> None:
    files = [course / tree / NAME / f"{NAME}.ipynb" for tree in ("source", "release")]
    before = [nbformat.read(file, 4) for file in files]
    # After submissions, nbgrader does not let the cells of an assignment change.
    with pytest.raises(CoursekitError) as refused:
        write_course(course, NAME, "Numbers", exercises[:1], None)
    assert "nbgrader generate_assignment numbers --force failed: " in str(refused.value)
    assert "Cannot add or remove cells" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert [nbformat.read(file, 4) for file in files] == before


@pytest.mark.heavy
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_of_the_course(bank, chapter: str, tmp_path: Path) -> None:
    exercises = bank.chapter(chapter)
    handed_in = {name: SUBMISSIONS[name] for name in ("solved", "unsolved")}
    grade(tmp_path, chapter, exercises, handed_in)
    graded = scores(tmp_path, chapter)
    expected = sum(check.points for exercise in exercises for check in exercise.checks)
    assert sum(score or 0 for score in graded["solved"].values()) == expected
    assert sum(score or 0 for score in graded["unsolved"].values()) == 0
