"""The PDFs of the second course: tagged, complete and open, with room for answers and no keys."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

import tools.site.print
from tools.site.build import has_pdfs
from tools.site.offline import write_sizes
from tools.site.print import main, paper, print_all
from tools.site.project import Project
from tools.site.theme import book_file

CHAPTER, BOOK = "pdf/random-walks.pdf", "random-walks-course.pdf"
#: Put into the page of the chapter: what the second course has nothing of.
MORE = """<section id="more"><h2>More</h2>
<svg role="img" aria-label="A circle" viewBox="0 0 4 9" width="400"><circle r="2"/>
<a href="welcome.html"><text y="5">front</text></a></svg>
<details class="sd-dropdown sd-card"><summary>Why?</summary><p>Because it folds.</p></details>
<div class="highlight"><pre>{code}\n</pre></div>
<div class="ck-question ck-text"><p>In your words?</p>
<details class="ck-rubric"><summary>What a good answer says</summary><p>The key.</p></details></div>
<p>See <a href="welcome.html">the front</a> and <a href="#more">this</a>, as
<a href="welcome.html#id7">Seven</a> says and <a href="https://example.org/a">an example</a>.</p>
</section>"""
CITED = '<div class="citation" id="id7"><p>Seven, 2007.</p></div>'
#: What stands beyond the right edge of the paper, formulas among them.
CUT = """() => {
  const edge = document.body.getBoundingClientRect().right + 1;
  const wide = e => e.matches("div.math") && e.scrollWidth > e.clientWidth + 1;
  return [...document.querySelectorAll("article *")]
    .filter(e => !e.closest("svg *, math *, [hidden]"))
    .filter(e => e.getBoundingClientRect().right > edge || wide(e))
    .map(e => e.outerHTML.slice(0, 120));
}"""
LINE = "x" * 99 + " and more of it, which is wider than any page"


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """Return the page that prints."""
    page = paper(browser)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def walks(second_course: Project, sheet: Page, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy of the second course with its PDFs."""
    root = tmp_path_factory.mktemp("paper") / "walks"
    shutil.copytree(second_course.root, root)
    course = Project(root)
    for name, more in {"random-walks": MORE.format(code=LINE), "welcome": CITED}.items():
        page = course.html / f"{name}.html"
        html = page.read_text(encoding="utf-8")
        end = html.rindex("</section>", 0, html.index("</article>"))
        page.write_text(html[:end] + more + html[end:], encoding="utf-8")
    assert print_all(course, sheet) == 3
    return course


@pytest.fixture(scope="module")
def text(walks: Project) -> str:
    """Return what the chapter's PDF says, each run of spaces as one."""
    pages = PdfReader(walks.html / CHAPTER).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def titles(entries: list[Any]) -> list[Any]:
    """Return the outline as titles, those below an entry in a list after it."""
    return [titles(e) if isinstance(e, list) else str(e.title) for e in entries]


def faults_of(file: Path) -> list[str]:
    """Return what a reader of a PDF would miss: tags, words for pictures, fonts, good links."""
    faults = []
    with pikepdf.open(file) as pdf:
        if not pdf.Root.get("/MarkInfo", {}).get("/Marked"):
            faults.append("not tagged")
        if str(pdf.Root.get("/Lang", "")) != "en":
            faults.append("no language")
        for thing in pdf.objects:
            if not isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
                continue
            if thing.get("/S") == "/Figure" and not str(thing.get("/Alt", "")):
                faults.append("a picture without words")
            # What a font of type 3 draws stands in the font itself.
            own = thing.get("/FontDescriptor") if thing.get("/Subtype") != "/Type3" else None
            if own is not None and not {"/FontFile", "/FontFile2", "/FontFile3"} & {*own.keys()}:
                faults.append(f"not embedded: {own.get('/FontName')}")
            if str(thing.get("/URI", "")).startswith("file:"):
                faults.append(f"a link to this machine: {thing.URI}")
    return faults


def links_of(file: Path) -> tuple[set[str], int]:
    """Return the addresses that a PDF leads to, and how many links stay within it."""
    with pikepdf.open(file) as pdf:
        links = [n for page in pdf.pages for n in page.get("/Annots", []) if n.Subtype == "/Link"]
        away = [str(link.A.URI) for link in links if "/URI" in link.get("/A", {})]
        return {*away}, len(links) - len(away)


def test_files_are_tagged_and_say_what_they_are(walks: Project) -> None:
    for file in (CHAPTER, "pdf/welcome.pdf", BOOK):
        assert faults_of(walks.html / file) == [], file
        about = PdfReader(walks.html / file).metadata
        assert walks.config()["title"] in about.title
        assert about.author == "The authors of the random walks"


def test_outline_has_the_headings_and_the_book_all_chapters(walks: Project) -> None:
    (chapter, below) = titles(PdfReader(walks.html / CHAPTER).outline)
    assert chapter == "How far does a random walk get?"
    sections = [title for title in below if isinstance(title, str)]
    assert sections[1:3] == ["The square grows evenly", "Deeper: how far is typical"]
    assert sections[3:] == ["More", "References of this chapter"]
    book = titles(PdfReader(walks.html / BOOK).outline)
    assert [title for title in book if isinstance(title, str)] == [
        "One chapter on random walks",
        chapter,
    ]


def test_folds_are_open_and_what_is_withheld_is_not_there(text: str) -> None:
    for words in ("Move the slider", "Why?", "Because it folds.", "In your words?", "place chance"):
        assert words in text, words
    for words in (
        *("Hint", "Which axis", "good answer", "The key.", "axis=0", "left and right"),
        *("Show code", "Hide code", "import walks", "JavaScript", "Download", "Search", "#"),
    ):
        assert words not in text, words


def test_figures_are_drawn_and_formulas_read(walks: Project, text: str) -> None:
    with pikepdf.open(walks.html / CHAPTER) as pdf:
        dictionaries = [thing for thing in pdf.objects if isinstance(thing, pikepdf.Dictionary)]
        drawn = {str(each.Alt) for each in dictionaries if "/Alt" in each}
    assert "A circle" in drawn
    assert "±" in text
    assert "√n = 4.00 In the page, this figure can be operated." in text


def test_answers_have_room_and_long_code_breaks(walks: Project) -> None:
    places: list[tuple[float, str]] = []
    for number, page in enumerate(PdfReader(walks.html / CHAPTER).pages):
        page.extract_text(
            visitor_text=lambda words, outer, inner, *rest, n=number: places.append(
                (842 * (n + 1) - outer[3] * inner[5] - outer[5], words)
            )
        )

    def place(words: str) -> float:
        return next(down for down, said in places if words in said)

    millimetre = 72 / 25.4
    assert place("See") - place("In your words?") > 49 * millimetre
    assert place("The typical") - place("Replace this line") > 35 * millimetre
    assert place("any page") > place("x" * 99)


def test_links_lead_to_what_is_there_or_nowhere(walks: Project) -> None:
    away, inside = links_of(walks.html / CHAPTER)
    assert "https://example.org/a" in away
    assert not [address for address in away if "random-walks" in address or "welcome" in address]
    assert inside == 2  # to a section, and to what it cites, which stands at its end
    assert links_of(walks.html / BOOK)[1] >= 4


def test_nothing_is_cut_at_the_edge(walks: Project, sheet: Page) -> None:
    assert sheet.locator("article").count() == 2
    assert sheet.evaluate(CUT) == []


def test_pages_offer_what_is_there_and_what_is_old_goes(walks: Project) -> None:
    stamp, page = walks.build / "printed-from", walks.html / "random-walks.html"
    stamp.write_text((walks.build / "built-from").read_text())
    assert has_pdfs(walks)
    write_sizes(walks.html)
    for file in (CHAPTER, BOOK):
        assert f'<li data-needs-file="{file}"><a' in page.read_text(encoding="utf-8")
    stamp.write_text("another site")
    assert not has_pdfs(walks)
    write_sizes(walks.html)
    for file in (CHAPTER, BOOK):
        assert f'<li data-needs-file="{file}" hidden=""><a' in page.read_text(encoding="utf-8")
        assert not (walks.html / file).exists()


def test_without_a_browser_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr("sys.argv", ["print", "--root", str(tmp_path)])
    assert main() == 1
    assert re.fullmatch(r"✗ no browser: .+\n", capsys.readouterr().err)


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_the_book_on_paper(
    project: Project, site: Path, sheet: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All chapters as one document, of the same articles as alone: nothing is cut or empty."""
    course = Project(tmp_path)
    for name in ("_config.yml", "_toc.yml", "pyproject.toml", "book", "lib"):
        (course.root / name).symlink_to(project.root / name)
    shutil.copytree(site, course.html, ignore=shutil.ignore_patterns("pyodide"))
    write = tools.site.print._write

    def book_alone(course: Project, page: Page, address: str) -> None:
        if address == book_file(course):
            write(course, page, address)

    monkeypatch.setattr(tools.site.print, "_write", book_alone)
    print_all(course, sheet)
    assert sheet.evaluate(CUT) == []
    book = PdfReader(course.html / book_file(course))
    assert 300 < len(book.pages) < 700
    assert (course.html / book_file(course)).stat().st_size < 12e6  # each picture once
    names = [chapter.stem for chapter in course.chapters()]
    assert len([entry for entry in book.outline if not isinstance(entry, list)]) == len(names)
    assert faults_of(course.html / book_file(course)) == []
    lengths = [len(page.extract_text()) for page in book.pages]
    assert len([length for length in lengths if length < 200]) <= len(lengths) // 20
