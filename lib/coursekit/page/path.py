"""``{start}``, ``{progress}``: show the button to begin or continue, and the path of chapters.

Both are there without a script; in ``coursekit/web``, ``progress.ts`` adds what the reader has done
and ``path.ts`` the lines from a chapter to those that it builds on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from coursekit.command import counted
from coursekit.errors import DefinitionError
from coursekit.page.nodes import Part, part, refused
from coursekit.page.progress import chapters, page_time, places

logger = logging.getLogger(__name__)

_ROW = re.compile(r"(?P<chapter>[\w-]+)(?: \((?P<needs>[\w, -]+)\))?: (?P<question>.+)")


@dataclass(frozen=True)
class Row:
    """What the path says of a chapter: its question, and the chapters that it builds on."""

    question: str
    needs: tuple[str, ...] = ()


class PathTable(nodes.General, nodes.Element):
    """Stands where the path goes, until all chapters have been read."""


class StartButton(nodes.General, nodes.Element):
    """Stands where the button goes, until the first chapter is known."""


class ProgressDirective(SphinxDirective):
    """``{progress}``: chapters, what each builds on, and how many of its exercises are done.

    A line of the content, ``chapter (earlier, another): question``, says what a chapter answers and
    which ones it needs; with such lines the path has no other chapters.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the place of the path, or nothing after one clear error."""
        places(self.env).setdefault(self.env.docname, [])
        try:
            rows = path_rows(self.content)
        except DefinitionError as error:
            return refused(self, str(error))
        return [PathTable("", rows=rows)]


class StartDirective(SphinxDirective):
    """``{start}``: a link to the first chapter; the content stands beside it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the place of the button."""
        places(self.env).setdefault(self.env.docname, [])
        return [StartButton("", *self.parse_content_to_nodes())]


def path_rows(lines: Iterable[str]) -> dict[str, Row]:
    """Return what the lines of a path say of each chapter.

    Raises
    ------
    DefinitionError
        If a line is not ``chapter (earlier, another): question``, or builds on what is not before.
    """
    rows: dict[str, Row] = {}
    for line in filter(str.strip, lines):
        found = _ROW.fullmatch(line.strip())
        if found is None:
            raise DefinitionError(
                f"progress has {line.strip()!r}; expected `chapter: question`, or "
                "`chapter (earlier, another): question`"
            )
        needs = tuple((found["needs"] or "").replace(",", " ").split())
        if late := [need for need in needs if need not in rows]:
            raise DefinitionError(
                f"{found['chapter']} builds on {late[0]!r}, which is not before it"
            )
        rows[found["chapter"]] = Row(found["question"], needs)
    return rows


def _fill(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Put path and button into a page, now that all pages are known."""
    order = chapters(app.env)
    for table in list(tree.findall(PathTable)):
        if lost := sorted(set(table["rows"]) - set(order)):
            message = f"progress: no page with exercises is called {lost[0]!r}"
            logger.error(message, location=page, type="coursekit")
        table.replace_self([_path(app, page, order, table["rows"])] if order else [])
    for start in list(tree.findall(StartButton)):
        start.replace_self([_start(app, page, order[0], start)] if order else [])


def _start(app: Sphinx, page: str, first: str, start: StartButton) -> Part:
    link = _link(app, page, first, f"Start: {app.env.titles[first].astext()}")
    link["classes"] += ["ck-button", "ck-main"]
    beside = part("div", *start.children, classes=["ck-beside"])
    button = nodes.paragraph("", "", link)
    return part("div", button, beside, classes=["ck-start"])


def _path(app: Sphinx, page: str, order: list[str], rows: dict[str, Row]) -> Part:
    order = [chapter for chapter in order if not rows or chapter in rows]
    path = part("div", classes=["ck-path"])
    for caption, names in _parts(app.env, order):
        if caption:
            path += part("p", nodes.Text(caption), classes=["ck-part"])
        path += part("ol", *(_row(app, page, name, rows.get(name)) for name in names))
    return path


def _parts(env: BuildEnvironment, order: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of the table of contents, each with its chapters of the path."""
    left = list(order)
    for tree in env.get_doctree(env.config.root_doc).findall(addnodes.toctree):
        if names := [name for name in order if name in tree["includefiles"]]:
            left = [name for name in left if name not in names]
            yield tree.get("caption") or "", names
    if left:
        yield "", left


def _row(app: Sphinx, page: str, chapter: str, row: Row | None) -> Part:
    exercises = places(app.env)[chapter]
    minutes = f"{page_time(app, chapter).in_table} min"
    done = part(
        "span",
        nodes.Text(counted(len(exercises), "exercise")),
        classes=["ck-count"],
        attributes={"data-exercises": " ".join(exercises)},
    )
    far = part("small", nodes.Text(f"{minutes} "), done)
    name = _link(app, page, chapter, app.env.titles[chapter].astext())
    cells = [nodes.inline("", "", name, classes=["ck-chapter"]), far]
    if row:
        cells.append(part("span", nodes.Text(row.question), classes=["ck-asks"]))
    needs = row.needs if row else ()
    if needs:
        titles = "; ".join(app.env.titles[need].astext() for need in needs)
        cells.append(part("span", nodes.Text(f"It builds on: {titles}."), classes=["ck-needs"]))
    named = {"data-chapter": chapter, "data-needs": " ".join(needs)}
    return part("li", *cells, attributes=named)


def _link(app: Sphinx, page: str, chapter: str, text: str) -> nodes.reference:
    address = app.builder.get_relative_uri(page, chapter)
    return nodes.reference("", text, internal=True, refuri=address)


def register(app: Sphinx) -> None:
    """Register the directives with Sphinx."""
    app.add_node(PathTable)
    app.add_node(StartButton)
    app.add_directive("progress", ProgressDirective)
    app.add_directive("start", StartDirective)
    app.connect("doctree-resolved", _fill)
