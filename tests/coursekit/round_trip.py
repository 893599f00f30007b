"""A released chapter, answered, handed in and graded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat

from coursekit.bank import Bank
from coursekit.cli import main
from coursekit.model import Exercise
from coursekit.results import Row, read_results
from tests.isolation import strongest_level


def hand_in(
    released: Path, bank: Bank, folder: Path, student: str, answer: Callable[[Exercise], str]
) -> None:
    notebook = nbformat.read(released, 4)
    for cell in notebook.cells:
        about = cell.metadata.get("coursekit", {})
        if about.get("role") == "answer":
            exercise = bank[about["exercise"]]
            cell.source = f"{exercise.setup}\n{answer(exercise)}"
    file = folder / student / released.stem / released.name
    file.parent.mkdir(parents=True)
    nbformat.write(notebook, file)


def graded(chapter: str, tmp_path: Path) -> dict[str, Row]:
    command = ["grade", chapter, str(tmp_path / "submitted"), "--jobs", "1"]
    file = tmp_path / "results.jsonl"
    assert main([*command, "--results", str(file), "--isolation", strongest_level()]) == 0
    return {result.student: result for result in read_results(file)}
