"""The foot of a page: the course's version, and the way to what has changed."""

from __future__ import annotations

import tomllib
from pathlib import Path

from bs4 import BeautifulSoup

from tools.site.project import Project
from tools.site.publish.version import add_version, version_line

ROOT = Path(__file__).resolve().parents[2]
FOOT = '<footer class="bd-footer-content"><p class="copyright">© 2026.<br/></p></footer>'


def foot(html: str, line: tuple[str, str], root: str = "") -> str:
    page = BeautifulSoup(html, "html.parser")
    add_version(page, line, root)
    return str(page)


def test_version_and_changes_stand_below_the_copyright() -> None:
    shown = foot(FOOT, ("1.2", "changes.html"), "../")
    assert '© 2026.<br/> Version 1.2 · <a href="../changes.html">changes</a></p>' in shown


def test_a_course_without_a_page_of_changes_has_no_link() -> None:
    assert "© 2026.<br/> Version 1.2</p>" in foot(FOOT, ("1.2", ""))
    assert version_line(Project(ROOT / "tests" / "second_course")) == ("0.2.0", "")


def test_a_page_without_a_foot_stays_as_it_is() -> None:
    assert foot("<p>hello</p>", ("1.2", "changes.html")) == "<p>hello</p>"


def test_every_page_of_the_site_has_it(site: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pages = [f"{chapter.stem}.html" for chapter in Project(ROOT).chapters()]
    for name in [*pages, "404.html"]:
        page = BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")
        place = page.select_one(".bd-footer-content .copyright")
        assert place is not None
        assert f"Version {project['version']} · changes" in place.get_text()
        link = place.select_one("a")
        assert link is not None
        assert (site / str(link["href"]).removeprefix("/")).name == "changes.html"


def test_the_page_of_changes_has_the_newest_entry(site: Path) -> None:
    page = BeautifulSoup((site / "changes.html").read_text(encoding="utf-8"), "html.parser")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = [heading.get_text() for heading in page.select("article h2")]
    assert headings[0].startswith(version)
