"""A course as every step of the build sees it: where its files are, and what its settings say.

All names that the build needs stand in ``pyproject.toml``: those that an installed coursekit needs
as well are the distribution's own and its entry points (:mod:`coursekit.course`), the others are in
the table ``[tool.coursekit]``. ``CONTRIBUTING.md`` says what each of its lines is.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

import coursekit
from coursekit.course import SETTINGS, Course, checkout, read_settings
from coursekit.errors import DefinitionError
from coursekit.notebook.install import address_of
from tools.site.environment import ROOT, BuildError
from tools.site.packages import Packages

TOOLS = Path(__file__).parent
COURSEKIT = Path(coursekit.__file__).parent


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


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _text(pattern: str) -> Callable[[Any], bool]:
    """Return whether a value is a string of a pattern."""
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _table(is_good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether a value is a table of such values."""
    return lambda value: isinstance(value, dict) and all(map(is_good, value.values()))


def _fonts(value: Any) -> bool:
    known = {name.name for name in fields(Font)}
    return isinstance(value, list) and all(
        isinstance(font, dict)
        and {"family", "file"} <= font.keys() <= known
        and font.get("like") in ("serif", "sans", "mono", "math")
        for font in value
    )


_URL = _text(r"(https?://\S+)?")


_TABLE = "[tool.coursekit]"
#: What each line of the table has to be, in words, and its default; None: it has to be there.
_RULES: dict[str, tuple[str, Callable[[Any], bool], Any]] = {
    "page-packages": ('a list of packages, as in ["mylib", "coursekit"]', _names, None),
    "page-files": ('a list of files, as in ["mylib/words.npz"]', _names, []),
    "page-data": (
        'the module that writes data files for the page, as in "mylib.data"; or ""',
        _text(r"([a-z_]\w*(\.\w+)*)?"),
        "",
    ),
    "element-prefix": (
        'lower-case letters and a hyphen, as in "my-"; or "" without explorables',
        _text(r"([a-z][a-z0-9]*-)?"),
        "",
    ),
    "styles": ('a list of files, as in ["lib/mylib/*.css"]', _names, []),
    "notebook-extras": ('a list of extras of the course, as in ["notebook"]', _names, []),
    "pyodide-numpy": ('the address of a wheel, as in "https://…/numpy.whl"; or ""', _URL, ""),
    "level": ('a word such as "Beginner" or "Intermediate"; or ""', _text(r"[^\n]*"), ""),
    "text-license": ('the address of a licence, as in "https://…"; or ""', _URL, ""),
    "fonts": (
        'a list of fonts, as in [{family = "Mine", file = "mine/text.woff2", like = "serif"}]',
        _fonts,
        [],
    ),
    "hues": ('a table of classes with their names, as in {q = ["Q", "query"]}', _table(_names), {}),
    "search-synonyms": (
        'a table of phrases, as in {"car" = "automobile"}',
        _table(_text(".*")),
        {},
    ),
    "offline": ("true or false", lambda value: isinstance(value, bool), True),
}


@dataclass(frozen=True)
class Settings:
    """What ``pyproject.toml`` says of one course, with the files that its patterns match."""

    course: Course
    page_packages: list[str]
    page_files: list[str]
    page_data: str
    element_prefix: str
    styles: list[Path]
    notebook_extras: list[str]
    pyodide_numpy: str
    level: str
    text_license: str
    fonts: list[Font]
    hues: dict[str, list[str]]
    search_synonyms: dict[str, str]
    offline: bool

    @property
    def explorables(self) -> Path | None:
        """The folder of the explorables, Python and TypeScript; None where there are none."""
        if not (self.course.explorables and self.course.root):
            return None
        return self.course.root.joinpath("lib", *self.course.explorables.split("."))


def read_course(root: Path) -> Settings:
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
    try:
        values = _checked(table)
        values["styles"] = _matches("styles", root, values["styles"])
        lib = root / "lib"
        files = _matches("page-files", lib, values["page_files"])
        values["page_files"] = [str(path.relative_to(lib)) for path in files]
        values["fonts"] = [Font(**font) for font in values["fonts"]]
        settings = Settings(course, **values)
        _check_names(settings, lib)
    except ValueError as error:
        raise BuildError(f"{file}: {error}") from None
    return settings


def _checked(table: Any) -> dict[str, Any]:
    """Return every line's value, or its default; raise `ValueError` for one that is wrong."""
    if not isinstance(table, dict):
        raise ValueError(f"{_TABLE} is missing; expected it, with {', '.join(_RULES)}")
    if unknown := sorted(table.keys() - _RULES):
        near = difflib.get_close_matches(unknown[0], _RULES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(_RULES)}"
        raise ValueError(f"{_TABLE} has {unknown[0]!r}; {hint}")
    values = {}
    for name, (expected, is_good, default) in _RULES.items():
        value = values[name.replace("-", "_")] = table.get(name, default)
        if value is None:
            raise ValueError(f"{_TABLE} has no {name}; expected {expected}")
        if not is_good(value):
            raise ValueError(f"{_TABLE} {name} is {value!r}; expected {expected}")
    return values


def _matches(name: str, folder: Path, patterns: list[str]) -> list[Path]:
    """Return the files below ``folder`` that patterns match; each has to match one."""
    matches = []
    for pattern in patterns:
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
        if not found:
            said = f"{_TABLE} {name} has {pattern!r}; expected a file"
            raise ValueError(f"{said}, but {folder / pattern} does not exist")
        matches += found
    return matches


def _check_names(settings: Settings, lib: Path) -> None:
    """Raise `ValueError` for a module, package or extra that is named and does not exist."""
    course = settings.course
    named = [("exercises", course.exercises), ("explorables", course.explorables)]
    named += [("page-data", settings.page_data)]
    named += [("page-packages", name) for name in settings.page_packages if name != "coursekit"]
    for what, module in named:
        path = lib.joinpath(*module.split("."))
        if module and not ((path / "__init__.py").is_file() or path.with_suffix(".py").is_file()):
            raise ValueError(
                f"{what} has {module!r}; expected a package or module, but {path} does not exist"
            )
    if course.explorables and not settings.element_prefix:
        raise ValueError(
            f'{_TABLE} has no element-prefix, but there are explorables; expected one, as in "my-"'
        )
    for extra in settings.notebook_extras:
        if extra not in course.extras:
            has = ", ".join(course.extras) or "it has none"
            raise ValueError(
                f"{_TABLE} notebook-extras has {extra!r}; expected extras of the course: {has}"
            )


@dataclass(frozen=True)
class Project:
    """One course: its sources below ``root`` and what is made of them below ``root/_build``."""

    root: Path

    @property
    def build(self) -> Path:
        """All that is made: safe to delete."""
        return self.root / "_build"

    @property
    def book(self) -> Path:
        """The chapters."""
        return self.root / "book"

    @property
    def assets(self) -> Path:
        """Bundled front end, as the pages load it."""
        return self.build / "assets"

    @property
    def stage(self) -> Path:
        """What Jupyter Book wrote; :mod:`tools.site.publish` makes the site of it."""
        return self.build / "stage" / "_build" / "html"

    @property
    def html(self) -> Path:
        """The site."""
        return self.build / "html"

    @property
    def cache(self) -> Path:
        """What takes long to make again: outputs of cells, formulas, fonts, NumPy for the page."""
        return self.build / "cache"

    @property
    def node_modules(self) -> Path:
        """The front end's packages: those of the course, or else those that these tools use."""
        own = self.root / "node_modules"
        return own if own.exists() else ROOT / "node_modules"

    @property
    def lib(self) -> Path:
        """The course's packages."""
        return self.root / "lib"

    @cached_property
    def packages(self) -> Packages:
        """The course's packages and coursekit."""
        own = Packages.below(self.lib)
        return Packages({"coursekit": COURSEKIT} | {name: own[name] for name in own})

    @cached_property
    def settings(self) -> Settings:
        """What ``pyproject.toml`` says of the course."""
        return read_course(self.root)

    def config(self) -> dict[str, Any]:
        """Return ``_config.yml``."""
        return dict(read_yaml(self.root / "_config.yml"))

    def repository(self) -> str:
        """Return the address of the course's repository; "" where it is not published."""
        return str((self.config().get("repository") or {}).get("url") or "")

    def address(self) -> str:
        """Return the address of the course's site, with a slash at its end; "" for none."""
        return address_of(self.config())

    def chapters(self) -> list[Path]:
        """Return the chapters of ``_toc.yml`` in order."""
        paths = [self.book / f"{name}.md" for name in _listed(read_yaml(self.root / "_toc.yml"))]
        for path in paths:
            if not path.exists():
                raise BuildError(f"_toc.yml names {path.stem}, but {path} does not exist")
        return paths

    def is_notebook(self, chapter: Path) -> bool:
        """Whether a chapter has cells to execute: its front matter names a kernel."""
        head = chapter.read_text(encoding="utf-8")[:2000].split("\n---", 1)[0]
        return "kernelspec:" in head


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the settings in a file; a fault in it is reported in one line."""
    try:
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{path.name}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise BuildError(f"{path.name}: {' '.join(str(error).split())}") from None
    if not isinstance(read, dict):
        raise BuildError(f"{path.name}: expected names with settings, as in `title: …`")
    return read


def _listed(toc: Any) -> list[str]:
    """Return the files that a table of contents names, depth first."""
    if isinstance(toc, list):
        return [name for entry in toc for name in _listed(entry)]
    own = [toc[key] for key in ("root", "file") if key in toc]
    below = [toc[key] for key in ("parts", "chapters", "sections", "entries") if key in toc]
    return own + [name for entries in below for name in _listed(entries)]


def fingerprint(files: Iterable[Path], *more: str) -> str:
    """Return one hash of the names and contents of ``files`` and of the strings ``more``."""
    digest = hashlib.sha256("\0".join(more).encode())
    for path in sorted(files):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def sources(folder: Path, *suffixes: str) -> list[Path]:
    """Return the source files below ``folder``: no caches, nothing generated."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not {"__pycache__", "_dist", ".ipynb_checkpoints"} & set(path.parts)
        and (not suffixes or path.suffix in suffixes)
    ]


def copy_if_changed(source: Path, target: Path) -> None:
    """Copy a file with its time, unless size and time say that ``target`` is the same already."""
    new, old = source.stat(), target.stat() if target.exists() else None
    if old is None or (new.st_size, int(new.st_mtime)) != (old.st_size, int(old.st_mtime)):
        shutil.copy2(source, target)
