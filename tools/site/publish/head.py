"""What a page says of itself to browsers, search engines and link previews, and the site's lists.

Sphinx and sphinxext-opengraph write titles, descriptions and addresses; here is what they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from bs4 import BeautifulSoup

from tools.site.project import Project

_DESCRIPTIONS = ('name="description"', 'property="og:description"')
#: What is wrong without the site's address.
_ABSOLUTE = 'meta[property="og:url"], link[rel="canonical"]'


@dataclass(frozen=True)
class Site:
    """A site and the names of its book's pages.

    ``address`` ends with a slash and is "" where nobody knows it, ``headline`` is the title of the
    first page.
    """

    pages: tuple[str, ...]
    address: str
    headline: str


def site_of(project: Project) -> Site:
    """Return what the settings say of a site."""
    title = str(project.config()["title"])
    summary = str(project.package.get("description") or title)
    pages = tuple(f"{chapter.stem}.html" for chapter in project.chapters())
    # A summary that begins with the title need not have it twice.
    return Site(pages, project.address(), summary if summary.startswith(title) else title)


def describe(page: BeautifulSoup, file: str, site: Site) -> None:
    """Complete the head of a page, in place."""
    head = page.head
    assert head is not None
    if not site.address:
        for told in head.select(_ABSOLUTE):
            told.decompose()
    # The extension has read the first paragraph; the author's own description says more.
    own, first = (head.select_one(f"meta[{name}]") for name in _DESCRIPTIONS)
    if own is not None and first is not None:
        first["content"] = own["content"]
    if file == site.pages[0] and head.title is not None:
        head.title.string = site.headline


def write_lists(project: Project, site: Site) -> None:
    """Write what search engines ask for into the site, or remove it where it has no address."""
    lists = {"sitemap.xml": "", "robots.txt": ""}
    if site.address:
        places = "".join(
            f"<url><loc>{escape(site.address + page)}</loc></url>\n" for page in site.pages
        )
        lists["sitemap.xml"] = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n'
        )
        lists["robots.txt"] = f"User-agent: *\nAllow: /\n\nSitemap: {site.address}sitemap.xml\n"
    for name, text in lists.items():
        (project.html / name).unlink(missing_ok=True)
        if text:
            (project.html / name).write_text(text, encoding="utf-8")
