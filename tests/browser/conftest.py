"""A real browser on the built site, and what it may not do: load from elsewhere, log errors."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tools.site.browser import NONE, find_browser
from tools.site.serve import Handler, server

# How fast a machine is decides nothing; what is there at once is seen at once.
expect.set_options(timeout=30_000)

HERE = Path(__file__).parent
#: What the bare theme lacks: no icon and no formulas. The course's pages have both.
BARE = re.compile(r"/(favicon\.ico|none\.js)$")
DESKTOP: Any = {"viewport": {"width": 1280, "height": 900}}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@contextmanager
def serving(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """Serve a folder on this machine; yield its address without a slash at the end."""
    with server(folder, handler=handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """Serve the built site, and return its address without a slash at the end."""
    with serving(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return one headless Chromium for all tests."""
    program = find_browser()
    if program is None:
        pytest.fail(NONE, pytrace=False)
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    # Without it, the Chromium that has no windows rounds the widths of letters.
    arguments += ["--font-render-hinting=none"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=arguments)
        yield running
        running.close()


class Watch:
    """What a page did that it should not have: foreign requests, failures, console errors."""

    def __init__(self, page: Page, *origins: str) -> None:
        self._origins = (*origins, "data:", "blob:")
        self.faults: list[str] = []
        page.on("request", self._request)
        page.on("requestfailed", self._failure)
        page.on("response", self._response)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))

    def _request(self, request: Request) -> None:
        if not request.url.startswith(self._origins):
            self.faults.append(f"third party: {request.url}")

    def _failure(self, request: Request) -> None:
        # A page that leads on to another one takes back what it had asked for.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} ({request.failure})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"status {response.status}: {response.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console {message.type}: {message.text}")


@contextmanager
def watched(browser: Browser, origin: str, **settings: Any) -> Iterator[Page]:
    """Open a fresh page of a site, with nothing stored. A fault of it fails the test."""
    context = browser.new_context(base_url=f"{origin}/", **settings)
    page = context.new_page()
    watch = Watch(page, origin)
    yield page
    context.close()
    assert watch.faults == []


@pytest.fixture
def page(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a fresh page of the built site (1280 x 900). A fault of it fails the test."""
    with watched(browser, site_url, **DESKTOP) as made:
        yield made


@pytest.fixture
def unwatched(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a fresh page whose requests may fail: here failing is the point."""
    context = browser.new_context(base_url=f"{site_url}/", **DESKTOP)
    yield context.new_page()
    context.close()


@pytest.fixture
def still(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a fresh page on a phone, without JavaScript."""
    settings = {"java_script_enabled": False, "viewport": PHONE["viewport"]}
    context = browser.new_context(base_url=f"{site_url}/", **settings)
    yield context.new_page()
    context.close()


def box_of(place: Locator) -> FloatRect:
    """Return where a place that is drawn stands on the screen, in CSS pixels."""
    box = place.bounding_box()
    assert box is not None
    return box


def font_sizes(texts: Locator) -> list[float]:
    """Return the sizes at which texts of drawings are displayed, in CSS pixels."""
    sizes: list[float] = texts.evaluate_all(
        """all => all.map(t => {
            const m = t.getScreenCTM();
            return parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);
        })"""
    )
    return sizes


#: Whether a page is there with its fonts and has fetched nothing for half a second.
QUIET = """() => {
    if (!window.quiet) {
        window.quiet = { since: performance.now() };
        const seen = new PerformanceObserver(() => { quiet.since = performance.now() });
        seen.observe({ type: "resource" });
    }
    return document.readyState === "complete" && document.fonts.status === "loaded"
        && performance.now() - quiet.since > 500;
}"""


def settle(page: Page) -> None:
    """Wait until a page loads nothing more.

    Playwright's state "networkidle" never comes on a busy machine if the network was idle once
    before the page was there.
    """
    page.wait_for_function(QUIET)


def come_to_rest(page: Page) -> None:
    """Wait until animations that end have ended, and whoever observes sizes has heard of them."""
    page.evaluate(
        """async () => {
            const ends = each => each.playState === "running"
                && each.effect.getTiming().iterations < Infinity;
            const moving = document.getAnimations().filter(ends);
            await Promise.all(moving.map(each => each.finished.catch(() => {})));
            for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
        }"""
    )
