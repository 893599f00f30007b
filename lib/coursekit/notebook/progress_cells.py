"""The end of a chapter's notebook: where the reader stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coursekit.model import Exercise
from coursekit.notebook.calls import source_of
from coursekit.notebook.gates import is_prediction
from coursekit.notebook.nbformat_cells import Node, code_cell, fold, markdown_cell

_HEADING = (
    "## Your progress\n\n"
    "Run the cell below at any time: it lists this chapter's exercises with your points so far. "
    "It knows what you have checked since the kernel started."
)
_GATES = (
    " *Run All* stops at the first prediction without an answer: answer it, and run on from there."
)


def progress_cells(exercises: Iterable[Exercise]) -> Iterator[Node]:
    """Yield the text and the cell that shows each exercise with its points, and what is left."""
    exercises = list(exercises)
    predicts = any(map(is_prediction, exercises))
    visible = {
        exercise.id: (
            exercise.title,
            sum(check.points for check in exercise.checks if not check.hidden),
        )
        for exercise in exercises
    }
    yield markdown_cell(_HEADING + _GATES * predicts, "progress-text")
    cell = code_cell(
        "#@title Your progress in this chapter\n"
        "from coursekit.kernel import progress\n\n"
        f"progress({', '.join([source_of(visible), *_graded_later(exercises)])})",
        "progress",
    )
    cell.metadata["coursekit"] = {"role": "progress"}
    fold(cell)
    yield cell


def _graded_later(exercises: list[Exercise]) -> Iterator[str]:
    """Yield the arguments that say which points a reader's notebook cannot give."""
    hidden = sum(check.points for each in exercises for check in each.checks if check.hidden)
    by_hand = sum(question.points for each in exercises for question in each.free_text)
    if hidden:
        yield f"hidden={hidden:g}"
    if by_hand:
        yield f"by_hand={by_hand:g}"
