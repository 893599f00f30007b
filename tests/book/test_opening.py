"""The opening of a chapter: the promise, then one line of what it takes."""

from __future__ import annotations

from bs4 import BeautifulSoup

from tools.site.publish.opening import open_chapter

PAGE = """<article><p class="kicker">Chapter 1</p><div class="notebook-menu">Notebook</div><section>
<h1>One</h1><div class="ck-time">About 5 minutes.</div><div class="ck-progress">2 exercises</div>
<p><em>After this chapter you can count.</em></p><p>Text with <em>stress</em>.</p>
<p><em>You need numbers.</em></p><section><p><em>Not this.</em></p></section></section></article>"""


def test_promise_and_what_it_takes_stand_below_the_title() -> None:
    page = BeautifulSoup(PAGE, "html.parser")
    open_chapter(page)
    kicker, title, promise, line, text = page.select("article > section > *")[:5]
    assert (kicker["class"], title.name) == (["kicker"], "h1")
    assert promise["class"] == "promise"
    assert promise.get_text() == "After this chapter you can count."
    assert promise.em is None
    assert line.get_text("|") == "About 5 minutes.|You need numbers.|Notebook|2 exercises"
    assert text.em is not None
    assert page.select_one("section section em") is not None
