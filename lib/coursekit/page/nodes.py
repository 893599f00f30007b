"""The document nodes of an exercise: a :class:`Part` is any HTML element."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

logger = logging.getLogger(__name__)


class Part(nodes.container):
    """An HTML element around other nodes."""


class BlockTitle(nodes.rubric):
    """The title of an exercise: a heading one level below its section, outside the contents."""


def part(tag: str, *children: nodes.Node, **options: Any) -> Part:
    """Return a `Part`; ``options`` may have ``classes``, ``ids`` and ``attributes``."""
    return Part("", *children, tag=tag, **options)


def notebook_of(env: BuildEnvironment) -> str:
    """Return the address of the notebook of the page that is read; "" where there are none."""
    folder, page = env.config.coursekit_notebooks, env.docname
    return f"{'../' * page.count('/')}{folder}{page.rpartition('/')[2]}.ipynb" if folder else ""


def refused(at: SphinxDirective | SphinxRole, message: str, subtype: str = "") -> list[nodes.Node]:
    """Log an error where the text is, which fails the build, and return that nothing is shown."""
    logger.error(message, location=at.get_location(), type="coursekit", subtype=subtype)
    return []


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


def register(app: Sphinx) -> None:
    """Register the nodes with Sphinx."""
    app.add_node(Part, html=(visit_part, depart_part))
    app.add_node(BlockTitle, html=(visit_title, depart_part))
