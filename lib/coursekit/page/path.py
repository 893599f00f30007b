"""``{start}`` and ``{progress}``: the button that begins or continues, and the path of chapters.

Both are there without a script; ``coursekit/web/progress.ts`` adds what the reader has done.
"""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from coursekit.errors import DefinitionError
from coursekit.page.nodes import Part, for_browser, part
from coursekit.page.progress import chapters, count, places
from coursekit.page.times import page_time

logger = logging.getLogger(__name__)


class PathTable(nodes.General, nodes.Element):
    """Stands where the table goes, until all chapters have been read."""


class StartButton(nodes.General, nodes.Element):
    """Stands where the button goes, until the first chapter is known."""


class ProgressDirective(SphinxDirective):
    """``{progress}``: chapters with their exercises, and how many of them are done.

    A line of the content, ``chapter: question``, says what a chapter answers; with such lines the
    table has no other chapters.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the place of the table, or nothing after one clear error."""
        places(self.env).setdefault(self.env.docname, [])
        try:
            questions = _questions(self.content)
        except DefinitionError as error:
            logger.error(str(error), location=self.get_location(), type="coursekit")
            return []
        return [PathTable("", questions=questions)]


class StartDirective(SphinxDirective):
    """``{start}``: a link to the first chapter; the content stands beside it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the place of the button."""
        places(self.env).setdefault(self.env.docname, [])
        return [StartButton("", *self.parse_content_to_nodes())]


def _questions(lines: Iterable[str]) -> dict[str, str]:
    questions = {}
    for line in filter(str.strip, lines):
        chapter, colon, question = line.partition(":")
        if not colon or not question.strip():
            raise DefinitionError(f"progress has {line.strip()!r}; expected `chapter: question`")
        questions[chapter.strip()] = question.strip()
    return questions


def _fill(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Put table and button into a page, now that all pages are known."""
    order = chapters(app.env)
    shown = order and for_browser(app.builder)
    for table in list(tree.findall(PathTable)):
        if lost := sorted(set(table["questions"]) - set(order)):
            message = f"progress: no page with exercises is called {lost[0]!r}"
            logger.error(message, location=page, type="coursekit")
        table.replace_self([_table(app, page, order, table)] if shown else [])
    for start in list(tree.findall(StartButton)):
        start.replace_self([_start(app, page, order[0], start)] if shown else [])


def _start(app: Sphinx, page: str, first: str, start: StartButton) -> Part:
    link = _link(app, page, first, f"Start: {app.env.titles[first].astext()}")
    link["classes"] += ["ck-button", "ck-main"]
    beside = part("div", *start.children, classes=["ck-beside"])
    button = nodes.paragraph("", "", link)
    return part("div", button, beside, classes=["ck-start"], html_only=True)


def _table(app: Sphinx, page: str, order: list[str], table: PathTable) -> Part:
    order = [
        chapter for chapter in order if not table["questions"] or chapter in table["questions"]
    ]
    heads = ("Chapter", "Minutes", "Done")
    head = part("tr", *(_cell("th", nodes.Text(text), scope="col") for text in heads))
    rows = [_row(app, page, chapter, table) for chapter in order]
    return part(
        "div",
        part("table", part("thead", head), part("tbody", *rows), classes=["ck-table"]),
        classes=["ck-progress-table"],
        html_only=True,
    )


def _row(app: Sphinx, page: str, chapter: str, table: PathTable) -> Part:
    exercises = places(app.env)[chapter]
    name = _link(app, page, chapter, app.env.titles[chapter].astext())
    cells = [_cell("th", nodes.inline("", "", name), scope="row")]
    if question := table["questions"].get(chapter):
        cells[0] += part("span", nodes.Text(question), classes=["ck-asks"])
    cells.append(_cell("td", nodes.Text(page_time(app, chapter).in_table)))
    numbers = {"data-exercises": " ".join(exercises)}
    done = part("span", nodes.Text(count(len(exercises))), classes=["ck-count"], attributes=numbers)
    return part("tr", *cells, _cell("td", done))


def _link(app: Sphinx, page: str, chapter: str, text: str) -> nodes.reference:
    address = app.builder.get_relative_uri(page, chapter)
    return nodes.reference("", text, internal=True, refuri=address)


def _cell(tag: str, child: nodes.Node, **attributes: str) -> Part:
    return part(tag, child, attributes=attributes)


def register(app: Sphinx) -> None:
    """Register the directives with Sphinx."""
    app.add_node(PathTable)
    app.add_node(StartButton)
    app.add_directive("progress", ProgressDirective)
    app.add_directive("start", StartDirective)
    app.connect("doctree-resolved", _fill)
