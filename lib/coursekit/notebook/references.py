"""What chapters of a book refer to: sections, exercises, papers and source code."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.model import Exercise
from coursekit.notebook.myst import parse

_EXERCISE = "Exercise: "


@dataclass(frozen=True)
class Place:
    """A section or page that a chapter can refer to: its title and the page it is on."""

    title: str
    page: str


@dataclass(frozen=True)
class Citation:
    """A paper as a sentence cites it, and its address."""

    authors: str
    year: str
    url: str = ""


@dataclass(frozen=True)
class References:
    """What a chapter may refer to. A reference to anything else is shown in its own words.

    Attributes
    ----------
    places : mapping of str to Place
        Sections by label, and pages by the names of their files.
    citations : mapping of str to Citation
        By key.
    folder : Path, optional
        The folder that paths of included files are relative to.
    site : str
        Address of the built site, to which references link. Without it they link to ``beside``.
    beside : tuple of str
        The pages whose notebooks stand beside this one. References to others are plain text.
    """

    places: Mapping[str, Place] = field(default_factory=dict)
    citations: Mapping[str, Citation] = field(default_factory=dict)
    folder: Path | None = None
    site: str = ""
    beside: tuple[str, ...] = ()

    def of_chapter(self, page: str) -> References:
        """Return the references of one chapter, whose notebook need not lead to itself."""
        return replace(self, beside=tuple(other for other in self.beside if other != page))

    def exercise_title(self, id: str) -> str:
        """Return an exercise's title, or its id in words where it is not known."""
        place = self.places.get(f"exercise-{id}")
        return place.title.removeprefix(_EXERCISE) if place else id.replace("-", " ")

    def link(self, target: str, text: str = "") -> str:
        """Return Markdown that refers to a label, or to a page (``page.md#label``)."""
        page, _, label = target.partition("#")
        page = Path(page).name.removesuffix(".md")
        place = self.places.get(label or page) or self.places.get(page)
        words = text or (f"*{place.title}*" if place else (label or page).replace("-", " "))
        if place is None:
            return words
        if not self.site:
            return f"[{words}]({place.page}.ipynb)" if place.page in self.beside else words
        anchor = f"#{label}" if label else ""
        return f"[{words}]({self.site.rstrip('/')}/{place.page}.html{anchor})"

    def cite(self, keys: Iterable[str], textual: bool) -> str:
        """Return citations as ``A (2017)``, or in brackets: ``(A, 2017; B, 2015)``."""
        cited = [self._cite(key.strip(), textual) for key in keys]
        return ", ".join(cited) if textual else f"({'; '.join(cited)})"

    def _cite(self, key: str, textual: bool) -> str:
        paper = self.citations.get(key)
        if paper is None:
            return key
        words = f"{paper.authors} ({paper.year})" if textual else f"{paper.authors}, {paper.year}"
        return f"[{words}]({paper.url})" if paper.url else words

    def source(self, source: str, name: str = "") -> list[str]:
        """Return the lines of a file of the book, or of one function or class (``A.b``) in it."""
        file = self.folder / source if self.folder else None
        if file is None or not file.is_file():
            raise CoursekitError(f"literalinclude: no file {source!r} in {self.folder}")
        text = file.read_text(encoding="utf-8")
        if not name:
            return text.splitlines()
        node: Any = ast.parse(text)
        for part in name.split("."):
            inside = ast.iter_child_nodes(node) if node else ()
            node = next((n for n in inside if getattr(n, "name", "") == part), None)
        if node is None:
            raise CoursekitError(f"literalinclude: {file} has no {name!r}")
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        lines = text.splitlines()[first - 1 : node.end_lineno]
        return textwrap.dedent("\n".join(lines)).splitlines()


def book_references(book: Path, exercises: Iterable[Exercise] = (), site: str = "") -> References:
    """Read what the chapters of a folder define, and ``references.bib`` there."""
    places: dict[str, Place] = {}
    for chapter in sorted(book.glob("*.md")):
        places |= _places(chapter.stem, chapter.read_text(encoding="utf-8"))
    for exercise in exercises:
        title = f"{_EXERCISE}{exercise.title}"
        places[f"exercise-{exercise.id}"] = Place(title, exercise.chapter)
    bibliography = book / "references.bib"
    return References(
        places=places,
        citations=_citations(bibliography) if bibliography.is_file() else {},
        folder=book,
        site=site,
    )


def _places(page: str, text: str) -> dict[str, Place]:
    """Return the page under its own name, and its sections under the labels before them."""
    places: dict[str, Place] = {}
    labels: list[str] = []
    in_heading = False
    for token in parse(text, is_page=True):
        if token.type == "myst_target":
            labels.append(token.content)
        elif token.type == "inline" and in_heading:
            place = Place(token.content, page)
            places.setdefault(page, place)
            places |= dict.fromkeys(labels, place)
        in_heading = token.type == "heading_open"
        if token.type in ("inline", "fence", "colon_fence"):
            labels.clear()
    return places


def _citations(bibliography: Path) -> dict[str, Citation]:
    try:
        from pybtex.database import parse_file
    except ImportError:  # Only building the book needs pybtex; keys stand in for citations.
        return {}
    entries = parse_file(str(bibliography)).entries
    return {key: _citation(entry.fields, entry.persons) for key, entry in entries.items()}


def _citation(fields: Mapping[str, str], persons: Mapping[str, list[object]]) -> Citation:
    authors = persons.get("author") or persons.get("editor") or []
    names = [" ".join(map(str, getattr(author, "rich_last_names", []))) for author in authors]
    doi = fields.get("doi", "")
    return Citation(
        authors=_authors(names) or fields.get("title", "").strip("{}"),
        year=fields.get("year", "n.d."),
        url=f"https://doi.org/{doi}" if doi else fields.get("url", ""),
    )


def _authors(names: list[str]) -> str:
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)
