"""What an exercise asks, as Markdown."""

from __future__ import annotations

from coursekit.command import counted
from coursekit.model import Choice, Exercise, FreeText, Parsons, Question
from coursekit.notebook.commonmark import to_commonmark
from coursekit.notebook.references import References

#: A figure's button: on the page it fills in the answer, in a notebook it copies the answer.
PAGE_BUTTON, NOTEBOOK_BUTTON = "Use as answer", "Copy as answer"
#: Begins the line that names what no cell of the chapter may call when it is graded.
WITHHELD = "Withheld from all cells while work is graded, as answers to exercises: "
_HOW_TO_USE = (
    f"The figure below has a button, **{NOTEBOOK_BUTTON}**. Paste what it copies into the answer "
    "cell in place of the lines there, run that cell, then run the check."
)


def statement(exercise: Exercise, references: References) -> str:
    """Return an exercise's title, points, statement and questions."""
    head = [f"### Exercise: {exercise.title}", f"*{counted(exercise.points, 'point')}*"]
    questions = [q for q in exercise.questions if not isinstance(q, FreeText)]
    numbered = len(questions) > 1
    body = [
        exercise.statement.replace(PAGE_BUTTON, NOTEBOOK_BUTTON),
        *([_HOW_TO_USE] if exercise.explorable and exercise.binds else []),
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


def _question(question: Question, number: int, numbered: bool) -> str:
    text = f"**{number}.** {question.statement}" if numbered else question.statement
    if isinstance(question, Choice):
        options = [f"- **{key}**: {option.text}" for key, option in question.options.items()]
        text += "\n\n" + "\n".join(options)
    elif isinstance(question, Parsons):
        lines = [f"- **{letter}**: `{line}`" for letter, line in question.lines.items()]
        text += "\n\n" + "\n".join(lines)
        if question.is_indented:
            text += '\n\nFor each level of indentation put `>` before the letter, as in `">a"`.'
    return f"{text}\n\n(Your answer goes into `{question.name}`.)"
