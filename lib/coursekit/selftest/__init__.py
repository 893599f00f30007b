"""Test the exercises themselves: a check that cannot fail is a defect.

`problems` returns the defects of one exercise and `collisions` the conflicts between those of one
chapter, each in one sentence. ``coursekit check`` prints them for a whole bank.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from coursekit.model import BUILT_IN, Choice, Exercise, Numeric, Parsons
from coursekit.selftest.answers import check_answer, does_not_run, full_marks
from coursekit.selftest.changed_arguments import changed_argument_problems
from coursekit.selftest.code import code_problems
from coursekit.selftest.collisions import collisions
from coursekit.selftest.constant_answers import constant_answer_problems
from coursekit.selftest.library_answers import libraries, library_answer_problems
from coursekit.selftest.malformed_answers import malformed_answer_problems
from coursekit.selftest.quiz import quiz_problems
from coursekit.source import split, string_constants

__all__ = ["collisions", "libraries", "problems"]


def problems(exercise: Exercise, packages: Iterable[str] = ()) -> list[str]:
    """Return the defects of an exercise, a sentence each.

    In any exercise the starter earns nothing and the model solution everything, every
    misconception is explained in plain text, and no check raises an exception of its own on an
    answer of a wrong type or shape.

    A code exercise has enough wrong answers, each rejected by the checks that it names and with its
    misconception; enough right answers written differently, which earn full marks; hints; and
    checks that run without the solution. No answer that solves nothing, such as a constant or one
    of its arguments, earns a point. No function of the libraries ``packages`` passes as an answer
    unless it is withheld.

    In a quiz every distractor has feedback, and every declared mistake is recognised.
    """
    if "torch" in sys.modules:  # as in grading; more threads make small models slower
        sys.modules["torch"].set_num_threads(1)
    defects = [*_starter(exercise), *full_marks(exercise, exercise.solution, "solution")]
    defects += [*_unexplained(exercise), *_not_plain(exercise)]
    defects += malformed_answer_problems(exercise)
    if exercise.questions:
        return [*defects, *quiz_problems(exercise)]
    defects += [*code_problems(exercise), *constant_answer_problems(exercise)]
    defects += changed_argument_problems(exercise)
    return [*defects, *library_answer_problems(exercise, packages)]


def _starter(exercise: Exercise) -> Iterator[str]:
    answer = check_answer(exercise, exercise.starter)
    if answer.error is not None and not isinstance(answer.error, NotImplementedError):
        yield f"starter: {does_not_run(answer.error)}"
    for verdict in answer.verdicts:
        if verdict.passed and verdict.max_points:
            yield f"starter: the check {verdict.check} passes before anything is answered"


def _unexplained(exercise: Exercise) -> Iterator[str]:
    explained, reported = set(exercise.misconceptions), _reported(exercise)
    for id in sorted(reported - explained - BUILT_IN):
        yield f"the misconception {id!r} has no explanation in misconceptions"
    # Only running a check tells which ids it reports, so it counts which ids its code names.
    named = _options(exercise) if exercise.questions else _in_check_code(exercise)
    for id in sorted(explained - reported - named):
        yield f"the misconception {id!r} is explained, but nothing reports it"
    for id in sorted(explained):
        if not exercise.misconceptions[id].strip():
            yield f"the explanation of {id!r} is empty"


def _reported(exercise: Exercise) -> set[str]:
    """Return the ids that need an explanation here; code's are looked at answer by answer."""
    return {id for q in exercise.questions if isinstance(q, Numeric | Parsons) for id in q.mistakes}


def _not_plain(exercise: Exercise) -> Iterator[str]:
    """Yield messages that contain formulas, which are not rendered in messages."""
    messages = {f"the explanation of {id!r}": text for id, text in exercise.misconceptions.items()}
    for question in exercise.auto_graded:
        own = question.messages.items()
        messages |= {f"question {question.name}: {at}": text for at, text in own}
    for check in exercise.checks if exercise.kind == "code" else ():
        messages[f"success_message of the check {check.name}"] = check.success_message
        messages[f"failure_message of the check {check.name}"] = check.failure_message
    yield from (
        f"{what} has $…$; messages are plain text, so write √d_k or q · k"
        for what, text in messages.items()
        if "$" in text
    )


def _in_check_code(exercise: Exercise) -> set[str]:
    parts = split(exercise.source)
    shown = {id for wrong in exercise.wrong.values() for id in (wrong.misconception, *wrong.also)}
    return shown | string_constants("\n".join(s.text for s in (*parts.head, *parts.tail)))


def _options(quiz: Exercise) -> set[str]:
    """Return the ids of options, whose feedback explains them."""
    options = [o for q in quiz.questions if isinstance(q, Choice) for o in q.options.values()]
    return {option.misconception for option in options if option.misconception}
