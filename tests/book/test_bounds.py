"""Notebooks run with the oldest that pyproject.toml allows, and with the newest of today.

With the newest nothing is pinned. Where only these tests fail, a library or a Python has changed
what the course relies on.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.site.notebooks import requirements
from tools.site.project import Project

from .conftest import by_extras
from .transcripts import PAGES, Course

ROOT = Path(__file__).resolve().parents[2]
#: Pythons that the course is for, the newest first, beside that of the tests.
PYTHONS = ("3.14", "3.13", "3.12")
#: Chapters with figures, explorables and exercises that need torch besides.
WITH_TORCH = ("windows", "masking", "self-and-cross")
EXTRAS = ("notebook", "grading", "cluster")


def oldest(*extras: str) -> list[str]:
    """Return the oldest version of each requirement of some extras, as pins."""
    needs = [
        need for extra in ("", *extras) for need in requirements(Project(ROOT))[extra].values()
    ]
    return [re.sub(r">=", "==", need.split(";")[0].strip()) for need in needs]


def test_every_requirement_has_a_lower_bound_and_nothing_else() -> None:
    listed = requirements(Project(ROOT))
    needs = [need for extra in listed for need in listed[extra].values()]
    assert [
        n for n in needs if not re.fullmatch(r"[\w-]+>=[\w.]+(; sys_platform == '\w+')?", n)
    ] == []


def test_the_oldest_torch_gives_rows_without_keys_an_output_of_zero() -> None:
    """Before 2.5 `scaled_dot_product_attention` made them NaN; chapters and exercises say zero."""
    listed = requirements(Project(ROOT))
    for extra in ("torch", "oracles"):
        oldest_torch = listed[extra]["torch"].split(">=")[1]
        assert tuple(map(int, oldest_torch.split("."))) >= (2, 5)


#: Trains models for half a minute, and meets nothing that the others do not.
LONG = {"motivation"}


@pytest.fixture(scope="module")
def aged(new_environment: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an environment with the oldest of everything but torch, which is lent."""
    pins = [*dict.fromkeys(oldest(*EXTRAS))]  # two extras have Matplotlib
    file = tmp_path_factory.mktemp("pins") / "oldest.txt"
    file.write_text("\n".join(pins) + "\n")
    made = new_environment("oldest", *pins, constraints=file)
    made.lend("torch")  # the oldest is some gigabytes: the tests' own
    return made


def assert_unmoved(aged: Any) -> None:
    has = aged.versions()
    pins = (pin.lower().replace("-", "_").split("==") for pin in oldest(*EXTRAS))
    wanted: dict[str, str] = dict(pins)
    assert {n: has[n] for n, v in wanted.items() if not has[n].startswith(v)} == {}


@pytest.mark.heavy
def test_notebooks_run_with_the_oldest_that_are_allowed(aged: Any, unpacked: Path) -> None:
    groups = by_extras(unpacked)
    assert set(groups) == {"notebook", "notebook,torch"}
    aged.run_all(unpacked, sorted({*groups["notebook"], *groups["notebook,torch"]} - LONG))
    assert_unmoved(aged)


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_class_is_graded_with_the_oldest_that_are_allowed(
    aged: Any, unpacked: Path, tmp_path: Path
) -> None:
    aged.pip("install", "-q", f"{next(unpacked.glob('*.whl'))}[grading,cluster]")
    course = Course(tmp_path / "teacher", aged.python.parent)
    teaching, marks = (page.read_text(encoding="utf-8") for page in PAGES)
    cluster = marks[marks.index("```bash\ndask") :].replace("week1.zip", "submitted")
    for page in (teaching, cluster):
        for _ in course.print(page):
            pass  # other versions may say things in other words; what fails is an error
    assert_unmoved(aged)


@pytest.mark.heavy
def test_both_courses_run_with_the_newest_on_the_newest_python(
    new_environment: Callable[..., Any],
    interpreter: Callable[..., str],
    unpacked: Path,
    second_course: Project,
) -> None:
    new = new_environment("newest", constraints=None, python=interpreter(*PYTHONS))
    notebooks = second_course.html / "notebooks"
    with zipfile.ZipFile(notebooks / "random-walks-course.zip") as archive:
        archive.extractall(new.folder)
    new.run(new.folder / "random-walks-course" / "random-walks.ipynb")
    assert {"random_walks_course", "anywidget", "matplotlib"} <= set(new.versions())
    new.run_all(unpacked, by_extras(unpacked)["notebook"])
    assert "torch" not in new.versions()
    where = "import attn, attnlab.explorables as e, walks; print(attn, e, walks)"
    done = subprocess.run([new.python, "-c", where], capture_output=True, text=True, check=True)
    assert done.stdout.count(str(new.packages)) == 3


@pytest.mark.heavy
def test_chapters_with_torch_run_with_the_newest(
    new_environment: Callable[..., Any], unpacked: Path
) -> None:
    new = new_environment("newest", constraints=None)
    new.lend("torch")  # some gigabytes: the tests' own
    new.run_all(unpacked, WITH_TORCH)
