"""The page for an address at which there is nothing: it leads on.

It names the nearest page, which a script finds by the address, and has a search field, the way to
the start and the list of the chapters, which need no script.
"""

from __future__ import annotations

from copy import deepcopy
from html import escape

from bs4 import BeautifulSoup, Tag

from tools.site.publish.about import SiteFacts

FILE, SCRIPT = "404.html", "not_found.js"
_STYLE = """\
.not-found-search { display: flex; gap: .5rem; max-width: 28rem; margin-block: 1rem }
.not-found-search :is(input, button), .not-found-search :is(input, button):is(:hover, :focus) {
background: none; border: 1px solid currentColor; color: inherit }
.not-found-list h2 { font-size: 1.1rem; margin-block: 1.5rem .5rem }
#nearest { font-size: 1.15rem }
"""


def fill(page: BeautifulSoup, root: str, site: SiteFacts, script: str) -> None:
    """Write the page's text in place of that of Sphinx's extension.

    Parameters
    ----------
    page : BeautifulSoup
        The page, whose addresses begin with ``root``, the folder of the site.
    root : str
        Such as ``/NAME/``: the page is shown at any address.
    site : SiteFacts
        The site's title and first page.
    script : str
        The address of the script.
    """
    article = page.select_one("article")
    contents = page.select_one("nav.bd-docs-nav .bd-toc-item")
    if article is None:
        return
    article.clear()
    text = BeautifulSoup(_text(root, site, script), "html.parser")
    if contents is not None:
        _list(text, contents)
    article.append(text)


def _text(root: str, site: SiteFacts, script: str) -> str:
    start = f'<a class="not-found-start" href="{root}{site.start}">{escape(site.title)}</a>'
    return f"""\
<style>{_STYLE}</style>
<section id="not-found">
<h1>There is no page at this address</h1>
<p id="nearest" hidden>Did you mean <a></a>?</p>
<p>The page may have moved, or the address may have a typing error. The search finds words and
sections:</p>
<form class="not-found-search" action="{root}search.html" method="get" role="search">
<input class="form-control" type="search" name="q" aria-label="Search" placeholder="Search">
<button class="btn" type="submit">Search</button>
</form>
<p>Or begin at {start}, or choose a chapter:</p>
<div class="not-found-list"></div>
</section>
<script defer src="{script}"></script>
"""


def _list(text: BeautifulSoup, contents: Tag) -> None:
    """Copy the table of contents, without what makes it a sidebar."""
    place = text.select_one(".not-found-list")
    assert place is not None
    for element in contents.find_all(["p", "ul"], recursive=False):
        if "bd-sidenav__home-link" in element.get_attribute_list("class"):
            continue
        own = deepcopy(element)
        if own.name == "p":
            own.name, own.attrs = "h2", {}
        else:
            own.attrs = {}
            for each in own.find_all(True):
                each.attrs = {"href": each["href"]} if each.name == "a" else {}
        place.append(own)
