"""Describe the site to those who have not opened it: pages, titles, descriptions, minutes.

Titles and descriptions are the authors', from the chapters; the rest is from the settings.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup

from coursekit.bank.load import load_bank
from coursekit.course import SETTINGS
from coursekit.routes import load_routes
from coursekit.times import chapter_time
from tools.site.project import Project

#: As long as a description is shown where pages are listed.
_LONGEST = 160
_FORMULA = re.compile(r"\\[()\[\]]")
_PARAGRAPH = re.compile(r"<p(?![^>]*admonition-title)[ >].*?</p>", re.DOTALL)


@dataclass(frozen=True)
class PageFacts:
    """One page: its file, title, description and terms.

    ``minutes`` is 0 where nobody says how long it takes, ``part`` the caption of its part of the
    book, and ``card`` the address of its picture, which is "" where the site's is not known.
    """

    file: str
    title: str
    description: str
    terms: tuple[str, ...] = ()
    minutes: int = 0
    part: str = ""
    card: str = ""


@dataclass(frozen=True)
class SiteFacts:
    """A site and its pages in the order of the book; ``start`` is the file of the first one.

    ``address`` ends with a slash and is "" where nobody knows it; ``summary`` is the course in a
    sentence; ``level`` and ``license`` are "" where the settings have none.
    """

    title: str
    summary: str
    author: str
    language: str
    address: str
    level: str
    license: str
    start: str
    pages: tuple[PageFacts, ...]

    @property
    def chapters(self) -> tuple[PageFacts, ...]:
        """The pages that take time, which are the course."""
        return tuple(page for page in self.pages if page.minutes)

    def page(self, file: str) -> PageFacts | None:
        """Return a page of the book; None for one around it, such as the search."""
        return next((page for page in self.pages if page.file == file), None)

    def url(self, page: PageFacts) -> str:
        """Return a page's address: of the first one the site's own, where that is known."""
        is_own = self.address and page.file == self.start
        return self.address if is_own else self.address + page.file

    def for_page(self, file: str) -> SiteFacts:
        """Return what one page depends on: itself, and on some the names of others.

        The first page depends on all chapters' names, one outside the book on all pages'.
        """
        own = [page for page in self.pages if page.file == file]
        named = () if own else self.pages
        if file == self.start:
            named = tuple(page for page in self.chapters if page not in own)
        others = [replace(page, description="", terms=(), card="") for page in named]
        return replace(self, pages=(*own, *others))


def facts(project: Project, staged: Mapping[str, str]) -> SiteFacts:
    """Return what the site's staged pages and the settings say of it."""
    config, settings = project.config(), project.settings
    options = (config.get("sphinx") or {}).get("config") or {}
    package = tomllib.loads((project.root / SETTINGS).read_text(encoding="utf-8"))["project"]
    minutes, parts = _minutes(project), project.parts()
    pages = [
        _page(f"{name}.html", page, minutes.get(name, 0), parts.get(name, ""))
        for name in (chapter.stem for chapter in project.chapters())
        if (page := staged.get(f"{name}.html")) is not None
    ]
    return SiteFacts(
        title=str(config["title"]),
        summary=str(package.get("description") or config["title"]),
        author=str(config.get("author") or ""),
        language=str(options.get("language") or "en"),
        address=project.address(),
        level=settings.level,
        license=settings.text_license,
        start=f"{project.chapters()[0].stem}.html",
        pages=tuple(pages),
    )


def _minutes(project: Project) -> dict[str, int]:
    """Return how long the chapters of routes take, without what goes deeper."""
    folder = project.root / "exercises"
    bank = load_bank(folder)
    chapters = load_routes(folder, bank).chapters
    texts = {name: project.book / f"{name}.md" for name in chapters}
    return {
        name: chapter_time(file.read_text(encoding="utf-8"), bank).minutes[0]
        for name, file in texts.items()
        if file.exists()
    }


def _page(file: str, page: str, minutes: int, part: str) -> PageFacts:
    head = BeautifulSoup(page.partition("</head>")[0], "html.parser")

    def content(selector: str) -> str:
        found = head.select_one(selector)
        return " ".join(str(found["content"]).split()) if found is not None else ""

    described = content('meta[name="description"]') or _first_words(page)
    terms = [term.strip() for term in content('meta[name="keywords"]').split(",")]
    own_title = head.title.get_text().rpartition(" — ")[0] if head.title else ""
    title = content('meta[property="og:title"]') or own_title
    return PageFacts(file, title, described, tuple(filter(None, terms)), minutes, part)


def _first_words(page: str) -> str:
    """Return the beginning of a page's first paragraph, in whole words."""
    found = _PARAGRAPH.search(page.partition("<article")[2])
    text = BeautifulSoup(found[0], "html.parser").get_text() if found else ""
    words = " ".join(_FORMULA.sub("", text).split())
    return words if len(words) <= _LONGEST else words[:_LONGEST].rpartition(" ")[0] + " …"
