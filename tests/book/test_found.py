"""What search engines, link previews and programs are told of the site is there, and true."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image

from coursekit.routes import load_routes
from coursekit.times import chapter_time
from tests.course import BANK
from tools.site.offline import group_of
from tools.site.offline.folder import works_in_folder
from tools.site.project import Project
from tools.site.publish.about import SiteFacts, facts
from tools.site.publish.cards import write_cards
from tools.site.publish.head import describe
from tools.site.publish.listed import last_changes, write_lists

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [path.stem for path in Project(ROOT).chapters()]
MINUTES = {
    chapter: chapter_time((ROOT / "book" / f"{chapter}.md").read_text("utf-8"), BANK).minutes[0]
    for chapter in load_routes(ROOT / "exercises", BANK)["whole"].chapters
}
ADDRESS = "https://ada.github.io/course/"
#: What schema.org lets each type have, of what we say: a name with a typing error says nothing.
_RESOURCE = {
    *("name", "description", "url", "teaches", "timeRequired", "educationalLevel", "inLanguage"),
    *("isAccessibleForFree", "license", "learningResourceType", "isPartOf", "hasPart", "provider"),
}
VOCABULARY = {
    "LearningResource": _RESOURCE,
    "Course": _RESOURCE | {"offers", "hasCourseInstance"},
    "CourseInstance": {"courseMode", "courseWorkload"},
    "Offer": {"category"},
    "Organization": {"name", "url"},
}
#: What Google's documentation of the type `Course` requires.
REQUIRED = {
    "Course": {"name", "description", "provider", "offers", "hasCourseInstance"},
    "CourseInstance": {"courseMode", "courseWorkload"},
    "Organization": {"name"},
    "Offer": {"category"},
    "LearningResource": {"name", "timeRequired"},
}


def html_meta(chapter: str) -> dict[str, str]:
    """Return what a chapter's front matter says of it."""
    head = (ROOT / "book" / f"{chapter}.md").read_text(encoding="utf-8").split("\n---\n")[0]
    meta: dict[str, str] = yaml.safe_load(head.removeprefix("---\n"))["myst"]["html_meta"]
    return meta


def in_head(page: str) -> BeautifulSoup:
    return BeautifulSoup(page.partition("</head>")[0], "html.parser")


def content(head: BeautifulSoup, selector: str) -> str:
    found = head.select(selector)
    assert len(found) == 1, selector
    return str(found[0].get("content") or found[0].get("href"))


def structured(page: str) -> dict[str, Any] | None:
    script = in_head(page).select_one('script[type="application/ld+json"]')
    return None if script is None else dict(json.loads(script.get_text()))


def check_types(value: Any) -> None:
    """Every object has a type, what its type requires, and nothing that its type has not."""
    if isinstance(value, list):
        for each in value:
            check_types(each)
    elif isinstance(value, dict):
        keys = {key for key in value if not key.startswith("@")}
        assert keys <= VOCABULARY[value["@type"]]
        if set(value) != {"@type", "name", "url"} and set(value) != {"@type", "name"}:
            assert keys >= REQUIRED[value["@type"]]
        for key in keys:
            assert value[key] not in ("", [], {})
            check_types(value[key])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_page_says_what_it_is_about(chapter: str) -> None:
    said = html_meta(chapter)
    assert 50 <= len(said["description"]) <= 160
    assert bool(said.get("keywords")) == (chapter in MINUTES or chapter == "welcome")


def test_no_two_pages_say_the_same() -> None:
    assert len({html_meta(chapter)["description"] for chapter in CHAPTERS}) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_head_of_the_built_page(site: Path, chapter: str) -> None:
    page = (site / f"{chapter}.html").read_text(encoding="utf-8")
    head, said = in_head(page), html_meta(chapter)
    title = str(head.title.get_text() if head.title else "")
    assert title.count("Attention from the Ground Up") == 1
    for selector in ('meta[name="description"]', 'meta[property="og:description"]'):
        assert content(head, selector) == said["description"]
    assert head.select('meta[name="keywords"], meta[name^="docsearch"]') == []
    data = structured(page)
    assert (data is None) == (chapter not in MINUTES and chapter != "welcome")
    if data and chapter != "welcome":
        check_types(data)
        assert data["timeRequired"] == f"PT{MINUTES[chapter]}M"
        assert data["description"] == said["description"]
        without = re.sub(r'<script type="application/ld.*?</script>', "", page)
        cost = len(gzip.compress(page.encode())) - len(gzip.compress(without.encode()))
        assert 0 < cost <= 300, "bytes of structured data, packed"


def test_titles_of_pages_differ(site: Path) -> None:
    pages = [(site / f"{name}.html").read_text(encoding="utf-8") for name in CHAPTERS]
    titles = {str(in_head(page).title) for page in pages}
    assert len(titles) == len(CHAPTERS)


def test_first_page_describes_the_course(site: Path) -> None:
    data = structured((site / "welcome.html").read_text(encoding="utf-8"))
    assert data is not None
    check_types(data)
    assert data["@type"] == "Course"
    assert len(data["hasPart"]) == len(MINUTES)
    assert data["timeRequired"] == f"PT{sum(MINUTES.values())}M"


def test_pages_around_the_book_are_not_to_be_found(site: Path) -> None:
    for name in ("404", "search", "genindex"):
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        assert content(in_head(page), 'meta[name="robots"]') == "noindex"


def test_programs_get_a_list_of_links(site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    assert re.match(r"# Attention from the Ground Up\n\n> Attention .+\n\n- \[", text)
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S", text, re.MULTILINE)
    assert [Path(link).stem for link in links] == [*CHAPTERS, "llms-full"]
    assert all((site / Path(link).name).is_file() for link in links)
    assert text.count("\n## ") == 7


def test_programs_get_the_text_without_checks_and_answers(site: Path) -> None:
    text = (site / "llms-full.txt").read_text(encoding="utf-8")
    titles = re.findall(r"(?m)^# (.+)$", re.sub(r"(?s)```.*?```", "", text))
    assert len(titles) == len(list((site / "notebooks").glob("*.ipynb")))
    assert "attn.scaled_dot_product_attention(" in text
    for word in ("MissingModules", "correct=True", "data:image", "coursekit.running"):
        assert word not in text


def staged(title: str, head: str, text: str) -> str:
    """Return a page as Sphinx writes it, as far as it matters here."""
    head += f'<meta property="og:title" content="{title}"/><meta property="og:url" content="x"/>'
    head += f'<link rel="canonical" href="x"/><title>{title} — Course</title>'
    return f"<html><head>{head}</head><body><article><h1>{title}</h1>{text}</article></body></html>"


WORDS = " ".join(f"word{number}" for number in range(40))
STAGED = {
    "first.html": staged("First", "", f"<p>Here \\(x\\) is <b>bold</b>: {WORDS}.</p>"),
    "second.html": staged(
        "Second &lt;one&gt;",
        '<meta name="description" content="A second page"/>'
        '<meta name="keywords" content="a b, c"/>',
        "<p>Text.</p>",
    ),
    "search.html": staged("Search", "", ""),
}


def told(course: Any, *, published: bool) -> tuple[SiteFacts, dict[str, BeautifulSoup]]:
    """Write cards and lists of a small course, published or not; return its pages' heads."""
    settings, url = course.root / "_config.yml", "https://github.com/Ada/course"
    plain = settings.read_text().replace(f"url: {url}", 'url: ""')
    settings.write_text(plain.replace('url: ""', f"url: {url}") if published else plain)
    course.html.mkdir(parents=True, exist_ok=True)
    site = write_cards(course, facts(course, STAGED))
    write_lists(course, site)
    heads = {}
    for name, page in STAGED.items():
        heads[name] = BeautifulSoup(page, "html.parser")
        describe(heads[name], name, site.for_page(name))
    return site, heads


def test_addresses_are_there_once_the_site_has_one_and_go_with_it(course: Any) -> None:
    _, heads = told(course, published=True)
    head = heads["second.html"]
    assert content(head, 'link[rel="canonical"]') == f"{ADDRESS}second.html"
    assert content(head, 'meta[property="og:url"]') == f"{ADDRESS}second.html"
    assert content(head, 'meta[name="twitter:card"]') == "summary_large_image"
    image = content(head, 'meta[property="og:image"]')
    file = course.html / image.removeprefix(ADDRESS).partition("?")[0]
    with Image.open(file) as card:
        assert card.format == "PNG"
        assert card.size == (1200, 630)
    assert file.stat().st_size < 60_000
    name = file.relative_to(course.html).as_posix()
    assert group_of(name) is None  # of no use to somebody who reads offline, or in a folder
    assert not works_in_folder(name)
    sitemap = ET.parse(course.html / "sitemap.xml").getroot()
    names = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [each.text for each in sitemap.iter(f"{names}loc")]
    assert found == [f"{ADDRESS}first.html", f"{ADDRESS}second.html"]
    assert [*sitemap.iter(f"{names}lastmod")] == []  # it is in no repository
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (course.html / "robots.txt").read_text()
    assert f"]({ADDRESS}second.html): A second page\n" in (course.html / "llms.txt").read_text()

    _, heads = told(course, published=False)
    assert content(heads["second.html"], 'meta[name="description"]') == "A second page"
    for head in heads.values():
        assert head.select('[content*="://"], [href*="://"], [rel="canonical"]') == []
        assert head.select('[property="og:url"]') == [] or head is heads["search.html"]
    gone = ("sitemap.xml", "robots.txt", "_static/cards")
    assert [name for name in gone if (course.html / name).exists()] == []
    assert "](second.html): A second page\n" in (course.html / "llms.txt").read_text()


def test_page_says_what_its_author_wrote_or_its_first_words(course: Any) -> None:
    site, heads = told(course, published=False)
    first, second = site.pages
    assert re.fullmatch(r"Here x is bold: word0 word1 .{80,}word\d\d …", first.description)
    assert (second.title, second.description) == ("Second <one>", "A second page")
    assert second.terms == ("a b", "c")
    assert content(heads["search.html"], 'meta[name="robots"]') == "noindex"
    assert heads["second.html"].select('meta[name="keywords"]') == []
    assert content(heads["second.html"], 'meta[property="og:site_name"]') == site.title


def test_picture_of_a_page_is_drawn_once_and_again_when_its_words_change(course: Any) -> None:
    made = course.cache / "cards"

    def cards() -> dict[str, int]:
        site, _ = told(course, published=True)
        assert len({page.card for page in site.pages}) == 2
        return {path.name: path.stat().st_mtime_ns for path in made.iterdir()}

    before = cards()
    assert cards() == before
    settings = course.root / "pyproject.toml"
    settings.write_text(f'{settings.read_text()}card-colours = ["#ff0000"]\n')
    told(type(course)(course.root), published=True)  # settings are read once
    assert len(list(made.iterdir())) == 4
    with Image.open(course.html / "_static" / "cards" / "first.png") as card:
        assert card.convert("RGB").getpixel((2, 300)) == (255, 0, 0)


def test_page_depends_on_no_other_page_s_description(course: Any) -> None:
    site = facts(course, STAGED)
    other = replace(site.pages[1], description="Another one")
    changed = replace(site, pages=(site.pages[0], other))
    assert changed.for_page("first.html") == site.for_page("first.html")
    assert changed.for_page("second.html") != site.for_page("second.html")


def test_last_change_of_a_page_is_that_of_its_last_commit(tmp_path: Path) -> None:
    book = tmp_path / "whole" / "book"
    book.mkdir(parents=True)

    def git(*command: str, day: str = "2026-01-01") -> None:
        date = f"{day}T12:00:00Z"
        who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A"}
        env = {**os.environ, **who, "GIT_COMMITTER_EMAIL": "a@b"}
        env |= {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date}
        subprocess.run(["git", *command], cwd=tmp_path / "whole", env=env, check=True)

    assert last_changes(book) == {}  # no repository
    git("init", "-q")
    for day, names in (("2026-01-02", ("a", "b")), ("2026-03-04", ("b",))):
        for name in names:
            (book / f"{name}.md").write_text(day)
        git("add", ".")
        git("commit", "-q", "-m", day, day=day)
    assert last_changes(book) == {"a": "2026-01-02", "b": "2026-03-04"}
    shallow = tmp_path / "shallow"
    source = (tmp_path / "whole").as_uri()
    git("clone", "-q", "--depth", "1", source, str(shallow))
    assert last_changes(shallow / "book") == {}


def test_chapters_stand_in_the_parts_of_the_contents(project: Project, tmp_path: Path) -> None:
    parts = project.parts()
    assert {*parts} < {chapter.stem for chapter in project.chapters()}
    assert parts[project.chapters()[1].stem] == "The mechanism"
    assert project.chapters()[0].stem not in parts
    (tmp_path / "_toc.yml").write_text("root: a\nchapters:\n  - file: b\n", encoding="utf-8")
    assert Project(tmp_path).parts() == {}
