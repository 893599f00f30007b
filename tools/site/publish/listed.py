"""List the site's pages for programs: ``sitemap.xml``, ``robots.txt`` and ``llms.txt``.

The first two name absolute addresses, so they are there only where the site's address is known.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from tools.site import full_text
from tools.site.project import Project
from tools.site.publish.about import PageFacts, SiteFacts

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_lists(project: Project, site: SiteFacts) -> None:
    """Write the lists into the site, and remove those that it can no longer have."""
    has_notebooks = any(map(project.is_notebook, project.chapters()))
    lists = {"llms.txt": llms(site, has_notebooks), "sitemap.xml": "", "robots.txt": ""}
    if site.address:
        lists["sitemap.xml"] = sitemap(site, last_changes(project.book))
        lists["robots.txt"] = f"User-agent: *\nAllow: /\n\nSitemap: {site.address}sitemap.xml\n"
    for name, text in lists.items():
        if text:
            (project.html / name).write_text(text, encoding="utf-8")
        else:
            (project.html / name).unlink(missing_ok=True)


def sitemap(site: SiteFacts, changed: Mapping[str, str]) -> str:
    """Return the sitemap; ``changed`` has the day of a page's last change, where it is known."""
    entries = []
    for page in site.pages:
        day = changed.get(Path(page.file).stem, "")
        last = f"<lastmod>{day}</lastmod>" if day else ""
        entries.append(f"<url><loc>{escape(site.url(page))}</loc>{last}</url>\n")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<urlset xmlns="{_NAMESPACE}">\n{"".join(entries)}</urlset>\n'


def last_changes(book: Path) -> dict[str, str]:
    """Return the day on which each chapter was last committed; empty where git does not know.

    A shallow clone would name the day of its only commit for all of them.
    """
    if _git(book, "rev-parse", "--is-shallow-repository").strip() != "false":
        return {}
    days: dict[str, str] = {}
    day = ""
    for line in _git(book, "log", "--format=>%cs", "--name-only", "--", ".").splitlines():
        if line.startswith(">"):
            day = line[1:]
        elif line.endswith(".md"):
            days.setdefault(Path(line).stem, day)
    return days


def _git(folder: Path, *command: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *command], capture_output=True, text=True, check=False
        )
    except OSError:  # there is no git
        return ""
    return done.stdout if done.returncode == 0 else ""


def llms(site: SiteFacts, has_notebooks: bool) -> str:
    """Return the book as a list of links with descriptions, as llmstxt.org proposes it."""
    start = site.page(site.start)
    text = f"# {site.title}\n\n> {site.summary}\n"
    if start is not None:
        text += f"\n{_links(site, [start])}"
    others = [page for page in site.pages if page.file != site.start]
    for part, pages in groupby(others, key=lambda page: page.part):
        text += f"\n## {part or 'Chapters'}\n\n{_links(site, pages)}"
    if has_notebooks:
        link = f"{site.address}{full_text.FILE}"
        text += f"\n## Optional\n\n- [All chapters in one file]({link}): text and code\n"
    return text


def _links(site: SiteFacts, pages: Iterable[PageFacts]) -> str:
    lines = []
    for page in pages:
        title = page.title.replace("[", "(").replace("]", ")")
        about = f": {page.description}" if page.description else ""
        lines.append(f"- [{title}]({site.url(page)}){about}\n")
    return "".join(lines)
