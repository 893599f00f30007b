"""nbgrader works on what we wrote: its gradebook, feedback, export and formgrader."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from coursekit.assignment.course import nbgrader
from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade.gradebook import open_gradebook
from coursekit.grade.results_file import ResultsFile

from .conftest import BANK, CHAPTER, RIGHT, grade_words, hand_in
from .handed_in import make_zip
from .unconfined import in_this_process

pytestmark = pytest.mark.usefixtures("unconfined")
STUDENTS = {"anton": RIGHT, "berta": {"double": "def double(x): return x ** 2"}, "carla": {}}
SCORES = {"anton": 8.0, "berta": 0.0, "carla": 0.0}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an nbgrader course with the chapter released and three students' work."""
    course = tmp_path_factory.mktemp("course")
    assert main(["release", CHAPTER, "--nbgrader", str(course), "--exercises", str(BANK)]) == 0
    handout = (course / "release" / CHAPTER / f"{CHAPTER}.ipynb").read_text()
    for student, answers in STUDENTS.items():
        work = json.loads(handout)
        for cell in work["cells"]:
            about = cell["metadata"].get("coursekit", {})
            if about.get("role") == "answer":
                cell["source"] = answers.get(about["exercise"], cell["source"])
            if about.get("role") == "text" and student == "anton":
                cell["source"] = "Because of the factor two."
                cell["attachments"] = {"photo.png": {"image/png": "iVBORw0KGgo="}}
            if about.get("role") == "answer" and student == "berta":
                cell["metadata"] = {}  # as some tools leave it
                del cell["id"]
        hand_in(course / "submitted", student, json.dumps(work).encode())
    return course


@pytest.fixture
def course(released: Path, tmp_path: Path) -> Path:
    """Return a copy of the course to work in."""
    return Path(shutil.copytree(released, tmp_path / "course"))


@pytest.fixture(scope="module")
def graded(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy that has been graded, with nbgrader's feedback and its table."""
    course = Path(shutil.copytree(released, tmp_path_factory.mktemp("graded") / "course"))
    with in_this_process():
        grade(course)
    nbgrader(course, "generate_feedback", CHAPTER)
    nbgrader(course, "export", "--to", str(course / "grades.csv"))
    return course


def grade(course: Path) -> None:
    """Grade the course's submissions into its gradebook."""
    more = ("--gradebook", database(course))
    assert main(grade_words(course / "submitted", course / "results.jsonl", *more)) == 0


def database(course: Path) -> str:
    """Return the URL of the course's gradebook."""
    return f"sqlite:///{course / 'gradebook.db'}"


def scores(url: str) -> dict[str, float]:
    """Return each student's score."""
    with open_gradebook(url) as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(CHAPTER)}


def test_scores_are_nbgrader_s_and_prose_waits(graded):
    assert scores(database(graded)) == SCORES
    with (graded / "grades.csv").open() as file:
        exported = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert exported == SCORES
    with open_gradebook(database(graded)) as gradebook:
        needs = {
            (grade.notebook.student.id, grade.name)
            for s in gradebook.assignment_submissions(CHAPTER)
            for grade in s.notebooks[0].grades
            if grade.needs_manual_grade
        }
    assert needs == {("anton", "questions-text-why")}


def test_no_second_run_begins_before_the_gradebook_is_written(course, monkeypatch):
    refused = []

    def write(*_: Any) -> int:
        with pytest.raises(CoursekitError, match="another run is writing this file"):
            ResultsFile(course / "results.jsonl")
        refused.append(True)
        return 0

    monkeypatch.setattr("coursekit.grade.gradebook.write_gradebook", write)
    grade(course)
    assert refused


def test_what_nbgrader_shows_of_a_learner_s_is_private_and_can_be_written_again(course):
    folder = course / "autograded" / "anton" / CHAPTER
    notebook = folder / f"{CHAPTER}.ipynb"
    for _ in range(2):
        grade(course)
        paths = (course / "autograded", folder, notebook)
        assert [path.stat().st_mode & 0o777 for path in paths] == [0o700, 0o700, 0o600]
        notebook.chmod(0o444)  # as nbgrader's own autograde leaves it
    nbformat.validate(nbformat.read(notebook, 4))


RUBRIC = "Names the factor two."
EXAMPLE = "It is 2n."


def test_graders_of_prose_see_its_rubric_and_students_do_not(graded):
    seen, bertas = (
        _formgraders_page(graded / "autograded" / student / CHAPTER)
        for student in ("anton", "berta")
    )
    for text in (RUBRIC, EXAMPLE, "(1 picture: open the notebook of anton)"):
        assert text in seen
    assert "Good answer: 1 of 2 points" in seen
    assert "x ** 2" in BeautifulSoup(bertas, "html.parser").get_text()
    told, pages = (
        (graded / "feedback" / student / CHAPTER / f"{CHAPTER}.html").read_text()
        for student in ("berta", "anton")
    )
    assert "Twice three is six." in told
    assert "Why is a double always even?" in pages
    pages += told + (graded / "release" / CHAPTER / f"{CHAPTER}.ipynb").read_text()
    assert [text for text in (RUBRIC, EXAMPLE, "OPEN-SESAME") if text in pages] == []


def _formgraders_page(folder: Path) -> str:
    import nbgrader.server_extensions.formgrader as formgrader
    from nbconvert.exporters import HTMLExporter

    templates = [str(Path(formgrader.__file__).parent / "templates")]
    exporter = HTMLExporter(template_name="formgrade", extra_template_basedirs=templates)
    names = ("assignment_id", "notebook_id", "submission_id", "base_url", "notebook_path")
    about: dict[str, Any] = dict.fromkeys((*names, "student", "last_name", "first_name"), "x")
    about |= {"index": 0, "total": 1}
    return str(exporter.from_filename(folder / f"{CHAPTER}.ipynb", resources=about)[0])


def test_a_check_added_later_gets_its_place(course):
    grade(course)
    url = database(course)
    with open_gradebook(url) as gradebook:
        cell = gradebook.find_grade_cell("counter-check-counts", CHAPTER, CHAPTER)
        for cell_grade in list(cell.grades):
            gradebook.db.delete(cell_grade)
        gradebook.db.commit()
        gradebook.db.delete(gradebook.find_grade_cell("counter-check-counts", CHAPTER, CHAPTER))
        gradebook.db.commit()
    assert scores(url)["anton"] == 6.0
    grade(course)
    assert scores(url) == SCORES


def test_formgrader_shows_everybody_as_graded_whatever_the_exchange_noted(course):
    work = {student: course / "submitted" / student / CHAPTER for student in STUDENTS}
    (work["carla"] / f"{CHAPTER}.ipynb").unlink()  # which notebook is hers, nobody can tell
    for name in ("one.ipynb", "two.ipynb"):
        (work["carla"] / name).write_text("{}")
    (course / "submitted" / "dora").mkdir()
    anton, carla = (work[student] / "timestamp.txt" for student in ("anton", "carla"))
    for noted in ("2025-11-02 22:59:00.123456 UTC\n", "2025-07-02 22:59:00.5 CEST\n", None):
        for record in (anton, carla):  # hers cannot be dated by a file either
            record.write_text(noted) if noted else record.unlink()
        grade(course)
        assert _formgraders_list(course) == {
            "anton": (True, SCORES["anton"], 10.0, True),
            "berta": (True, 0.0, 10.0, False),
            "carla": (True, 0.0, 10.0, False),
        }
    assert not (course / "autograded" / "dora").exists()


def test_formgrader_shows_what_came_from_an_lms(course, monkeypatch, tmp_path, capsys):
    members = {
        f"{who}_{number}_9_{CHAPTER}.ipynb": path.read_bytes()
        for number, who in enumerate(STUDENTS, start=1)
        for path in [course / "submitted" / who / CHAPTER / f"{CHAPTER}.ipynb"]
    }
    shutil.move(course / "submitted", tmp_path / "elsewhere")
    make_zip(tmp_path / "week1.zip", members)
    monkeypatch.chdir(course)
    more = ("--gradebook", "sqlite:///gradebook.db")
    words = grade_words(tmp_path / "week1.zip", Path("results.jsonl"), *more)
    assert main(words) == 0
    assert _formgraders_list(course) == {
        "1": (True, SCORES["anton"], 10.0, True),
        "2": (True, 0.0, 10.0, False),
        "3": (True, 0.0, 10.0, False),
    }
    assert RUBRIC in _formgraders_page(course / "autograded" / "1" / CHAPTER)
    assert not (course / "submitted").exists()
    # What nbgrader's exchange has of the same id is other work, and is told.
    (course / "submitted" / "1" / CHAPTER).mkdir(parents=True)
    (course / "submitted" / "1" / CHAPTER / "timestamp.txt").write_text("2025-11-02 22:59:00 UTC")
    assert main(words) == 0
    assert [who for who, shown in _formgraders_list(course).items() if not shown[0]] == ["1"]
    assert "submitted has other work of 1: while it lies there, form" in capsys.readouterr().err


def _formgraders_list(course: Path) -> dict[str, tuple[Any, ...]]:
    """Return what formgrader's list shows of each student, by nbgrader's own interface."""
    config = Config()
    config.CourseDirectory.root = str(course)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    names = ("autograded", "score", "max_score", "needs_manual_grade")
    return {s["student"]: tuple(s[name] for name in names) for s in api.get_submissions(CHAPTER)}


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("nosql://who:secret@host/x", "not a database URL"),
        ("mysql://who:secret@host/x", "expected sqlite:///FILE or"),
        ("sqlite:////no/such/folder/gradebook.db", "unable to open database file"),
        ("postgresql+psycopg://who:secret@127.0.0.1:9/none", "gradebook at"),
    ],
)
def test_a_gradebook_that_cannot_be_reached_is_one_line(course, capsys, url, line):
    words = grade_words(course / "submitted", course / "r.jsonl", "--gradebook", url)
    assert main(words) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert line in said
    assert "secret" not in said
    assert not (course / "r.jsonl").exists()  # said before an hour of grading, not after
