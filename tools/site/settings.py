"""What the build has to know of a course by name, from the course's ``pyproject.toml``.

The names that an installed coursekit needs as well are the distribution's own and its entry points
(:mod:`coursekit.course`); the table ``[tool.coursekit]`` has the rest. `KEYS` describes it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from coursekit.course import SETTINGS, Course, checkout, read_settings
from coursekit.errors import DefinitionError
from tools.site.environment import BuildError


@dataclass(frozen=True)
class Font:
    """One font of the pages.

    Attributes
    ----------
    family : str
        What style sheets call it.
    file : str
        The file in ``node_modules``, an italic one if its name says so.
    like : str
        What a reader sees until it is there: "serif", "sans" or "mono", scaled to its widths, as
        the family ``FAMILY Fallback``; "math" for the font of formulas, whose signs it has.
    axes : dict of str to float or [float, float]
        Where on its axes the font is cut, in their units; a range stays variable.
    features : tuple of str
        The layout features that are kept.
    preload : str
        A selector: pages with such an element load the font before their style sheet.
    """

    family: str
    file: str
    like: str
    axes: dict[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    preload: str = ""

    @property
    def style(self) -> str:
        """``"italic"`` or ``"normal"``."""
        return "italic" if "italic" in Path(self.file).stem else "normal"


@dataclass(frozen=True)
class Settings:
    """The names of one course.

    Attributes
    ----------
    course : Course
        What an installed coursekit knows of it, too.
    page_packages : tuple of str
        The packages that exercises in the page may import.
    page_files : tuple of str
        Data files of those packages, which the page fetches when an exercise needs them.
    page_data : str
        The module that writes data files for the page; may be empty.
    element_prefix : str
        How the names of the explorables' elements begin.
    styles : tuple of Path
        The style sheets of its figures.
    notebook_extras : tuple of str
        The extras that most of its notebooks need.
    pyodide_numpy : str
        The address from which NumPy for the page is fetched first; may be empty.
    level : str
        What learners should know already, in a word, for search engines; may be empty.
    text_license : str
        The address of its texts' licence; may be empty.
    fonts : tuple of Font
        The fonts of its pages, which else are set in the reader's own.
    hues : dict of str to list of str
        Classes of the names that formulas (one letter) and code show in a colour.
    search_synonyms : dict of str to str
        Phrases that readers may search for, and what the pages call it.
    offline : bool
        Whether browsers keep the site for reading offline.
    """

    course: Course
    page_packages: tuple[str, ...]
    page_files: tuple[str, ...]
    page_data: str
    element_prefix: str
    styles: tuple[Path, ...]
    notebook_extras: tuple[str, ...]
    pyodide_numpy: str
    level: str
    text_license: str
    fonts: tuple[Font, ...]
    hues: dict[str, list[str]]
    search_synonyms: dict[str, str]
    offline: bool

    @property
    def explorables(self) -> Path | None:
        """The folder of the explorables, Python and TypeScript; None where there are none."""
        if not (self.course.explorables and self.course.root):
            return None
        return self.course.root.joinpath("lib", *self.course.explorables.split("."))


@dataclass(frozen=True)
class _Key:
    """One line of the table: what it has to be, in words, with an example; and its default."""

    expected: str
    is_good: Callable[[Any], bool]
    default: Any = None  # None: the line must be there


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _text(pattern: str) -> Callable[[Any], bool]:
    """Return whether a value is a string of a pattern."""
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _fonts(value: Any) -> bool:
    known = {name.name for name in fields(Font)}
    return isinstance(value, list) and all(
        isinstance(font, dict)
        and {"family", "file"} <= font.keys() <= known
        and font.get("like") in ("serif", "sans", "mono", "math")
        for font in value
    )


KEYS = {
    "page-packages": _Key('a list of packages, as in ["mylib", "coursekit"]', _names),
    "page-files": _Key('a list of files, as in ["mylib/words.npz"]', _names, []),
    "page-data": _Key(
        'the module that writes data files for the page, as in "mylib.data"; or ""',
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"([a-z_]\w*(\.\w+)*)?", value)),
        "",
    ),
    "element-prefix": _Key(
        'lower-case letters and a hyphen, as in "my-"; or "" without explorables',
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"([a-z][a-z0-9]*-)?", value)),
        "",
    ),
    "styles": _Key('a list of files, as in ["lib/mylib/*.css"]', _names, []),
    "notebook-extras": _Key('a list of extras of the course, as in ["notebook"]', _names, []),
    "pyodide-numpy": _Key(
        'the address of a wheel, as in "https://…/numpy.whl"; or "" where there is none',
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"(https?://\S+)?", value)),
        "",
    ),
    "level": _Key('a word such as "Beginner" or "Intermediate"; or ""', _text(r"[^\n]*"), ""),
    "text-license": _Key(
        'the address of a licence, as in "https://…"; or ""', _text(r"(https?://\S+)?"), ""
    ),
    "fonts": _Key(
        'a list of fonts, as in [{family = "Mine", file = "mine/regular.woff2", like = "serif"}]',
        _fonts,
        [],
    ),
    "hues": _Key(
        'a table of classes with their names, as in {q = ["Q", "query"]}',
        lambda value: isinstance(value, dict) and all(map(_names, value.values())),
        {},
    ),
    "search-synonyms": _Key(
        'a table of phrases, as in {"car" = "automobile"}',
        lambda value: isinstance(value, dict) and _names([*value.values()]),
        {},
    ),
    "offline": _Key("true or false", lambda value: isinstance(value, bool), True),
}


def read(root: Path) -> Settings:
    """Return the settings of the course in the folder ``root``.

    Raises
    ------
    BuildError
        If a setting is missing, has the wrong type or names what does not exist; the message
        has the file, the value and what was expected.
    """
    file = root / SETTINGS
    try:
        course = checkout(root)
        table = read_settings(file).get("tool", {}).get("coursekit")
    except DefinitionError as error:
        raise BuildError(str(error)) from None
    if course is None:
        raise BuildError(
            f"{file}: no table [project.entry-points.coursekit]; expected one, with the lines "
            'exercises = "mylib" and, for a course with explorables, explorables = "mylib.…"'
        )
    values = _checked(file, table)
    settings = Settings(
        course,
        tuple(values["page-packages"]),
        tuple(_page_files(file, values["page-files"])),
        values["page-data"],
        values["element-prefix"],
        tuple(_files(file, values["styles"])),
        tuple(values["notebook-extras"]),
        values["pyodide-numpy"],
        values["level"],
        values["text-license"],
        tuple(Font(**font) for font in values["fonts"]),
        values["hues"],
        values["search-synonyms"],
        values["offline"],
    )
    _check_modules(file, settings)
    return settings


def _checked(file: Path, table: Any) -> dict[str, Any]:
    """Return every key's value, by default its own."""
    where = f"{file}: [tool.coursekit]"
    if not isinstance(table, dict):
        raise BuildError(f"{where} is missing; expected it, with {', '.join(KEYS)}")
    if unknown := sorted(table.keys() - KEYS):
        near = difflib.get_close_matches(unknown[0], KEYS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(KEYS)}"
        raise BuildError(f"{where} has {unknown[0]!r}; {hint}")
    for name, key in KEYS.items():
        if name not in table and key.default is None:
            raise BuildError(f"{where} has no {name}; expected {key.expected}")
        if name in table and not key.is_good(table[name]):
            raise BuildError(f"{where} {name} is {table[name]!r}; expected {key.expected}")
    return {name: table.get(name, key.default) for name, key in KEYS.items()}


def _files(file: Path, patterns: list[str]) -> list[Path]:
    matches = []
    for pattern in patterns:
        files = sorted(file.parent.glob(pattern))
        if not files:
            raise BuildError(
                f"{file}: [tool.coursekit] styles has {pattern!r}, which matches no file below "
                f"{file.parent}; expected a path or pattern of style sheets"
            )
        matches += files
    return matches


def _page_files(file: Path, patterns: list[str]) -> list[str]:
    """Return the files below ``lib/`` that patterns match."""
    lib = file.parent / "lib"
    matches = {name: sorted(path for path in lib.glob(name) if path.is_file()) for name in patterns}
    for name, found in matches.items():
        if not found:
            raise BuildError(
                f"{file}: page-files has {name!r}; expected a file, but {lib / name} does not exist"
            )
    return [str(path.relative_to(lib)) for found in matches.values() for path in found]


def _check_modules(file: Path, settings: Settings) -> None:
    """Raise `BuildError` for a module, package or extra that is named and does not exist."""
    course, lib = settings.course, file.parent / "lib"
    named = {"exercises": course.exercises, "explorables": course.explorables}
    named |= {f"page-packages has {name!r}": name for name in settings.page_packages}
    for what, module in named.items():
        path = lib.joinpath(*module.split("."))
        is_there = (path / "__init__.py").is_file() or path.with_suffix(".py").is_file()
        if module not in ("", "coursekit") and not is_there:
            line = what if "has" in what else f"{what} is {module!r}"
            raise BuildError(f"{file}: {line}; expected a package, but {path} does not exist")
    data = lib.joinpath(*settings.page_data.split(".")).with_suffix(".py")
    if settings.page_data and not data.is_file():
        raise BuildError(
            f"{file}: page-data is {settings.page_data!r}; expected a module, but {data} does not "
            "exist"
        )
    if course.explorables and not settings.element_prefix:
        raise BuildError(
            f"{file}: [tool.coursekit] has no element-prefix, but there are explorables; "
            f"expected {KEYS['element-prefix'].expected}"
        )
    for extra in settings.notebook_extras:
        if extra not in course.extras:
            raise BuildError(
                f"{file}: [tool.coursekit] notebook-extras has {extra!r}; "
                f"expected extras of the course: {', '.join(course.extras) or 'it has none'}"
            )
