"""Write at a page's foot which version of the course it is, and what has changed."""

from __future__ import annotations

from bs4 import BeautifulSoup

from tools.site.project import Project

#: The page that lists what has changed, in a course that has one.
CHANGES = "changes"


def version_line(project: Project) -> tuple[str, str]:
    """Return the course's version, and the name of the page of changes; "" where there is none."""
    has_changes = any(chapter.stem == CHANGES for chapter in project.chapters())
    return project.settings.course.version, f"{CHANGES}.html" if has_changes else ""


def add_version(page: BeautifulSoup, line: tuple[str, str], root: str) -> None:
    """Write the line below the copyright; ``root`` leads from the page to the site's folder."""
    version, changes = line
    place = page.select_one(".bd-footer-content .copyright")
    if place is None:
        return
    place.append(f" Version {version}")
    if changes:
        link = page.new_tag("a", href=root + changes)
        link.string = "changes"
        place.append(" · ")
        place.append(link)
