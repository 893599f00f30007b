"""A made-up class that hands in an assignment, to try out a term before it begins.

Its answers come from the exercise files: solutions, other right answers, and wrong ones with their
misconceptions. So it works for every chapter, and what each learner should earn is known.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.grade.times import RECORD, of_record
from coursekit.lms import LMS
from coursekit.model import Exercise
from coursekit.notebook.nbformat_cells import nbformat

#: What a learner writes into an exercise's answer cell.
Answer: TypeAlias = Callable[[Exercise], str]

_CHEAT = '''\
import builtins, sys
import numpy as np


class AlwaysRight(np.ndarray):
    """An array that claims to equal any other."""

    __eq__ = __le__ = __ge__ = lambda self, other: True
    all = any = lambda self, *args: True


np.allclose = np.array_equal = builtins.all = lambda *args, **kwargs: True
for module in list(sys.modules.values()):
    for name in ("expect", "expect_close", "expect_shape", "run_check", "report"):
        if hasattr(module, name):
            setattr(module, name, lambda *args, **kwargs: None)
'''
#: A wrapper of the right function that never returns for large input.
_LOOP = """
import numpy as np

_quick_{name} = {name}


def {name}(*args):
    while np.size(args[0]) > 24:
        pass
    return _quick_{name}(*args)
"""


def hand_in_class(exercises: Sequence[Exercise], released: Path, submitted: Path) -> dict[str, str]:
    """Hand in a released notebook for ten made-up learners.

    Parameters
    ----------
    exercises : sequence of Exercise
        The notebook's exercises.
    released : Path
        The notebook that ``coursekit release`` wrote: ``.../<chapter>.ipynb``.
    submitted : Path
        The folder to write to, in nbgrader's layout: ``<student>/<chapter>/<chapter>.ipynb``.

    Returns
    -------
    dict of str to str
        What is special about each learner's work.
    """
    first = next((e.id for e in exercises if "def " in e.solution), "")
    learners = _class(first)
    for student, (work, answer, prose) in learners.items():
        text = filled(released, exercises, answer, prose)
        name = released.name
        if work == "a broken file":
            text = text[: len(text) // 2]
        if work.endswith("renamed"):
            name = f"{released.stem} (1).ipynb"
        folder = submitted / student / released.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / RECORD).write_text("2026-11-02 17:00:00 UTC\n", encoding="utf-8")
    return {student: work for student, (work, _, _) in learners.items()}


def canvas_gradebook(
    students: Sequence[str], assignment: str, max_points: float, file: Path
) -> None:
    """Write a class's gradebook as Canvas exports it, before there are grades."""
    lines = [
        f"Student,ID,SIS Login ID,Section,{assignment} (4711)",
        f"    Points Possible,,,,{max_points:g}",
        *(f'"{_name(s)[1]}, {_name(s)[0]}",{n},{s},A,' for n, s in enumerate(students, 101)),
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def moodle_download(
    submitted: Path, chapter: str, students: Sequence[str], to: Path, zone: tzinfo = UTC
) -> None:
    """Write students' work as Moodle downloads it: a zip, and beside it a grading worksheet.

    ``zone`` is that of the worksheet's times, which it does not name: those of nbgrader's records.
    """
    lines = [f"Identifier,Full name,{LMS['moodle'].times[0]},Grade,Maximum Grade"]
    with zipfile.ZipFile(to, "w") as archive:
        for number, student in enumerate(students, 101):
            name = " ".join(_name(student))
            work = submitted / student / chapter / f"{chapter}.ipynb"
            time = of_record((work.parent / RECORD).read_text()).astimezone(zone)
            date = f"{time:%A}, {time.day} {time:%B %Y, %I:%M %p}"
            lines.append(f'Participant {number},{name},"{date}",,100.00')
            archive.write(work, f"{name}_{number}_assignsubmission_file_/{chapter}.ipynb")
    to.with_suffix(".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _name(student: str) -> tuple[str, str]:
    return student.capitalize(), f"{student.capitalize()}son"


def _class(first: str) -> dict[str, tuple[str, Answer | None, str]]:
    """Return for each learner what is special, the answers (None: left as they were), the prose."""
    short, full = "It looks at all words.", "Every step weighs all states, so none is forgotten."
    return {
        "ada": ("all right", _right, full),
        "ben": ("all right, written differently, file renamed", _also_right, full),
        "chloe": ("quizzes wrong, code right", _wrong_quizzes(1), short),
        "dan": (
            "code wrong, quizzes right",
            lambda e: (_right if e.questions else _wrong)(e),
            short,
        ),
        "emma": ("all wrong", lambda e: _wrong_quizzes(0)(e) if e.questions else _wrong(e, 1), ""),
        "finn": ("a syntax error in one cell", _broken(first), short),
        "grace": ("an endless loop for large input", _endless(first), full),
        "hugo": ("cheats", _cheat, "This answer is right."),
        "iris": ("a broken file", _right, full),
        "jack": ("not started", None, ""),
    }


def filled(released: Path, exercises: Iterable[Exercise], answer: Answer | None, prose: str) -> str:
    """Return a released notebook's text with answers and prose in it, where there are any."""
    by_id = {exercise.id: exercise for exercise in exercises}
    notebook = nbformat().read(released, 4)
    for cell in notebook.cells:
        metadata: dict[str, Any] = cell.metadata.get("coursekit", {})
        if metadata.get("role") == "answer" and answer is not None:
            cell.source = answer(by_id[metadata["exercise"]])
        elif metadata.get("role") == "text" and prose:
            cell.source = prose
    return str(nbformat().writes(notebook))


def _right(exercise: Exercise) -> str:
    return f"{exercise.setup}\n{exercise.solution}"


def _also_right(exercise: Exercise) -> str:
    code = next(iter(exercise.also_right.values()), exercise.solution)
    return f"{exercise.setup}\n{code}"


def _wrong(exercise: Exercise, place: int = 0) -> str:
    wrong = list(exercise.wrong.values())
    code = wrong[place % len(wrong)].code if wrong else exercise.starter
    return f"{exercise.setup}\n{code}"


def _wrong_quizzes(place: int) -> Answer:
    def answer(exercise: Exercise) -> str:
        if not exercise.questions:
            return _right(exercise)
        return exercise.answer_cell(exercise.answers | _mistakes(exercise, place))

    return answer


def _mistakes(quiz: Exercise, place: int) -> dict[str, Any]:
    """Return a mistake for every question that knows one."""
    mistakes = {q.name: [answer for answer, _ in q.known_mistakes] for q in quiz.auto_graded}
    return {name: wrong[place % len(wrong)] for name, wrong in mistakes.items() if wrong}


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
    body = "(*args):\n    return np.zeros(1).view(AlwaysRight)\n"
    return "\n\n".join([_CHEAT, *(f"def {name}{body}" for name in exercise.names)])
