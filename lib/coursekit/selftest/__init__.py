"""Test the exercises themselves: a check that cannot fail is a defect.

`problems` returns what is wrong with one exercise and `collisions` what is wrong between those of
one chapter, a sentence each; ``coursekit check`` prints them for a whole bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coursekit.model import BUILT_IN, Choice, Exercise, Numeric
from coursekit.selftest.answers import full_marks, outcome
from coursekit.selftest.code import code_problems
from coursekit.selftest.collisions import collisions
from coursekit.selftest.library_answers import libraries, library_answer_problems
from coursekit.selftest.malformed_answers import malformed_answer_problems
from coursekit.selftest.quiz import quiz_problems
from coursekit.source import split, string_constants

__all__ = ["collisions", "libraries", "problems"]


def problems(exercise: Exercise, packages: Iterable[str] = ()) -> list[str]:
    """Return what is wrong with an exercise, best none.

    Of any exercise: the starter earns nothing, the model solution everything, every
    misconception that is used is explained, and no check raises by itself on a result of an odd
    type or shape. Of code: enough wrong answers, each rejected by the
    checks that it names with its misconception; enough differently written right ones, all with
    full marks; hints; and checks that run on their own, without the solution. No function of the
    libraries ``packages`` passes for an answer unless it is withheld. Of a quiz: every distractor
    has feedback, and every foreseen mistake is told apart. What is told is plain text.
    """
    found = [*_starter(exercise), *full_marks(exercise, exercise.solution, "solution")]
    found += [*_unexplained(exercise), *_not_plain(exercise)]
    found += malformed_answer_problems(exercise)
    if exercise.questions:
        return [*found, *quiz_problems(exercise)]
    return [*found, *code_problems(exercise), *library_answer_problems(exercise, packages)]


def _starter(exercise: Exercise) -> Iterator[str]:
    seen = outcome(exercise, exercise.starter)
    if seen.error and not seen.error.startswith("NotImplementedError"):
        yield f"starter: does not run: {seen.error}"
    for result in seen.results:
        if result.passed and result.max_points:
            yield f"starter: the check {result.check} passes before anything is answered"


def _unexplained(exercise: Exercise) -> Iterator[str]:
    explained, reported = set(exercise.misconceptions), _reported(exercise)
    for id in sorted(reported - explained - BUILT_IN):
        yield f"the misconception {id!r} has no explanation in misconceptions"
    # Which ids a check's code can report is not known without running it; it has to name them.
    named = _options(exercise) if exercise.questions else _in_check_code(exercise)
    for id in sorted(explained - reported - named):
        yield f"the misconception {id!r} is explained, but nothing reports it"
    for id in sorted(explained):
        if not exercise.misconceptions[id].strip():
            yield f"the explanation of {id!r} is empty"


def _reported(exercise: Exercise) -> set[str]:
    """Return the ids that need an explanation of their own."""
    ids = {wrong.misconception for wrong in exercise.wrong.values()}
    ids |= {check.misconception for check in exercise.checks if check.misconception}
    ids |= {id for q in exercise.questions if isinstance(q, Numeric) for id in q.mistakes}
    return ids


def _not_plain(exercise: Exercise) -> Iterator[str]:
    """Yield what is told after an answer and has formulas, which no host shows there."""
    told = {f"the explanation of {id!r}": text for id, text in exercise.misconceptions.items()}
    for question in exercise.questions:
        if isinstance(question, Choice):
            for key, option in question.options.items():
                told[f"question {question.name}: the feedback of option {key}"] = option.feedback
        elif isinstance(question, Numeric):
            told[f"question {question.name}: right"] = question.right
    yield from (
        f"{what} has $…$; messages are plain text, so write √d_k or q · k"
        for what, text in told.items()
        if "$" in text
    )


def _in_check_code(exercise: Exercise) -> set[str]:
    parts = split(exercise.source)
    return set(string_constants("\n".join(s.text for s in (*parts.head, *parts.tail))))


def _options(quiz: Exercise) -> set[str]:
    """Return the ids of options, whose feedback explains them."""
    options = [o for q in quiz.questions if isinstance(q, Choice) for o in q.options.values()]
    return {option.misconception for option in options if option.misconception}
