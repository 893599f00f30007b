"""Put a still of each figure into the pages: what its own script draws first.

Readers see it without JavaScript, on paper, and until the script has run. It is a declarative
shadow root, so that a figure's style is its own; the live figure takes the root over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from tools.site.environment import run_node
from tools.site.project import Project, fingerprint, sources

_TOOL = Path(__file__).with_suffix(".mjs")
#: A link to the style sheet of a figure.
SHEET = re.compile(r'<link rel="stylesheet" href="(_static/explorables/[^"]+)">')
_FIGURE = re.compile(
    r"(?P<tag><(?P<name>[a-z][\w-]*)[^<>]*>)"
    r'<template (?P<asked>data-asked="" )?shadowrootmode="open"></template>'
)

Figure = tuple[str, bool]


def open_stills(figures: Iterable[Tag], page: BeautifulSoup) -> None:
    """Open a shadow root in each figure of a page; one in an exercise is marked."""
    for figure in figures:
        root = page.new_tag("template", attrs={"shadowrootmode": "open"})
        if figure.find_parent(attrs={"data-exercise": True}):
            root["data-asked"] = ""
        figure.insert(0, root)


class Stills:
    """The stills of a site.

    ``state`` changes when any figure may look different: with the scripts, and with all that they
    may fetch.
    """

    def __init__(self, project: Project, scripts: Iterable[Path]) -> None:
        static = project.html / "_static"
        self._site, self._scripts = project.html, list(scripts)
        fetched = [f for name in ("data", "pyodide/files") for f in sources(static / name)]
        lock = project.node_modules / "happy-dom" / "package.json"
        self.state = fingerprint([_TOOL, lock, *self._scripts, *fetched])[:16]
        self._drawn: dict[Figure, str | None] = {}

    def draw(self, pages: Iterable[str]) -> None:
        """Draw the figures of finished pages, all in one process.

        Raises
        ------
        BuildError
            If a figure fails, or is never ready.
        """
        figures = {_of(match) for page in pages for match in _FIGURE.finditer(page)}
        if new := sorted(figures):
            addresses = [path.relative_to(self._site).as_posix() for path in self._scripts]
            asked = [{"tag": tag, "asked": asked} for tag, asked in new]
            question = {"site": str(self._site), "scripts": addresses, "figures": asked}
            answer = json.loads(run_node(_TOOL, json.dumps(question), "figure"))
            self._drawn = dict(zip(new, answer, strict=True))

    def put(self, page: str) -> str:
        """Return a page with the stills of its figures, which `draw` has drawn."""
        used: dict[str, None] = {}

        def still(match: re.Match[str]) -> str:
            drawn = self._drawn[_of(match)]
            if drawn is None:
                return re.sub(' data-embed="[^"]*"', "", match["tag"])
            used.update(dict.fromkeys(SHEET.findall(drawn)))
            return f'{match["tag"]}<template shadowrootmode="open">{drawn}</template>'

        filled = _FIGURE.sub(still, page)
        # A sheet in a shadow root does not hold the page up: it would come after the first paint.
        early = "".join(f'<link rel="preload" as="style" href="{link}">' for link in used)
        return filled.replace("</head>", f"{early}</head>", 1)


def _of(match: re.Match[str]) -> Figure:
    return match["tag"], match["asked"] is not None
