"""Select what the page may know of an exercise: enough to check answers, nothing that grades.

Of a code exercise the page gets the starter, the visible checks and the explanations that those
can report. It never gets a solution, a hidden check or its explanation, or a wrong answer.
A quiz is checked in the page without Python, so its answers are in the data; marks come from the
batch grader, which does not trust the page.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.bank.mistakes import checked_with
from coursekit.bank.model import Exercise
from coursekit.errors import DefinitionError
from coursekit.in_page.example import first_call
from coursekit.judge.verdict import counted_points, decided_elsewhere

#: Of a code exercise: wanted when the reader's code first runs, and not before.
_CHECKED_WITH = ("check_source", "misconceptions", "known")


def page_data(exercise: Exercise) -> dict[str, Any]:
    """Return the data of an exercise's block, ready for JSON.

    ``version`` is the exercise's own: its author raises it when an earlier verdict may no longer
    hold. It is a string, as all that the browser keeps.
    """
    data = _quiz(exercise) if exercise.questions else _code(exercise)
    data |= {"points": exercise.points, "earned": _earned(exercise)}
    head = {
        "id": exercise.id,
        "version": str(exercise.version),
        "title": exercise.title,
        "kind": exercise.kind,
    }
    return head | data


def checks_data(exercise: Exercise) -> tuple[str, dict[str, Any]]:
    """Return what a code exercise is checked with, and the name of the file for it."""
    data = page_data(exercise)
    return f"{exercise.id}-{data['digest']}.js", {key: data[key] for key in _CHECKED_WITH}


def block_data(exercise: Exercise) -> dict[str, Any]:
    """Return what stands in the page of :func:`page_data`: all but what `checks_data` has."""
    left_out = () if exercise.questions else _CHECKED_WITH
    data = {key: value for key, value in page_data(exercise).items() if key not in left_out}
    if right := expected(exercise):
        data["expected"] = right
    return data


def page_script(exercise: Exercise) -> str:
    """Return :func:`block_data` as the HTML element that the page's script reads."""
    return script_of(block_data(exercise))


def script_of(data: dict[str, Any]) -> str:
    """Return a block's data as the HTML element that the page's script reads."""
    # No text of an exercise can end the element early: "<" never appears in it.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" class="ck-data">{text}</script>'


def _code(exercise: Exercise) -> dict[str, Any]:
    visible = [check for check in exercise.checks if not check.hidden]
    needed = checked_with(exercise, *(check.name for check in visible))
    text = json.dumps([*needed.values()])
    return {
        **needed,
        "digest": hashlib.sha256(text.encode()).hexdigest()[:12],
        "setup": exercise.setup,
        "starter": exercise.starter,
        "checks": [{"name": c.name, "title": c.title} for c in visible],
        "worth": "" if exercise.practice else _worth(exercise),
        "binds": dict(exercise.binds),
        "practice": exercise.practice,
        "notebook_only": list(exercise.notebook_only),
        "uses": [used_data(used) for used in exercise.used],
        "files": [{"path": path, "bytes": _size(exercise, path)} for path in exercise.files],
        "data": list(exercise.data),
    }


def _earned(exercise: Exercise) -> str:
    """Return what the line above the title says once the checks of the page pass."""
    if exercise.practice:
        return "practice · done"
    here = sum(check.points for check in exercise.checks if not check.hidden)
    if not here:  # a person grades all of it
        return f"{counted_points(exercise.points)} · done"
    return f"{round(here, 2):g} of {counted_points(exercise.points)}"


def _worth(exercise: Exercise) -> str:
    """Return what the work counts in a course: hidden checks may decide about a part of it."""
    hidden = sum(check.points for check in exercise.checks if check.hidden)
    more = f"; {decided_elsewhere(hidden)}" if hidden else "."
    return f"In a course: {_earned(exercise)}{more}"


def used_data(exercise: Exercise) -> dict[str, Any]:
    """Return what a later exercise's block needs to run the reader's answer, or what stands in."""
    return {
        "id": exercise.id,
        "version": str(exercise.version),
        "title": exercise.title,
        "names": list(exercise.names),
        "setup": exercise.setup,
        "stand_in": exercise.stand_in_code,
    }


def _size(exercise: Exercise, path: str) -> int:
    """Return the size in bytes of a package's data file."""
    spec = importlib.util.find_spec(path.partition("/")[0])
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        if (file := Path(folder).parent / path).is_file():
            return file.stat().st_size
    raise DefinitionError(f"{exercise.path}: files has {path!r}; no package has such a file")


def _quiz(exercise: Exercise) -> dict[str, Any]:
    questions = [question.as_json() for question in exercise.questions]
    return {"questions": questions, "misconceptions": dict(exercise.misconceptions)}


def expected(exercise: Exercise) -> dict[str, Any] | None:
    """Return shape and range of what the solution returns for the page's example, rounded.

    None unless the exercise is a graded function that a page can run and that returns one array of
    numbers.
    """
    if exercise.practice or exercise.notebook_only or exercise.questions:
        return None
    visible = [check for check in exercise.checks if not check.hidden]
    return (
        _facts(exercise.id, exercise.groundwork + exercise.setup, exercise.solution, visible[0])
        if visible
        else None
    )


@functools.lru_cache(maxsize=1000)
def _facts(id: str, setup: str, solution: str, check: Any) -> dict[str, Any] | None:
    names: dict[str, Any] = {}
    exec(setup, names)
    exec(compile(solution, "the solution", "exec"), names)
    call = first_call(check, names)
    result = call.result if call else None
    if not isinstance(result, np.ndarray) or result.dtype.kind not in "biuf" or not result.size:
        return None
    ends = float(np.nanmin(result)), float(np.nanmax(result))
    low, high = (float(f"{end:.3g}") for end in ends)
    return (
        {"shape": list(result.shape), "low": low, "high": high} if np.isfinite(ends).all() else None
    )
