"""Write the page for an address at which there is nothing: it leads on.

It names the nearest page, which a script finds by the address, and has a search field, the way to
the start and the list of all pages, which need no script.
"""

from __future__ import annotations

from html import escape
from itertools import groupby

from bs4 import BeautifulSoup

from tools.site.publish.about import SiteFacts

FILE, SCRIPT = "404.html", "not_found.js"
_STYLE = """\
.not-found-search { display: flex; gap: .5rem; max-width: 28rem; margin-block: 1rem }
.not-found-search :is(input, button) { background: none; border: 1px solid; padding: .4rem .8rem }
.not-found-search input { flex: 1; min-width: 0 }
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
        The site's title, first page and pages.
    script : str
        The address of the script.
    """
    article = page.select_one("article")
    if article is None:
        return
    article.clear()
    text = BeautifulSoup(_text(root, site, script), "html.parser")
    _list(text, root, site)
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
<input type="search" name="q" aria-label="Search" placeholder="Search">
<button type="submit">Search</button>
</form>
<p>Or begin at {start}, or choose a page:</p>
<div class="not-found-list"></div>
</section>
<script defer src="{script}"></script>
"""


def _list(text: BeautifulSoup, root: str, site: SiteFacts) -> None:
    """Link all pages, those of a part of the book on one line."""
    place = text.select_one(".not-found-list")
    assert place is not None
    for part, pages in groupby(site.pages, key=lambda page: page.part):
        line = text.new_tag("p")
        if part:
            line.append(text.new_tag("b", string=part))
        for page in pages:
            line.append(" · " if line.contents else "")
            line.append(text.new_tag("a", attrs={"href": root + page.file}, string=page.title))
        place.append(line)
