"""What search engines and link previews are told of the site is there, and true."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
import yaml
from bs4 import BeautifulSoup

from tools.site.project import Project
from tools.site.theme import foot

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [path.stem for path in Project(ROOT).chapters()]


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


def test_heads_of_the_built_pages_say_it_each_under_its_own_title(site: Path) -> None:
    heads = {chapter: head_of(site, chapter) for chapter in CHAPTERS}
    titles = {str(head.title) for head in heads.values()}
    assert len(titles) == len(CHAPTERS)
    assert {title.count("Attention from the Ground Up") for title in titles} == {1}
    for chapter, head in heads.items():
        for selector in ('meta[name="description"]', 'meta[property="og:description"]'):
            assert content(head, selector) == html_meta(chapter)["description"]


def test_pages_around_the_book_are_not_to_be_found(site: Path) -> None:
    for name in ("404", "search", "genindex"):
        assert content(head_of(site, name), 'meta[name="robots"]') == "noindex"


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
