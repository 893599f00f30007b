"""The course's routes agree with its contents and with its welcome page."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from coursekit.page.path import path_rows
from coursekit.routes import load_routes
from tests.course import BANK

ROOT = Path(__file__).resolve().parents[2]
ROUTES = load_routes(ROOT / "exercises", BANK)
FOR_TEACHERS = "For those who teach"


def contents() -> list[str]:
    """Return the chapters for readers that have exercises, in the order of the book."""
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    files = [c["file"] for p in parts if p["caption"] != FOR_TEACHERS for c in p["chapters"]]
    return [name for name in files if name in BANK.chapters]


def test_the_whole_course_is_the_whole_course() -> None:
    """A new chapter needs its line in exercises/routes.toml."""
    assert list(ROUTES["whole"].chapters) == contents()


def test_what_no_later_chapter_needs_is_optional() -> None:
    assert ROUTES["whole"].optional == ("scores", "soft-and-hard")
    assert not ROUTES["week"].optional


def test_there_are_three_and_each_is_longer_than_the_one_before() -> None:
    assert list(ROUTES) == ["afternoon", "week", "whole"]
    afternoon, week, whole = (set(route.chapters) for route in ROUTES.values())
    assert afternoon < week < whole


def test_the_welcome_page_says_what_each_chapter_answers_and_how_long_all_take() -> None:
    welcome = (ROOT / "book" / "welcome.md").read_text(encoding="utf-8")
    (path,) = re.findall(r"```\{progress\}\n(.*?)```", welcome, re.DOTALL)
    rows = path_rows(path.splitlines())
    assert list(rows) == list(ROUTES["whole"].chapters)
    assert all("?" in row.question for row in rows.values())
    assert welcome.count("{route-time}`whole`") == 1
    assert not re.search(r"\d hours", welcome)


def test_only_exercises_in_pytorch_are_counted_in_the_routes_and_not_in_the_path() -> None:
    """The page with the routes says so."""
    text = " ".join((ROOT / "book" / "using.md").read_text(encoding="utf-8").split())
    assert (
        "only the chapter's notebook can run, because they need PyTorch, are counted here" in text
    )
    chapters = [BANK.chapter(name) for name in ROUTES["whole"].chapters]
    needed = {each.notebook_only for exercises in chapters for each in exercises}
    assert needed == {(), ("torch",)}
