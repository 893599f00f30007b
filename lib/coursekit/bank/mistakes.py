"""Run learners' mistakes, each declared once as an edit of the solution, with its text.

The edits are run, so the checks know every value that a mistake gives: `known`. Mistakes that many
exercises have in common are functions of the call's arguments, `shared`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from textwrap import dedent
from typing import Any

import numpy as np

from coursekit.bank.alone import Names, Ran, run_alone
from coursekit.bank.model import Edit, Exercise
from coursekit.bank.running import comparisons_of, run_check
from coursekit.bank.source import (
    check_source,
    other_solution,
    split,
    string_constants,
    top_level_names,
)
from coursekit.errors import DefinitionError
from coursekit.judge.checks import Check
from coursekit.judge.comparisons import AND, Comparison, Known, known_from
from coursekit.judge.verdict import Verdict

#: How many submissions' values are kept of a check.
_KEPT = 3


def edited(exercise: Exercise, edit: Edit) -> str:
    """Return the code of an answer: edits of the solution applied, or code of its own.

    Code that defines nothing that the exercise asks for stands in the place of the solution alone.

    Raises
    ------
    DefinitionError
        The solution has no such text.
    """
    if isinstance(edit, str):
        code = dedent(edit).strip("\n") + "\n"
        if _defines(code) & set(exercise.names):
            return code
        return other_solution(split(exercise.source).learner_text, code)
    code = exercise.solution
    for old, new in edit.items():
        if old not in code:
            raise DefinitionError(f"a mistake replaces {old!r}; the solution has no such text")
        code = code.replace(old, new)
    return code


@dataclass(frozen=True)
class WrongAnswer:
    """An answer of the exercise file, and the mistake that it makes."""

    mistake: str
    code: str


def wrong_answers(exercise: Exercise) -> dict[str, WrongAnswer]:
    """Return the answers that make the exercise's mistakes, by the mistake and a number.

    Raises
    ------
    DefinitionError
        The solution has not the text that an edit replaces.
    """
    answers = {}
    for mistake in exercise.mistakes.values():
        for number, edit in enumerate(mistake.edits, 1):
            name = mistake.id if number == 1 else f"{mistake.id} {number}"
            answers[name] = WrongAnswer(mistake.id, edited(exercise, edit))
    return answers


def _defines(code: str) -> frozenset[str]:
    try:
        return top_level_names(code)
    except SyntaxError:  # a body, such as a single `return`
        return frozenset()


def run_answer(exercise: Exercise, code: str) -> Ran:
    """Run an answer after the solutions of the exercises that it uses, and the exercise's setup.

    Nothing confines it, so it is only for answers from exercise files.
    """
    before = (exercise.groundwork, exercise.setup)
    with contextlib.redirect_stdout(io.StringIO()):
        return run_alone(before, code, without_torch=exercise.without_torch)


def verdict_on(
    exercise: Exercise,
    check: Check,
    names: Mapping[str, Any],
    *,
    secret: str = "",
    submission: str = "",
    aside: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Verdict:
    """Return the verdict of one of an exercise's checks on ``names``; see `run_check`.

    ``aside`` gives the context in which mistakes are run, if they have to be.
    """

    def known_now() -> Known:
        with aside():
            return known(exercise, check, secret, submission)

    return run_check(
        check,
        names,
        exercise=exercise.id,
        misconceptions=exercise.explanations,
        secret=secret,
        submission=submission,
        without_torch=exercise.without_torch,
        known=known_now,
    )


def known(exercise: Exercise, check: Check, secret: str = "", submission: str = "") -> Known:
    """Return what the exercise's mistakes give in the comparisons of one of its checks.

    The values hang on the check's random numbers: ``secret`` and ``submission`` are as for
    `coursekit.bank.running.check_rng`.
    """
    if not check.hidden or "rng" not in check.parameters:
        secret = submission = ""
    found = _cache(exercise.path, exercise.source)
    key = (check.name, secret, submission)
    if key not in found:
        # Every submission has its own: of these the last ones are kept.
        older = [k for k in found if k[0] == check.name and k[1]]
        for old in older[: 1 - _KEPT]:
            del found[old]
        found[key] = _known(exercise, check, secret, submission)
    return found[key]


def told(exercise: Exercise, *names: str) -> dict[str, str]:
    """Return the explanations of the mistakes that the named checks can report, by id.

    These are the mistakes with values of their own in the checks, and those that the checks' code
    names.
    """
    checks = [check for check in exercise.checks if check.name in names]
    ids = {part for check in checks for id in known(exercise, check).ids for part in id.split(AND)}
    if names:
        ids |= string_constants(check_source(exercise, *names))
    return {id: text for id, text in exercise.explanations.items() if id in ids}


def checked_with(exercise: Exercise, *names: str) -> dict[str, Any]:
    """Return what a page or a notebook runs the named checks with, ready for JSON."""
    checks = [check for check in exercise.checks if check.name in names]
    return {
        "check_source": check_source(exercise, *names) if names else "",
        "misconceptions": told(exercise, *names),
        "known": {c.name: data for c in checks if (data := known(exercise, c).as_data())},
    }


@cache
def _cache(path: str, source: str) -> dict[tuple[str, str, str], Known]:
    return {}


def _known(exercise: Exercise, check: Check, secret: str, submission: str) -> Known:
    runs: dict[str, list[list[Comparison]]] = {}
    again = partial(
        comparisons_of, check, exercise=exercise.id, secret=secret, submission=submission
    )

    def compare(names: Names) -> list[Comparison]:
        # What is handed out hangs on the exercise alone, whatever an answer draws.
        np.random.seed(0)
        if torch := sys.modules.get("torch"):
            torch.manual_seed(0)
        return again(names)

    for id, names in _answers(exercise, check, compare):
        runs.setdefault(id, []).append(compare(names))
    # A hidden check draws anew for each submission, and says less of what it saw.
    pairs = {} if check.hidden else dict(_pairs(exercise))
    both = {id: compare(run_answer(exercise, code).names) for id, code in pairs.items()}
    return known_from(runs, both, string_constants(check_source(exercise, check.name)))


def _pairs(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Yield the answers that make two mistakes at once, with both ids.

    Two edits are put together if neither touches what the other one needs.
    """
    if not exercise.pairs:
        return
    edits = {
        mistake.id: mistake.edits[0]
        for mistake in exercise.mistakes.values()
        if mistake.edits and not isinstance(mistake.edits[0], str)
    }
    for (one, first), (other, second) in combinations(edits.items(), 2):
        try:
            code = edited(exercise, {**first, **second})
            if code == edited(exercise, {**second, **first}):
                yield f"{one}{AND}{other}", code
        except DefinitionError:
            continue


def _answers(
    exercise: Exercise, check: Check, compare: Callable[[Names], object]
) -> Iterator[tuple[str, Names]]:
    """Yield the names that each mistake leaves, by its id."""
    for wrong in wrong_answers(exercise).values():
        yield wrong.mistake, run_answer(exercise, wrong.code).names
    adapters = {name: made for name, made in exercise.shared.items() if name in check.names}
    if adapters:
        right = run_answer(exercise, exercise.solution).names
        for name, made in adapters.items():
            spy = _Spy(right[name], made)
            compare(right | {name: spy.watch})
            if spy.error is not None:
                raise DefinitionError(
                    f"the shared mistakes of {name} cannot be made with the arguments of the check "
                    f"{check.name}: {type(spy.error).__name__}: {spy.error}"
                ) from spy.error
            for id in spy.ids:
                yield id, right | {name: _wrongly(right[name], made, id)}


@dataclass
class _Spy:
    """Watches which shared mistakes can be made in the calls of a check."""

    right: Callable[..., Any]
    made: Callable[..., Mapping[str, Any]]

    def __post_init__(self) -> None:
        self.ids: dict[str, None] = {}
        self.error: Exception | None = None

    def watch(self, *args: Any, **options: Any) -> Any:
        """Call the right function, and note the mistakes."""
        try:
            self.ids |= dict.fromkeys(self.made(*args, **options))
        except Exception as error:
            self.error = error
        return self.right(*args, **options)


def _wrongly(
    right: Callable[..., Any], made: Callable[..., Mapping[str, Any]], id: str
) -> Callable[..., Any]:
    """Return a function that makes a mistake where it can be made, and is right elsewhere."""

    def function(*args: Any, **options: Any) -> Any:
        with np.errstate(all="ignore"):
            mistakes = made(*args, **options)
            if id not in mistakes:
                return right(*args, **options)
            value = mistakes[id]
            return value() if callable(value) else value

    return function
