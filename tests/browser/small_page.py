"""A page of one exercise of the small bank, opened in windows of two sizes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from tools.site.project import Project
from tools.site.serve import server

from ..coursekit_web.conftest import build
from .conftest import Watch

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
#: The bare theme has no viewport of its own, without which a phone shows a page 980 pixels wide.
_VIEWPORT = """document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("meta[name=viewport]")) return;
  const meta = document.createElement("meta");
  meta.name = "viewport"; meta.content = "width=device-width, initial-scale=1";
  document.head.append(meta);
});"""


def served(text: str, folder: Path, project: Project) -> Iterator[str]:
    """Serve a page with this text for as long as the generator lives."""
    (folder / "index.md").write_text(text, encoding="utf-8")
    with server(build(folder, assets=project.assets).out) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


def opener(browser: Browser, book: str) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens the page in a window; a fault of any fails the test."""
    opened = []

    def open_page(**settings: Any) -> Page:
        context = browser.new_context(base_url=book, **settings)
        page = context.new_page()
        for missing in ("**/favicon.ico", "**/none.js"):
            page.route(missing, lambda route: route.fulfill(body=""))
        opened.append((context, Watch(page, book)))
        page.add_init_script(_VIEWPORT)
        page.goto("index.html")
        return page

    yield open_page
    for context, watch in opened:
        context.close()
        assert watch.faults == []


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of a place once no item glides any more."""
    place.page.evaluate("Promise.allSettled(document.getAnimations().map(a => a.finished))")
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
