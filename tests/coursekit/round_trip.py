"""A released chapter, answered, handed in and graded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from coursekit.bank import Bank
from coursekit.cli import main
from coursekit.demo_class import filled
from coursekit.model import Exercise
from coursekit.results import Row, read_results
from tests.isolation import strongest_level


def hand_in(
    released: Path, bank: Bank, folder: Path, student: str, answer: Callable[[Exercise], str]
) -> None:
    file = folder / student / released.stem / released.name
    file.parent.mkdir(parents=True)
    answered = filled(released, bank.values(), lambda e: f"{e.setup}\n{answer(e)}", "")
    file.write_text(answered, encoding="utf-8")


def graded(chapter: str, tmp_path: Path) -> dict[str, Row]:
    command = ["grade", chapter, str(tmp_path / "submitted"), "--jobs", "1"]
    file = tmp_path / "results.jsonl"
    assert main([*command, "--results", str(file), "--isolation", strongest_level()]) == 0
    return {result.student: result for result in read_results(file)}
