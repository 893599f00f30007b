"""``{number}`EXPRESSION:FORMAT```: put numbers into a page's text before Sphinx reads it."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

from coursekit.errors import CoursekitError
from coursekit.quoted import behind, filled


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    file = Path(app.env.doc2path(page))
    try:
        text = filled(file, source[0])
    except CoursekitError as error:
        raise SphinxError(str(error)) from None
    if text != source[0]:
        source[0] = text
        for path in behind(file):
            app.env.note_dependency(str(path))


def register(app: Sphinx) -> None:
    """Register with Sphinx what puts numbers into texts."""
    app.connect("source-read", _fill)
