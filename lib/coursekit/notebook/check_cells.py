"""The code of check cells, which need coursekit to run but no exercise files.

A reader's notebook has one for each exercise (`reader_code`), nbgrader's has one for each check.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from coursekit.checks import RIGHT, WRONG
from coursekit.kernel.packed import pack, question_data
from coursekit.model import AutoGraded, Check, Choice, Exercise, Numeric, Parsons
from coursekit.notebook.calls import Name, call, source_of
from coursekit.source import check_source, explanations

_GLOBALS = Name("globals()")
_IMPORT = "from coursekit.kernel import check_answer"


def reader_code(
    exercise: Exercise, title: str, starter: str, *, practice: bool = True, solution: str = ""
) -> str:
    """Return the code that runs all visible checks of an exercise and shows what they found.

    The checks of code are there to be read, as they are in an nbgrader assignment. Questions, which
    would be read as their answers, are packed.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    title : str
        What the cell says where its code is folded.
    starter : str
        What its answer cell has at first.
    practice : bool
        Whether the cell tells if the answer to a question is right, or checks its form alone.
    solution : str
        What it shows after an attempt, if anything.
    """
    if exercise.questions and not practice:
        return _forms(exercise, title)
    about: dict[str, Any] = {"id": exercise.id, "starter": starter}
    if hidden := sum(check.points for check in exercise.checks if check.hidden):
        about["hidden"] = hidden
    if solution:
        about["solution"] = solution
    if exercise.questions:
        about["questions"] = [question_data(question) for question in exercise.auto_graded]
        about["misconceptions"] = dict(exercise.misconceptions)
        return f'{_headed(title)}\n{_IMPORT}\n\ncheck_answer("{pack(about)}", globals())'
    names = [check.name for check in exercise.checks if not check.hidden]
    about["misconceptions"] = explanations(exercise, *names)
    source = check_source(exercise, *names).strip()
    listed = ", ".join(names)
    shown = f'check_answer("{pack(about)}", globals(), {listed})'
    return f"{_headed(title)}\n{source}\n\n\n{_IMPORT}\n\n{shown}"


def _forms(exercise: Exercise, title: str) -> str:
    forms = {question.name: _form(question) for question in exercise.auto_graded}
    shown = source_of(call("check_forms", about=exercise.id, names=_GLOBALS, **forms))
    return f"{_headed(title)}\n{_IMPORT.replace('check_answer', 'check_forms')}\n\n{shown}"


def check_code(exercise: Exercise, check: Check) -> str:
    """Return the code that runs one check of a code exercise: its source, then the report."""
    source = check_source(exercise, check.name)
    body = re.sub(r"^from coursekit import .*$", _with_report, source, count=1, flags=re.MULTILINE)
    report = _report(exercise, Name(check.name), explanations(exercise, check.name))
    return f"{_title(check.title)}\n{body.strip()}\n\n\n{report}"


def question_code(exercise: Exercise, question: AutoGraded) -> str:
    """Return the code that grades one question of a quiz."""
    if isinstance(question, Choice):
        graded, imports = _choice(question), "choice, option, report"
    elif isinstance(question, Parsons):
        graded, imports = _parsons(question), "parsons, report"
    else:
        graded, imports = _numeric(question), "numeric, report"
    known = {id for _, id in question.known_mistakes}
    told = {id: text for id, text in exercise.misconceptions.items() if id in known}
    report = _report(exercise, graded, told)
    return f"{_title(question.name)}\nfrom coursekit import {imports}\n\n{report}"


def form_code(question: AutoGraded) -> str:
    """Return the code that checks the form of an answer. It does not contain the right one."""
    check = source_of(call("check_form", name=question.name, names=_GLOBALS, **_form(question)))
    return f"{_title(question.name)}\nfrom coursekit import check_form\n\n{check}"


def _form(question: AutoGraded) -> dict[str, Any]:
    """Return the arguments of `check_form` for a question."""
    if isinstance(question, Choice):
        return {"options": list(question.options)}
    if isinstance(question, Parsons):
        return {"lines": list(question.lines), "is_indented": question.is_indented}
    return {"shape": list(np.shape(question.answer))}


def _title(text: str) -> str:
    return _headed(f"Check: {text}")


def _headed(title: str) -> str:
    return f"#@title {title}"  # Colab and JupyterLab show this line in place of the folded code.


def _with_report(line: re.Match[str]) -> str:
    names = line[0].removeprefix("from coursekit import ").split(", ")
    return f"from coursekit import {', '.join(sorted({*names, 'report'}))}"


def _report(exercise: Exercise, check: Any, explained: dict[str, str]) -> str:
    """Return the call that grades, with the explanations of the misconceptions it can report."""
    more = {"misconceptions": explained} if explained else {}
    return source_of(call("report", check=check, names=_GLOBALS, exercise=exercise.id, **more))


def _choice(question: Choice) -> Any:
    options = {}
    for key, option in question.options.items():
        kind: dict[str, Any] = (
            {"correct": True, "success_message": option.success_message}
            if option.correct
            else {
                "failure_message": option.failure_message,
                "misconception": option.misconception,
            }
        )
        options[key] = call("option", text=option.text, **kind)
    return call("choice", name=question.name, statement="", options=options, **_points(question))


def _numeric(question: Numeric) -> Any:
    optional = {
        "mistakes": {id: _as_python(value) for id, value in question.mistakes.items()},
        "success_message": question.success_message,
        "failure_message": question.failure_message,
    }
    return call(
        "numeric",
        name=question.name,
        statement="",
        answer=_as_python(question.answer),
        tolerance=_as_python(question.tolerance),
        **{key: value for key, value in optional.items() if value not in ({}, RIGHT, WRONG)},
        **_points(question),
    )


def _parsons(question: Parsons) -> Any:
    optional = {
        "mistakes": {id: " ".join(pattern) for id, pattern in question.mistakes.items()},
        "success_message": question.success_message,
        "failure_message": question.failure_message,
    }
    return call(
        "parsons",
        name=question.name,
        statement="",
        lines=dict(question.lines),
        orders=[" ".join(order) for order in question.orders],
        **{key: value for key, value in optional.items() if value not in ({}, RIGHT, "")},
        **_points(question),
    )


def _points(question: AutoGraded) -> dict[str, float]:
    return {} if question.points == 1 else {"points": question.points}


def _as_python(value: Any) -> Any:
    """Return the numbers of any array library as Python's own numbers and lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_as_python(item) for item in value] if isinstance(value, list | tuple) else value
