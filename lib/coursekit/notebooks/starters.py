"""Give nbgrader's preprocessors the exercises' own starters; nbgrader_config.py loads them.

nbgrader puts the same stub into every solution cell, while an exercise may have first lines of its
own. The preprocessor that clears solutions is therefore replaced; all others are nbgrader's.
"""

from __future__ import annotations

from typing import Any

from nbgrader import utils
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions

from coursekit.bank.source import cut_solution


class ClearSolutionsToStarters(ClearSolutions):
    """Replace each solution by the exercise's starter."""

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Return the cell with its starter, or cleared as nbgrader does."""
        starter = cut_solution(cell.source)
        cleared = starter != cell.source and "BEGIN SOLUTION" not in starter
        if cell.cell_type == "code" and utils.is_solution(cell) and cleared:
            cell.source = starter
            return cell, resources
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        return cell, resources


def preprocessors() -> list[type]:
    """Return the preprocessors of ``nbgrader generate_assignment``, with the one above."""
    steps = GenerateAssignment.preprocessors.default()
    return [ClearSolutionsToStarters if step is ClearSolutions else step for step in steps]
