"""What nbgrader does otherwise in our courses; their nbgrader_config.py loads it from here.

nbgrader puts one stub into every solution cell, while an exercise may have first lines of its own.
And it shows graders no part of the instructor's solution cell: the notebooks in ``autograded/``
have a separate cell for the rubric of prose, which students' feedback leaves out.
"""

from __future__ import annotations

from typing import Any

from coursekit.notebook.nbformat_cells import Node, markdown_cell
from coursekit.source import cut_solution

TAG = "rubric"


def rubric_cell(answer: Node) -> Node:
    """Return a cell with the rubric of a prose answer, which is in place of its solution."""
    lines = [line for line in answer.source.splitlines() if not line.startswith("### ")]
    lines[:1] = ["**What earns points** (students do not see this):"]
    cell = markdown_cell("\n".join(lines), f"{answer.id[:57]}-{TAG}")
    cell.metadata["tags"] = [TAG]
    return cell


def preprocessors() -> list[type]:
    """Return the steps of ``nbgrader generate_assignment``, with the exercises' own starters."""
    from nbgrader import utils
    from nbgrader.converters import GenerateAssignment
    from nbgrader.preprocessors import ClearSolutions

    class ClearSolutionsToStarters(ClearSolutions):
        """Replace each solution by the exercise's starter, or clear it as nbgrader does."""

        def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
            starter = cut_solution(cell.source)
            cleared = starter != cell.source and "BEGIN SOLUTION" not in starter
            if cell.cell_type == "code" and utils.is_solution(cell) and cleared:
                cell.source = starter
                return cell, resources
            return tuple(super().preprocess_cell(cell, resources, index))

    steps = GenerateAssignment.preprocessors.default()
    return [ClearSolutionsToStarters if step is ClearSolutions else step for step in steps]


def feedback_steps() -> list[type]:
    """Return the steps of ``nbgrader generate_feedback``, after one that drops rubrics."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.preprocessors import NbGraderPreprocessor

    class HideRubrics(NbGraderPreprocessor):
        def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
            nb.cells = [cell for cell in nb.cells if TAG not in cell.metadata.get("tags", ())]
            return nb, resources

    return [HideRubrics, *GenerateFeedback.preprocessors.default()]
