"""Find the PDFs that there are, and link them in a page's menu.

Imported by every build, so it needs neither a browser nor a reader of PDFs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tools.site.project import Project, fingerprint

#: Before this element of the menu, which stands last there.
_NOTE = '<li class="notebook-note">'


def chapter_file(name: str) -> str:
    """Return the address of a chapter's PDF in the site."""
    return f"pdf/{name}.pdf"


def book_file(project: Project) -> str:
    """Return the address of the book's PDF in the site."""
    return f"{project.settings.course.distribution}.pdf"


def stamp_of(project: Project) -> Path:
    """Return the file that says from which pages the PDFs were printed."""
    return project.build / "pdf" / "printed.json"


def page_key(staged: str) -> str:
    """Return what a PDF was printed from: a fingerprint of the page as Jupyter Book wrote it."""
    return fingerprint([], staged)


def offered(project: Project, staged: Mapping[str, str]) -> set[str]:
    """Return the addresses of the PDFs of these pages; those of pages that changed are removed."""
    stamp = stamp_of(project)
    printed = json.loads(stamp.read_text()) if stamp.exists() else {}
    keys = {name: page_key(page) for name, page in staged.items()}
    current = {
        address
        for address, made in printed.items()
        if made["pages"].items() <= keys.items() and (project.html / address).exists()
    }
    for address in printed.keys() - current:
        (project.html / address).unlink(missing_ok=True)
    return current


def links_of(project: Project, name: str, there: set[str]) -> list[tuple[str, str]]:
    """Return the texts and addresses of the PDFs that the page ``name`` offers."""
    chapter = chapter_file(name.removesuffix(".html"))
    texts = {chapter: "This chapter as PDF", book_file(project): "The whole book as PDF"}
    return [(text, address) for address, text in texts.items() if address in there]


def add_links(page: str, links: list[tuple[str, str]]) -> str:
    """Return a finished page with the PDFs in its menu, if it has one."""
    lines = "".join(f'<li><a href="{address}">{text}</a></li>' for text, address in links)
    return page.replace(_NOTE, lines + _NOTE, 1)
