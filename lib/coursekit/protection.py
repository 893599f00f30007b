"""Count the *protected* points: those that only somebody who knows the answer can earn.

A point is protected when neither the released notebook nor the library reveals the right answer
or whether a given answer is right. These are the points of

- hidden checks, provided that the library's own functions for the task are withheld;
- questions whose check cell looks only at the form of the answer;
- prose.

The other points can be had by trial: visible checks contain their inputs and expected values, so
that code can be changed until it passes, or be written for these inputs alone. Exercises declared
as practice protect no points, because they tell their answers.

This is about the released notebook. The exercises themselves contain the answers, so a course that
publishes them publishes its answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from coursekit.bank.model import Exercise


def protected_points(exercise: Exercise, *, practice: bool = False) -> float:
    """Return how many of an exercise's points are protected.

    With ``practice`` the notebook tells at once whether the answer to a question is right.
    """
    if exercise.practice:
        return 0.0
    prose = sum(question.points for question in exercise.free_text)
    if exercise.questions:
        return exercise.points if not practice else prose
    return sum(check.points for check in exercise.checks if check.hidden)


def protection(
    exercises: Iterable[Exercise], *, practice: bool = False, shown: Collection[str] = ()
) -> str:
    """Return a line that tells how many points of an assignment are protected.

    Parameters
    ----------
    exercises : iterable of Exercise
        The assignment's exercises.
    practice : bool
        Whether the notebook tells at once if the answer to a question is right.
    shown : collection of str
        Ids of questions whose answer the notebook's own text shows.
    """
    exercises = list(exercises)
    protected = sum(protected_points(e, practice=practice) for e in exercises if e.id not in shown)
    points = sum(exercise.points for exercise in exercises)
    what = "hidden checks, prose" if practice else "hidden checks, questions, prose"
    line = f"protected: {protected:g} of {points:g} points ({what})"
    if protected == points:
        return line
    sources = {
        "the visible checks": True,
        "practice": any(exercise.practice for exercise in exercises),
        "the text": any(exercise.id in shown for exercise in exercises),
    }
    against = " and ".join(source for source, reveals in sources.items() if reveals)
    return f"{line}; {points - protected:g} can be tried against {against}"
