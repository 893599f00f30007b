"""The code of check cells, which need coursekit to run but no exercise files.

A reader's notebook has one for each exercise (`reader_code`), nbgrader's has one for each check.
What a cell needs stands in a function, which :mod:`coursekit.apart` runs: nothing that the learner
calls is taken from a check, and no check takes anything of the learner's but the answer.
"""

from __future__ import annotations

import io
import json
import tokenize
from dataclasses import replace
from typing import Any

import numpy as np

from coursekit.apart import CELL
from coursekit.kernel.packed import pack, question_data
from coursekit.made import explanations, known_of
from coursekit.model import AutoGraded, Check, Choice, Exercise, Parsons
from coursekit.notebook.calls import Name, call, source_of
from coursekit.source import check_source

_GLOBALS = Name("globals()")
#: Where the functions are that cells call. An `import` would bind a name of the learner's.
_COURSEKIT = '__import__("coursekit")'
_KERNEL = '__import__("coursekit.kernel").kernel'
_MADE_OF = "Choice, Numeric, Option, Parsons"


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
    if exercise.without_torch:
        about["without_torch"] = True
    if solution:
        about["solution"] = solution
    if exercise.questions:
        about["questions"] = [question_data(question) for question in exercise.auto_graded]
        about["misconceptions"] = dict(exercise.misconceptions)
        return f'{_headed(title)}\n{_KERNEL}.check_answer("{pack(about)}", globals())'
    visible = [check for check in exercise.checks if not check.hidden]
    about["misconceptions"] = explanations(exercise, *visible)
    about["known"] = {check.name: known_of(exercise, check).as_json() for check in visible}
    names = [check.name for check in visible]
    function = _function(check_source(exercise, *names), f"[{', '.join(names)}]")
    shown = f'{_KERNEL}.check_answer("{pack(about)}", globals(), {CELL})'
    return f"{_headed(title)}\n{function}\n\n\n{shown}"


def _forms(exercise: Exercise, title: str) -> str:
    forms = {question.name: _form(question) for question in exercise.auto_graded}
    shown = source_of(call("check_forms", names=_GLOBALS, **forms))
    return f"{_headed(title)}\n{_KERNEL}.{shown}"


def check_code(exercise: Exercise, check: Check) -> str:
    """Return the code that runs one check of a code exercise: its source, then the report."""
    function = _function(check_source(exercise, check.name), check.name)
    told, known = explanations(exercise, check), known_of(exercise, check).as_json()
    text = json.dumps(known, separators=(",", ":"))
    return _reported(exercise, check.title, function, told, known=text)


def question_code(exercise: Exercise, question: AutoGraded) -> str:
    """Return the code that grades one question of a quiz."""
    own: dict[str, Any] = {"works": None} if isinstance(question, Parsons) else {"picture": None}
    graded = source_of(replace(question, statement="", **own))
    known = {id for _, id in question.known_mistakes}
    told = {id: text for id, text in exercise.misconceptions.items() if id in known}
    function = _function(f"from coursekit.model import {_MADE_OF}", graded)
    return _reported(exercise, question.name, function, told)


def form_code(question: AutoGraded) -> str:
    """Return the code that checks the form of an answer. It does not contain the right one."""
    check = source_of(call("check_form", name=question.name, names=_GLOBALS, **_form(question)))
    return f"{_title(question.name)}\n{_COURSEKIT}.{check}"


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


def _reported(
    exercise: Exercise, title: str, function: str, explained: dict[str, str], **more: Any
) -> str:
    """Return a cell that grades, with the explanations of the misconceptions it can report."""
    if explained:
        more["misconceptions"] = explained
    if exercise.without_torch:
        more["without_torch"] = True
    graded = call("report", check=Name(CELL), names=_GLOBALS, exercise=exercise.id, **more)
    return f"{_title(title)}\n{function}\n\n\n{_COURSEKIT}.{source_of(graded)}"


def _function(code: str, returned: str) -> str:
    """Return the function of a cell: it runs some code and returns the value of an expression."""
    code = f"{code.strip()}\n\nreturn {returned}"
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    # The later lines of a string are as they are, the other ones a level deeper.
    inside = {row for token in tokens for row in range(token.start[0] + 1, token.end[0] + 1)}
    lines = [
        f"    {line}" if line and row not in inside else line
        for row, line in enumerate(code.splitlines(), 1)
    ]
    return "\n".join([f"def {CELL}():", *lines])
