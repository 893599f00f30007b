"""The course at hand: the names that coursekit takes from a course's own metadata.

A course names itself in its ``pyproject.toml``, by entry points of the group ``coursekit``::

    [project.entry-points.coursekit]
    exercises = "mylib"                # the package whose folder exercises/ travels in the wheel
    explorables = "mylib.explorables"  # the module of the interactive figures, if there are any
    quoted = "mylib.quoted"            # the module of the numbers that chapters quote, if any do

In a checkout they are read from that file, elsewhere from the installed distribution. Without a
course coursekit works all the same, on the folders that ``--exercises`` names.
"""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.errors import DefinitionError, carrier

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "coursekit"
#: The entry points: modules of the course.
MODULES = ("exercises", "explorables", "quoted")
SETTINGS = "pyproject.toml"


@dataclass(frozen=True)
class Course:
    """One course's names; all are empty where there is no course.

    Attributes
    ----------
    distribution, version : str
        What pip calls the course, and which version of it this is.
    extras : tuple of str
        The distribution's optional extras.
    exercises : str
        The package in whose folder ``exercises/`` an installed course carries its exercises.
    explorables : str
        The module of the classes that an exercise's ``explorable`` names.
    quoted : str
        The module of the numbers that chapters quote.
    root : Path or None
        The checkout; None where the course is installed.
    """

    distribution: str = ""
    version: str = ""
    extras: tuple[str, ...] = ()
    exercises: str = ""
    explorables: str = ""
    quoted: str = ""
    root: Path | None = None

    @property
    def folder(self) -> Path | None:
        """The folder ``exercises/``; None where the course has none."""
        if self.root:
            folders = [self.root / "exercises"]
        else:
            spec = importlib.util.find_spec(self.exercises) if self.exercises else None
            places = spec.submodule_search_locations or () if spec else ()
            folders = [Path(place) / "exercises" for place in places]
        return next((folder for folder in folders if folder.is_dir()), None)

    @property
    def label(self) -> str:
        """Name and version, in the form that rows of results have; "" without a course."""
        return f"{self.distribution} {self.version}".strip()

    @property
    def wheel(self) -> str:
        """The file name of this version's wheel."""
        return wheel_name(self.distribution, self.version)


def wheel_name(distribution: str, version: str) -> str:
    """Return the file name of a distribution's wheel of pure Python."""
    return f"{distribution.replace('-', '_')}-{version}-py3-none-any.whl"


def course_of(path: Path | str) -> Course:
    """Return the course that a file or folder belongs to, or else the installed one."""
    return owner_of(path) or installed_course()


def owner_of(path: Path | str) -> Course | None:
    """Return the course that a file or folder belongs to; None where it belongs to none."""
    here = Path(path).resolve()
    for folder in (here, *here.parents):
        if course := checkout(folder):
            return course
    for course in installed_courses():
        if course.folder and here.is_relative_to(course.folder.resolve()):
            return course
    return None


def installed_course() -> Course:
    """Return the installed course.

    A course that brings coursekit with it gives way to one that only uses it.

    Raises
    ------
    DefinitionError
        If there is more than one to choose from.
    """
    courses = installed_courses()
    candidates = [c for c in courses if c.distribution != carrier()] or list(courses)
    if len(candidates) > 1:
        names = ", ".join(sorted(course.distribution for course in candidates))
        raise DefinitionError(
            f"several courses are installed ({names}) and the current folder belongs to none; "
            "change to a course's folder"
        )
    return candidates[0] if candidates else Course()


def extra_with(library: str, distribution: str) -> str:
    """Return the extra that brings a library, and least besides; "" if none does.

    ``distribution`` is what pip calls what is installed.
    """
    from importlib.metadata import PackageNotFoundError, requires  # slow to import, seldom needed

    try:
        needs = requires(distribution) if distribution else None
    except PackageNotFoundError:  # a checkout that nobody installed
        needs = None
    brought: dict[str, list[str]] = {}
    for need in needs or ():
        if found := re.match(r"""([\w.-]+).*\bextra == ['"]([\w-]+)['"]""", need):
            brought.setdefault(found[2], []).append(found[1].lower())
    extras = [extra for extra, libraries in brought.items() if library.lower() in libraries]
    return min(extras, key=lambda extra: len(brought[extra]), default="")


@cache
def installed_courses() -> tuple[Course, ...]:
    """Return the courses of the environment, and the one of coursekit's own checkout."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found: dict[str, Course] = {}
    for entry in entry_points(group=GROUP):
        if entry.dist is not None and entry.dist.name not in found:
            found[entry.dist.name] = _editable(entry.dist) or _installed(entry.dist)
    own = checkout(Path(__file__).resolve().parents[2])
    if own:
        found.setdefault(own.distribution, own)
    return tuple(found.values())


def _editable(distribution: Distribution) -> Course | None:
    """Return the course in the checkout that pip installed editable, if it did."""
    from urllib.parse import urlparse
    from urllib.request import url2pathname  # slow to import

    origin = json.loads(distribution.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return checkout(Path(url2pathname(urlparse(origin["url"]).path)))


def _installed(distribution: Distribution) -> Course:
    entries = {e.name: e.value for e in distribution.entry_points if e.group == GROUP}
    extras = distribution.metadata.get_all("Provides-Extra") or ()
    return _course(distribution.name, distribution.version, extras, entries)


def checkout(root: Path) -> Course | None:
    """Return the course whose sources lie in ``root``; None where no course is declared there.

    Raises
    ------
    DefinitionError
        If ``pyproject.toml`` cannot be read or its names are not as expected.
    """
    file = root / SETTINGS
    if not file.is_file():
        return None
    project = read_settings(file).get("project", {})
    entries = project.get("entry-points", {}).get(GROUP)
    if entries is None:
        return None
    for key in ("name", "version"):
        if not isinstance(project.get(key), str):
            raise DefinitionError(
                f'{file}: [project] {key} is {project.get(key)!r}; expected a string, as in "1.0"'
            )
    _check_entries(file, entries)
    extras = project.get("optional-dependencies", {})
    return _course(project["name"], project["version"], extras, entries, root)


def read_settings(file: Path) -> dict[str, Any]:
    """Return what ``pyproject.toml`` says, or raise `DefinitionError` of one line."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DefinitionError(f"{file}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise DefinitionError(f"{file}: {' '.join(str(error).split())}") from None


def _check_entries(file: Path, entries: Any) -> None:
    where = f"{file}: [project.entry-points.{GROUP}]"
    if not isinstance(entries, dict):
        raise DefinitionError(f'{where} is {entries!r}; expected lines such as exercises = "mylib"')
    for key, value in entries.items():
        if key not in MODULES:
            raise DefinitionError(f"{where} has {key!r}; expected one of {', '.join(MODULES)}")
        if not isinstance(value, str) or not all(part.isidentifier() for part in value.split(".")):
            raise DefinitionError(
                f'{where} {key} is {value!r}; expected the name of a module, as in "mylib.{key}"'
            )


def _course(
    distribution: str,
    version: str,
    extras: Iterable[str],
    entries: Mapping[str, str],
    root: Path | None = None,
) -> Course:
    modules = {key: entries.get(key, "") for key in MODULES}
    return Course(distribution, version, tuple(extras), root=root, **modules)
