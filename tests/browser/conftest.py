"""A real browser on the built site, and what it may not do: load from elsewhere, log errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tools.site.browser import NONE, find_browser
from tools.site.serve import Handler, server

# How fast a machine is decides nothing; what is there at once is seen at once.
expect.set_options(timeout=30_000)

HERE = Path(__file__).parent


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

    def _response(self, response: object) -> None:
        status = getattr(response, "status", 200)
        if status >= 400:
            self.faults.append(f"status {status}: {getattr(response, 'url', '')}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console {message.type}: {message.text}")


@pytest.fixture(scope="session")
def watch() -> type[Watch]:
    """Return `Watch`, for tests that open their own page: ``watch(page, origin).faults``."""
    return Watch


@pytest.fixture
def page(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a fresh page (1280 x 900, nothing stored). A fault of it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=site_url + "/")
    made = context.new_page()
    watch = Watch(made, site_url)
    yield made
    context.close()
    assert watch.faults == []


@pytest.fixture
def still(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a fresh page on a phone, without JavaScript."""
    size = {"width": 390, "height": 844}
    context = browser.new_context(
        java_script_enabled=False,
        viewport=size,  # type: ignore[arg-type]
        base_url=site_url + "/",
    )
    yield context.new_page()
    context.close()


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
