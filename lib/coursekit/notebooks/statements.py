"""Write what an exercise asks, as Markdown."""

from __future__ import annotations

from coursekit.bank.model import AutoGraded, Exercise
from coursekit.judge.verdict import counted_points
from coursekit.kinds import figure
from coursekit.notebooks.commonmark import to_commonmark
from coursekit.notebooks.references import References

#: Begins the line that names what no cell of the chapter may call when it is graded.
WITHHELD = "When work is graded, no cell may use these, because they answer exercises: "


def statement(exercise: Exercise, references: References) -> str:
    """Return an exercise's title, points, statement and questions."""
    head = [f"### Exercise: {exercise.title}", f"*{counted_points(exercise.points)}*"]
    questions = exercise.auto_graded
    numbered = len(questions) > 1
    body = [
        *figure.statement(exercise),
        *([_uses(exercise)] if exercise.used else []),
        *([_withheld(exercise)] if exercise.withheld else []),
        *(_question(q, i, numbered) for i, q in enumerate(questions, 1)),
    ]
    return "\n\n".join(head + [to_commonmark(text, references) for text in body])


def _uses(exercise: Exercise) -> str:
    names = [f"`{name}`" for used in exercise.used for name in used.names]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"From earlier steps: your {listed}. Run those cells first."


def _withheld(exercise: Exercise) -> str:
    return f"{WITHHELD}{', '.join(f'`{name}`' for name in exercise.withheld)}."


def _question(question: AutoGraded, number: int, numbered: bool) -> str:
    text = f"**{number}.** {question.statement}" if numbered else question.statement
    lists = [of.written("- **{0}**: {1}") for of in question.lists]
    written = f"(Your answer goes into `{question.name}`.)"
    parts = [text, *lists, question.how_to_write, written]
    return "\n\n".join(filter(None, parts))
