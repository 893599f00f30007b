"""A course as every step of the build sees it: where its files are, and what its settings say.

All names that the build needs stand in ``pyproject.toml``: those that an installed coursekit needs
as well are the distribution's own and its entry points (:mod:`coursekit.course`), the others are in
the table ``[tool.coursekit]``. ``CONTRIBUTING.md`` says what each of its lines is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

import coursekit
from coursekit.course import SETTINGS, Course, checkout, read_settings
from coursekit.errors import DefinitionError
from coursekit.notebook.install import address_of
from tools.site.environment import ROOT, BuildError

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


_NAMES = {"type": "array", "items": {"type": "string"}, "default": []}


def _text(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^({pattern})?$", "default": ""}


_URL = _text(r"https?://\S+")
_FONT = {
    "type": "object",
    "required": ["family", "file", "like"],
    "properties": {name.name: {} for name in fields(Font)}
    | {"like": {"enum": ["serif", "sans", "mono", "math"]}},
    "additionalProperties": False,
}
_TABLE = "[tool.coursekit]"
#: What each line of the table has to be, and what it is where it is not there.
_RULES: dict[str, dict[str, Any]] = {
    "page-files": _NAMES,
    "page-data": _text(r"[a-z_]\w*(\.\w+)*"),
    "element-prefix": _text("[a-z][a-z0-9]*-"),
    "styles": _NAMES,
    "notebook-extras": _NAMES,
    "text-license": _URL,
    "fonts": {"type": "array", "items": _FONT, "default": []},
    "hues": {"type": "object", "additionalProperties": _NAMES, "default": {}},
    "search-synonyms": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "default": {},
    },
}


class Project:
    """One course: its sources below ``root``, what is made of them, and its settings.

    Attributes
    ----------
    book, lib : Path
        The chapters, and the course's packages.
    build : Path
        All that is made: safe to delete.
    assets : Path
        Bundled front end, as the pages load it.
    cache : Path
        What takes long to make again: outputs of cells, fonts, NumPy for the page.
    stage : Path
        What Jupyter Book wrote; :mod:`tools.site.publish` makes the site of it.
    html : Path
        The site.

    The settings are read when the first one is asked for, with the files that their patterns match.
    """

    course: Course
    package: dict[str, Any]  # the table [project]
    page_files: list[str]
    page_data: str
    element_prefix: str
    styles: list[Path]
    notebook_extras: list[str]
    text_license: str
    fonts: list[Font]
    hues: dict[str, list[str]]
    search_synonyms: dict[str, str]

    def __init__(self, root: Path) -> None:
        self.root, self.book, self.lib = root, root / "book", root / "lib"
        self.build = root / "_build"
        self.assets, self.cache = self.build / "assets", self.build / "cache"
        self.stage, self.html = self.build / "stage" / "_build" / "html", self.build / "html"

    def __getattr__(self, name: str) -> Any:
        if name not in ("course", "package") and name.replace("_", "-") not in _RULES:
            raise AttributeError(name)
        self.read_settings()
        return self.__dict__[name]

    def read_settings(self) -> None:
        """Read what ``pyproject.toml`` says of the course.

        Raises
        ------
        BuildError
            If a setting is missing, has the wrong type or names what does not exist; the message
            has the file, the value and what was expected.
        """
        file = self.root / SETTINGS
        try:
            course = checkout(self.root)
            if course is None:
                raise ValueError(
                    "no table [project.entry-points.coursekit]; expected one, with the lines "
                    'exercises = "mylib" and, where it has explorables, explorables = "mylib.…"'
                )
            read = read_settings(file)
            values = _checked(read.get("tool", {}).get("coursekit"))
            files = _matches("page-files", self.lib, values["page_files"])
            values["page_files"] = [path.relative_to(self.lib).as_posix() for path in files]
            values["styles"] = _matches("styles", self.root, values["styles"])
            values["fonts"] = [Font(**font) for font in values["fonts"]]
            _check_names(course, values, self.lib)
        except DefinitionError as error:
            raise BuildError(str(error)) from None
        except ValueError as error:
            raise BuildError(f"{file}: {error}") from None
        self.__dict__.update(values, course=course, package=read["project"])

    @property
    def explorables(self) -> Path | None:
        """The folder of the explorables, Python and TypeScript; None where there are none."""
        module = self.course.explorables
        return self.lib.joinpath(*module.split(".")) if module else None

    @property
    def node_modules(self) -> Path:
        """The front end's packages: those of the course, or else those that these tools use."""
        own = self.root / "node_modules"
        return own if own.exists() else ROOT / "node_modules"

    @property
    def hue_of(self) -> dict[str, str]:
        """The class of each coloured name."""
        return {name: hue for hue, names in self.hues.items() for name in names}

    @cached_property
    def packages(self) -> dict[str, Path]:
        """The folders of coursekit and of the course's packages, by their names."""
        own = {init.parent.name: init.parent for init in sorted(self.lib.glob("*/__init__.py"))}
        return {"coursekit": COURSEKIT} | own

    def config(self) -> dict[str, Any]:
        """Return ``_config.yml``."""
        read = _read(self.root / "_config.yml", yaml.safe_load)
        if not (isinstance(read, dict) and read.get("title")):
            raise BuildError(f"_config.yml: expected settings with a `title`; it has {read!r:.80}")
        return read

    def options(self) -> dict[str, Any]:
        """Return what ``_config.yml`` sets of Sphinx's own options."""
        return (self.config().get("sphinx") or {}).get("config") or {}

    def repository(self) -> str:
        """Return the address of the course's repository; "" where it is not published."""
        return str((self.config().get("repository") or {}).get("url") or "")

    def address(self) -> str:
        """Return the address of the course's site, with a slash at its end; "" for none."""
        return address_of(self.config())

    def chapters(self) -> list[Path]:
        """Return the chapters of ``_toc.yml`` in order."""
        listed = _read(self.root / "_toc.yml", lambda text: parse_toc_data(yaml.safe_load(text)))
        paths = [self.book / f"{name}.md" for name in listed]
        for path in paths:
            if not path.exists():
                raise BuildError(f"_toc.yml names {path.stem}, but {path} does not exist")
        return paths

    def is_notebook(self, chapter: Path) -> bool:
        """Whether a chapter has cells to execute: its front matter names a kernel."""
        return "kernelspec:" in front_matter(chapter)


def _checked(table: Any) -> dict[str, Any]:
    """Return all settings by their names in Python; raise `ValueError` for one that is wrong."""
    rules = {"type": "object", "properties": _RULES, "additionalProperties": False}
    if wrong := best_match(Draft202012Validator(rules).iter_errors(table)):
        raise ValueError(" ".join([_TABLE, *map(str, wrong.path)]) + f": {wrong.message}")
    values = {name: rule["default"] for name, rule in _RULES.items()} | table
    return {name.replace("-", "_"): value for name, value in values.items()}


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


def _check_names(course: Course, values: dict[str, Any], lib: Path) -> None:
    """Raise `ValueError` for a module, package or extra that is named and does not exist."""
    named = {"exercises": course.exercises, "explorables": course.explorables}
    for what, module in {**named, "page-data": values["page_data"]}.items():
        path = lib.joinpath(*module.split("."))
        if module and not ((path / "__init__.py").is_file() or path.with_suffix(".py").is_file()):
            raise ValueError(
                f"{what} has {module!r}; expected a package or module, but {path} does not exist"
            )
    if course.explorables and not values["element_prefix"]:
        raise ValueError(
            f'{_TABLE} has no element-prefix, but there are explorables; expected one, as in "my-"'
        )
    for extra in values["notebook_extras"]:
        if extra not in course.extras:
            has = ", ".join(course.extras) or "it has none"
            raise ValueError(
                f"{_TABLE} notebook-extras has {extra!r}; expected extras of the course: {has}"
            )


def front_matter(chapter: Path) -> str:
    """Return the YAML at the beginning of a chapter; "" where there is none."""
    text = chapter.read_text(encoding="utf-8")
    return text[4:].split("\n---", 1)[0] if text.startswith("---\n") else ""


def _read(path: Path, parse: Callable[[str], Any]) -> Any:
    """Return what a file says; a fault in it is reported in one line."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, MalformedError) as error:
        raise BuildError(f"{path.name}: {' '.join(str(error).split())}") from None


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
