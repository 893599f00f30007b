"""Notebooks run with the oldest that pyproject.toml allows, and with the newest of today.

With the newest nothing is pinned. Where only these tests fail, a library or a Python has changed
what the course relies on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.site.notebooks import requirements
from tools.site.project import Project

from .conftest import by_extras
from .transcripts import PAGES, Course

ROOT = Path(__file__).resolve().parents[2]
#: The Pythons that the course is for. One that this machine lacks is skipped.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: Chapters with figures, explorables and exercises that need torch besides.
WITH_TORCH = ("windows", "masking", "self-and-cross")


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


def environment(new_environment: Callable[..., Any], folder: Path, *extras: str) -> Any:
    """Return an environment with the oldest of what some extras need, and a way to tell of it."""
    pins = oldest(*extras)
    file = folder / "oldest.txt"
    file.write_text("\n".join(pins) + "\n")
    new = new_environment("oldest", *pins, constraints=file)
    new.lend("torch")  # the oldest is some gigabytes: the tests' own
    return new


def assert_unmoved(new: Any, *extras: str) -> None:
    has, pins = new.versions(), oldest(*extras)
    wanted = {pin.split("==")[0].lower().replace("-", "_"): pin.split("==")[1] for pin in pins}
    assert {n: has[n] for n, v in wanted.items() if not has[n].startswith(v)} == {}


@pytest.mark.heavy
def test_notebooks_run_with_the_oldest_that_are_allowed(
    new_environment: Callable[..., Any], unpacked: Path
) -> None:
    new = environment(new_environment, unpacked, "notebook")
    groups = by_extras(unpacked)
    new.run_all(unpacked, sorted({*groups["notebook"], *groups["notebook,torch"]} - LONG))
    assert_unmoved(new, "notebook")


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_class_is_graded_with_the_oldest_that_are_allowed(
    new_environment: Callable[..., Any], unpacked: Path, tmp_path: Path
) -> None:
    new = environment(new_environment, unpacked, "grading", "cluster")
    new.pip("install", "-q", f"{next(unpacked.glob('*.whl'))}[grading,cluster]")
    course = Course(tmp_path / "teacher", new.python.parent)
    for page in PAGES:
        for _ in course.print(page.read_text(encoding="utf-8")):
            pass  # other versions may say things in other words; what fails is an error
    assert_unmoved(new, "grading", "cluster")


@pytest.mark.heavy
@pytest.mark.parametrize("python", PYTHONS)
def test_runs_with_the_newest_on_every_python(
    new_environment: Callable[..., Any],
    interpreter: Callable[[str], str],
    unpacked: Path,
    python: str,
) -> None:
    new = new_environment("newest", constraints=None, python=interpreter(python))
    new.run_all(unpacked, by_extras(unpacked)["notebook"])
    assert "torch" not in new.versions()


@pytest.mark.heavy
def test_chapters_with_torch_run_with_the_newest(
    new_environment: Callable[..., Any], unpacked: Path
) -> None:
    new = new_environment("newest", constraints=None, python=sys.executable)
    new.lend("torch")  # some gigabytes: the tests' own
    new.run_all(unpacked, WITH_TORCH)
