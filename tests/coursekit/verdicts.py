"""Write what the exercises say of their answers, or compare with what was written.

Before a change of exercises, or of what grades them, and after it::

    python -m tests.coursekit.verdicts write before.json
    python -m tests.coursekit.verdicts compare before.json masking

The answers that were written are graded again, whatever the files declare now, so that none is
lost with its edit. Each text that is gone and each answer that is told another mistake take a line,
and the exit status is 1. What a message says may differ: it has the numbers that a check draws.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from coursekit.model import Exercise
from coursekit.selftest.check import check_answers
from tests.course import BANK


def main(action: str, file: str, *chapters: str) -> int:
    bank = {e.id: e for e in BANK.values() if not chapters or e.chapter in chapters}
    if action == "write":
        written = {id: all_of(exercise) for id, exercise in bank.items()}
        Path(file).write_text(json.dumps(written, indent=1, ensure_ascii=False), encoding="utf-8")
        return 0
    before = json.loads(Path(file).read_text(encoding="utf-8"))
    asked = [id for id in before if not chapters or before[id]["chapter"] in chapters]
    status = 0
    for id in asked:
        for line in differences(before[id], bank.get(id)):
            print(f"{id}: {line}", flush=True)
            status = 1
    return status


def all_of(exercise: Exercise) -> dict[str, Any]:
    answers = {
        name: {"code": code, "told": told(exercise, code)} for name, code in answers_of(exercise)
    }
    return {"chapter": exercise.chapter, "texts": texts_of(exercise), "answers": answers}


def answers_of(exercise: Exercise) -> Iterator[tuple[str, str]]:
    yield "the starter", exercise.starter
    yield "the solution", exercise.solution
    yield from exercise.also_right.items()
    yield from ((name, wrong.code) for name, wrong in exercise.wrong.items())
    for question in exercise.auto_graded:
        for value, id in question.known_mistakes:
            yield f"{question.name}: {id}", exercise.answer_cell({question.name: value})


def told(exercise: Exercise, code: str) -> dict[str, Any]:
    """Return the verdicts on an answer, by the check and the number of the secret."""
    torch.manual_seed(0)
    return {
        f"{verdict.check} {number}": [verdict.status, verdict.points, verdict.misconception]
        for number, answer in enumerate(check_answers(exercise, code))
        for verdict in answer.verdicts
    }


def texts_of(exercise: Exercise) -> list[str]:
    explained = [f"{id}: {text}" for id, text in exercise.misconceptions.items()]
    return [exercise.title, exercise.statement, *exercise.hints, *explained]


def differences(before: dict[str, Any], exercise: Exercise | None) -> Iterator[str]:
    if exercise is None:
        yield "is gone"
        return
    yield from (f"{t!r} is gone" for t in before["texts"] if t not in texts_of(exercise))
    for name, answer in before["answers"].items():
        now = told(exercise, answer["code"])
        for check, verdict in answer["told"].items():
            if now.get(check) != verdict:
                yield f"{name}: {check} said {verdict}, now {now.get(check)}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
