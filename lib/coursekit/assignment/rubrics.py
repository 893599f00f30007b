"""A rubric for whoever grades prose: formgrader shows it above the answer, feedback does not.

nbgrader has no place for one: it keeps what stands in a solution cell for itself. The notebooks in
``autograded/`` therefore hold a cell of their own for it, which a step of
``nbgrader generate_feedback``, loaded by a course's nbgrader_config.py, takes out again.
"""

from __future__ import annotations

from typing import Any

from coursekit.notebook.nbformat_cells import Node, markdown_cell

TAG = "rubric"


def rubric_cell(answer: Node) -> Node:
    """Return the cell for the rubric that stands where a prose answer's solution would."""
    lines = [line for line in answer.source.splitlines() if not line.startswith("### ")]
    lines[:1] = ["**What earns points** (students do not see this):"]
    cell = markdown_cell("\n".join(lines), f"{answer.id[:57]}-{TAG}")
    cell.metadata["tags"] = [TAG]
    return cell


def feedback_steps() -> list[type]:
    """Return the steps of ``nbgrader generate_feedback``, the rubrics taken out first."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.preprocessors import NbGraderPreprocessor

    class HideRubrics(NbGraderPreprocessor):
        """Take the rubrics out."""

        def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
            """Return the notebook without them."""
            nb.cells = [cell for cell in nb.cells if TAG not in cell.metadata.get("tags", ())]
            return nb, resources

    return [HideRubrics, *GenerateFeedback.preprocessors.default()]
