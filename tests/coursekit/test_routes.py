"""Routes through a course: read from one file, listed, released."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.cli import main
from coursekit.errors import DefinitionError, UnknownError
from coursekit.routes import load_routes

ROUTES = """
[routes.day]
title = "A day"
goal = "Double anything."

[chapters]
numbers = ["day"]
"""


@pytest.fixture
def exercises(numbers: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a small course with one route."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "exercises"
    (folder / "routes.toml").write_text(ROUTES)
    return folder


def test_a_route_knows_its_chapters_and_size(numbers: Bank, exercises: Path) -> None:
    routes = load_routes(exercises, numbers)
    assert list(routes) == ["day"]
    day = routes["day"]
    assert (day.title, day.goal, day.chapters) == ("A day", "Double anything.", ("numbers",))
    assert day.size(numbers) == "1 chapter, 2 exercises, 9 points"
    with pytest.raises(UnknownError, match="no route 'dya'; did you mean day"):
        routes["dya"]


def test_a_chapter_may_be_optional(numbers: Bank, exercises: Path, capsys) -> None:
    (exercises / "routes.toml").write_text('optional = ["numbers"]\n' + ROUTES)
    day = load_routes(exercises, numbers)["day"]
    assert day.optional == ("numbers",)
    assert main(["list"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("9 points; about 0.5 hours of exercises; optional: numbers")
    assert main(["release", "--route", "day", "-o", "out"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("A day: 1 chapter (1 optional), ")


def test_a_course_may_have_no_routes(numbers: Bank, tmp_path: Path) -> None:
    assert dict(load_routes(tmp_path / "exercises", numbers)) == {}


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
def test_a_faulty_file_is_one_line(
    numbers: Bank, exercises: Path, old: str, new: str, problem: str
) -> None:
    (exercises / "routes.toml").write_text(ROUTES.replace(old, new))
    with pytest.raises(DefinitionError, match=problem) as raised:
        load_routes(exercises, numbers)
    assert str(raised.value).startswith(str(exercises / "routes.toml"))
    assert "\n" not in str(raised.value)


def test_a_route_is_released_chapter_by_chapter(exercises: Path, tmp_path, capsys) -> None:
    assert main(["release", "--route", "day", "-o", "out"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["list", "numbers"]) == 0
    assert "route day" not in capsys.readouterr().out
    assert main(["list"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "route day: 1 chapter, 2 exercises, 9 points; about 0.5 hours of exercises"
    assert lines[0] == "out/numbers.ipynb: 2 exercises, 9 points"
    assert lines[-1] == "A day: 1 chapter, 2 exercises, 9 points"
    by_route = (tmp_path / "out" / "numbers.ipynb").read_text()
    assert main(["release", "numbers", "-o", "alone"]) == 0
    assert (tmp_path / "alone" / "numbers.ipynb").read_text() == by_route


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["numbers", "--route", "day"], "release: expected CHAPTER or --route NAME, and not both"),
        ([], "release: expected CHAPTER or --route NAME, and not both"),
        (["--route", "week"], "no route 'week'; known: day"),
    ],
)
def test_what_to_release_is_said_once(
    exercises: Path, arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["release", *arguments, "-o", "out"]) == 2
    assert capsys.readouterr().err == f"coursekit: {problem}\n"
