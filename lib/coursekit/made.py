"""Run the answers of an exercise file, and its checks on each mistake."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from typing import Any

from coursekit.checks import Check
from coursekit.known import Known, Run, known_from
from coursekit.model import Exercise
from coursekit.numpy_only import numpy_only
from coursekit.running import check_rng, noted
from coursekit.source import check_source, string_constants


def run_answer(exercise: Exercise, code: str) -> tuple[dict[str, Any], Exception | None]:
    """Run an answer after the exercise's setup; return what it defines, and what it raised.

    The solutions of the exercises that it uses run first. Nothing confines it, so it is only for
    answers from exercise files.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(exercise.groundwork, "<earlier steps>", "exec"), names)
            exec(compile(exercise.setup, "<setup>", "exec"), names)
            exec(compile(code, "<answer>", "exec"), names)
    except Exception as raised:
        return names, raised
    return names, None


#: What is known of checks whose draws are not those of one submission.
_known: dict[tuple[str, ...], Known] = {}


def known_of(exercise: Exercise, check: Check, secret: str = "", submission: str = "") -> Known:
    """Return what each mistake of an exercise gives where one of its checks compares.

    The check draws the random numbers that it draws for this ``submission``: see
    `coursekit.running.check_rng`.
    """
    moved = secret if check.hidden and "rng" in check.parameters else ""
    if moved and submission:
        return _known_of(exercise, check, moved, submission)
    key = exercise.path, exercise.source, check.name, moved
    if key not in _known:
        _known[key] = _known_of(exercise, check, moved)
    return _known[key]


def explanations(exercise: Exercise, *checks: Check) -> dict[str, str]:
    """Return the texts of the mistakes that these checks can report, by id.

    They name those that they find by themselves in their code; the others are known of them.
    """
    named = string_constants(check_source(exercise, *(c.name for c in checks))) if checks else ()
    known = {id for c in checks for ids in known_of(exercise, c).ids for id in ids}
    return {id: text for id, text in exercise.misconceptions.items() if id in {*named, *known}}


@contextlib.contextmanager
def _seeded() -> Iterator[None]:
    """Have answers draw the same from PyTorch in each build, and leave a learner's draws alone."""
    if torch := sys.modules.get("torch"):
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(0)
            yield
    else:
        yield


def _known_of(exercise: Exercise, check: Check, secret: str = "", submission: str = "") -> Known:
    def run(code: str) -> Run:
        rng = check_rng(exercise.id, check.name, secret, submission)
        # Asked while an answer is checked that must not use PyTorch: what is seeded here may be.
        with numpy_only(False), _seeded():
            return noted(check, run_answer(exercise, code)[0], rng)

    if not run(exercise.solution).seen:
        return Known()  # a check that compares nothing, such as one that trains a model
    made = (((w.misconception, *w.also), run(w.code)) for w in exercise.wrong.values())
    return known_from(made)
