"""How long pages take, from their text and the bank."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from coursekit.page.directive import bank_of
from coursekit.times import Time, chapter_time


def page_time(app: Sphinx, page: str) -> Time:
    """Return how long a page takes."""
    return chapter_time(text_of(app, page), bank_of(app))


def text_of(app: Sphinx, page: str) -> str:
    """Return a page's MyST; "" where it is written in something else."""
    file = Path(app.env.doc2path(page))
    return file.read_text(encoding="utf-8") if file.suffix == ".md" else ""
