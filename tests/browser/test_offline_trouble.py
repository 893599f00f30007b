"""What comes between a browser and the site that it keeps: a network's gate, and a full disk."""

from __future__ import annotations

import io

import pytest
from playwright.sync_api import Page, expect

from tools.site.serve import Handler

from . import test_offline
from .test_offline import CACHES, CHAPTER, NEXT, Site, until, visit

published, reader = test_offline.published, test_offline.reader


class Gate(Handler):
    """Answers as networks do that want to be paid first: with their own page, whatever is asked."""

    def send_head(self) -> io.BytesIO:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return io.BytesIO(b"<h1>Log in to this network</h1>")


def answer_with(published: Site, handler: type[Handler]) -> None:
    published.stop()
    vars(published)["handler"] = handler
    published.start()


@pytest.mark.heavy
def test_the_page_of_a_network_s_gate_is_not_taken_for_a_new_publication(
    reader: Page, published: Site
) -> None:
    reader.goto(CHAPTER)
    until(reader, "async () => (await caches.keys()).length > 0")
    answer_with(published, Gate)
    reader.goto(NEXT)
    expect(reader.locator("h1")).to_have_text("Log in to this network")
    until(reader, "async () => !!(await caches.match('./?newer'))")
    answer_with(published, Handler)
    reader.goto(NEXT)
    expect(reader.locator("h1")).to_contain_text("caled dot-product")
    until(reader, "async () => !!(await caches.match('./?newer'))", False)
    visit(reader, CHAPTER, published)


@pytest.mark.heavy
def test_without_room_for_two_publications_the_new_one_takes_over(
    reader: Page, published: Site
) -> None:
    visit(reader, CHAPTER, published)
    (old,) = reader.evaluate(CACHES)
    used = reader.evaluate("async () => (await navigator.storage.estimate()).usage")
    quota = {"origin": published.address.removesuffix("/course"), "quotaSize": used * 1.5}
    reader.context.new_cdp_session(reader).send("Storage.overrideQuotaForOrigin", quota)
    published.change(NEXT, "</h1>", " (revised)</h1>")
    reader.goto(NEXT)
    until(reader, f"async () => (await caches.keys()).every(name => name !== {old!r})")
    visit(reader, NEXT, published)
    published.stop()
    reader.goto(NEXT)
    expect(reader.locator("h1")).to_contain_text("(revised)")
