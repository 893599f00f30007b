"""The code of a check cell: self-contained, so that it needs coursekit but no bank."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from coursekit.checks import RIGHT, WRONG
from coursekit.model import Check, Choice, Exercise, Numeric
from coursekit.notebook.literal import Call, Code, literal
from coursekit.source import check_source, string_constants


def check_code(exercise: Exercise, check: Check) -> str:
    """Return the cell of one check of a code exercise: its source, then the report."""
    source = check_source(exercise, check.name)
    told = string_constants(source) | {check.misconception}
    body = re.sub(r"^from coursekit import .*$", _with_report, source, count=1, flags=re.MULTILINE)
    return f"{_title(check.title)}\n{body.strip()}\n\n\n{_report(exercise, check.name, told)}"


def question_code(exercise: Exercise, question: Choice | Numeric) -> str:
    """Return the cell that grades one question of a quiz."""
    if isinstance(question, Choice):
        call, imports = _choice(question), "choice, option, report"
    else:
        call, imports = _numeric(question), "numeric, report"
    report = _report(exercise, call, [id for _, id in question.known_mistakes])
    return f"{_title(question.name)}\nfrom coursekit import {imports}\n\n{report}"


def form_code(question: Choice | Numeric) -> str:
    """Return the cell that looks at the form of an answer, and knows nothing of the right one."""
    if isinstance(question, Choice):
        form: dict[str, Any] = {"options": list(question.options)}
    else:
        form = {"shape": list(np.shape(question.answer))}
    call = literal(Call("check_form", (question.name, Code("globals()")), form))
    return f"{_title(question.name)}\nfrom coursekit import check_form\n\n{call}"


def _title(text: str) -> str:
    return f"#@title Check: {text}"  # Colab shows this line in place of the folded code.


def _with_report(line: re.Match[str]) -> str:
    names = line[0].removeprefix("from coursekit import ").split(", ")
    return f"from coursekit import {', '.join(sorted({*names, 'report'}))}"


def _report(exercise: Exercise, check: str | Call, told: Iterable[str | None]) -> str:
    first = Code(check) if isinstance(check, str) else check
    keywords: dict[str, Any] = {"exercise": exercise.id}
    known = set(told)
    if said := {id: text for id, text in exercise.misconceptions.items() if id in known}:
        keywords["misconceptions"] = said
    return literal(Call("report", (first, Code("globals()")), keywords))


def _choice(question: Choice) -> Call:
    options = {}
    for key, option in question.options.items():
        keywords: dict[str, Any] = (
            {"correct": True, "success_message": option.success_message}
            if option.correct
            else {
                "failure_message": option.failure_message,
                "misconception": option.misconception,
            }
        )
        options[key] = Call("option", (option.text,), keywords)
    return Call("choice", (question.name, "", options), _points(question))


def _numeric(question: Numeric) -> Call:
    keywords: dict[str, Any] = {
        "answer": plain(question.answer),
        "tolerance": plain(question.tolerance),
        "mistakes": {id: plain(value) for id, value in question.mistakes.items()},
        "success_message": question.success_message,
        "failure_message": question.failure_message,
    }
    kept = {key: value for key, value in keywords.items() if value not in ({}, RIGHT, WRONG)}
    return Call("numeric", (question.name, ""), kept | _points(question))


def _points(question: Choice | Numeric) -> dict[str, float]:
    return {} if question.points == 1 else {"points": question.points}


def plain(value: Any) -> Any:
    """Return a number or sequence of numbers as Python's own, whatever array library made it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
