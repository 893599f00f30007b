"""The PDFs: tagged, with an outline, complete, with nothing cut; and made again only if needed."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser
from pypdf import PdfReader

from tools.site.environment import BuildError
from tools.site.pdf.make import is_nearly_empty, make_pdfs
from tools.site.pdf.printer import Printer, printer
from tools.site.pdf_offer import book_file, chapter_file, offered, stamp_of
from tools.site.project import Project
from tools.site.publish import publish, staged_pages

#: What stands beyond the right edge of the paper, formulas among them.
CUT = """() => {
  const edge = document.body.getBoundingClientRect().right + 1;
  const wide = e => e.matches("math[display=block]") && e.scrollWidth > e.clientWidth + 1;
  return [...document.querySelectorAll("main *")]
    .filter(e => !e.closest("svg *, math, [hidden]"))
    .filter(e => e.getBoundingClientRect().right > edge || wide(e))
    .map(e => e.outerHTML.slice(0, 120));
}"""


@pytest.fixture(scope="module")
def walks(
    second_course: Project, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, int]:
    """Return a copy of the second course with its PDFs, and how many were printed."""
    root = tmp_path_factory.mktemp("paper") / "walks"
    shutil.copytree(second_course.root, root)
    course = Project(root)
    return course, make_pdfs(course, staged_pages(course), Printer(browser))


@pytest.fixture(scope="module")
def paper(
    site: Path, project: Project, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """Return a copy of the course with its PDFs, printed unless `make pdf` has done so.

    In the site itself they would lie beside pages that do not offer them.
    """
    root = tmp_path_factory.mktemp("printed")
    for entry in project.root.iterdir():
        if entry != project.build:
            (root / entry.name).symlink_to(entry)
    course = Project(root)
    course.build.mkdir()
    for folder in (project.html, project.stage, stamp_of(project).parent):
        if folder.exists():
            copy = course.build / folder.relative_to(project.build)
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("pyodide"))
    make_pdfs(course, staged_pages(course), Printer(browser))
    return course


def outline_of(reader: PdfReader) -> list[str]:
    """Return the titles at the top of the outline."""
    return [str(entry.title) for entry in reader.outline if not isinstance(entry, list)]


def all_titles(entries: list[Any]) -> list[str]:
    return [
        title
        for entry in entries
        for title in (all_titles(entry) if isinstance(entry, list) else [str(entry.title)])
    ]


def text_of(reader: PdfReader) -> list[str]:
    """Return what each page of a PDF says, its running titles and its number left out."""
    lines = [page.extract_text().splitlines() for page in reader.pages]
    return [plain("".join(page[2:])) for page in lines]


def plain(text: str) -> str:
    """Return the letters and figures of a text: paper breaks lines where it likes."""
    return re.sub(r"[\W_]+", "", text)


def faults_of(file: Path) -> list[str]:
    """Return what a reader of a PDF would miss: tags, words for pictures, fonts, good links."""
    faults = []
    with pikepdf.open(file) as pdf:
        root = pdf.Root
        if not root.get("/MarkInfo", {}).get("/Marked"):
            faults.append("not tagged")
        if not str(root.get("/Lang", "")):
            faults.append("no language")
        if not str(pdf.docinfo.get("/Title", "")):
            faults.append("no title")
        for thing in pdf.objects:
            if not isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
                continue
            if thing.get("/S") == "/Figure" and not str(thing.get("/Alt", "")):
                faults.append("a picture without words")
            # What a font of type 3 draws stands in the font itself.
            own = thing.get("/FontDescriptor") if thing.get("/Subtype") != "/Type3" else None
            if own is not None and not {"/FontFile", "/FontFile2", "/FontFile3"} & {*own.keys()}:
                faults.append(f"not embedded: {own.get('/FontName')}")
            address = str(thing.get("/URI", "")) if thing.get("/S") == "/URI" else ""
            if address.startswith("file:"):
                faults.append(f"a link to this machine: {address}")
    return faults


def article_of(page: Path) -> Any:
    """Return a page's article, which takes seconds to parse."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").article


def paragraphs(article: Any) -> list[str]:
    """Return the paragraphs of an article that are text only."""
    body = article.select("section > p, section > ul > li > p, .ck-statement > p")
    return [e.get_text() for e in body if not e.select("span, code, a, svg")]


def missing(wanted: list[str], paper: list[str]) -> list[str]:
    """Return the paragraphs that a PDF, given as the texts of its pages, lacks."""
    return [one for one in wanted if not says(paper, plain(one))]


def says(paper: list[str], words: str) -> bool:
    """Return whether a page has the words, or one has their beginning and the next the rest.

    What is drawn last on a page comes last in its text, so a paragraph that ends on the next page
    need not be in one piece.
    """
    if any(words in text for text in paper):
        return True
    for first, second in pairwise(paper):
        begun = 0
        while words[: begun + 1] in first:
            begun += 1
        if words[begun:] in second:
            return True
    return False


def test_every_chapter_and_the_book_are_whole(walks: tuple[Project, int]) -> None:
    course, printed = walks
    names = [chapter.stem for chapter in course.chapters()]
    assert printed == len(names) + 1
    files = [*map(chapter_file, names), book_file(course)]
    assert {file: faults_of(course.html / file) for file in files} == {file: [] for file in files}
    book = PdfReader(course.html / book_file(course))
    titles = outline_of(book)
    assert titles[0] == "Contents"
    assert len(titles) == len(names) + 1
    assert book.metadata.title == course.config()["title"]
    everything = text_of(book)
    wanted = [one for n in names for one in paragraphs(article_of(course.html / f"{n}.html"))]
    assert len(wanted) >= 3
    assert missing(wanted, everything) == []
    # The contents say on which page a chapter begins.
    chapters = [entry for entry in book.outline if not isinstance(entry, list)]
    begins = book.get_destination_page_number(chapters[-1]) + 1
    assert f"{plain(titles[-1])}{begins}" in plain(book.pages[1].extract_text())


def test_what_has_not_changed_is_not_printed_again(
    walks: tuple[Project, int], browser: Browser
) -> None:
    course, press = walks[0], Printer(browser)
    assert make_pdfs(course, staged_pages(course), press) == 0
    name = course.chapters()[-1].stem
    file, page = course.html / chapter_file(name), course.html / f"{name}.html"
    before, html = file.read_bytes(), page.read_text(encoding="utf-8")
    file.unlink()
    assert make_pdfs(course, staged_pages(course), press) == 1
    assert file.read_bytes() == before  # the same page, the same bytes
    page.write_text(html.replace("</h1>", " changed</h1>", 1), encoding="utf-8")
    assert make_pdfs(course, staged_pages(course), press) == 2  # and the book
    assert "changed" in PdfReader(file).pages[0].extract_text()
    page.write_text(html, encoding="utf-8")
    make_pdfs(course, staged_pages(course), press)


def test_pages_offer_what_is_there_and_what_is_old_goes(
    walks: tuple[Project, int], browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, press = walks[0], Printer(browser)
    monkeypatch.syspath_prepend(course.lib)  # its exercises import it, as in its own build
    staged = staged_pages(course)
    name = course.chapters()[-1].stem
    chapter, book = chapter_file(name), book_file(course)
    assert {chapter, book} <= offered(course, staged)
    publish(course)
    page = (course.html / f"{name}.html").read_text(encoding="utf-8")
    assert f'href="{chapter}"' in page
    assert f'href="{book}"' in page
    assert make_pdfs(course, staged, press) == 0  # the menu is not printed
    changed = staged | {f"{name}.html": staged[f"{name}.html"] + " "}
    kept = offered(course, changed)
    assert chapter not in kept
    assert book not in kept
    assert not (course.html / chapter).exists()
    assert not (course.html / book).exists()
    assert chapter_file(course.chapters()[0].stem) in kept
    make_pdfs(course, staged, press)


def test_without_a_browser_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(BuildError, match="no browser") as error, printer():
        pass
    assert "\n" not in str(error.value)


@pytest.mark.heavy
def test_the_course_on_paper(paper: Project) -> None:
    """Every chapter and the book: nothing is missing or cut."""
    site = paper.html
    names = [chapter.stem for chapter in paper.chapters()]
    files = [*map(chapter_file, names), book_file(paper)]
    assert {file: faults_of(site / file) for file in files} == {file: [] for file in files}
    book = PdfReader(site / book_file(paper))
    assert 300 < len(book.pages) < 700
    assert len(outline_of(book)) == len(names) + 1
    everything = text_of(book)
    headings = {plain(title) for title in all_titles(book.outline)}
    for name in names:
        alone = PdfReader(site / chapter_file(name))
        assert 1 <= len(alone.pages) < 90, name
        text = text_of(alone)
        article = article_of(site / f"{name}.html")
        wanted = paragraphs(article)
        assert missing(wanted, text) == [], name
        assert missing(wanted, everything) == [], name
        sections = [h for h in article.select("section > section > h2") if not h.select("math")]
        for section in sections:
            for mark in section.select(".headerlink"):
                mark.decompose()
            assert plain(section.get_text()) in headings, name
    empty = [n for n, page in enumerate(book.pages, 1) if is_nearly_empty(page)]
    assert len(empty) <= len(book.pages) // 50, empty  # a picture may fill a page, and the cover


@pytest.mark.heavy
def test_nothing_is_cut_at_the_edge(paper: Project, browser: Browser) -> None:
    page = Printer(browser).opened(stamp_of(paper).parent / "book.html")
    cut = page.evaluate(CUT)
    page.close()
    assert cut == []
