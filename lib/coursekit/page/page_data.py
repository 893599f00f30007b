"""What the page may know of an exercise: enough to check an answer, and nothing that grades it.

Of a code exercise the page gets the starter, the visible checks and the explanations which those
can give. It never gets a solution, a hidden check, a wrong answer or a hidden check's explanation.
A quiz is checked in the page without Python, so its answers are in the data; marks come from the
batch grader, which knows nothing of the page.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from coursekit.model import Choice, Exercise, FreeText, Numeric, Question
from coursekit.source import check_source, string_constants


def page_data(exercise: Exercise) -> dict[str, Any]:
    """Return the data of an exercise's block, ready for JSON.

    ``version`` changes when an earlier verdict may no longer hold.
    """
    data = _quiz(exercise) if exercise.questions else _code(exercise)
    data["points"] = exercise.points
    texts = [
        [o.text for o in q.options.values()] if isinstance(q, Choice) else q.statement
        for q in exercise.questions
    ]
    digest = hashlib.sha256(json.dumps([data, texts]).encode()).hexdigest()
    head = {
        "id": exercise.id,
        "version": digest[:12],
        "title": exercise.title,
        "kind": exercise.kind,
    }
    return head | data


def page_script(exercise: Exercise) -> str:
    """Return :func:`page_data` as the HTML element that the page's script reads."""
    # No text of an exercise can end the element early: "<" never appears in it.
    text = json.dumps(page_data(exercise), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" class="ck-data">{text}</script>'


def _code(exercise: Exercise) -> dict[str, Any]:
    visible = [check for check in exercise.checks if not check.hidden]
    source = check_source(exercise, *(check.name for check in visible)) if visible else ""
    return {
        "setup": exercise.setup,
        "starter": exercise.starter,
        "checkSource": source,
        "checks": [{"name": c.name, "title": c.title, "points": c.points} for c in visible],
        "misconceptions": _said_by(source, exercise.misconceptions),
        "binds": dict(exercise.binds),
        "practice": exercise.practice,
    }


def _said_by(source: str, explanations: Mapping[str, str]) -> dict[str, str]:
    """Return the explanations whose ids the visible checks can report."""
    words = string_constants(source)
    return {id: text for id, text in explanations.items() if id in words}


def _quiz(exercise: Exercise) -> dict[str, Any]:
    questions = [_question(question) for question in exercise.questions]
    return {"questions": questions, "misconceptions": dict(exercise.misconceptions)}


def _question(question: Question) -> dict[str, Any]:
    common = {"name": question.name, "points": question.points}
    if isinstance(question, FreeText):
        return {"type": "text", **common}
    if isinstance(question, Numeric):
        return {"type": "numeric", **common, **_numeric(question)}
    options = [
        {"key": key, "right": o.correct, "feedback": o.feedback, "misconception": o.misconception}
        for key, o in question.options.items()
    ]
    return {"type": "choice", **common, "options": options}


def _numeric(question: Numeric) -> dict[str, Any]:
    return {
        "answer": np.asarray(question.answer, float).tolist(),
        "tolerance": float(question.tolerance),
        "mistakes": [
            {"id": id, "value": np.asarray(value, float).tolist()}
            for id, value in question.mistakes.items()
        ],
        "unit": question.unit,
        "right": question.right,
    }
