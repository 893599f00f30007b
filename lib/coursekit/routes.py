"""Read routes through a course: the chapters for somebody with an afternoon, or a week.

A course defines them in ``exercises/routes.toml``, beside the exercises, so that an installed
course has them too::

    optional = ["trends"]   # chapters that no later one needs

    [routes.week]
    title = "A course week"
    goal = "Build a small model."

    [chapters]              # in reading order
    averages = ["week"]     # the routes that it belongs to
    trends = ["week"]

A route consists of whole chapters: a chapter is an assignment, and is graded as one. How long they
take is computed: see :mod:`coursekit.times`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursekit.bank.load import Bank
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
    chapters : tuple of str
        Its chapters in reading order.
    optional : tuple of str
        Those of them that no later one needs.
    """

    name: str
    title: str
    goal: str
    chapters: tuple[str, ...]
    optional: tuple[str, ...] = ()

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


def chapters_of_routes(folder: Path) -> frozenset[str]:
    """Return the chapters that the routes in ``folder`` consist of; none where there are none."""
    file = folder / FILE
    table = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return frozenset(table.get("chapters", {}))


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
    unknown = sorted(set(settings) - {"routes", "chapters", "optional"})
    if unknown:
        raise DefinitionError(
            f"has {unknown[0]!r}; expected [routes.NAME], [chapters] and optional"
        )
    told, chapters = _table(settings, "routes"), _table(settings, "chapters")
    members: dict[str, list[str]] = {name: [] for name in told}
    for chapter, names in chapters.items():
        _check_chapter(chapter, names, members, bank)
        for name in names:
            members[name].append(chapter)
    optional = _optional(settings, chapters)
    return Routes(
        {name: _route(name, about, members[name], optional) for name, about in told.items()}
    )


def _optional(settings: Mapping[str, Any], chapters: Mapping[str, Any]) -> list[str]:
    names = settings.get("optional", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DefinitionError(f"optional is {names!r}; expected a list of chapters")
    if unknown := [name for name in names if name not in chapters]:
        raise DefinitionError(f"optional: {UnknownError('chapter', unknown[0], chapters)}")
    return names


def _table(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = settings.get(name, {})
    if not isinstance(table, dict):
        raise DefinitionError(f"{name} is {table!r}; expected a table [{name}]")
    return table


def _check_chapter(chapter: str, names: Any, members: Mapping[str, Any], bank: Bank) -> None:
    where = f"[chapters] {chapter}"
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DefinitionError(f'{where} is {names!r}; expected a list of routes such as ["week"]')
    if chapter not in bank.chapters:
        raise DefinitionError(str(UnknownError("chapter with exercises", chapter, bank.chapters)))
    for name in names:
        if name not in members:
            raise DefinitionError(f"{where}: {UnknownError('route', name, members)}")


def _route(name: str, about: Any, chapters: list[str], optional: Sequence[str]) -> Route:
    texts = about if isinstance(about, dict) else {}
    for key in _TEXTS:
        if not isinstance(texts.get(key), str) or not texts[key].strip():
            raise DefinitionError(f"[routes.{name}] {key} is {texts.get(key)!r}; expected a text")
    if more := sorted(set(texts) - set(_TEXTS)):
        raise DefinitionError(f"[routes.{name}] has {more[0]!r}; expected {', '.join(_TEXTS)}")
    if not chapters:
        raise DefinitionError(f"[routes.{name}] has no chapter; name it in a line of [chapters]")
    of_route = tuple(chapter for chapter in chapters if chapter in optional)
    return Route(name, texts["title"], texts["goal"], tuple(chapters), of_route)
