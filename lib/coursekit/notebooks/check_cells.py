"""Write check cells of one line, and the attachment that has all that their checks need.

A reader's notebook has a check cell for each exercise, and one attachment near its top. nbgrader
grades by cells, and its hidden ones are not to be handed out, so there each check cell has its own.
Both are one word that nobody reads by accident (:mod:`coursekit.in_notebook.obfuscated`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coursekit.bank.mistakes import checked_with
from coursekit.bank.model import AutoGraded, Check, Exercise
from coursekit.bank.source import top_level_names
from coursekit.calls import Name, call, source_of
from coursekit.in_notebook.obfuscated import pack, unpack
from coursekit.judge.own_cells import digest
from coursekit.kinds import figure
from coursekit.kinds.registry import question_data
from coursekit.notebooks.cell_ids import cell_id

_TITLE = "#@title The checks of this notebook: run this cell first"
_CALL = "import coursekit; coursekit.{}"


def reader_code(exercise: Exercise) -> str:
    """Return the line that runs all visible checks of an exercise and shows what they found."""
    hidden = sum(check.hidden for check in exercise.checks)
    later = f"  # {hidden} more when graded" if hidden else ""
    return _CALL.format(f'check_answer("{exercise.id}")') + later


def report_code(exercise: Exercise, title: str, *checks: Check | AutoGraded) -> str:
    """Return the code that runs one check, or grades one question, and raises if it fails."""
    return f"{_titled(title)}\n" + _CALL.format(
        f'in_notebook.report("{pack(_about(exercise, checks))}")'
    )


def form_code(question: AutoGraded) -> str:
    """Return the code that checks the form of an answer. It does not contain the right one."""
    check = call("check_form", name=question.name, names=Name("globals()"), **_form(question))
    return f"{_titled(question.name)}\n{_CALL.format(source_of(check))}"


def attachment(
    exercises: Iterable[Exercise], practice: bool, chapter: Iterable[str], before: str = ""
) -> str:
    """Return the cell with which a notebook takes what its check cells need.

    Parameters
    ----------
    exercises : iterable of Exercise
        Those of the notebook.
    practice : bool
        As for `cells_of`.
    chapter : iterable of str
        The sources of the chapter's own cells of code.
    before : str
        Such a cell, to which the exercises are added.
    """
    kept = unpack(before.split('"')[1]) if before else {}
    digests = [digest(source) for source in chapter]
    for exercise in exercises:
        kept[exercise.id] = {**_readers(exercise, practice), "chapter": digests}
    return f"{_TITLE}\n" + _CALL.format(f'in_notebook.load_checks("{pack(kept)}")')


def _readers(exercise: Exercise, practice: bool) -> dict[str, Any]:
    """Return what a reader's notebook has of an exercise."""
    is_told = practice or exercise.practice
    if exercise.questions and not is_told:
        forms = {question.name: _form(question) for question in exercise.auto_graded}
        return {**_common(exercise), "forms": forms}
    visible = [check for check in exercise.checks if not check.hidden]
    about = _about(exercise, exercise.auto_graded or visible)
    about["solution"] = exercise.solution if practice and exercise.practice else ""
    return about


def _about(exercise: Exercise, checks: Iterable[Check | AutoGraded]) -> dict[str, Any]:
    """Return all that some checks need to run where there is no exercise file."""
    about, checks = _common(exercise), list(checks)
    questions = [check for check in checks if isinstance(check, AutoGraded)]
    if questions:
        about["questions"] = [question_data(question) for question in questions]
        about["misconceptions"] = dict(exercise.misconceptions)
        about["titles"] = {question.name: f"`{question.name}`" for question in questions}
        return about
    visible = [check for check in checks if isinstance(check, Check)]
    titles = {check.name: check.title for check in visible}
    return {**about, **checked_with(exercise, *titles), "checks": [*titles], "titles": titles}


def _common(exercise: Exercise) -> dict[str, Any]:
    return {
        "exercise": exercise.id,
        "version": exercise.version,
        "title": exercise.title,
        "points": sum(check.points for check in exercise.checks if not check.hidden),
        "hidden": sum(check.points for check in exercise.checks if check.hidden),
        "by_hand": sum(question.points for question in exercise.free_text),
        "starter": f"{exercise.setup}\n{figure.starter(exercise.starter)}",
        "without_torch": exercise.without_torch,
        "uses": [_code(used) for used in exercise.used],
        **_code(exercise),
    }


def _code(exercise: Exercise) -> dict[str, Any]:
    """Return what tells which cells an answer is made of, and what runs before them."""
    return {
        "setup": exercise.setup,
        "names": list(exercise.names),
        "answer": cell_id(exercise.id, "answer"),
        "given": sorted(top_level_names(exercise.setup)),
        "chapter": [],
    }


def _form(question: AutoGraded) -> dict[str, Any]:
    """Return the arguments of `check_form` for a question."""
    return {"kind": question.kind, **question.form}


def _titled(text: str) -> str:
    return f"#@title Check: {text}"  # Colab and JupyterLab show this line of a folded cell.
