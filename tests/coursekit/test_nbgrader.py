"""nbgrader itself releases our assignment and gives the expected points.

One course, one assignment of small exercises and of the course's own (a widget exercise among
them), a few submissions: nbgrader takes seconds for each.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearSolutions

from coursekit.assignment.course import nbgrader, write_course
from coursekit.assignment.source_notebook import _node, source_notebook
from coursekit.assignment.steps import preprocessors
from coursekit.bank import Bank, load_exercise
from coursekit.demo_class import filled
from coursekit.errors import CoursekitError
from coursekit.grade.gradebook import open_gradebook
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import WRITE_HERE, cells_of

NAME = "numbers"
OWN = ("context-vector-widget", "context-vector", "context-vector-by-hand")


def right(exercise: Exercise) -> str:
    return f"{exercise.setup}\n{exercise.solution}"


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
    released = write_course(folder, NAME, "Numbers", exercises, None)
    because = "Because it is x + x."
    for student, code, prose in (("solved", right, because), ("unsolved", None, WRITE_HERE)):
        handed_in = folder / "submitted" / student / NAME / released.name
        handed_in.parent.mkdir(parents=True)
        handed_in.write_text(filled(released, exercises, code, prose))
    nbgrader(folder, "autograde", NAME)
    return folder


def test_source_has_valid_metadata_and_all_points(exercises: list[Exercise]) -> None:
    notebook = source_notebook("Numbers", exercises)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert {cell.metadata.nbgrader.schema_version for cell in cells} == {3}
    assert all(cell.metadata.nbgrader.grade_id == cell.id for cell in cells)
    points = sum(cell.metadata.nbgrader.get("points", 0) for cell in cells)
    assert points == sum(exercise.points for exercise in exercises)


def test_release_keeps_starters_and_no_secrets(course: Path, exercises: list[Exercise]) -> None:
    released = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", 4)
    sources = {cell.id: cell.source for cell in released.cells}
    for exercise in exercises:
        (answer,) = (part for part in cells_of(exercise) if part.role == "answer")
        assert sources[answer.id] == answer.source
        assert "Use as answer" not in "".join(sources.values())
    assert sources["double-check-negative"] == "#@title A check that runs when the work is graded"
    assert sources["twice-text-why"] == WRITE_HERE
    text = "\n".join(sources.values())
    for secret in ("SOLUTION", "HIDDEN", "fsum", "names the sum", "Negative numbers"):
        assert secret not in text
    for secret in ("correct", "answer=", "feedback", "Yes: of two", "Those are squares"):
        assert secret not in nbformat.writes(released)


def test_every_exercise_of_the_course_is_released_with_its_starter(bank: Bank) -> None:
    (clear,) = (step() for step in preprocessors() if issubclass(step, ClearSolutions))
    for exercise in (each for each in bank.values() if each.starter):
        answer = next(part for part in cells_of(exercise) if part.role == "answer")
        cleared, _ = clear.preprocess_cell(_node(answer, exercise.version), {}, 0)
        assert cleared.source == answer.source


def test_solved_earns_all_and_unsolved_nothing(course: Path, exercises: list[Exercise]) -> None:
    with open_gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        grades = {
            submission.student.id: {grade.name: grade.auto_score for grade in notebook.grades}
            for submission in gradebook.assignment_submissions(NAME)
            for notebook in submission.notebooks
        }
    expected = {
        f"{exercise.id}-check-{check.name}": check.points
        for exercise in exercises
        for check in exercise.checks
    }
    assert grades["solved"] == {**expected, "twice-text-why": None}  # Prose waits for a person.
    assert not any(grades["unsolved"].values())


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
