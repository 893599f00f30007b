"""The code of check cells.

A reader's notebook has one for each exercise (`reader_code`), nbgrader's has one for each check.
There the check stands in a function, which :mod:`coursekit.apart` runs: nothing that the learner
calls is taken from a check, and no check takes anything of the learner's but the answer.
"""

from __future__ import annotations

import base64
import io
import json
import tokenize
import zlib
from dataclasses import make_dataclass, replace
from pprint import pformat
from typing import Any

import numpy as np

from coursekit.apart import CELL
from coursekit.kernel.asked import about_of
from coursekit.made import explanations, known_of
from coursekit.model import AutoGraded, Check, Choice, Exercise, Parsons
from coursekit.source import check_source

#: Longest line of a call that is written (characters).
_WIDTH = 96


class Name:
    """An expression to be written as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


_GLOBALS = Name("globals()")
#: Where the functions are that cells call. An `import` would bind a name of the learner's.
_COURSEKIT = '__import__("coursekit")'
_KERNEL = '__import__("coursekit.kernel").kernel'
_IMPORTED = "from coursekit.model import Choice, Numeric, Option, Parsons"


def reader_code(
    exercise: Exercise,
    title: str,
    *,
    practice: bool = True,
    solution: str = "",
    by_name: bool = False,
) -> str:
    """Return the code that runs all visible checks of an exercise and shows what they found.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    title : str
        What the cell says where its code is folded.
    practice : bool
        Whether the cell tells if the answer to a question is right, or checks its form alone.
    solution : str
        What a cell that carries its exercise shows after an attempt, if anything.
    by_name : bool
        Whether the cell names the exercise, which the course's library has, or carries it.
    """
    if exercise.questions and not practice:
        return _forms(exercise, title)
    if by_name:
        version = f", version={exercise.version}" if exercise.version > 1 else ""
        return f'{_headed(title)}\n{_KERNEL}.check_answer("{exercise.id}", globals(){version})'
    word = _packed(exercise, solution)
    return f'{_headed(title)}\n{_KERNEL}.check_packed("{word}", globals())'


def _packed(exercise: Exercise, solution: str) -> str:
    """Return an exercise as the word that :func:`coursekit.kernel.asked.unpack` reads."""
    if exercise.questions:
        questions = {each.name: f"{_graded(each)}.check()" for each in exercise.auto_graded}
        made = [_IMPORTED, *(f"{name} = {source}" for name, source in questions.items())]
        code, names, told, known = "\n".join(made), list(questions), exercise.misconceptions, {}
    else:
        visible = [check for check in exercise.checks if not check.hidden]
        names = [check.name for check in visible]
        code, told = check_source(exercise, *names), explanations(exercise, *visible)
        known = {check.name: known_of(exercise, check).as_json() for check in visible}
    checks = {"code": code, "names": names, "misconceptions": dict(told), "known": known}
    about = about_of(exercise, solution) | checks
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


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
    known = {id for _, id in question.known_mistakes}
    told = {id: text for id, text in exercise.misconceptions.items() if id in known}
    return _reported(exercise, question.name, _function(_IMPORTED, _graded(question)), told)


def _graded(question: AutoGraded) -> str:
    """Return a question's source, without what grading does not need."""
    own: dict[str, Any] = {"works": None} if isinstance(question, Parsons) else {"picture": None}
    return source_of(replace(question, statement="", **own))


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


def call(function: str, **arguments: Any) -> Any:
    """Return a value that `source_of` writes as a call of ``function`` with these arguments."""
    return make_dataclass(function, arguments)(**arguments)  # pprint lays dataclasses out as calls


def source_of(value: Any) -> str:
    """Return Python source whose value is ``value``: numbers, text, lists, dicts and calls."""
    return pformat(value, width=_WIDTH, sort_dicts=False)
