"""The site as a browser keeps it: without a network, published anew, removed, and hindered."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tools.site.offline import WORKER, listing, write_worker
from tools.site.project import Project
from tools.site.serve import Handler

from .conftest import serving
from .exercises import CHAPTER, IN_CODE, LOADED, answer_by_hand, press, solve

ROOT = Path(__file__).resolve().parents[2]
NEXT, UNSEEN = "scaled-dot-product.html", "circuits.html"
PYTHON = "_static/pyodide/pyodide.asm.wasm"
#: Whether the only cache is the worker's, and has files with these hashes.
KEPT = """async wanted => {
    const name = (await caches.keys()).find(name => name.startsWith("offline"));
    if (!name) return false;
    const cache = await caches.open(name);
    const [keys, found] = [await cache.keys(), await cache.matchAll()];
    const hashes = new Map(keys.map(({ url }, at) => [url, found[at]?.headers.get("X-Kept")]));
    return Object.entries(wanted).every(
        ([name, hash]) => hashes.get(new URL(name, location.href).href) === hash);
}"""
FRAMED = "Object.defineProperty(navigator, 'serviceWorker', { get() { throw new Error('no'); } })"
CACHES = "async () => (await caches.keys()).map(name => name.split(' ').at(-1))"


class Site(Project):
    """The built site in a folder of its own, where a test may publish it anew."""

    def revise(self, name: str) -> None:
        """Publish the site with a page that has changed."""
        text = (self.html / name).read_text(encoding="utf-8")
        (self.html / name).unlink()  # a link to the site that was built
        revised = text.replace("</h1>", " (revised)</h1>", 1)
        (self.html / name).write_text(revised, encoding="utf-8")
        (self.html / WORKER).unlink()
        write_worker(self)

    def files(self, *groups: str) -> dict[str, str]:
        """Return the hashes of the files that browsers keep."""
        files: dict[str, Any] = dict(listing(self.html, []))["files"]
        return {name: about[1] for name, about in files.items() if about[0] in groups}


@pytest.fixture
def published(site: Path, tmp_path: Path) -> Site:
    made = Site(tmp_path / "root")
    made.build.mkdir(parents=True)
    for path in [*ROOT.iterdir(), ROOT / "_build" / "assets"]:
        if path.name != "_build":
            (made.root / path.relative_to(ROOT)).symlink_to(path)
    ignored = shutil.ignore_patterns("*-site.zip")
    shutil.copytree(site, made.html, ignore=ignored, copy_function=os.symlink)
    return made


@pytest.fixture
def asked() -> list[str]:
    """Return the names of files that the host is asked for, from when a test empties it."""
    return []


@pytest.fixture
def address(published: Site, asked: list[str]) -> Iterator[str]:
    """Serve the site in a folder of its host; the name is one of which browsers keep something."""

    class Noting(Handler):
        def log_request(self, *_: object) -> None:
            asked.append(self.path.split("?")[0].removeprefix("/html/"))

    with serving(published.build, Noting) as made:
        yield f"{made.replace('127.0.0.1', 'book.localhost')}/html/"


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Page]:
    """Return the page of a reader who has nothing of the site."""
    errors: list[str] = []
    context = browser.new_context(reduced_motion="reduce", base_url=address)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def until_kept(page: Page, wanted: dict[str, str]) -> None:
    """Wait until the browser keeps files with these hashes."""
    assert wanted
    page.evaluate("self.holds = false")
    ask = f"""wanted => {{
        self.asked ??= ({KEPT})(wanted).then(holds => {{ self.holds = holds; self.asked = null; }});
        return self.holds;
    }}"""
    page.wait_for_function(ask, arg=wanted, timeout=LOADED)


def keep_all(page: Page) -> Locator:
    page.goto("using.html")
    place = page.locator(".keep-offline")
    place.get_by_role("button", name="Keep offline").click()
    expect(place).to_contain_text("the notebooks are kept offline:", timeout=LOADED)
    expect(place.get_by_role("button")).to_have_text(["Remove from this browser"])
    return place


def test_after_one_visit_the_book_needs_no_network(
    reader: Page, published: Site, asked: list[str]
) -> None:
    reader.goto(CHAPTER)
    until_kept(reader, published.files("book"))
    assert PYTHON not in asked
    reader.context.set_offline(True)
    asked.clear()
    reader.reload()
    loaded = "[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)"
    reader.wait_for_function(f"() => {loaded}.includes('STIX Two Math')")
    expect(answer_by_hand(reader, "0.42, 0.58")).not_to_be_empty()
    reader.goto(UNSEEN)
    expect(reader.locator("attn-circuit[live] section").first).to_be_attached()
    for name, status, title in (
        ("no-such-page.html", 404, "no page at this address"),
        ("attention-course.pdf", 503, "Not kept in this browser"),
    ):
        answer = reader.goto(name)
        assert answer is not None
        assert answer.status == status
        expect(reader.locator("h1")).to_contain_text(title)
    reader.get_by_role("link", name="first page").click()
    expect(reader.locator("h1")).to_contain_text("Build the model")
    assert {*asked} <= {WORKER}  # browsers ask for it beside the network that is cut off


def test_all_is_kept_with_python_and_removed_again(
    reader: Page, published: Site, asked: list[str]
) -> None:
    keep_all(reader)
    until_kept(reader, published.files("book", "python", "data", "notebooks"))
    reader.context.set_offline(True)
    asked.clear()
    reader.goto(CHAPTER)
    solve(reader, IN_CODE)
    asks = "fetch('notebooks/masking.ipynb').then(answer => answer.json())"
    assert "cells" in reader.evaluate(asks)
    assert {*asked} <= {WORKER}
    reader.goto("using.html")
    place = reader.locator(".keep-offline")
    press(place, "Remove from this browser")
    expect(place).to_contain_text("Removed.")
    expect(place.get_by_role("button")).to_contain_text(["Keep offline"])
    reader.context.set_offline(False)
    reader.goto(UNSEEN)
    reader.evaluate("navigator.serviceWorker.controller.postMessage({ type: 'visit' })")
    reader.goto("using.html")  # its worker answers after that
    expect(place.get_by_role("button")).to_contain_text(["Keep offline"])
    assert reader.evaluate(CACHES) == ["off"]


def test_a_new_publication_is_seen_at_once_and_only_what_changed_is_fetched(
    reader: Page, published: Site, asked: list[str]
) -> None:
    keep_all(reader)
    published.revise(NEXT)
    asked.clear()
    reader.goto(NEXT)
    expect(reader.locator("h1")).to_contain_text("(revised)")
    until_kept(reader, published.files("book", "python", "data", "notebooks"))
    assert not {PYTHON, UNSEEN, "_static/site.css"} & {*asked}
    reader.context.set_offline(True)
    reader.reload()
    expect(reader.locator("h1")).to_contain_text("(revised)")


def test_a_full_disk_is_told_in_a_sentence(reader: Page, address: str) -> None:
    reader.goto("using.html")
    quota = {"origin": address.removesuffix("/html/"), "quotaSize": 2e6}
    reader.context.new_cdp_session(reader).send("Storage.overrideQuotaForOrigin", quota)
    place = reader.locator(".keep-offline")
    place.get_by_role("button", name="Keep offline").click()
    told = "There is no room: the browser lets this site keep no more."
    expect(place).to_contain_text(told, timeout=LOADED)
    expect(place.get_by_role("button", name="Keep offline")).to_be_focused()


@pytest.mark.parametrize("blocked", [False, True])
def test_nothing_is_kept_where_it_may_not_be(browser: Browser, address: str, blocked: bool) -> None:
    """On the machine of those who write the site, and in browsers that have no workers."""
    context = browser.new_context(service_workers="block" if blocked else "allow")
    page = context.new_page()
    if blocked:
        page.add_init_script(FRAMED)
    page.clock.install()
    page.goto(f"{address if blocked else address.replace('book.localhost', '127.0.0.1')}using.html")
    page.clock.run_for(3000)  # when a browser begins to keep the book
    said = "This browser keeps no sites" if blocked else "from your own machine"
    expect(page.locator(".keep-offline")).to_contain_text(said)
    if not blocked:
        assert page.evaluate("async () => navigator.serviceWorker.getRegistrations()") == []
    assert page.evaluate("async () => caches.keys()") == []
    context.close()
