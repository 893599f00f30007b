"""What a printed page draws: code that fits, no edge of what would scroll."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from tools.site.pdf.document import Chapter, Edition, chapter_document
from tools.site.pdf.paper import article_for_paper
from tools.site.pdf.printer import Printer
from tools.site.project import Project
from tools.site.publish import FRAME

_POINT = 72 / 96

Write = Callable[[str], Path]


@pytest.fixture
def write(project: Project, tmp_path: Path) -> Write:
    """Return what writes the body of a chapter as a document with the book's style sheets."""
    sheets = [
        *FRAME,
        *sorted((project.root / "lib/attnlab/drawing").glob("*.css")),
        *sorted((project.book / "assets").glob("*.css")),
    ]
    edition = Edition("A course", "", "1", "", "", "en", "", tuple(s.as_uri() for s in sheets), "")

    def written(body: str) -> Path:
        page = f'<article class="bd-article"><section><h1>One</h1>{body}</section></article>'
        chapter = Chapter("one", "One", "", article_for_paper(page, "my-"))
        file = tmp_path / "one.html"
        file.write_text(chapter_document(chapter, edition), encoding="utf-8")
        return file

    return written


def test_a_hundred_columns_of_code_fit_and_more_hang(write: Write, browser: Browser) -> None:
    lines = ["x" * 100, "    " + "y " * 60, "z"]
    code = '<div class="highlight"><pre><span></span>' + "\n".join(lines) + "\n</pre></div>"
    body = f'<div class="cell"><div class="cell_input">{code}</div></div>'
    page = Printer(browser).opened(write(body))
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".paper-line")].map(line => {
          const range = document.createRange();
          range.selectNodeContents(line);
          const starts = {};
          for (const box of range.getClientRects()) starts[box.top] ??= box.left;
          return Object.values(starts);
        })"""
    )
    page.close()
    assert [len(box) for box in boxes] == [1, 2, 1]
    left, (first, second) = boxes[0][0], boxes[1]
    assert first == pytest.approx(left, abs=0.5)  # its own spaces are a part of it
    assert second > left + 20


@pytest.mark.parametrize(
    "body",
    [
        '<div class="attn-scroll"><table class="table"><tr><td>1</td></tr></table></div>',
        '<div class="pst-scrollable-table-container"><table><tr><td>1</td></tr></table></div>',
        '<div class="math">x</div>',
        '<div class="highlight"><pre>x = 1\n</pre></div>',
    ],
)
def test_nothing_has_the_shade_of_what_scrolls(body: str, write: Write, browser: Browser) -> None:
    page = Printer(browser).opened(write(body))
    shades = page.evaluate(
        """() => [...document.querySelectorAll("main *")]
          .map(e => getComputedStyle(e).backgroundImage).filter(image => image !== "none")"""
    )
    page.close()
    assert shades == []


def test_what_was_folded_has_no_frame_that_a_page_could_break(
    write: Write, browser: Browser
) -> None:
    body = (
        '<details class="sd-sphinx-override sd-dropdown sd-card sd-mb-3"><summary>Why?</summary>'
        '<div class="sd-card-body"><p>Because.</p></div></details>'
        "<style>.sd-card{display:flex;border:1px solid black}</style>"
    )
    page = Printer(browser).opened(write(body))
    style = page.evaluate(
        """() => { const own = getComputedStyle(document.querySelector(".paper-open"));
          return [own.display, own.borderTopWidth, own.borderRightWidth, own.borderBottomWidth] }"""
    )
    page.close()
    assert style == ["block", "0px", "0px", "0px"]


def test_a_long_table_begins_below_its_title_without_a_frame(
    write: Write, browser: Browser
) -> None:
    rows = "".join(f"<tr><td>row {number}.</td></tr>" for number in range(28))
    body = (
        '<p style="padding-top: 150mm">Before it.</p>'
        f'<div class="attn-scroll"><table class="table">{rows}</table></div>'
        "<style>.table{border:1px solid black}"
        ".bd-main .bd-content table{break-inside:avoid}</style>"  # as the theme has it
    )
    press, file = Printer(browser), write(body)
    pages = [page.extract_text() for page in PdfReader(BytesIO(press.to_pdf(file))).pages]
    assert "Before it." in pages[0]
    assert "row 4." in pages[0]
    assert "row 27." in pages[-1]
    page = press.opened(file)
    border = page.evaluate("getComputedStyle(document.querySelector('table')).borderTopWidth")
    page.close()
    assert border == "0px"


def test_a_tall_picture_leaves_room_for_its_text(write: Write, browser: Browser) -> None:
    rectangle = '<rect width="9" height="9"/>'
    picture = f'<svg viewBox="0 0 400 900" width="400" height="900">{rectangle}</svg>'
    press = Printer(browser)
    file = write("<p>Before it.</p>" + f'<figure class="attn-figure">{picture}</figure>')
    pdf = PdfReader(BytesIO(press.to_pdf(file)))
    page = press.opened(file)
    height = page.evaluate("document.querySelector('svg').getBoundingClientRect().height")
    page.close()
    assert height * _POINT < 460
    assert len(pdf.pages) == 1
