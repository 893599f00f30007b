"""Test the exercises themselves: a check that cannot fail is a defect.

`problems` returns the defects of one exercise and `collisions` the conflicts between those of one
chapter, each in one sentence. ``coursekit check`` prints them for a whole bank.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from coursekit.bank.model import BUILT_IN, Exercise
from coursekit.judge.whole_numbers import CUT_TO_WHOLE_NUMBERS
from coursekit.selftest.answers import check_answer, does_not_run, full_marks
from coursekit.selftest.changed_arguments import changed_argument_problems
from coursekit.selftest.code import code_problems
from coursekit.selftest.collisions import collisions
from coursekit.selftest.constant_answers import constant_answer_problems
from coursekit.selftest.library_answers import libraries, library_answer_problems
from coursekit.selftest.malformed_answers import malformed_answer_problems
from coursekit.selftest.quiz import quiz_problems

__all__ = ["collisions", "libraries", "problems"]


def problems(exercise: Exercise, packages: Iterable[str] = ()) -> list[str]:
    """Return the defects of an exercise, a sentence each.

    In any exercise the starter earns nothing and the model solution everything, every
    misconception is explained in plain text, and no check raises an exception of its own on an
    answer of a wrong type or shape.

    A code exercise has enough mistakes, each with answers that a check rejects and tells so;
    enough right answers written differently, which earn full marks; hints; and checks that run
    without the solution. No answer that solves nothing, such as a constant or one
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
    for mistake in exercise.mistakes.values():
        if not mistake.edits and mistake.id not in exercise.shared_texts:
            yield f"the mistake {mistake.id!r} has no answer that makes it"
        told = exercise.explanations.get(mistake.id, "").strip()
        if not told and mistake.id not in BUILT_IN | {CUT_TO_WHOLE_NUMBERS}:
            yield f"the mistake {mistake.id!r} has no text"
    explained, reported = set(exercise.misconceptions), _reported(exercise)
    for id in sorted(reported - explained - BUILT_IN):
        yield f"the misconception {id!r} has no explanation in misconceptions"
    for id in sorted(explained - reported - _options(exercise)):
        yield f"the misconception {id!r} is explained, but nothing reports it"
    for id in sorted(explained):
        if not exercise.misconceptions[id].strip():
            yield f"the explanation of {id!r} is empty"


def _reported(exercise: Exercise) -> set[str]:
    """Return the ids that answers to questions are told."""
    return {id for q in exercise.auto_graded if not q.explains_itself for id in q.ids}


def _not_plain(exercise: Exercise) -> Iterator[str]:
    """Yield messages that contain formulas, which are not rendered in messages."""
    messages = {f"the explanation of {id!r}": text for id, text in exercise.explanations.items()}
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


def _options(quiz: Exercise) -> set[str]:
    """Return the ids that questions explain themselves: those of options, by their feedback."""
    return {id for q in quiz.auto_graded if q.explains_itself for id in q.ids}
