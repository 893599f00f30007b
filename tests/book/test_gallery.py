"""Figures on pages of their own: which of several is shown, and what it is freed from."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from attnlab.explorables.base import NOT_BUILT
from tools.site.publish.about import PageFacts, SiteFacts
from tools.site.publish.figures import GALLERY, figures_of, fill_gallery, write_embeds

SITE = SiteFacts(
    title="A course",
    summary="",
    author="",
    language="en",
    address="",
    level="",
    license="",
    start="one.html",
    pages=(PageFacts("one.html", "First & last", ""), PageFacts("two.html", "Second", "")),
)


def figure(kind: str, title: str = "A figure", **state: object) -> str:
    named = f' data-title="{escape(title)}"' if title else ""
    text = escape(json.dumps({"answers": [], **state}))
    return f'<my-{kind} data-explorable="{kind}"{named} state="{text}"><p>still</p></my-{kind}>'


def test_the_first_figure_that_no_exercise_asks_of_is_taken() -> None:
    one = figure("dial", answers=["angle"]) + figure("map", answers=["size"])
    two = figure("dial", answers=["angle"]) + figure("dial", angle=2) + figure("dial", angle=3)
    dial, paper = figures_of({"one.html": one, "two.html": two}, SITE, "my-")
    assert (dial.kind, dial.address, dial.chapter) == ("dial", "two.html#figure=dial-2", "Second")
    assert "angle&quot;: 2" in dial.html
    # There is no other map: it comes without the exercise's answer.
    assert paper.address == "one.html#figure=map"
    assert '"answers":[]' in BeautifulSoup(paper.html, "html.parser").find("my-map")["state"]


def test_a_figure_without_a_title_needs_its_page() -> None:
    staged = {"one.html": figure("writer", ""), "two.html": ""}
    assert figures_of(staged, SITE, "my-") == ()
    assert figures_of({"one.html": figure("dial"), "two.html": ""}, SITE, "") == ()


def test_pages_are_written_once_and_those_of_lost_figures_go(tmp_path: Path) -> None:
    found = figures_of({"one.html": figure("dial", "<Dial>"), "two.html": ""}, SITE, "my-")
    (tmp_path / "map.html").write_text("lost")
    versions = {"_static/explorables.js": "1", "_static/explorables/my-dial.js": "2"}
    write_embeds(tmp_path, found, SITE, versions)
    (path,) = tmp_path.glob("*.html")
    page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    assert [s["src"] for s in page.select("script[src]")] == [
        "../_static/explorables.js?v=1",
        "../_static/explorables/my-dial.js?v=2",
    ]
    assert page.title.string == "<Dial> — A course"
    assert page.select_one(".from a")["href"] == "../one.html#figure=dial"
    assert page.select_one("my-dial p").string == "still"
    before = path.stat().st_mtime_ns
    write_embeds(tmp_path, found, SITE, versions)
    assert path.stat().st_mtime_ns == before


def test_a_gallery_lists_them_and_says_nothing_without() -> None:
    found = figures_of({"one.html": figure("dial", "<Dial>"), "two.html": ""}, SITE, "my-")
    page = BeautifulSoup(f'<div class="{GALLERY}"><p>later</p></div>', "html.parser")
    fill_gallery(page, ())
    assert page.get_text() == "later"
    fill_gallery(page, found)
    link = page.select_one("li a")
    assert (link["href"], link.string) == ("one.html#figure=dial", "<Dial>")
    assert page.select_one("iframe")["src"] == "embed/dial.html"
    assert "in First & last" in page.get_text()
    assert "later" not in page.get_text()


def test_no_page_calls_a_figure_static_whose_front_end_is_there(site: Path) -> None:
    said = NOT_BUILT.partition("`")[0]
    assert [page.name for page in site.glob("*.html") if said in page.read_text("utf-8")] == []
