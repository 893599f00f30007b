"""``{finale} NAME``: a figure that opens when exercises have passed, and runs on their answers.

The figure is one of the course's explorables. ``coursekit/browser/finale.ts`` opens it, asks Python
what the figure asks, and sets the figure's fields ``ready``, ``warm`` (Python is there), ``extra``
(the exercises of ``more`` have passed, too) and ``edition`` (counts the changes of the answers).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from coursekit.bank.model import Exercise
from coursekit.errors import UnknownError
from coursekit.page.directive import bank_of
from coursekit.page.figure import explorable
from coursekit.page.nodes import BlockTitle, part
from coursekit.page.page_data import script_of, used_data

logger = logging.getLogger(__name__)


class FinaleDirective(SphinxDirective):
    """``{finale} NAME``: the content stands below the figure.

    ``title`` is its heading, ``steps`` and ``more`` are ids of exercises, and ``runs`` is the full
    name of a class: it is made with the namespace of the answers, and its ``answer`` is asked.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "title": directives.unchanged_required,
        "steps": str.split,
        "more": str.split,
        "runs": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return the block, or nothing after one clear error."""
        bank = bank_of(self.env.app)
        try:
            steps, more = (
                [bank[id] for id in self.options.get(name, ())] for name in ("steps", "more")
            )
            figure = explorable(self.env, self.arguments[0])
        except (UnknownError, ValueError) as error:
            logger.error(f"finale: {error}", location=self.get_location(), type="coursekit")
            return []
        words, _ = self.parse_inline(self.options["title"])
        title = BlockTitle("", "", *words, ids=["finale-title"])
        data = script_of(finale_data(self.options["runs"], steps, more))
        script = nodes.raw("", data, format="html")
        attributes = {"aria-labelledby": "finale-title", "data-theme": "dark"}
        text = self.parse_content_to_nodes()
        return [
            part(
                "section",
                title,
                figure,
                part("div", *text, classes=["ck-finale-text"]),
                part("div", script, html_only=True, classes=["ck-hidden"]),
                ids=["finale"],
                classes=["ck-finale"],
                attributes=attributes,
            )
        ]


def finale_data(
    runs: str, steps: Sequence[Exercise], more: Sequence[Exercise] = ()
) -> dict[str, Any]:
    """Return what the page has of a finale, ready for JSON."""
    files = dict.fromkeys(file for step in (*steps, *more) for file in step.files)
    return {
        "runs": runs,
        "steps": [used_data(step) for step in steps],
        "more": [used_data(step) for step in more],
        "files": list(files),
    }


def register(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("finale", FinaleDirective)
