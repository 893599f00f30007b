"""``{routes}``, the course's routes as a table, and ``{route-time}``, how long one takes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

from coursekit.bank import Bank
from coursekit.errors import CoursekitError, DefinitionError
from coursekit.page.directive import bank_of
from coursekit.page.nodes import refused
from coursekit.page.progress import page_time
from coursekit.routes import FILE, Routes, load_routes
from coursekit.times import RULE, Time


class RoutesDirective(SphinxDirective):
    """``{routes}``: which chapters each route has, with their exercises and points."""

    def run(self) -> list[nodes.Node]:
        """Return the table, or nothing after one clear error."""
        bank = bank_of(self.env.app)
        for exercise in bank.values():
            self.env.note_dependency(exercise.path)
        try:
            routes = read_routes(self.env.app)
        except DefinitionError as error:
            return refused(self, str(error))
        made: list[nodes.Node] = self.parse_text_to_nodes("\n".join(self._lines(routes, bank)))
        return made

    def _lines(self, routes: Routes, bank: Bank) -> Iterator[str]:
        """Return what each route is for, and the table of chapters, in Markdown."""
        # A route of all chapters needs no column.
        shorter = [each for each in routes.values() if len(each.chapters) < len(routes.chapters)]
        titles = [route.title for route in shorter]
        rows = [["chapter", *titles, "exercises · points", "minutes"]]
        rows.append(["---", *[":-:"] * len(titles), "--:", "--:"])
        for route in routes.values():
            time = sum(chapter_times(self.env.app, route.chapters).values(), Time())
            first = chapter_link(self.env, route.chapters[0])
            yield f"- **{route.title}** ({time}; {route.size(bank)}), from {first}: {route.goal}"
        yield ""
        times = chapter_times(self.env.app, routes.chapters)
        for chapter in routes.chapters:
            exercises = bank.chapter(chapter)
            points = sum(exercise.points for exercise in exercises)
            minutes = times.get(chapter, Time()).in_table
            is_in = ["✓" if chapter in route.chapters else "–" for route in shorter]
            is_optional = any(chapter in route.optional for route in routes.values())
            link = chapter_link(self.env, chapter) + " (optional)" * is_optional
            rows.append([link, *is_in, f"{len(exercises)} · {points:g}", minutes])
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        yield ""
        yield f"Times count {RULE}. What goes deeper stands after a plus."


class RouteTimeRole(SphinxRole):
    """``{route-time}`NAME` ``: "about 9 hours", without what goes deeper."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the words, or nothing after one clear error."""
        try:
            route = read_routes(self.env.app)[self.text]
        except CoursekitError as error:
            return refused(self, str(error)), []
        time = sum(chapter_times(self.env.app, route.chapters).values(), Time())
        return [nodes.Text(str(Time(time.core)))], []


def read_routes(app: Sphinx) -> Routes:
    """Return the course's routes; the page that is being read is read again when they change."""
    folder = Path(app.srcdir, app.config.coursekit_exercises[0])
    app.env.note_dependency(str(folder / FILE))
    return load_routes(folder, bank_of(app))


def chapter_times(app: Sphinx, chapters: Sequence[str]) -> dict[str, Time]:
    """Return how long chapters take that have a page, which is read again when they change."""
    pages = {page.rpartition("/")[2]: page for page in app.env.found_docs}
    found = {chapter: pages[chapter] for chapter in chapters if chapter in pages}
    for page in found.values():
        app.env.note_dependency(str(app.env.doc2path(page)))
    return {chapter: page_time(app, page) for chapter, page in found.items()}


def chapter_link(env: BuildEnvironment, chapter: str) -> str:
    """Return a link to a chapter's page from the page that is being read, in MyST."""
    pages = [page for page in env.found_docs if posixpath.basename(page) == chapter]
    if not pages:
        return chapter
    here = posixpath.dirname(env.docname) or "."
    return f"[]({posixpath.relpath(pages[0], here)}.md)"


def register(app: Sphinx) -> None:
    """Register directive and role with Sphinx."""
    app.add_directive("routes", RoutesDirective)
    app.add_role("route-time", RouteTimeRole())
