"""The reader's progress: a line on each page with exercises, and ``{progress}``, a table of all.

Without a script both show how many exercises there are; ``coursekit/web`` adds how many are done,
from the browser's own storage.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from coursekit.page.nodes import Part, for_browser, part

SCRIPT, STYLE = "coursekit.js", "coursekit.css"


class ProgressTable(nodes.General, nodes.Element):
    """Stands where the table goes, until all chapters have been read."""


class ProgressDirective(SphinxDirective):
    """``{progress}``: chapters with their exercises, and how many of them are done."""

    def run(self) -> list[nodes.Node]:
        """Return the place of the table."""
        places(self.env).setdefault(self.env.docname, [])
        return [ProgressTable()]


def places(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return, for each page, its exercises as ``id@version``."""
    exercises: dict[str, list[str]] = vars(env).setdefault("coursekit_places", {})
    return exercises


def blocks(tree: nodes.Node) -> list[Part]:
    """Return the exercises of a page, those for notebooks only included."""
    return [node for node in tree.findall(Part) if "ck-exercise" in node["classes"]]


def count(number: int) -> str:
    """Return ``"1 exercise"``, ``"2 exercises"``."""
    return f"{number} exercise{'' if number == 1 else 's'}"


def _note_page(app: Sphinx, tree: nodes.document) -> None:
    """Remember a page's exercises and put the line below its title."""
    exercises = blocks(tree)
    if not exercises:
        return
    places(app.env)[app.env.docname] = [
        f"{block['attributes']['data-exercise']}@{block['attributes']['data-version']}"
        for block in exercises
        if "ck-notebook-only" not in block["classes"]
    ]
    number = len(places(app.env)[app.env.docname])
    title = next(iter(tree.findall(nodes.title)), None)
    if number and title is not None and title.parent is not None:
        line = part(
            "div",
            part("span", nodes.Text(f"{count(number)} on this page"), classes=["ck-count"]),
            classes=["ck-progress"],
            html_only=True,
        )
        title.parent.insert(title.parent.index(title) + 1, line)


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    places(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    places(env).update({page: where for page, where in places(other).items() if page in pages})


def _pages_with_tables(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages to write again: a table depends on every other page."""
    return [page for page, exercises in places(env).items() if not exercises]


def _fill(app: Sphinx, tree: nodes.document, page: str) -> None:
    for node in list(tree.findall(ProgressTable)):
        order = [p for p in _reading_order(app.env) if places(app.env).get(p)]
        shown = order and for_browser(app.builder)
        node.replace_self([_table(app, page, order)] if shown else [])


def _reading_order(env: BuildEnvironment) -> list[str]:
    """Return all pages in the order of the table of contents."""
    pages: dict[str, None] = {}
    queue = [str(env.config.root_doc)]
    while queue:
        page = queue.pop(0)
        if page not in pages:
            pages[page] = None
            queue = [*env.toctree_includes.get(page, []), *queue]
    return list(pages)


def _table(app: Sphinx, page: str, order: list[str]) -> Part:
    head = part("tr", *(_cell("th", nodes.Text(t), scope="col") for t in ("Chapter", "Done")))
    rows = [_row(app, page, chapter) for chapter in order]
    return part(
        "div",
        part("table", part("thead", head), part("tbody", *rows), classes=["ck-table"]),
        classes=["ck-progress-table"],
        html_only=True,
    )


def _row(app: Sphinx, page: str, chapter: str) -> Part:
    exercises = places(app.env)[chapter]
    name = app.env.titles[chapter].astext()
    address = app.builder.get_relative_uri(page, chapter)
    link = nodes.reference("", name, internal=True, refuri=address)
    numbers = part(
        "span",
        nodes.Text(count(len(exercises))),
        classes=["ck-count"],
        attributes={"data-exercises": " ".join(exercises)},
    )
    return part("tr", _cell("th", nodes.inline("", "", link), scope="row"), _cell("td", numbers))


def _cell(tag: str, child: nodes.Node, **attributes: str) -> Part:
    return part(tag, child, attributes=attributes)


def _add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Load script and style on the pages that need them."""
    if page in places(app.env):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)


def register(app: Sphinx) -> None:
    """Register the directive and what follows pages through a build."""
    app.add_node(ProgressTable)
    app.add_directive("progress", ProgressDirective)
    app.connect("doctree-read", _note_page)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _pages_with_tables)
    app.connect("doctree-resolved", _fill)
    app.connect("html-page-context", _add_files)
