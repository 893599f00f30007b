"""The page's TypeScript: its own tests in Node, and the same verdicts as the bank's Python."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.bank import load_bank
from coursekit.model import AutoGraded, Exercise, FreeText, Numeric, Parsons
from coursekit.page.page_data import page_data
from coursekit.running import run_check
from tests.course import BANK
from tools.site.environment import in_environment

HERE = Path(__file__).parent
QUIZZES = [
    exercise
    for exercise in [*BANK.values(), *load_bank(HERE / "bank").values()]
    if exercise.kind == "quiz"
]


def _numeric_answers(question: Numeric) -> Iterator[Any]:
    """Yield answers around everything that a question tells apart, and of other shapes."""
    right = np.asarray(question.answer, float)
    rng = np.random.default_rng(11)
    for value in (right, *question.mistakes.values()):
        for shift in (0.0, 0.9, 1.0, 1.001, -1.0, -1.001, 2.0):
            yield (np.asarray(value, float) + shift * question.tolerance).tolist()
        if right.size > 1:  # one number at the edge, one beyond it
            step = np.zeros(right.shape)
            step[0] = 1.001
            yield (np.asarray(value, float) + step * question.tolerance).tolist()
    yield from (right.round(decimals).tolist() for decimals in range(4))
    for _ in range(20):
        yield (right + rng.normal(size=right.shape)).tolist()
    yield from ([0.1], [0.1, 0.2], [0.1, 0.2, 0.3], 0.1, [])


def _orders(question: Parsons) -> Iterator[list[str]]:
    """Yield right orders, known mistakes, all their beginnings, and lines drawn at random."""
    for order in (*question.orders, *(example for example, _ in question.known_mistakes)):
        yield from (list(order[:end]) for end in range(1, len(order) + 1))
        yield [f">{order[0]}", *order[1:]] if question.is_indented else [*order[::-1]]
        yield [entry[-1] for entry in order]
        yield from ([*order[:at], *order[at + 1 :]] for at in range(len(order)) if len(order) > 1)
        spare = next((letter for letter in question.lines if letter not in "".join(order)), None)
        yield from ([*order[:at], spare, *order[at:]] for at in range(len(order) + 1) if spare)
    rng = np.random.default_rng(7)
    letters = [*question.lines]
    for _ in range(200):
        some = rng.permutation(letters)[: rng.integers(1, len(letters) + 1)]
        deep = rng.integers(0, 3 if question.is_indented else 1, len(some))
        yield [">" * int(depth) + str(letter) for letter, depth in zip(some, deep, strict=True)]


def _answers(question: AutoGraded) -> Iterator[Any]:
    if isinstance(question, Parsons):
        yield from _orders(question)
        return
    if isinstance(question, Numeric):
        yield from _numeric_answers(question)
        return
    for key in question.options:
        yield from (key, f" {key.upper()} ")
    yield from ("z", "", "aa")


def _cases(quiz: Exercise) -> Iterator[dict[str, Any]]:
    """Yield the page's data of each question with answers and the bank's verdicts."""
    data = page_data(quiz)
    for question, asked in zip(quiz.questions, data["questions"], strict=True):
        if isinstance(question, FreeText):
            continue
        for answer in _answers(question):
            verdict = run_check(
                question.check(),
                {question.name: answer},
                exercise=quiz.id,
                misconceptions=quiz.misconceptions,
            )
            case = {"quiz": data, "question": asked, "answer": answer}
            yield case | {"verdict": verdict.as_json()}


def run_node(tests: list[Path], **env: str) -> subprocess.CompletedProcess[str]:
    """Run tests in Node, which reads TypeScript as it is."""
    return subprocess.run(
        [in_environment("node"), "--test", *map(str, tests)],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_page_gives_the_verdicts_of_the_bank_on_every_question(tmp_path: Path) -> None:
    cases = [case for quiz in QUIZZES for case in _cases(quiz)]
    kinds = {case["question"]["kind"] for case in cases}
    assert kinds == {"choice", "numeric", "parsons"}
    assert {case["verdict"]["status"] for case in cases} == {"passed", "failed"}
    file = tmp_path / "verdicts.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    done = run_node([HERE / "grade.test.ts"], COURSEKIT_VERDICTS=str(file))
    assert done.returncode == 0, done.stdout
    assert f"{len(cases)} verdicts" in done.stdout


def test_script_modules() -> None:
    done = run_node([path for path in HERE.glob("*.test.ts") if path.name != "grade.test.ts"])
    assert done.returncode == 0, done.stdout
