"""What search engines and link previews are told of the site is there, and true."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image

from coursekit.routes import load_routes
from coursekit.times import chapter_time
from tests.course import BANK
from tools.site.build import write_pages
from tools.site.execute import execute
from tools.site.offline import group_of
from tools.site.offline.folder import works_in_folder
from tools.site.project import Project
from tools.site.publish import publish
from tools.site.theme import foot

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [path.stem for path in Project(ROOT).chapters()]
ADDRESS = "https://ada.github.io/course/"


def html_meta(chapter: str) -> dict[str, str]:
    """Return what a chapter's front matter says of it."""
    head = (ROOT / "book" / f"{chapter}.md").read_text(encoding="utf-8").split("\n---\n")[0]
    meta: dict[str, str] = yaml.safe_load(head.removeprefix("---\n"))["myst"]["html_meta"]
    return meta


def head_of(site: Path, name: str) -> BeautifulSoup:
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(page.partition("</head>")[0], "html.parser")


def content(head: BeautifulSoup, selector: str) -> str:
    found = head.select(selector)
    assert len(found) == 1, selector
    return str(found[0].get("content") or found[0].get("href"))


def test_every_page_says_what_it_is_about() -> None:
    said = [html_meta(chapter)["description"] for chapter in CHAPTERS]
    assert all(50 <= len(description) <= 160 for description in said)
    assert len(set(said)) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_head_of_the_built_page(site: Path, chapter: str) -> None:
    head, said = head_of(site, chapter), html_meta(chapter)
    assert str(head.title).count("Attention from the Ground Up") == 1
    for selector in ('meta[name="description"]', 'meta[property="og:description"]'):
        assert content(head, selector) == said["description"]


def test_titles_of_pages_differ(site: Path) -> None:
    assert len({str(head_of(site, name).title) for name in CHAPTERS}) == len(CHAPTERS)


def test_first_page_describes_the_course(site: Path) -> None:
    script = head_of(site, "welcome").select_one('script[type="application/ld+json"]')
    assert script is not None
    data = json.loads(script.get_text())
    # What Google's documentation of the type `Course` requires.
    required = {"name", "description", "provider", "offers", "hasCourseInstance"}
    assert data["@type"] == "Course"
    assert required <= set(data)
    assert "" not in data.values()
    texts = [
        (ROOT / "book" / f"{chapter}.md").read_text(encoding="utf-8")
        for chapter in load_routes(ROOT / "exercises", BANK)["whole"].chapters
    ]
    minutes = sum(chapter_time(text, BANK).minutes[0] for text in texts)
    assert data["hasCourseInstance"]["courseWorkload"] == f"PT{minutes}M"
    assert data["teaches"] == [t.strip() for t in html_meta("welcome")["keywords"].split(",")]


def test_pages_around_the_book_are_not_to_be_found(site: Path) -> None:
    for name in ("404", "search", "genindex"):
        assert content(head_of(site, name), 'meta[name="robots"]') == "noindex"


def made(course: Any, url: str) -> dict[str, BeautifulSoup]:
    """Build a small course whose repository is at ``url``; return its pages' heads."""
    settings = course.root / "_config.yml"
    before = settings.read_text(encoding="utf-8")
    old = next(line for line in before.splitlines() if line.startswith("  url: "))
    settings.write_text(before.replace(old, f'  url: "{url}"'), encoding="utf-8")
    project = Project(course.root)
    execute(project)
    write_pages(project)
    publish(project)
    return {name: head_of(course.html, name) for name in ("first", "second", "search")}


def test_addresses_and_pictures_are_there_once_the_site_has_one_and_go_with_it(course: Any) -> None:
    head = made(course, "https://github.com/Ada/course")["second"]
    assert content(head, 'link[rel="canonical"]') == f"{ADDRESS}second.html"
    assert content(head, 'meta[property="og:url"]') == f"{ADDRESS}second.html"
    assert content(head, 'meta[name="twitter:card"]') == "summary_large_image"
    name = content(head, 'meta[property="og:image"]').removeprefix(ADDRESS)
    with Image.open(course.html / name) as card:
        assert card.format == "PNG"
        assert card.width > 1000
    assert group_of(name) is None  # of no use to somebody who reads offline, or in a folder
    assert not works_in_folder(name)
    sitemap = ET.parse(course.html / "sitemap.xml").getroot()
    namespace = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [each.text for each in sitemap.iter(f"{namespace}loc")]
    assert found == [f"{ADDRESS}first.html", f"{ADDRESS}second.html"]
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (course.html / "robots.txt").read_text()

    for head in made(course, "").values():
        assert head.select('[content*="://"], [href*="://"], [rel="canonical"]') == []
    gone = ("sitemap.xml", "robots.txt")
    assert [name for name in gone if (course.html / name).exists()] == []


def test_foot_leads_to_changes_licences_and_citation(site: Path) -> None:
    # The page for what is not found may be shown anywhere.
    for name, root in (("masking", ""), ("404", urlparse(Project(ROOT).address()).path or "/")):
        page = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
        foot = page.select_one("footer .page-foot")
        assert foot is not None
        version = Project(ROOT).course.version
        assert " ".join(foot.get_text().split()).startswith(
            f"Version {version} · changes Text under CC BY 4.0 · code under MIT · how to cite"
        )
        leads = {link.get_text(): str(link["href"]) for link in foot.select("a")}
        assert leads["changes"] == f"{root}changes.html"
        assert leads["how to cite"] == f"{root}using.html#how-to-cite"
        assert "creativecommons.org" in leads["CC BY 4.0"]
        assert "MIT" in leads["MIT"]
        assert ("report a mistake" in leads) == bool(Project(ROOT).repository())
    using = BeautifulSoup((site / "using.html").read_text("utf-8"), "html.parser")
    assert using.select_one("section#how-to-cite") is not None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('license = "MIT"', ("MIT", "https://spdx.org/licenses/MIT.html")),
        ('license = "MIT OR Apache-2.0"', ("MIT OR Apache-2.0", "")),
        ('license = {file = "LICENSE"}', ""),
        ("", ""),
    ],
)
def test_foot_says_of_the_code_s_licence_what_is_known(course: Any, line: str, said: Any) -> None:
    settings = course.root / "pyproject.toml"
    settings.write_text(settings.read_text().replace("[project]\n", f"[project]\n{line}\n", 1))
    assert foot(course, "")["code"] == said
