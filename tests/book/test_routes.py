"""The course's routes and its path agree with its contents, its chapters and its welcome page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from coursekit.errors import DefinitionError
from coursekit.page.path import path_rows
from coursekit.routes import load_routes
from tests.course import BANK

ROOT = Path(__file__).resolve().parents[2]
ROUTES = load_routes(ROOT / "exercises", BANK)
FOR_TEACHERS = "For those who teach"
WELCOME = (ROOT / "book" / "welcome.md").read_text(encoding="utf-8")
PATH = path_rows(re.findall(r"(?ms)^```\{progress\}\n(.*?)^```$", WELCOME)[0].splitlines())
#: The sentence that says what a chapter needs, up to its full stop.
NEED = re.compile(r"(?s)\bYou\s+need\s(.*?\.)(?=\s|\*)")
LINK = re.compile(r"\]\(([\w-]+)\.md")


def contents() -> list[str]:
    """Return the chapters for readers that have exercises, in the order of the book."""
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    files = [c["file"] for p in parts if p["caption"] != FOR_TEACHERS for c in p["chapters"]]
    return [name for name in files if name in BANK.chapters]


def test_the_whole_course_is_the_whole_course() -> None:
    """A new chapter needs its line in exercises/routes.toml."""
    assert list(ROUTES["whole"].chapters) == contents()


def test_there_are_three_and_each_is_longer_than_the_one_before() -> None:
    assert list(ROUTES) == ["afternoon", "week", "whole"]
    assert [name for name, route in ROUTES.items() if route.optional] == ["whole"]
    afternoon, week, whole = (set(route.chapters) for route in ROUTES.values())
    assert afternoon < week < whole


def test_the_welcome_page_says_what_each_chapter_answers_and_how_long_all_take() -> None:
    assert list(PATH) == list(ROUTES["whole"].chapters)
    assert all("?" in row.question for row in PATH.values())
    assert WELCOME.count("{route-time}`whole`") == 1
    assert not re.search(r"\d hours", WELCOME)


def test_only_exercises_in_pytorch_are_counted_in_the_routes_and_not_in_the_path() -> None:
    """The page with the routes says so."""
    chapters = [BANK.chapter(name) for name in ROUTES["whole"].chapters]
    assert {each.notebook_only for exercises in chapters for each in exercises} == {(), ("torch",)}


def needs(chapter: str) -> set[str]:
    """Return the chapters that a chapter's sentence links."""
    found = NEED.search((ROOT / "book" / f"{chapter}.md").read_text(encoding="utf-8"))
    return set(LINK.findall(found[1])) if found else set()


def test_chapters_build_on_what_they_say() -> None:
    assert {chapter: set(row.needs) for chapter, row in PATH.items()} == {
        chapter: needs(chapter) for chapter in PATH
    }


def test_a_chapter_cannot_build_on_a_later_one() -> None:
    with pytest.raises(DefinitionError, match="one builds on 'two', which is not before it"):
        path_rows(["one (two): Why?", "two: How?"])
