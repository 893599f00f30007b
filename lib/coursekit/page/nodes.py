"""Define the document nodes of an exercise.

For HTML a :class:`Part` is any element with classes and attributes. Every other builder takes it
for a plain container, so that statement, starter and options also reach print and e-books; what
only works in a browser (hints that open, data for scripts) is marked ``html_only``.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.transforms.post_transforms import SphinxPostTransform


def notebook_of(app: Sphinx) -> str:
    """Return where the page that is being read has its notebook; "" where it has none."""
    page = app.env.docname
    path = app.config.coursekit_notebooks.get(page.rpartition("/")[2], "")
    return path and "../" * page.count("/") + path


class Part(nodes.container):
    """An HTML element around other nodes; a container everywhere else."""


class BlockTitle(nodes.rubric):
    """The title of an exercise: a heading one level below its section, outside the contents."""


def part(tag: str, *children: nodes.Node, html_only: bool = False, **options: Any) -> Part:
    """Return a `Part`; ``options`` may have ``classes``, ``ids`` and ``attributes``."""
    return Part("", *children, tag=tag, html_only=html_only, **options)


def visit_part(translator: Any, node: Part) -> None:
    """Open the element."""
    attributes = node.get("attributes", {})
    translator.body.append(translator.starttag(node, node["tag"], "", **attributes))


def depart_part(translator: Any, node: Part) -> None:
    """Close the element."""
    translator.body.append(f"</{node['tag']}>\n")


def visit_title(translator: Any, node: BlockTitle) -> None:
    """Open a heading one level below the section that the exercise stands in."""
    node["tag"] = f"h{min(6, max(2, translator.section_level + 1))}"
    translator.body.append(translator.starttag(node, node["tag"], "", CLASS="ck-title"))


def for_browser(builder: Builder) -> bool:
    """Whether scripts run and folded parts open in what a builder makes."""
    return builder.format == "html" and builder.name != "epub"


class WithoutBrowser(SphinxPostTransform):
    """Take out what only a browser can use, and keep references to exercises working."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        """Change the document, unless it is for a browser."""
        builder = self.app.builder
        if for_browser(builder):
            return
        for node in list(self.document.findall(Part)):
            if node.parent is None:
                continue  # went with the part around it
            if node["html_only"]:
                node.parent.remove(node)
            elif node["ids"] and builder.format != "html":
                # A container has no anchor in print; a target before it has.
                target = nodes.target("", "", ids=node["ids"])
                node.parent.insert(node.parent.index(node), target)
                node["ids"] = []


def register(app: Sphinx) -> None:
    """Register nodes and transform with Sphinx."""
    app.add_node(Part, html=(visit_part, depart_part))
    app.add_node(BlockTitle, html=(visit_title, depart_part))
    app.add_post_transform(WithoutBrowser)
