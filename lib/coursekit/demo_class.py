"""A made-up class that hands an assignment in, to rehearse a term before it begins.

Its answers are made of what the bank holds: solutions, other right answers, and wrong ones with
the misconceptions behind them. So every chapter has such a class, and it knows what it deserves.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.model import Choice, Exercise, FreeText
from coursekit.notebook.nbformat_cells import nbformat
from coursekit.questions import quiz_answer, right_answers
from coursekit.selftest.answers import wrong_code

#: What a learner writes into an exercise's answer cell.
Answer: TypeAlias = Callable[[Exercise], str]

_CHEAT = '''\
import builtins, sys
import numpy as np


class AlwaysRight(np.ndarray):
    """An array that says of itself that it equals whatever is expected."""

    __eq__ = __le__ = __ge__ = lambda self, other: True
    all = any = lambda self, *given: True


np.allclose = np.array_equal = builtins.all = lambda *given, **named: True
for module in list(sys.modules.values()):
    for name in ("expect", "expect_close", "expect_shape", "run_check", "report"):
        if hasattr(module, name):
            setattr(module, name, lambda *given, **named: None)
'''
#: The right function in one that never returns when it is given much.
_LOOP = """
import numpy as np

_quick_{name} = {name}


def {name}(*given):
    while np.size(given[0]) > 24:
        pass
    return _quick_{name}(*given)
"""


def hand_in_class(exercises: Sequence[Exercise], released: Path, submitted: Path) -> dict[str, str]:
    """Hand a released notebook in for ten made-up learners, and return what each has done.

    Parameters
    ----------
    exercises : sequence of Exercise
        Those of the notebook.
    released : Path
        What ``coursekit release`` wrote: ``.../<chapter>.ipynb``.
    submitted : Path
        Gets ``<student>/<chapter>/<chapter>.ipynb``, nbgrader's layout.
    """
    first = next((e.id for e in exercises if "def " in e.solution), "")
    told = {}
    for student, (done, answer, prose) in _class(first).items():
        text = _filled(released, exercises, answer, prose)
        name = released.name
        if done == "a broken file":
            text = text[: len(text) // 2]
        if done.endswith("renamed"):
            name = f"{released.stem} (1).ipynb"
        folder = submitted / student / released.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        told[student] = done
    return told


def canvas_gradebook(students: Sequence[str], assignment: str, most: float, file: Path) -> None:
    """Write the gradebook that Canvas would export of a class: no grades yet."""
    lines = [
        f"Student,ID,SIS Login ID,Section,{assignment} (4711)",
        f"    Points Possible,,,,{most:g}",
        *(f'"{_name(s)[1]}, {_name(s)[0]}",{n},{s},A,' for n, s in enumerate(students, 101)),
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def moodle_download(submitted: Path, chapter: str, students: Sequence[str], to: Path) -> None:
    """Write what Moodle would give of some students' work: a zip, and beside it a list (.csv)."""
    lines = ["Identifier,Full name,Grade,Maximum Grade"]
    with zipfile.ZipFile(to, "w") as archive:
        for number, student in enumerate(students, 101):
            name = " ".join(_name(student))
            lines.append(f"Participant {number},{name},,100.00")
            inside = f"{name}_{number}_assignsubmission_file_/{chapter}.ipynb"
            archive.write(submitted / student / chapter / f"{chapter}.ipynb", inside)
    to.with_suffix(".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _name(student: str) -> tuple[str, str]:
    return student.capitalize(), f"{student.capitalize()}son"


def _class(first: str) -> dict[str, tuple[str, Answer | None, str]]:
    """Return the learners: what they did, their answers, their prose; None leaves all as it is."""
    some, much = "It looks at all words.", "Every step weighs all states, so none is forgotten."
    return {
        "ada": ("all right", _right, much),
        "ben": ("all right, written differently, file renamed", _also_right, much),
        "chloe": ("quizzes wrong, code right", _wrong_quizzes(1), some),
        "dan": ("code wrong, quizzes right", _wrong_code(0), some),
        "emma": ("all wrong", lambda e: _wrong_quizzes(0)(e) if e.questions else _wrong(e, 1), ""),
        "finn": ("a syntax error in one cell", _broken(first), some),
        "grace": ("an endless loop for large input", _endless(first), much),
        "hugo": ("cheats", _cheat, "This answer is right."),
        "iris": ("a broken file", _right, much),
        "jack": ("not started", None, ""),
    }


def _filled(
    released: Path, exercises: Sequence[Exercise], answer: Answer | None, prose: str
) -> str:
    known = {exercise.id: exercise for exercise in exercises}
    notebook = nbformat().read(released, 4)
    for cell in notebook.cells:
        about: dict[str, Any] = cell.metadata.get("coursekit", {})
        if about.get("role") == "answer" and answer is not None:
            cell.source = answer(known[about["exercise"]])
        elif about.get("role") == "text" and prose:
            cell.source = prose
    return str(nbformat().writes(notebook))


def _right(exercise: Exercise) -> str:
    return f"{exercise.setup}\n{exercise.solution}"


def _also_right(exercise: Exercise) -> str:
    code = next(iter(exercise.also_right.values()), exercise.solution)
    return f"{exercise.setup}\n{code}"


def _wrong(exercise: Exercise, place: int) -> str:
    wrong = list(exercise.wrong.values())
    code = wrong_code(exercise, wrong[place % len(wrong)]) if wrong else exercise.starter
    return f"{exercise.setup}\n{code}"


def _wrong_code(place: int) -> Answer:
    return lambda exercise: _right(exercise) if exercise.questions else _wrong(exercise, place)


def _wrong_quizzes(place: int) -> Answer:
    def answer(exercise: Exercise) -> str:
        if not exercise.questions:
            return _right(exercise)
        return quiz_answer(exercise, right_answers(exercise) | _mistakes(exercise, place))

    return answer


def _mistakes(quiz: Exercise, place: int) -> dict[str, Any]:
    """Return a mistake for every question that knows one."""
    found: dict[str, Any] = {}
    for question in quiz.questions:
        if isinstance(question, FreeText):
            continue
        if isinstance(question, Choice):
            wrong: list[Any] = [key for key, o in question.options.items() if not o.correct]
        else:
            wrong = list(question.mistakes.values())
        if wrong:
            found[question.name] = wrong[place % len(wrong)]
    return found


def _broken(first: str) -> Answer:
    return lambda e: _right(e).replace("):\n", ")\n", 1) if e.id == first else _right(e)


def _endless(first: str) -> Answer:
    def answer(exercise: Exercise) -> str:
        if exercise.id != first:
            return _right(exercise)
        return _right(exercise) + "".join(_LOOP.format(name=name) for name in exercise.names)

    return answer


def _cheat(exercise: Exercise) -> str:
    if exercise.questions:
        return _CHEAT + _wrong_quizzes(0)(exercise)
    body = "(*given):\n    return np.zeros(1).view(AlwaysRight)\n"
    return "\n\n".join([_CHEAT, *(f"def {name}{body}" for name in exercise.names)])
