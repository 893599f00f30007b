"""``{routes}``: show the course's routes, and a table of chapters with the routes of each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from coursekit.bank.load import Bank
from coursekit.errors import DefinitionError
from coursekit.page.directive import bank_of
from coursekit.page.times import chapter_times, read_routes, route_time
from coursekit.routes import Routes
from coursekit.times import RULE, Time

logger = logging.getLogger(__name__)


class RoutesDirective(SphinxDirective):
    """``{routes}``: what routes there are, and each chapter's routes, exercises and time."""

    def run(self) -> list[nodes.Node]:
        """Return the table, or nothing after one clear error."""
        bank = bank_of(self.env.app)
        for exercise in bank.values():
            self.env.note_dependency(exercise.path)
        try:
            routes = read_routes(self.env.app)
        except DefinitionError as error:
            logger.error(str(error), location=self.get_location(), type="coursekit")
            return []
        made: list[nodes.Node] = self.parse_text_to_nodes("\n".join(self._lines(routes, bank)))
        return made

    def _lines(self, routes: Routes, bank: Bank) -> Iterator[str]:
        """Return what each route is for, and the table of chapters, in Markdown."""
        for route in routes.values():
            time = route_time(self.env.app, route)
            yield f"- **{route.title}** ({time}; {route.size(bank)}): {route.goal}"
        yield ""
        shorter = [r for r in routes.values() if set(r.chapters) != set(routes.chapters)]
        heads = ["chapter", *(route.title for route in shorter), "exercises · points", "minutes"]
        rows = [heads, ["---"] * len(heads)]
        times = chapter_times(self.env.app, routes.chapters)
        for chapter in routes.chapters:
            cells = ["✓" if chapter in route.chapters else "" for route in shorter]
            time = times.get(chapter, Time())
            is_optional = any(chapter in route.optional for route in routes.values())
            link = chapter_link(self.env, chapter)
            named = f"{link} (optional)" if is_optional else link
            rows.append([named, *cells, _size(bank, chapter), time.in_table])
        yield ":::{container} ck-routes"
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        yield ":::"
        yield ""
        yield f"Times count {RULE}. Sections marked Deeper come after the plus."


def chapter_link(env: BuildEnvironment, chapter: str) -> str:
    """Return a link to a chapter's page from the page that is being read, in MyST."""
    pages = [page for page in env.found_docs if posixpath.basename(page) == chapter]
    if not pages:
        return chapter
    here = posixpath.dirname(env.docname) or "."
    return f"[]({posixpath.relpath(pages[0], here)}.md)"


def _size(bank: Bank, chapter: str) -> str:
    exercises = bank.chapter(chapter)
    points = sum(exercise.points for exercise in exercises)
    return f"{len(exercises)} · {points:g}"


def register(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("routes", RoutesDirective)
