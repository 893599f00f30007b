"""One page with a quiz and the list of cards, opened on days that a test chooses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tools.site.project import Project
from tools.site.serve import server

from ...coursekit_web.conftest import HERE, build
from ..conftest import Watch

Open = Callable[..., Page]
EVENING = datetime(2026, 11, 30, 22, 0)


@pytest.fixture(scope="module")
def small(project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve one page with a quiz and the list of cards, with the course's own scripts."""
    folder = tmp_path_factory.mktemp("book")
    text = "# Title\n\n```{exercise} three-questions\n```\n\n## Again\n\n```{review-cards}\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        out = build(folder, assets=project.assets).out
    with server(out) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


@pytest.fixture
def context(browser: Browser, small: str) -> Iterator[BrowserContext]:
    """Return a browser with an empty storage, on an evening in November."""
    made = browser.new_context(base_url=small)
    made.clock.set_fixed_time(EVENING)
    yield made
    made.close()


@pytest.fixture
def open_page(context: BrowserContext, small: str) -> Iterator[Open]:
    """Return a function that opens the page in a new tab."""
    watches = []

    def open_() -> Page:
        page = context.new_page()
        for missing in ("**/favicon.ico", "**/none.js"):
            page.route(missing, lambda route: route.fulfill(body=""))
        watches.append(Watch(page, small))
        page.goto("index.html")
        return page

    yield open_
    assert [watch.faults for watch in watches] == [[]] * len(watches)


def miss(page: Page) -> None:
    """Answer a question with a mistake that has a name."""
    question = page.locator("#exercise-three-questions [data-question=root]")
    question.get_by_role("radio").first.check()
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".ck-feedback")).to_contain_text("half of 16")


def on(context: BrowserContext, *date: int) -> None:
    context.clock.set_fixed_time(datetime(*date, 8, 0))  # type: ignore[arg-type, misc]


def answer_right(page: Page) -> None:
    page.locator(".ck-again").get_by_role("radio").nth(1).check()
    page.locator(".ck-again").get_by_role("button", name="Check").click()
