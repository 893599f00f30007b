"""A course on another subject, with the same tools: built, released, solved, graded, installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from coursekit.bank import load_bank
from tools.site.build import make_wheel
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "random-walks"


def python_with(folder: Path, *packages: str) -> Path:
    """Make an environment with ``packages`` of pip's; the rest is lent by the one of the tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    lender = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "lent.pth").write_text(f"import site; site.addsitedir({lender!r})\n")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
    options = ["-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    # A version that only the lender has is not to be taken for installed.
    subprocess.run([*pip, *options, "--ignore-installed", *packages], check=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def folder(
    second_course: Project, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a copy of the course with an environment of its own, as its authors have it."""
    made = tmp_path_factory.mktemp("authors") / "walks"
    shutil.copytree(second_course.root, made, ignore=shutil.ignore_patterns("_build"))
    python_with(made / ".venv", str(make_wheel(project)), "-e", str(made))
    return made


def readme_commands() -> list[str]:
    """Return the lines of the README that teach, with this course's chapter in place of ours."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"(?m)^(\.venv/bin/coursekit .*?)(?:\s+#.*)?$", text)
    (chapter,) = {words[2] for words in map(str.split, lines) if words[1] == "grade"}
    return [re.sub(rf"\b{chapter}\b", CHAPTER, line) for line in lines]


def shell(folder: Path, command: str) -> str:
    """Run a command in a folder, and return what it prints."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def hand_in(folder: Path, student: str, answers: dict[str, str]) -> None:
    """Fill the released notebook's answer cells and put it where submissions are."""
    notebook = nbformat.read(folder / "handout" / f"{CHAPTER}.ipynb", as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("coursekit", {})
        if about.get("role") == "answer":
            cell.source = answers[about["exercise"]]
    target = folder / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


@pytest.fixture(scope="module")
def said(folder: Path) -> dict[str, str]:
    """Run the README's commands in the course's folder; return what each of them says."""
    said: dict[str, str] = {}
    for command in readme_commands():
        name = command.split()[1]
        said[name] = said.get(name, "") + shell(folder, command)
        if command.split()[1:3] == ["release", CHAPTER]:
            with pytest.MonkeyPatch.context() as patch:
                patch.syspath_prepend(str(folder / "lib"))
                bank = load_bank(folder / "exercises")
            right = {id: f"{each.setup}\n{each.solution}" for id, each in bank.items()}
            hand_in(folder, "ada", right)
            hand_in(folder, "ben", right | {"twice-as-far": "steps = 200"})
            library = "import walks\nmean_square = walks.mean_square"
            hand_in(folder, "eve", right | {"mean-square": library})
    return said


def test_the_readme_s_commands_are_those_of_a_whole_term(said: dict[str, str]) -> None:
    assert {"list", "release", "grade", "stats", "feedback", "export"} <= set(said)
    assert "mean-square    code      3" in said["list"]
    assert "A week of walks: 1 chapter, 3 exercises, 6 points" in said["release"]


def test_a_class_is_graded(folder: Path, said: dict[str, str]) -> None:
    lines = (folder / "grades.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["student"]: row for row in map(json.loads, lines)}
    assert {student: row["score"] for student, row in rows.items()} == {
        "ada": 6,
        "ben": 4,
        "eve": 3,  # what the library does is withheld
    }
    assert "linear" in json.dumps(rows["ben"])
    assert "twice-as-far" in said["stats"]


def test_students_get_feedback_and_an_lms_gets_points(folder: Path, said: dict[str, str]) -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in folder.glob("feedback/*.html")}
    assert len(pages) == 3
    assert sum("200 steps would do if the distance grew evenly" in p for p in pages.values()) == 1
    assert re.search(rf"(?m)^{CHAPTER},,,ben,.*,4\.0,", said["export"])


def test_exercises_travel_in_the_course_s_own_wheel(
    second_course: Project, project: Project, tmp_path: Path
) -> None:
    wheels = [str(make_wheel(each)) for each in (project, second_course)]
    tools = python_with(tmp_path / "new", *wheels)
    away = tmp_path / "away"
    away.mkdir()
    listed = shell(away, f"{tools}/coursekit list")
    assert listed.startswith(f"{CHAPTER}  (")
    assert "\n3 exercises, 6 points\nroute week: 1 chapter" in listed
    shell(away, f"{tools}/coursekit release {CHAPTER} -o handout")
    assert (away / "handout" / f"{CHAPTER}.ipynb").is_file()
    where = "import coursekit, walks; print(coursekit.__file__, walks.__file__)"
    places = shell(away, f"{tools}/python -c '{where}'").split()
    assert all(Path(place).is_relative_to(tmp_path / "new") for place in places)


def test_wheels_hold_what_they_should_and_nothing_of_the_build(
    second_course: Project, project: Project
) -> None:
    ours = {"attn", "attnlab", "coursekit"}
    for each, packages in ((project, ours), (second_course, {"walks"})):
        names = zipfile.ZipFile(make_wheel(each)).namelist()
        tops = {name.split("/")[0] for name in names}
        assert {top for top in tops if not top.endswith(".dist-info")} == packages
        assert {name for name in names if name.endswith("py.typed")} == {
            f"{package}/py.typed" for package in packages
        }


def test_site_has_its_own_names_and_none_of_ours(second_course: Project) -> None:
    page = (second_course.html / f"{CHAPTER}.html").read_text(encoding="utf-8")
    assert 'data-course="random-walks-course"' in page
    assert re.search(r"explorables/walks-spread\.js\?v=", page)
    assert "<math" in page
    for word in ("attn", "ttention"):
        assert word not in re.sub(r"attention_course-[\w.-]+\.whl", "", page)
    foot = BeautifulSoup(page, "html.parser").select_one(".page-foot")
    assert foot is not None
    assert foot.get_text().split() == ["Version", "0.2.0"]  # and no more than what is known


def test_notebook_installs_its_own_library(second_course: Project, project: Project) -> None:
    path = second_course.html / "notebooks" / f"{CHAPTER}.ipynb"
    first = next(c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code")
    wheels = [each.course.wheel for each in (second_course, project)]
    own, course = wheels
    assert f'%pip install -q "{own}[notebook]" "{course}"' in first.source
    assert '"coursekit"' in first.source
    assert '"walks"' in first.source
    assert "attnlab" not in first.source
    with zipfile.ZipFile(path.parent / "random-walks-course.zip") as archive:
        names = {name.split("/")[1] for name in archive.namelist()}
    assert names == {f"{CHAPTER}.ipynb", "README.txt", *wheels}
