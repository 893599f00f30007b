"""Compute how long pages take from text and bank; ``{route-time}``: how long a route takes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from coursekit.errors import CoursekitError
from coursekit.page.directive import bank_of
from coursekit.page.nodes import Part, part
from coursekit.routes import FILE, Route, Routes, load_routes
from coursekit.times import Time, chapter_time

logger = logging.getLogger(__name__)


def page_time(app: Sphinx, page: str) -> Time:
    """Return how long a page takes."""
    return chapter_time(text_of(app, page), bank_of(app))


def text_of(app: Sphinx, page: str) -> str:
    """Return a page's MyST; "" where it is written in something else."""
    file = Path(app.env.doc2path(page))
    return file.read_text(encoding="utf-8") if file.suffix == ".md" else ""


def time_line(app: Sphinx, page: str) -> Part:
    """Return what a page with exercises says of its time, below its title."""
    said = str(page_time(app, page))
    return part("div", nodes.Text(f"A{said[1:]}."), classes=["ck-time"], html_only=True)


def read_routes(app: Sphinx) -> Routes:
    """Return the course's routes; the page that is being read is read again when they change."""
    folder = Path(app.srcdir, app.config.coursekit_exercises[0])
    app.env.note_dependency(str(folder / FILE))
    return load_routes(folder, bank_of(app))


def route_time(app: Sphinx, route: Route) -> Time:
    """Return how long a route takes; the page is read again when one of its chapters changes."""
    return sum((chapter_times(app, route.chapters).values()), Time())


def chapter_times(app: Sphinx, chapters: Iterable[str]) -> dict[str, Time]:
    """Return how long chapters take that have a page."""
    pages = {page.rpartition("/")[2]: page for page in app.env.found_docs}
    found = {chapter: pages[chapter] for chapter in chapters if chapter in pages}
    for page in found.values():
        app.env.note_dependency(str(app.env.doc2path(page)))
    return {chapter: page_time(app, page) for chapter, page in found.items()}


class RouteTimeRole(SphinxRole):
    """``{route-time}`NAME` ``: "about 9 hours, plus 3 for sections marked Deeper"."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the words, or nothing after one clear error."""
        try:
            time = route_time(self.env.app, read_routes(self.env.app)[self.text])
        except CoursekitError as error:
            logger.error(str(error), location=self.get_location(), type="coursekit")
            return [], []
        return [nodes.Text(str(time))], []


def register(app: Sphinx) -> None:
    """Register the role with Sphinx."""
    app.add_role("route-time", RouteTimeRole())
