"""Which share of the points is *protected*: to be had only by who knows the answer.

A point is protected when nothing in the notebook that is handed out, and nothing in the library,
says what the right answer is or whether a given one is right. These are the points of

- hidden checks, as long as what the exercise asks for is withheld wherever the library has it;
- questions whose check cell looks at the form of the answer alone;
- prose.

All others can be tried against the visible checks, which hold their inputs and expected values:
until they pass, or with code that is right for these inputs and no others. Points of exercises
that are declared practice are not protected, for their answers are told.

This is about what is handed out. Whoever finds the exercises elsewhere finds the answers: those of
the course are public, in the repository and on its pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from coursekit.model import Exercise


def protected_points(exercise: Exercise, *, practice: bool = False) -> float:
    """Return how many of an exercise's points are protected.

    ``practice`` says that the notebook grades questions at once.
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
    """Return the line that says how many points of an assignment are protected.

    Parameters
    ----------
    exercises : iterable of Exercise
        Those of the assignment.
    practice : bool
        The notebook grades questions at once.
    shown : collection of str
        Ids of questions whose answer the notebook itself shows further down.
    """
    exercises = list(exercises)
    kept = sum(protected_points(e, practice=practice) for e in exercises if e.id not in shown)
    points = sum(exercise.points for exercise in exercises)
    what = "hidden checks, prose" if practice else "hidden checks, questions, prose"
    line = f"protected: {kept:g} of {points:g} points ({what})"
    if kept == points:
        return line
    told = {
        "the visible checks": True,
        "practice": any(exercise.practice for exercise in exercises),
        "the text": any(exercise.id in shown for exercise in exercises),
    }
    against = " and ".join(name for name, is_there in told.items() if is_there)
    return f"{line}; {points - kept:g} can be tried against {against}"
