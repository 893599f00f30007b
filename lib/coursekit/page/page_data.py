"""What the page may know of an exercise: enough to check an answer, and nothing that grades it.

Of a code exercise the page gets the starter, the visible checks and the explanations that those
can report. It never gets a solution, a hidden check or its explanation, or a wrong answer.
A quiz is checked in the page without Python, so its answers are in the data; marks come from the
batch grader, which does not trust the page.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

from coursekit.errors import DefinitionError
from coursekit.made import explanations, known_of
from coursekit.model import Exercise, Question
from coursekit.source import check_source

#: Of a code exercise: wanted when the reader's code first runs, and not before.
_CHECKED_WITH = ("check_source", "misconceptions", "known")


def page_data(exercise: Exercise) -> dict[str, Any]:
    """Return the data of an exercise's block, ready for JSON.

    ``version`` is the exercise's own: its author raises it when an earlier verdict may no longer
    hold. It is a string, as all that the browser keeps.
    """
    data = _quiz(exercise) if exercise.questions else _code(exercise)
    data["points"] = exercise.points
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
    return {key: value for key, value in page_data(exercise).items() if key not in left_out}


def page_script(exercise: Exercise) -> str:
    """Return :func:`block_data` as the HTML element that the page's script reads."""
    # No text of an exercise can end the element early: "<" never appears in it.
    text = json.dumps(block_data(exercise), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" class="ck-data">{text}</script>'


def _code(exercise: Exercise) -> dict[str, Any]:
    visible = [check for check in exercise.checks if not check.hidden]
    source = check_source(exercise, *(check.name for check in visible)) if visible else ""
    run = () if exercise.notebook_only else visible
    told = explanations(exercise, *run)
    known = {check.name: known_of(exercise, check).as_json() for check in run}
    return {
        "digest": hashlib.sha256(json.dumps([source, told, known]).encode()).hexdigest()[:12],
        "setup": exercise.setup,
        "starter": exercise.starter,
        "check_source": source,
        "checks": [{"name": c.name, "title": c.title, "points": c.points} for c in visible],
        "misconceptions": told,
        "known": known,
        "binds": dict(exercise.binds),
        "practice": exercise.practice,
        "notebook_only": list(exercise.notebook_only),
        "uses": [_used(used) for used in exercise.used],
        "files": [{"path": path, "bytes": _size(exercise, path)} for path in exercise.files],
        "data": list(exercise.data),
    }


def _used(exercise: Exercise) -> dict[str, Any]:
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
    questions = [question.as_json() | _picture(question) for question in exercise.questions]
    return {"questions": questions, "misconceptions": dict(exercise.misconceptions)}


def _picture(question: Question) -> dict[str, Any]:
    """Return how a question's answers are drawn, if they are: grading has no part in it."""
    picture = getattr(question, "picture", None)
    return {"picture": picture.as_json()} if picture else {}
