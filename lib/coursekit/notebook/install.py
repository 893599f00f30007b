"""The first cell of a notebook, which has pip install what is missing; and where pip gets it."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from coursekit.course import Course, course_of, wheel_name
from coursekit.errors import CoursekitError, MissingExtraError, carrier
from coursekit.model import Exercise
from coursekit.notebook.nbformat_cells import Node, code_cell, fold

#: What the cell does. It is read by people and by any Python, the oldest too. (A file beside the
#: notebook hides a library from the kernel, and a module of Python's own from pip alone.)
_CODE = """\
#@title Install what this notebook uses, where it is missing
def missing(uses=MODULES):
    import importlib.util, os, sys
    names = [name for name in uses if not importlib.util.find_spec(name)]
    for file in filter(os.path.exists, [name + ".py" for name in [*uses, \
*(names and getattr(sys, "stdlib_module_names", ()))]]): raise ImportError(file + " in this folder \
hides the module of that name. Rename the file, and restart the kernel.")
    return ", ".join(names)
if missing():
    print("Installing", missing(), "takes some minutes. Reload the page then: figures move.")
    %pip install -q SOURCES
if missing(): raise ModuleNotFoundError(missing() + " could not be installed: pip says above why. \
It needs a networkBESIDE. Then restart the kernel and run this cell again.")"""


def install_cell(modules: Iterable[str], sources: Iterable[str]) -> Node:
    """Return the cell that installs what is missing.

    Parameters
    ----------
    modules : iterable of str
        What the notebook imports, directly or not.
    sources : iterable of str
        pip's requirements that bring them: ``name[extras] @ address``, or the file of a wheel
        beside the notebook.
    """
    sources = list(sources)
    files = [each.split("[")[0] for each in sources if "://" not in each]
    beside = f", and {' and '.join(files)} beside this notebook" if files else ""
    code = _CODE.replace("MODULES", json.dumps(sorted(modules)))
    code = code.replace("SOURCES", " ".join(map(json.dumps, sources)))
    cell = code_cell(code.replace("BESIDE", beside), "install")
    cell.metadata["coursekit"] = {"role": "install"}
    fold(cell)
    return cell


def add_install_cell(notebook: Node, modules: Iterable[str], sources: Iterable[str]) -> None:
    """Insert the cell before the first code, unless the notebook installs something itself."""
    if any("%pip install" in cell.source for cell in notebook.cells):
        return
    code = (at for at, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    at = next(code, len(notebook.cells))
    notebook.cells.insert(at, install_cell(modules, sources))


def imported_by(cells: Iterable[Node], exercises: Iterable[Exercise] = ()) -> set[str]:
    """Return what cells, and the files of their exercises, import beside the standard library."""
    files = (ast.parse(exercise.source) for exercise in exercises)
    trees = [*filter(None, map(parsed, cells)), *files]
    imported = {name.split(".")[0] for tree in trees for name in imported_names(tree)}
    return imported - sys.stdlib_module_names


def parsed(cell: Node) -> ast.Module | None:
    """Return a code cell's syntax tree without IPython's magics; None where it has no Python."""
    lines = cell.source.splitlines()
    if cell.cell_type != "code" or cell.source.lstrip().startswith("%%"):
        return None
    try:
        return ast.parse("\n".join(line for line in lines if line.lstrip()[:1] not in ("%", "!")))
    except SyntaxError:  # Mending the code may be the exercise.
        return None


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield the full names of the modules that a tree imports, except by relative imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def published_wheels(root: Path | str) -> str | None:
    """Return pip's requirements for the wheels on the course's published site, one a line.

    The address follows from ``_config.yml`` of the folder ``root``: see `address_of`. Without one
    nothing is published and the result is None. The repository itself cannot be installed: it lacks
    the bundled front end.
    """
    settings = Path(root) / "_config.yml"
    if not settings.is_file():
        return None
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("PyYAML", "grading") from None
    read = yaml.safe_load(settings.read_text(encoding="utf-8")) or {}
    site = address_of(read, str(settings))
    if not site:
        return None
    course = course_of(root)
    extras = "notebook" if "notebook" in course.extras else ""
    return "\n".join(requirements(course, f"{site}notebooks/", extras))


def wheel_names(course: Course) -> list[str]:
    """Return the names of the wheels that hold a course: its own, and the one with coursekit."""
    other = carrier()
    if other in ("", course.distribution):
        return [course.wheel]
    return [course.wheel, wheel_name(other, version(other))]


def requirements(course: Course, folder: str, extras: str = "") -> list[str]:
    """Return pip's requirements for the wheels of `wheel_names`, published in ``folder``."""
    names = [f"{course.distribution}[{extras}]" if extras else course.distribution, carrier()]
    wheels = wheel_names(course)
    return [f"{name} @ {folder}{wheel}" for name, wheel in zip(names, wheels, strict=False)]


def owner_and_name(url: str, settings: str = "_config.yml") -> tuple[str, str] | None:
    """Return owner and name of ``https://github.com/OWNER/NAME``; None for an empty ``url``.

    Raises
    ------
    CoursekitError
        ``url`` is not the address of a GitHub repository.
    """
    if not url:
        return None
    address = urlparse(url)
    parts = address.path.strip("/").removesuffix(".git").split("/")
    if address.hostname != "github.com" or len(parts) != 2 or not all(parts):
        raise CoursekitError(
            f"{settings}: repository url is {url!r}; expected https://github.com/OWNER/NAME, "
            "or an empty string where the site is not published"
        )
    return parts[0], parts[1]


def address_of(config: Mapping[str, Any], settings: str = "_config.yml") -> str:
    """Return the address of a course's site, with a slash at its end; "" where it has none.

    It is ``html: baseurl`` of ``_config.yml``, for a domain of one's own, or else follows from
    ``repository: url``.

    Raises
    ------
    CoursekitError
        A setting that is there has not the form of an address.
    """
    by_repository = site_url(str((config.get("repository") or {}).get("url") or ""), settings)
    own = str((config.get("html") or {}).get("baseurl") or "")
    if own and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", own):
        raise CoursekitError(
            f"{settings}: html baseurl is {own!r}; expected the address of the site, as in "
            "https://course.example.org/, or an empty string where GitHub Pages has it"
        )
    return f"{own.rstrip('/')}/" if own else by_repository


def site_url(url: str, settings: str = "_config.yml") -> str:
    """Return the address of a repository's GitHub Pages; "" for an empty ``url``.

    The pages of ``OWNER/NAME`` are in a folder of the owner's site, and the repository
    ``OWNER/OWNER.github.io`` is that site.
    """
    repository = owner_and_name(url, settings)
    if not repository:
        return ""
    owner, name = repository
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
