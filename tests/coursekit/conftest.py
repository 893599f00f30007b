"""A small exercise and a small quiz in a bank of their own, and the course's bank."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from coursekit.bank import Bank, load_bank, load_exercise
from coursekit.cli import main
from coursekit.model import Exercise
from coursekit.notebook import chapter_notebook

DOUBLE = '''
"""Write `double`, which doubles a number $x$."""

import json
import math

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape

exercise(
    title="Twice as much",
    hints=["What is twice 3?", "Use `*`."],
)


def double(x):
    """Return twice x."""
    # BEGIN SOLUTION
    return math.fsum([x, x])
    # END SOLUTION


MISTAKES = r"""
squares: `def double(x): return x * x`
or `def double(x): return x ** 2`
    That is the square. Twice is a sum of two equal numbers.
adds: `math.fsum([x, x])` → `x + 2` or `x + 2.0`
    That adds 2.
sign: `def double(x): return 2 * abs(x)`
or `def double(x): return 2 * max(x, -x)`
    The sign is lost.
"""


TOP = 100
BOTTOM = -TOP


def _ask(double, x):
    expect_close(double(x), 2.0 * x, what="double(x)")


@check(points=2)
def small(double):
    """Small numbers"""
    _ask(double, 3)
    _ask(double, 0.5)


@check(points=1, hidden=True)
def negative(double, rng):
    """Negative numbers"""
    x = float(rng.integers(BOTTOM, -3))
    expect(expect_shape(double(x), ()) != -2 * x, "The sign is lost.", "sign")
    _ask(double, x)


ALSO_RIGHT = {
    "times two": """
        def double(x):
            return 2 * x
    """,
    "in NumPy": """
        def double(x):
            return np.add(x, x)
    """,
}
'''.lstrip()

QUIZ = '''
"""Two questions about twice."""

from coursekit import quiz

quiz(
    title="Twice",
    hints=["Add."],
    questions=r"""
## pair (± 0.01)
Twice 1 and twice 2?
- [x] 2, 4 > Each is added to itself.
- [ ] 1, 4 > squared: Those are squares.
- [ ] 1, 2 > same: Nothing was doubled.

## word (2 points)
What is *twice*?
- [x] a sum > Yes: of two equal numbers.
- [ ] a power > power: A power multiplies.

## why
Why is twice a sum?
- [2] names the sum
- [1] an example
""",
)
'''.lstrip()


@pytest.fixture(scope="session")
def sources() -> dict[str, str]:
    """Return the text of both small files, by id."""
    return {"double": DOUBLE, "twice": QUIZ}


@pytest.fixture
def write_exercise(tmp_path: Path) -> Callable[..., Exercise]:
    """Return a function that writes an exercise file, edits applied, and reads it."""

    def write(
        source: str = DOUBLE, id: str = "double", edits: Mapping[str, str] | None = None
    ) -> Exercise:
        for old, new in (edits or {}).items():
            assert old in source
            source = source.replace(old, new)
        file = tmp_path / "exercises" / "numbers" / f"{id}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
        return load_exercise(file)

    return write


@pytest.fixture
def double(write_exercise: Callable[..., Exercise]) -> Exercise:
    """Return a code exercise with one visible and one hidden check."""
    return write_exercise()


@pytest.fixture
def twice(write_exercise: Callable[..., Exercise]) -> Exercise:
    """Return a quiz with a numeric, a multiple-choice and a prose question."""
    return write_exercise(QUIZ, "twice")


@pytest.fixture
def numbers(
    double: Exercise, twice: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Bank:
    """Return the bank of both, and work in the folder that has them in ``exercises``."""
    monkeypatch.chdir(tmp_path)
    return load_bank(tmp_path / "exercises")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Return a function that runs a command of ``coursekit``, and returns what it printed."""

    def ran(*words: object, status: int = 0) -> Any:
        capsys.readouterr()
        assert main([str(word) for word in words]) == status
        return capsys.readouterr()

    return ran


@pytest.fixture(scope="session")
def bank() -> Bank:
    """Return the course's own bank, which is read where it is asked for."""
    from tests.course import BANK

    return BANK


HEAD = "---\nkernelspec: {name: python3, display_name: Python 3}\n---\n\n"


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that makes the notebook of a chapter's text."""

    def notebook(text: str, bank: Mapping[str, Exercise], **options: Any) -> Any:
        chapter = tmp_path / "numbers.md"
        chapter.write_text(HEAD + text, encoding="utf-8")
        return chapter_notebook(chapter, bank, **options)

    return notebook


CHECKS = (("double", "small", 2.0, False), ("double", "negative", 1.0, True))


def row(student: str, *points: float, **changes: Any) -> dict[str, Any]:
    """Return a results line of a student who earned these points, check by check."""
    checks = [
        {
            "exercise": exercise,
            "check": check,
            "status": "passed" if earned == most else "failed",
            "points": earned,
            "max_points": most,
            "hidden": hidden,
            "message": "" if earned == most else "double(x) is 9; expected 6.",
            "misconception": None if earned == most else ("sign" if hidden else "squares"),
            "explanation": "",
        }
        for (exercise, check, most, hidden), earned in zip(CHECKS, points, strict=False)
    ]
    return {
        "key": f"key of {student}",
        "student": student,
        "assignment": "numbers",
        "status": "graded",
        "score": sum(points),
        "max_score": 3.0,
        "reason": "",
        "timestamp": None,
        "marked_late": False,
        "withdrawn": False,
        "isolation": "none",
        "secret_fingerprint": "",
        "seconds": 0.1,
        "checks": checks,
    } | changes


@pytest.fixture
def results(numbers: Bank) -> Callable[..., Path]:
    """Return a function that writes rows into a file of results."""

    def write(*rows: dict[str, Any]) -> Path:
        file = Path("results.jsonl")
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return file

    return write
