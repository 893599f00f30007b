"""Print what changed: chapters, and the book."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup, Tag
from markdown_it import MarkdownIt
from pypdf import PageObject, PdfReader

from tools.site import pdf_offer
from tools.site.environment import say
from tools.site.offline.folder import without_files
from tools.site.pdf.document import (
    Chapter,
    Edition,
    book_document,
    chapter_document,
    chapter_id,
    chapter_title,
)
from tools.site.pdf.finishing import finish_pdf
from tools.site.pdf.paper import article_for_paper
from tools.site.pdf.printer import Printer
from tools.site.pdf_offer import book_file, chapter_file, page_key, stamp_of
from tools.site.project import Project, fingerprint, sources

_MENU = re.compile(r'<ul[^>]*\bid="notebook-menu".*?</ul>', re.DOTALL)
_ARTICLE = re.compile(r"<article.*</article>", re.DOTALL)
#: Where an entry of the references stands, and what links to it.
_ENTRY, _CITATION = "div.citation[id]", 'a[href*=".html#"]'

#: A page with no more lines than these, two of them in its margins, is nearly empty.
_FEW_LINES = 8


def make_pdfs(project: Project, staged: Mapping[str, str], press: Printer) -> int:
    """Print what changed into the site; return how many files are new.

    Parameters
    ----------
    project : Project
        A course whose site is built.
    staged : mapping
        The pages as Jupyter Book wrote them, by file name.
    press : Printer
        A running browser.
    """
    return _Run(project, staged, press).run()


class _Run:
    """One run: what there is to print, and what was printed before."""

    def __init__(self, project: Project, staged: Mapping[str, str], press: Printer) -> None:
        self._project, self._staged, self._press = project, staged, press
        self._edition = edition_of(project)
        self._names = [chapter.stem for chapter in project.chapters()]
        self._finished = {name: _article(project.html / f"{name}.html") for name in self._names}
        self._chapters: dict[str, Chapter] = {}
        static = project.html / "_static"
        styles = [static / "site.css", *static.glob("fonts/*")]
        program = [*sources(Path(__file__).parent, ".py", ".css"), Path(pdf_offer.__file__)]
        common = (repr(self._edition), press.version)
        self._common = fingerprint([path for path in styles if path.exists()] + program, *common)
        self._stamp = stamp_of(project)
        there = self._stamp.exists()
        self._before: dict[str, Any] = json.loads(self._stamp.read_text()) if there else {}
        self._done: dict[str, Any] = {}

    def run(self) -> int:
        """Print what changed; return how many files are new."""
        self._stamp.parent.mkdir(parents=True, exist_ok=True)
        made = 0
        for name in self._names:
            made += self._make(chapter_file(name), [name], partial(self._print_chapter, name))
        made += self._make(book_file(self._project), self._names, self._print_book)
        for address in self._before.keys() - self._done.keys():
            (self._project.html / address).unlink(missing_ok=True)
        return made

    def _make(self, address: str, names: list[str], work: Callable[[], bytes]) -> bool:
        """Print one file unless it is there already; note what it was made of."""
        file = self._project.html / address
        entries = "".join(self._finished[n] for n in self._names if _has_entries(self._finished[n]))
        key = fingerprint([], self._common, entries, *(self._finished[name] for name in names))
        pages = {f"{name}.html": page_key(self._staged[f"{name}.html"]) for name in names}
        is_there = file.exists() and self._before.get(address, {}).get("key") == key
        if not is_there:
            say(f"→ printing {address}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(work())
        self._done[address] = {"key": key, "pages": pages}
        # After each file: what is printed is kept if the next one is interrupted.
        self._stamp.write_text(json.dumps(self._before | self._done))
        return not is_there

    def _chapter(self, name: str) -> Chapter:
        if name not in self._chapters:
            elements = self._project.settings.element_prefix
            article = article_for_paper(self._finished[name], elements)
            title = article.select_one("h1")
            text = " ".join(title.get_text().split()) if title else name
            part = self._project.parts().get(name, "")
            self._chapters[name] = Chapter(name, text, part, article)
        return self._chapters[name]

    def _print_chapter(self, name: str) -> bytes:
        chapter = self._chapter(name)
        title = chapter_title(chapter, self._edition)

        def printed(chapter: Chapter) -> bytes:
            cited = self._cited(chapter)
            return self._print(name, chapter_document(chapter, self._edition, cited))

        made = printed(chapter)
        if is_nearly_empty(PdfReader(BytesIO(made)).pages[-1]):
            made = printed(replace(chapter, is_tight=True))
        return self._finish(made, title)

    def _print_book(self) -> bytes:
        """Print the book again when it is known which chapters to tighten, and their pages."""
        chapters = [self._chapter(name) for name in self._names]
        made = self._print("book", book_document(chapters, self._edition))
        tight = _to_tighten(made, self._names)
        if tight:
            chapters = [replace(each, is_tight=each.name in tight) for each in chapters]
            made = self._print("book", book_document(chapters, self._edition))
        document = book_document(chapters, self._edition, page_numbers(PdfReader(BytesIO(made))))
        return self._finish(self._print("book", document), self._edition.title)

    def _print(self, name: str, document: str) -> bytes:
        file = self._stamp.parent / f"{name}.html"
        file.write_text(document, encoding="utf-8")
        return self._press.to_pdf(file)

    def _finish(self, printed: bytes, title: str) -> bytes:
        about = self._edition
        return finish_pdf(
            printed, title=title, author=about.author, language=about.language, day=about.date
        )

    def _cited(self, chapter: Chapter) -> Iterator[Tag]:
        """Yield the entries of the references that a chapter cites, as its own links name them."""
        wanted = {str(link["href"]) for link in chapter.article.select(_CITATION)}
        for name in self._names:
            if name == chapter.name or not _has_entries(self._finished[name]):
                continue
            for entry in self._chapter(name).article.select(_ENTRY):
                if f"{name}.html#{entry['id']}" in wanted:
                    made = copy(entry)
                    made["id"] = f"{name}--{entry['id']}"
                    for back in made.select(".backrefs, .fn-backref"):
                        back.decompose()
                    yield made


def page_numbers(pdf: PdfReader) -> dict[str, int]:
    """Return the page, from 1, of every place in a PDF that something links to."""
    places = pdf.named_destinations
    numbers = {name: pdf.get_destination_page_number(place) for name, place in places.items()}
    return {name.removeprefix("/"): n + 1 for name, n in numbers.items() if n is not None}


def is_nearly_empty(page: PageObject) -> bool:
    """Whether a page has some lines only, its running titles and its number among them."""
    return len([line for line in page.extract_text().splitlines() if line.strip()]) <= _FEW_LINES


def _to_tighten(printed: bytes, names: list[str]) -> set[str]:
    """Return the chapters whose last page is nearly empty."""
    pdf = PdfReader(BytesIO(printed))
    numbers = page_numbers(pdf)
    starts = [numbers[chapter_id(name)] for name in names]
    ends = [*(start - 1 for start in starts[1:]), len(pdf.pages)]
    return {
        name
        for name, start, end in zip(names, starts, ends, strict=True)
        if end > start and is_nearly_empty(pdf.pages[end - 1])
    }


def _has_entries(article: str) -> bool:
    return 'class="citation"' in article


def _article(page: Path) -> str:
    """Return what is printed of a finished page: its menu and its contents are not."""
    match = _ARTICLE.search(without_files(page.read_text(encoding="utf-8")))
    return _MENU.sub("", match[0]) if match else "<article></article>"


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
        styles=("../html/_static/site.css",) if (site / "_static" / "site.css").exists() else (),
        root="../html/",
    )


def version_date(root: Path) -> str:
    """Return the date of the version in ``CITATION.cff``, as in ``2026-01-31``; "" without one.

    The day of the build does not count: the same sources are to make the same file.
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
