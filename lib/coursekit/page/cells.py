"""What a page has to know of its code cells so that they can be run there.

The code that is shown stands in the page. Beside it goes what is hidden (set-up cells, and cells of
which only the output shows), in order, and which cells import what no page can.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from coursekit.page.nodes import notebook_of, part

#: Modules beside the standard library's that a page has, or has a stand-in for.
_THERE = frozenset({"numpy", "IPython", "matplotlib", "matplotlib_inline", "cycler"})


class LiveCells(SphinxPostTransform):
    """Mark the cells whose code is shown, and write the data of all of them."""

    # After outputs have one format and before cells are folded, as fold_labels has it.
    default_priority = 101
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Change the document of a chapter with cells."""
        shown = [
            node
            for node in self.document.findall(nodes.container)
            if node.get("nb_element") == "cell_code" and _input_of(node) is not None
        ]
        if not shown:
            return
        written = list(written_cells(Path(self.env.doc2path(self.env.docname)), self._packages()))
        if sum("source" not in cell for cell in written) != len(shown):
            return  # a cell that the page shows in another way; then none is live
        for node in shown:
            node["classes"].append("ck-runnable")
        data = {"notebook": notebook_of(self.env), "cells": written}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        script = f'<script type="application/json" class="ck-cells">{text}</script>'
        raw = nodes.raw("", script, format="html")
        self.document += part("div", raw, classes=["ck-hidden"])

    def _packages(self) -> frozenset[str]:
        """Return the course's own packages: those beside the chapters, and coursekit."""
        lib = Path(self.env.srcdir).parent / "lib"
        return frozenset({path.parent.name for path in lib.glob("*/__init__.py")} | {"coursekit"})


def _input_of(cell: nodes.Element) -> nodes.Element | None:
    inputs = (c for c in cell.children if isinstance(c, nodes.Element))
    return next((c for c in inputs if c.get("nb_element") == "cell_code_source"), None)


def written_cells(chapter: Path, packages: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the data of a chapter's code cells, in order.

    ``source`` is the code of a cell that does not show it; ``needs`` the first module that a page
    does not have, "a notebook" for a cell of another language.
    """
    import jupytext  # which a build of chapters has

    for cell in jupytext.read(chapter, fmt="md:myst").cells:
        if cell.cell_type != "code":
            continue
        tags = {tag.replace("_", "-") for tag in cell.metadata.get("tags", [])}
        data = {"source": cell.source} if tags & {"remove-cell", "remove-input"} else {}
        needs = _needs(cell.source, packages)
        yield data | ({"needs": needs} if needs else {})


def _needs(code: str, packages: frozenset[str]) -> str:
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return "a notebook"
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for root in (name.partition(".")[0] for name in names):
            if root not in _THERE | packages | sys.stdlib_module_names:
                return root
    return ""


def register(app: Sphinx) -> None:
    """Register the transform with Sphinx."""
    app.add_post_transform(LiveCells)
