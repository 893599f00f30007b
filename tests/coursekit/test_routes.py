"""Routes through a course: read from one file, listed, released."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.errors import DefinitionError, UnknownError
from coursekit.routes import load_routes

ROUTES = """
[routes.day]
title = "A day"
goal = "Double anything."

[chapters]
numbers = ["day"]
"""


FILE = Path("exercises/routes.toml")


@pytest.fixture(autouse=True)
def _a_route(numbers: Bank) -> None:
    """Work in the folder of a small course with one route."""
    FILE.write_text(ROUTES)


def test_a_route_knows_its_chapters_and_size(numbers: Bank) -> None:
    routes = load_routes(FILE.parent, numbers)
    assert list(routes) == ["day"]
    day = routes["day"]
    assert (day.title, day.goal, day.chapters) == ("A day", "Double anything.", ("numbers",))
    assert day.size(numbers) == "1 chapter, 2 exercises, 9 points"
    with pytest.raises(UnknownError, match="no route 'dya'; did you mean day"):
        routes["dya"]


def test_a_chapter_may_be_optional(numbers: Bank, run) -> None:
    FILE.write_text('optional = ["numbers"]\n' + ROUTES)
    day = load_routes(FILE.parent, numbers)["day"]
    assert day.optional == ("numbers",)
    listed = run("list").out.splitlines()[-1]
    assert listed.endswith("9 points; about 0.5 hours of exercises; optional: numbers")
    released = run("release", "--route", "day", "-o", "out").out.splitlines()[-1]
    assert released.startswith("A day: 1 chapter (1 optional), ")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("numbers =", "number =", "no chapter with exercises 'number'; did you mean numbers"),
        ('["day"]', '["dya"]', r"\[chapters\] numbers: no route 'dya'; did you mean day"),
        ('["day"]', '"day"', r"\[chapters\] numbers is 'day'; expected a list of routes such as"),
        ('["day"]', "[1]", "expected a list of routes such as"),
        ('goal = "Double anything."', "goal = 3", r"\[routes.day\] goal is 3; expected a text"),
        ('goal = "Dou', 'gaol = "D"\ngoal = "Dou', r"has 'gaol'; expected title, goal"),
        ('["day"]', "[]", r"\[routes.day\] has no chapter; name it in a line of \[chapters\]"),
        ("[chapters]", "[chapter]", r"has 'chapter'; expected \[routes.NAME\], \[chapters\]"),
        ("\n[routes.day]", 'optional = ["numbres"]\n[routes.day]', "no chapter 'numbres'; did you"),
        ("\n[routes.day]", 'optional = "numbers"\n[routes.day]', "expected a list of chapters"),
        ("[chapters]", "[chapters", "routes.toml: Expected"),
    ],
)
def test_a_faulty_file_is_one_line(numbers: Bank, old: str, new: str, problem: str) -> None:
    FILE.write_text(ROUTES.replace(old, new))
    with pytest.raises(DefinitionError, match=problem) as raised:
        load_routes(FILE.parent, numbers)
    assert str(raised.value).startswith(str(FILE))
    assert "\n" not in str(raised.value)


def test_a_route_is_released_chapter_by_chapter(run) -> None:
    lines = run("release", "--route", "day", "-o", "out").out.splitlines()
    assert "route day" not in run("list", "numbers").out
    last = run("list").out.splitlines()[-1]
    assert last == "route day: 1 chapter, 2 exercises, 9 points; about 0.5 hours of exercises"
    assert lines[0] == "out/numbers.ipynb: 2 exercises, 9 points"
    assert lines[-1] == "A day: 1 chapter, 2 exercises, 9 points"
    run("release", "numbers", "-o", "alone")
    assert Path("alone/numbers.ipynb").read_text() == Path("out/numbers.ipynb").read_text()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["numbers", "--route", "day"], "release: expected CHAPTER or --route NAME, and not both"),
        ([], "release: expected CHAPTER or --route NAME, and not both"),
        (["--route", "week"], "no route 'week'; known: day"),
    ],
)
def test_what_to_release_is_said_once(run, arguments: list[str], problem: str) -> None:
    said = run("release", *arguments, "-o", "out", status=2).err
    assert said == f"coursekit: {problem}\n"
