"""What the book says of itself on paper: its title, version, date and licence."""

from __future__ import annotations

from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from tools.site.pdf.document import Edition
from tools.site.project import Project

#: The text's licence beside the code's. What follows its first subtitle is about the repository,
#: which a reader of the PDF does not have.
_LICENCE = "LICENSE-TEXT.md"


def edition_of(project: Project) -> Edition:
    """Return what the settings say of the book."""
    config, course = project.config(), project.settings.course
    sphinx = (config.get("sphinx") or {}).get("config") or {}
    site = project.html
    return Edition(
        title=str(config.get("title") or course.distribution),
        author=str(config.get("author") or ""),
        version=course.version,
        date=version_date(project.root),
        licence=_licence(project.root),
        language=str(sphinx.get("language") or "en"),
        site=project.address(),
        styles=tuple(
            f"../html/_static/{name}"
            for name in ("katex/katex.css", "site.css")
            if (site / "_static" / name).exists()
        ),
        root="../html/",
    )


def version_date(root: Path) -> str:
    """Return the date of the version in ``CITATION.cff``, as in ``2026-01-31``; "" without one.

    The day of the build is no date of a version: the same sources are to make the same file.
    """
    file = root / "CITATION.cff"
    if not file.exists():
        return ""
    said = yaml.safe_load(file.read_text(encoding="utf-8"))
    return str((said or {}).get("date-released") or "")


def _licence(root: Path) -> str:
    """Return the licence of the text as HTML, without what it says of the repository."""
    file = root / _LICENCE
    if not file.exists():
        return ""
    page = BeautifulSoup(MarkdownIt().render(file.read_text(encoding="utf-8")), "html.parser")
    subtitle = page.find("h2")
    for element in [*subtitle.find_next_siblings(), subtitle] if subtitle else []:
        element.decompose()
    for title in page.select("h1"):
        title.decompose()
    for link in page.select("a[href]"):
        if "://" not in str(link["href"]):
            link.unwrap()  # a file of the repository
    return str(page).strip()
