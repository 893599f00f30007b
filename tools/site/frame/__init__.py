"""Sphinx extension: the page around each text, in the place of the theme's.

A bar with the course's mark, the contents of the part that the page belongs to with the page's own
sections, the text, what comes before and next. A course has its mark, a small SVG, in the file
``mark.svg`` among its templates (``templates_path``); one that has none shows its title alone.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from coursekit.page.progress import chapters

HERE = Path(__file__).parent


def _add_frame(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    parts = list(_parts(app, page, context["pathto"]))
    context["frame"] = {
        "parts": parts,
        "sections": list(_sections(app, page)),
        "kicker": _kicker(app, page, parts),
    }


def _parts(app: Sphinx, page: str, pathto: Any) -> Iterator[dict[str, Any]]:
    """Yield the parts of the book, each with its chapters."""
    site = app.config.external_site_map
    for part in site.root.subtrees:
        names = [name.removesuffix(".md") for name in part.files()]
        rows = [
            {
                "address": pathto(name),
                "title": site[name].title or app.env.titles[name].astext(),
                "is_here": name == page,
            }
            for name in names
            if name in app.env.titles
        ]
        if rows:
            yield {"caption": part.caption or "", "chapters": rows, "is_here": page in names}


def _sections(app: Sphinx, page: str) -> Iterator[dict[str, str]]:
    """Yield the sections of a page, below its title."""
    contents = app.env.tocs.get(page)
    title = next(iter(contents.findall(nodes.list_item)), None) if contents else None
    below = title[1] if title is not None and len(title) > 1 else ()
    for item in below:
        link = next(iter(item.findall(nodes.reference)), None)
        if link is not None:
            yield {"id": link["anchorname"].lstrip("#"), "title": html.escape(link.astext())}


def _kicker(app: Sphinx, page: str, parts: list[dict[str, Any]]) -> str:
    """Return the line above a title: ``"Chapter 2 · The mechanism"``; numbers are of exercises."""
    counted = [name for name in chapters(app.env) if name != app.config.root_doc]
    number = f"Chapter {counted.index(page) + 1}" if page in counted else ""
    part = next((part["caption"] for part in parts if part["is_here"]), "")
    return " · ".join(filter(None, (number, part)))


def _offer_templates(app: Sphinx, config: Config) -> None:
    config.templates_path.append(str(HERE))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", _offer_templates)
    # After the page for what is not found has got its own way of writing addresses.
    app.connect("html-page-context", _add_frame, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
