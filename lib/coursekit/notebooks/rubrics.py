"""Show rubrics for prose above the answers in formgrader, and leave them out of feedback.

nbgrader shows graders no part of the instructor's solution cell. The notebooks in ``autograded/``
therefore have a separate cell for the rubric. A preprocessor of ``nbgrader generate_feedback``,
which a course's nbgrader_config.py loads, removes it.
"""

from __future__ import annotations

from typing import Any

from coursekit.notebooks.nbformat_cells import Node, markdown_cell

TAG = "rubric"


def rubric_cell(answer: Node) -> Node:
    """Return a cell with the rubric of a prose answer, which is in place of its solution."""
    lines = [line for line in answer.source.splitlines() if not line.startswith("### ")]
    lines[:1] = ["**What earns points** (students do not see this):"]
    cell = markdown_cell("\n".join(lines), f"{answer.id[:57]}-{TAG}")
    cell.metadata["tags"] = [TAG]
    return cell


def feedback_steps() -> list[type]:
    """Return the preprocessors of ``nbgrader generate_feedback``, after one that drops rubrics."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.preprocessors import NbGraderPreprocessor

    class HideRubrics(NbGraderPreprocessor):
        """Drop the cells with rubrics."""

        def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
            """Return the notebook without the cells that are tagged as rubrics."""
            nb.cells = [cell for cell in nb.cells if TAG not in cell.metadata.get("tags", ())]
            return nb, resources

    return [HideRubrics, *GenerateFeedback.preprocessors.default()]
