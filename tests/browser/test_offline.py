"""The site as a browser keeps it: its server is stopped, or comes back with another publication."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.course import BANK
from tools.site.offline import OFF, REGISTRATION, WORKER, group_of, write_worker
from tools.site.project import Project
from tools.site.serve import Handler, server

from .exercises import BY_HAND, IN_CODE, LOADED, block, press, results, unfold, write

ROOT = Path(__file__).resolve().parents[2]
CHAPTER, NEXT, UNSEEN = "queries-keys-values.html", "scaled-dot-product.html", "circuits.html"
COUNT = """async () => {
    const kept = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const files = await Promise.all(kept.map((cache) => cache.keys()));
    return files.flat().length;
}"""
CACHES = "() => caches.keys()"
WAITING = "async () => !!(await navigator.serviceWorker.getRegistration()).waiting"


class Site(Project):
    """The built site in a folder of its own, where a test may publish it anew; and its host."""

    def __init__(self, place: Path, built: Path) -> None:
        super().__init__(ROOT)
        vars(self)["place"] = place
        ignored = shutil.ignore_patterns("*-site.zip")
        shutil.copytree(built, self.html, ignore=ignored, copy_function=os.symlink)
        vars(self)["asked"] = asked = []

        class Noting(Handler):
            def log_request(self, *_: object) -> None:
                asked.append(self.path.split("?")[0].split("/course/")[-1])

        vars(self)["handler"] = Noting
        self.start()

    @property
    def html(self) -> Path:
        return Path(vars(self)["place"]) / "course"

    @property
    def address(self) -> str:
        # A name, not a number: what a browser keeps of previews would be stale.
        return f"http://book.localhost:{vars(self)['port']}/course"

    def start(self) -> None:
        running = server(self.html.parent, vars(self).get("port", 0), vars(self)["handler"])
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        vars(self).update(port=running.server_port, running=running, thread=thread)

    def stop(self) -> None:
        if vars(self)["thread"].is_alive():
            vars(self)["running"].shutdown()
            vars(self)["thread"].join()
            vars(self)["running"].server_close()

    def change(self, name: str, before: str, after: str) -> None:
        """Change a file, and publish the site with it."""
        text = (self.html / name).read_text(encoding="utf-8")
        assert before in text
        self.put(name, text.replace(before, after))
        (self.html / WORKER).unlink()
        write_worker(self)

    def put(self, name: str, text: str) -> None:
        (self.html / name).unlink()
        (self.html / name).write_text(text, encoding="utf-8")

    @property
    def expected(self) -> int:
        """The number of files that a browser keeps unasked."""
        names = [p.relative_to(self.html).as_posix() for p in self.html.rglob("*") if p.is_file()]
        return [group_of(name) for name in names].count("book")


@pytest.fixture
def published(site: Path, tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path, site)
    yield made
    made.stop()


@pytest.fixture
def reader(browser: Browser, published: Site) -> Iterator[Page]:
    """Return the page of a reader who has nothing of the site."""
    errors: list[str] = []
    context = browser.new_context(reduced_motion="reduce", base_url=f"{published.address}/")
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def until(page: Page, promise: str, wanted: object = True, of: object = None) -> None:
    """Wait until an asynchronous expression, or function of one value, has a value."""
    end, seen = time.monotonic() + LOADED / 1000, None
    while seen != wanted:
        assert time.monotonic() < end, f"{promise} is {seen}; expected {wanted}"
        # The worker reloads a page that it takes over: to what was asked before, no answer comes.
        with suppress(Error):
            page.wait_for_function("true", timeout=5000)  # `evaluate` would wait for ever
            page.evaluate(
                f"of => {{ ({promise})(of).then(value => {{ window.settled = value }}) }}", of
            )
            page.wait_for_timeout(100)
            page.wait_for_function("true", timeout=5000)
            seen = page.evaluate("window.settled")


def visit(page: Page, name: str, site: Site) -> None:
    """Open a page, and wait until the browser has kept the book."""
    page.goto(name)
    until(page, COUNT, site.expected)


def check_by_hand(page: Page) -> None:
    question = block(page, BY_HAND)
    unfold(question)
    question.locator("input.ck-number").fill("0.42, 0.58")
    press(question, "Check")
    expect(question.locator(".ck-feedback")).not_to_be_empty()


def check_code(page: Page) -> None:
    exercise = block(page, IN_CODE)
    unfold(exercise)
    write(exercise, BANK[IN_CODE].solution)
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("Done.", timeout=LOADED)


def test_after_a_first_visit_the_book_needs_no_site(reader: Page, published: Site) -> None:
    visit(reader, CHAPTER, published)
    published.stop()
    reader.reload()
    colour = reader.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
    assert "serif" in colour
    loaded = "[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)"
    reader.wait_for_function(f"() => {loaded}.includes('STIX Two Math')")
    check_by_hand(reader)
    reader.locator("a.right-next").click()
    expect(reader).to_have_url(f"{published.address}/{NEXT}")
    expect(reader.locator("h1")).to_contain_text("caled dot-product")
    reader.goto(UNSEEN)
    expect(reader.locator("attn-circuit section").first).to_be_attached()
    reader.goto("welcome.html")
    weights = reader.locator("attn-attention-row .weight")
    slider = reader.get_by_role("slider", name="How sharply it chooses")
    slider.press("Home")
    expect(weights).to_have_text(["0.25"] * 4)
    answer = reader.goto("no-such-page.html")
    assert answer is not None
    assert answer.status == 404
    expect(reader.locator("h1")).to_contain_text("no page at this address")


@pytest.mark.heavy
def test_python_is_kept_with_its_first_use(reader: Page, published: Site) -> None:
    visit(reader, CHAPTER, published)
    check_code(reader)
    published.stop()
    reader.reload()
    reader.evaluate("localStorage.clear()")
    check_code(reader)


@pytest.mark.heavy
def test_all_is_kept_at_once_and_removed_again(reader: Page, published: Site) -> None:
    reader.goto("welcome.html")
    place = reader.locator(".keep-offline")
    place.get_by_role("button", name="Keep offline").click()
    expect(place).to_contain_text("the notebooks are kept offline:", timeout=LOADED)
    expect(place.get_by_role("button")).to_have_text(["Remove from this browser"])
    published.stop()
    reader.goto(CHAPTER)
    check_code(reader)
    reader.goto("welcome.html")
    press(place, "Remove from this browser")
    expect(place).to_contain_text("Removed.")
    published.start()
    visited = reader.goto(UNSEEN)
    assert visited is not None
    reader.wait_for_timeout(3000)  # when a browser begins to keep the book
    assert [name.split()[-1] for name in reader.evaluate(CACHES)] == ["off"]
    reader.goto("welcome.html")
    expect(place.get_by_role("button")).to_have_count(1)
    expect(place.get_by_role("button")).to_contain_text("Keep offline")


def test_a_new_publication_is_seen_at_once_and_replaces_the_old_one(
    reader: Page, published: Site
) -> None:
    visit(reader, CHAPTER, published)
    (old,) = reader.evaluate(CACHES)
    published.change(NEXT, "</h1>", " (revised)</h1>")
    published.asked.clear()
    reader.goto(NEXT)
    expect(reader.locator("h1")).to_contain_text("(revised)")
    gone = f"async () => (await caches.keys()).every(name => name !== {old!r})"
    until(reader, f"async () => (await ({gone})()) || (await ({WAITING})())")
    if reader.evaluate(WAITING):
        reader.goto(NEXT)  # the page before was still there when it came: it takes over now
    until(reader, gone)
    until(reader, COUNT, published.expected)
    # What is the same in both was not fetched again.
    assert "_static/editor.js" not in published.asked
    assert UNSEEN not in published.asked
    published.stop()
    reader.reload()
    expect(reader.locator("h1")).to_contain_text("(revised)")


@pytest.mark.heavy
def test_with_two_tabs_open_the_old_page_keeps_its_own_files(reader: Page, published: Site) -> None:
    visit(reader, CHAPTER, published)
    published.change("_static/editor.js", "(", "/* new */(")
    published.change(NEXT, "</h1>", " (revised)</h1>")
    other = reader.context.new_page()
    other.goto(f"{published.address}/{NEXT}")
    expect(other.locator("h1")).to_contain_text("(revised)")
    until(other, WAITING)
    is_new = "async name => (await (await fetch(name)).text()).includes('/* new */')"
    address = reader.evaluate("document.querySelector('script[src*=\"coursekit.js\"]').src")
    editor = address.replace("coursekit.js", "editor.js")
    until(reader, is_new, False, editor)
    other.close()
    reader.reload()  # alone again: the new one takes over
    until(reader, WAITING, False)
    until(reader, is_new, True, editor)


@pytest.mark.heavy
def test_a_site_that_wants_no_worker_removes_it(reader: Page, published: Site) -> None:
    visit(reader, CHAPTER, published)
    published.change(NEXT, f"<script>{REGISTRATION}</script>", "")
    published.put(WORKER, OFF.read_text(encoding="utf-8"))
    reader.goto(NEXT)
    gone = """async () => (await navigator.serviceWorker.getRegistrations()).length === 0
        && (await caches.keys()).length === 0"""
    until(reader, gone)
    reader.goto(CHAPTER)
    assert reader.evaluate("navigator.serviceWorker.controller") is None


@pytest.mark.heavy
def test_sites_in_folders_below_are_left_alone(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    # A user's site stands at the root of an address whose folders are other sites.
    published = Site(tmp_path, site)
    try:
        page = browser.new_page(base_url=f"{published.address}/")
        visit(page, CHAPTER, published)
        (published.html / "other").mkdir()
        (published.html / "other" / "index.html").write_text("<h1>Another site</h1>")
        page.goto("other/index.html")
        expect(page.locator("h1")).to_have_text("Another site")
        names = page.evaluate(
            """async () => (await Promise.all((await caches.keys()).map(async name =>
            (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat()"""
        )
        assert not [name for name in names if "/other/" in name]
        page.close()
    finally:
        published.stop()


@pytest.mark.parametrize("blocked", [False, True])
def test_nothing_is_kept_where_it_may_not_be(
    browser: Browser, published: Site, watch: Callable[..., Any], blocked: bool
) -> None:
    """On the machine of those who write the site, and in browsers that have no workers."""
    address = (
        published.address if blocked else published.address.replace("book.localhost", "127.0.0.1")
    )
    context = browser.new_context(service_workers="block" if blocked else "allow")
    page = context.new_page()
    if blocked:
        page.add_init_script("delete Navigator.prototype.serviceWorker")
    seen = watch(page, address)
    page.goto(f"{address}/welcome.html")
    page.wait_for_timeout(3000)  # when a browser begins to keep the book
    said = "This browser keeps no sites" if blocked else "from your own machine"
    expect(page.locator(".keep-offline")).to_contain_text(said)
    assert page.evaluate(CACHES) == []
    context.close()
    assert seen.faults == []
