"""What a page says of itself to browsers, search engines and link previews, and the site's lists.

Sphinx and sphinxext-opengraph write titles, descriptions and addresses; here is what they leave.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from bs4 import BeautifulSoup

from coursekit.bank import load_bank
from coursekit.routes import load_routes
from coursekit.times import chapter_time
from tools.site.project import Project

_DESCRIPTIONS = ('name="description"', 'property="og:description"')
#: What is wrong without the site's address.
_ABSOLUTE = 'meta[property="og:url"], link[rel="canonical"]'


@dataclass(frozen=True)
class Site:
    """A site and the names of its book's pages.

    ``address`` ends with a slash and is "" where nobody knows it, ``headline`` is the title of the
    first page, and ``course`` what is said of the course in the vocabulary of schema.org.
    """

    pages: tuple[str, ...]
    address: str
    headline: str
    course: str

    def of(self, page: str) -> Site:
        """Return what one page says: the first one speaks of the course."""
        return self if page == self.pages[0] else replace(self, course="")


def site_of(project: Project, staged: Mapping[str, str]) -> Site:
    """Return what the settings and the first staged page say of a site."""
    title = str(project.config()["title"])
    summary = str(project.package.get("description") or title)
    pages = tuple(f"{chapter.stem}.html" for chapter in project.chapters())
    about = _course(project, title, summary, staged.get(pages[0], ""))
    # A summary that begins with the title need not have it twice.
    headline = summary if summary.startswith(title) else title
    return Site(pages, project.address(), headline, about)


def _course(project: Project, title: str, summary: str, start: str) -> str:
    """Return the course as JSON-LD, without what nobody said."""
    config = project.config()
    head = BeautifulSoup(start.partition("</head>")[0], "html.parser")
    meta = {str(m.get("name")): str(m.get("content")) for m in head.select("meta[name]")}
    # The time of the chapters of routes, without what goes deeper.
    folder = project.root / "exercises"
    bank = load_bank(folder)
    files = [project.book / f"{name}.md" for name in load_routes(folder, bank).chapters]
    texts = [file.read_text(encoding="utf-8") for file in files if file.exists()]
    minutes = sum(chapter_time(text, bank).minutes[0] for text in texts)
    workload = {"courseWorkload": f"PT{minutes}M"} if minutes else {}
    data = {
        "@context": "https://schema.org",
        "@type": "Course",
        "name": title,
        "description": meta.get("description") or summary,
        "url": project.address(),
        "provider": {"@type": "Organization", "name": str(config.get("author") or title)},
        "educationalLevel": project.level,
        "inLanguage": str(project.options().get("language") or "en"),
        "isAccessibleForFree": True,
        "license": project.text_license,
        "offers": {"@type": "Offer", "category": "Free"},
        "hasCourseInstance": {"@type": "CourseInstance", "courseMode": "Online", **workload},
        "teaches": [term for term in re.split(r",\s*", meta.get("keywords", "")) if term],
    }
    said = {name: value for name, value in data.items() if value not in ("", [])}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/")  # would end the script


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
        about = {"type": "application/ld+json"}
        head.append(page.new_tag("script", string=site.course, attrs=about))


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
