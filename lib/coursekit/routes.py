"""Routes through a course: which chapters somebody takes who has an afternoon, or a week.

A course defines them in ``exercises/routes.toml``, beside the exercises, so that an installed
course has them too::

    [routes.week]
    title = "A course week"
    goal = "Build a small model."

    [chapters]              # in reading order
    averages = { minutes = 45, routes = ["week"] }
    trends = { minutes = 60, routes = ["week"], optional = true }

A route consists of whole chapters: a chapter is an assignment, and is graded as one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursekit.bank import Bank
from coursekit.command import counted
from coursekit.errors import DefinitionError, UnknownError

FILE = "routes.toml"
_TEXTS = ("title", "goal")


@dataclass(frozen=True)
class Route:
    """A way through the course.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title, goal : str
        What readers are told: its name, and what one can do afterwards.
    chapters : mapping of str to int
        Its chapters in reading order, with the minutes that each takes.
    optional : tuple of str
        Those of its chapters that no later one needs.
    """

    name: str
    title: str
    goal: str
    chapters: Mapping[str, int]
    optional: tuple[str, ...] = ()

    @property
    def time(self) -> str:
        """How long it takes, to half an hour."""
        hours = round(sum(self.chapters.values()) / 30) / 2
        return f"about {counted(hours, 'hour')}"

    def size(self, bank: Bank) -> str:
        """Return how many chapters, exercises and points it has, and what is optional."""
        exercises = [exercise for name in self.chapters for exercise in bank.chapter(name)]
        points = sum(exercise.points for exercise in exercises)
        chapters = counted(len(self.chapters), "chapter")
        return ", ".join(
            (
                f"{chapters} ({len(self.optional)} optional)" if self.optional else chapters,
                counted(len(exercises), "exercise"),
                counted(points, "point"),
            )
        )


class Routes(Mapping[str, Route]):
    """A course's routes by name, in the order of their file; empty where it defines none."""

    def __init__(self, routes: Mapping[str, Route]) -> None:
        self._routes = dict(routes)

    def __getitem__(self, name: str) -> Route:
        """Return one route, or raise `UnknownError`, which names those there are."""
        try:
            return self._routes[name]
        except KeyError:
            raise UnknownError("route", name, self._routes) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._routes)

    def __len__(self) -> int:
        return len(self._routes)

    @property
    def chapters(self) -> tuple[str, ...]:
        """The chapters of all routes, in reading order."""
        longest = sorted(self.values(), key=lambda route: -len(route.chapters))
        return tuple(dict.fromkeys(name for route in longest for name in route.chapters))


def load_routes(folder: Path, bank: Bank) -> Routes:
    """Read the routes of the course whose exercises are in ``folder``.

    Raises
    ------
    DefinitionError
        The file is not as expected, or names a chapter that has no exercises.
    """
    file = folder / FILE
    if not file.is_file():
        return Routes({})
    try:
        return _routes(tomllib.loads(file.read_text(encoding="utf-8")), bank)
    except DefinitionError as error:
        raise DefinitionError(f"{file}: {error}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise DefinitionError(f"{file}: {' '.join(str(error).split())}") from None


def _routes(settings: Mapping[str, Any], bank: Bank) -> Routes:
    unknown = sorted(set(settings) - {"routes", "chapters"})
    if unknown:
        raise DefinitionError(f"has [{unknown[0]}]; expected [routes.NAME] and [chapters]")
    told, chapters = _table(settings, "routes"), _table(settings, "chapters")
    members: dict[str, dict[str, int]] = {name: {} for name in told}
    for chapter, about in chapters.items():
        _check_chapter(chapter, about, members, bank)
        for name in about["routes"]:
            members[name][chapter] = about["minutes"]
    optional = [chapter for chapter, about in chapters.items() if about.get("optional")]
    return Routes(
        {name: _route(name, about, members[name], optional) for name, about in told.items()}
    )


def _table(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = settings.get(name, {})
    if not isinstance(table, dict):
        raise DefinitionError(f"{name} is {table!r}; expected a table [{name}]")
    return table


def _check_chapter(chapter: str, about: Any, members: Mapping[str, Any], bank: Bank) -> None:
    where = f"[chapters] {chapter}"
    if not _is_line(about):
        raise DefinitionError(
            f'{where} is {about!r}; expected a line such as {{ minutes = 45, routes = ["week"] }}'
        )
    if chapter not in bank.chapters:
        raise DefinitionError(str(UnknownError("chapter with exercises", chapter, bank.chapters)))
    for name in about["routes"]:
        if name not in members:
            raise DefinitionError(f"{where}: {UnknownError('route', name, members)}")


def _is_line(about: Any) -> bool:
    if not isinstance(about, dict) or set(about) - {"optional"} != {"minutes", "routes"}:
        return False
    minutes, names = about["minutes"], about["routes"]
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    is_flag = isinstance(about.get("optional", False), bool)
    return type(minutes) is int and minutes > 0 and is_list and is_flag


def _route(name: str, about: Any, chapters: Mapping[str, int], optional: Sequence[str]) -> Route:
    texts = about if isinstance(about, dict) else {}
    for key in _TEXTS:
        if not isinstance(texts.get(key), str) or not texts[key].strip():
            raise DefinitionError(f"[routes.{name}] {key} is {texts.get(key)!r}; expected a text")
    if more := sorted(set(texts) - set(_TEXTS)):
        raise DefinitionError(f"[routes.{name}] has {more[0]!r}; expected {', '.join(_TEXTS)}")
    if not chapters:
        raise DefinitionError(f"[routes.{name}] has no chapter; name it in a line of [chapters]")
    of_route = tuple(chapter for chapter in optional if chapter in chapters)
    return Route(name, texts["title"], texts["goal"], chapters, of_route)
