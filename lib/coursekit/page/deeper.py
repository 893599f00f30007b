"""Fold the sections whose heading begins with "Deeper: ".

The heading stays as it is, in the text and in the table of contents; what follows is folded, with
the time that it takes. ``coursekit/web`` opens it for links that lead there, its style on paper.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from coursekit.page.directive import bank_of
from coursekit.page.nodes import part
from coursekit.page.progress import text_of
from coursekit.times import DEEPER, deeper_minutes


class FoldDeeper(SphinxPostTransform):
    """Put what stands below such a heading into a ``<details>``."""

    # After cells have been marked, which looks for them in the whole document.
    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Change one document."""
        sections = [s for s in self.document.findall(nodes.section) if _title(s).startswith(DEEPER)]
        if not sections:
            return
        text = text_of(self.app, self.env.docname)
        minutes = deeper_minutes(text, bank_of(self.app))
        for section, takes in zip(sections, minutes, strict=True):
            at = section.index(next(section.findall(nodes.title))) + 1
            label = part("summary", nodes.Text(f"What goes deeper: about {takes} minutes"))
            fold = part("details", label, *section.children[at:], classes=["ck-deeper"])
            section[at:] = [fold]


def _title(section: nodes.section) -> str:
    title = next((child for child in section.children if isinstance(child, nodes.title)), None)
    return title.astext() if title is not None else ""


def register(app: Sphinx) -> None:
    """Register the transform with Sphinx."""
    app.add_post_transform(FoldDeeper)
