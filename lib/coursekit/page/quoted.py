"""``{number}`FIELD```: put its numbers into a page's text before Sphinx reads it."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from coursekit.errors import CoursekitError
from coursekit.quoted import filled

logger = logging.getLogger(__name__)


def _texts(env: BuildEnvironment) -> dict[str, str]:
    """Return the text of each page that has numbers, as it was read last."""
    texts: dict[str, str] = vars(env).setdefault("coursekit_quoted", {})
    return texts


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    try:
        text = filled(Path(app.env.doc2path(page)), source[0])
    except CoursekitError as error:
        logger.error(str(error))
        return
    if text != source[0]:
        source[0] = _texts(app.env)[page] = text


def _changed(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """Return the pages whose text has other numbers now, to be read again."""
    return [page for page, text in _texts(env).items() if text != _now(Path(env.doc2path(page)))]


def _now(file: Path) -> str:
    try:
        return filled(file, file.read_text(encoding="utf-8"))
    except (OSError, CoursekitError):
        return ""  # where the page is still there, reading it says what is wrong


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _texts(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    _texts(env).update({page: text for page, text in _texts(other).items() if page in pages})


def register(app: Sphinx) -> None:
    """Register with Sphinx what puts numbers into texts."""
    app.connect("source-read", _fill)
    app.connect("env-get-outdated", _changed)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
