"""Sphinx extension: have the label of a folded cell say what is behind it.

A cell that hides its output is labelled "Show the figure", "Show the table" or "Show the result",
by what it put out; one that hides its code, "Show the code of this figure". A cell's own
``code_prompt_show`` and ``code_prompt_hide`` stay.
"""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_DRAWINGS = {"svg", "img", "picture", "canvas"}


class FoldLabels(SphinxPostTransform):
    """Label every cell that MyST-NB folds."""

    # After MyST-NB has chosen one format for each output (4), before it folds (199).
    default_priority = 100
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Set the labels in one document."""
        for cell in self.document.findall(nodes.container):
            if cell.get("hide_mode") not in (None, "none"):
                what = label(cell["hide_mode"], kind_of(cell))
                for verb in ("show", "hide"):
                    if cell[f"prompt_{verb}"] == self.config[f"nb_code_prompt_{verb}"]:
                        cell[f"prompt_{verb}"] = f"{verb.capitalize()} {what}"


def label(hidden: str, kind: str | None) -> str:
    """Return what a fold has, in words.

    Parameters
    ----------
    hidden : {"input", "output", "input+output", "all"}
        What the cell hides.
    kind : str or None
        What its output is, from `kind_of`.
    """
    if hidden == "output":
        return f"the {kind or 'result'}"
    if hidden == "input":
        return f"the code of this {kind}" if kind else "the code"
    return f"the {kind} and its code" if kind else "the code"


def kind_of(cell: nodes.Element) -> str | None:
    """Return ``"figure"``, ``"table"`` or ``"result"`` for a cell's output; None if it has none."""
    output = cell.children[-1]
    if not isinstance(output, nodes.Element) or output.get("nb_element") != "cell_code_output":
        return None
    if not output.children:
        return None
    found = {_kind(part) for part in output.findall()}
    return next((kind for kind in ("figure", "table") if kind in found), "result")


def _kind(node: nodes.Node) -> str | None:
    """Return what one node of an output is."""
    if isinstance(node, nodes.image):
        return "figure"
    if isinstance(node, nodes.table):
        return "table"
    if not isinstance(node, nodes.raw) or node.get("format") != "html":
        return None
    html = BeautifulSoup(node.astext(), "html.parser")
    if any(_is_drawing(tag) for tag in html.find_all(True)):
        return "figure"
    return "table" if html.find("table") else None


def _is_drawing(tag: Tag) -> bool:
    """Whether a tag draws: a picture that is not a sign in a table, or an element of our own."""
    return "-" in tag.name or (tag.name in _DRAWINGS and not tag.find_parent("table"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(FoldLabels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
