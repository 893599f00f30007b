"""Print with Chromium: a document of HTML becomes a tagged PDF with an outline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools.site.browser import FLAGS, NONE, find_browser
from tools.site.environment import BuildError

#: Between the margins of A4 that ``paper.css`` sets, at 96 pixels an inch.
_WIDTH, _HEIGHT = 658, 979
#: What is too wide or too tall for a page gets smaller, so that nothing is cut.
_FIT = """([width, height]) => {
  const edge = document.body.getBoundingClientRect().left + width;
  const fit = (element) => {
    const box = element.getBoundingClientRect();
    const zoom = Number(element.style.zoom || 1);
    const wide = Math.max(box.width, (element.scrollWidth || 0) * zoom);
    const tall = element.matches("svg, img") ? box.height : 0;
    const scale = Math.min(1, (edge - box.left) / wide, (0.9 * height) / (tall || 1));
    if (scale < 0.999) element.style.zoom = (zoom * scale - 0.001).toFixed(3);
  };
  for (const element of document.querySelectorAll("table, math[display=block], svg, img, pre"))
    if (!element.parentElement.closest("svg, table"))
      for (let round = 0; round < 3; round++) fit(element); // a smaller table breaks its lines anew
}"""


class Printer:
    """A running browser that prints."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @property
    def version(self) -> str:
        """The browser's version: another one may set the same document otherwise."""
        return self._browser.version

    def to_pdf(self, document: Path) -> bytes:
        """Return a document, which is a file of HTML, as a PDF."""
        page = self.opened(document)
        try:
            return page.pdf(
                tagged=True, outline=True, prefer_css_page_size=True, print_background=True
            )
        finally:
            page.close()

    def opened(self, document: Path) -> Page:
        """Return a document as it is printed, all of it fitted between the margins."""
        page = self._browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
        page.emulate_media(media="print", color_scheme="light", reduced_motion="reduce")
        page.goto(document.resolve().as_uri())
        # All of them now: a font that comes late changes what was measured.
        page.evaluate("Promise.all([...document.fonts].map(font => font.load())).then(() => 0)")
        page.evaluate(_FIT, [_WIDTH, _HEIGHT])
        return page


@contextmanager
def printer() -> Iterator[Printer]:
    """Start a browser; a `BuildError` says so where there is none."""
    program = find_browser()
    if program is None:
        raise BuildError(NONE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield Printer(browser)
        finally:
            browser.close()
