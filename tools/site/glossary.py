"""Sphinx extension: give a link to a glossary entry the definition as its title.

Browsers show a title when the mouse rests on it; the style sheet shows it on keyboard focus, too.
What an entry says below its first paragraph, such as where the term is taught, is not in it.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform


class TermTitles(SphinxPostTransform):
    """Give every link to a term its definition."""

    default_priority = 20  # after references have been resolved

    def run(self, **kwargs: Any) -> None:
        """Set the titles in one document."""
        links = [
            link
            for link in self.document.findall(nodes.reference)
            if "#term-" in link.get("refuri", "") or link.get("refid", "").startswith("term-")
        ]
        if not links:
            return
        definitions = _definitions(self.env)
        for link in links:
            id = link.get("refid") or link["refuri"].partition("#")[2]
            if id in definitions:
                link["reftitle"] = definitions[id]
                link["classes"].append("term")


def _definitions(env: BuildEnvironment) -> dict[str, str]:
    """Return the definitions of all terms by their ids."""
    entries = env.get_domain("std").get_objects()
    pages = {page for _, _, kind, page, _, _ in entries if kind == "term"}
    return {
        id: " ".join(item[-1][0].astext().split())
        for page in pages
        for glossary in env.get_doctree(page).findall(addnodes.glossary)
        for item in glossary.findall(nodes.definition_list_item)
        for term in item.findall(nodes.term)
        for id in term["ids"]
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(TermTitles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
