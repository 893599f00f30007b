"""A small class and a few exercises, graded like real ones."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from coursekit.bank import default_folder, load_bank
from coursekit.cli import main
from coursekit.grade.grader import Grader
from coursekit.grade.grader_process import open_sandbox
from coursekit.grade.limits import Limits
from coursekit.grade.task import Task
from coursekit.sandbox.limits import MIB
from coursekit.sandbox.sandbox import Sandbox
from tests.isolation import strongest_level

from .unconfined import in_this_process

BANK = Path(__file__).parent / "bank"
CHAPTER = "arithmetic"
EXERCISES = load_bank(BANK).chapter(CHAPTER)
(DOUBLE,) = (exercise for exercise in EXERCISES if exercise.id == "double")
#: Low enough that attacks are stopped soon, high enough for honest work.
LIMITS = Limits(
    cell_seconds=2.0,
    call_seconds=2.0,
    total_seconds=12.0,
    wall_factor=3.0,
    grace_seconds=0.5,
    memory=256 * MIB,
    message_bytes=16 * MIB,
    items=20_000,
    scratch_bytes=8 * MIB,
)

RIGHT = {
    "double": "def double(x):\n    return 2 * x",
    "counter": (
        "class Counter:\n    def __init__(self, start=0):\n        self.total = start\n"
        "    def add(self, n):\n        self.total += n\n        return self.total"
    ),
    "questions": "even = 'b'\nhalf = 2.5",
}
FULL = 8.0  # of 10: two points are for prose


def code(source: str, **metadata: Any) -> dict[str, Any]:
    """Return a code cell."""
    return {
        "cell_type": "code",
        "source": source,
        "metadata": metadata,
        "outputs": [],
        "execution_count": None,
    }


def notebook(*cells: str | dict[str, Any]) -> bytes:
    """Return a notebook's bytes; strings are code cells."""
    sources = [code(cell) if isinstance(cell, str) else cell for cell in cells]
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": sources}
    return json.dumps(content).encode()


def hand_in(folder: Path, student: str, data: bytes, chapter: str = CHAPTER) -> Path:
    """Write one submission in nbgrader's layout and return its path."""
    path = folder / student / chapter / f"{chapter}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def task_for(level: str = "", hidden: Sequence[str] = (), **changes: Any) -> Task:
    """Return the task of grading the test exercises, at the strongest level of this machine."""
    fields: dict[str, Any] = {
        "chapter": CHAPTER,
        "files": {Path(e.path).name: e.source for e in EXERCISES},
        "secret": "a secret of the tests",
        "level": level or strongest_level(),
        "preload": ("numpy",),
        "hidden": (str(BANK), *hidden),
        "withheld": (),
        "limits": LIMITS,
    }
    return Task(**{**fields, **changes})


def sandbox_for(level: str = "", **changes: Any) -> Sandbox:
    """Return a sandbox, at the strongest level of this machine; ``changes`` are of the task."""
    return open_sandbox(task_for(level, **changes))


@pytest.fixture(scope="session")
def confined() -> Iterator[Sandbox]:
    """Return a sandbox, at the strongest level that this machine has."""
    with closing(sandbox_for()) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def grader(confined: Sandbox) -> Grader:
    """Return a grader of the test exercises, at the strongest level that this machine has."""
    return Grader(EXERCISES, confined, LIMITS, "a secret of the tests")


@pytest.fixture(scope="session")
def course_sandbox() -> Iterator[Sandbox]:
    """Return the sandbox in which all of the course's own answers run."""
    loaded: dict[str, Any] = {"preload": ("numpy", "torch"), "hidden": (str(default_folder()),)}
    with closing(sandbox_for(limits=Limits(), **loaded)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def grade(grader: Grader) -> Callable[..., dict[str, Any]]:
    """Return a function that grades cells (or a notebook's bytes) and returns the row."""

    def grade_cells(*cells: str | dict[str, Any] | bytes) -> dict[str, Any]:
        data = cells[0] if isinstance(cells[0], bytes) else notebook(*cells)  # type: ignore[arg-type]
        return grader.grade(data).as_json()

    return grade_cells


def processes_are_bounded(sandbox: Sandbox) -> bool:
    """Whether a fork bomb ends here: root's processes are not counted."""
    return os.geteuid() != 0 or "uid" in sandbox.mechanisms


def points(row: dict[str, Any], exercise: str) -> float:
    """Return the points of one exercise."""
    return sum(c["points"] for c in row["checks"] if c["exercise"] == exercise)


def messages(row: dict[str, Any], exercise: str) -> str:
    """Return the messages of one exercise's checks."""
    texts = [(c["message"], c["explanation"]) for c in row["checks"] if c["exercise"] == exercise]
    return " ".join(text for pair in texts for text in pair if text)


@pytest.fixture
def unconfined() -> Iterator[None]:
    """Let ``coursekit grade`` grade in this process."""
    with in_this_process():
        yield


STUDENTS = [f"student-{number:02}" for number in range(12)]


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """Return a class in which every third student is right and the first handed in nothing."""
    folder = tmp_path / "submitted"
    for number, student in enumerate(STUDENTS):
        hand_in(
            folder, student, notebook(*RIGHT.values()) if number % 3 == 0 else notebook("x = 1")
        )
    (folder / STUDENTS[0] / CHAPTER / f"{CHAPTER}.ipynb").unlink()
    return folder


def grade_words(submitted: Path, results: Path, *more: str, bank: Path = BANK) -> list[str]:
    """Return the command's words."""
    words = ["grade", CHAPTER, str(submitted), "--results", str(results), "--exercises", str(bank)]
    return [*words, "--jobs", "2", *more]


@pytest.fixture
def run(tmp_path, unconfined, capsys) -> Callable[..., str]:
    """Return a function that grades in this process, into r.jsonl, and returns what was said."""

    def graded(submitted: Path, *more: str, status: int = 0, bank: Path = BANK) -> str:
        assert main(grade_words(submitted, tmp_path / "r.jsonl", *more, bank=bank)) == status
        said = capsys.readouterr()
        return said.err + said.out

    return graded


def rows_of(results: Path) -> list[dict[str, Any]]:
    """Return the rows without what differs from run to run."""
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """Return a folder with exercises of its own and a class of two, and go there."""
    shutil.copytree(BANK / CHAPTER, tmp_path / "exercises" / CHAPTER)
    for student, half in {"ada": 2.5, "bob": 2.495}.items():
        cells = {**RIGHT, "questions": f"even = 'b'\nhalf = {half}"}
        hand_in(tmp_path / "class", student, notebook(*cells.values()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(course: Path, exercise: str, old: str, new: str) -> None:
    """Change an exercise of `course`."""
    file = course / "exercises" / CHAPTER / f"{exercise}.py"
    source = file.read_text(encoding="utf-8")
    assert old in source
    file.write_text(source.replace(old, new), encoding="utf-8")
