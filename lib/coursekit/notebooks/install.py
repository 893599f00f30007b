"""Write the first cell of a notebook, which installs what is missing.

It is short: what it does stands in :mod:`coursekit_installer`, which it imports from the wheel.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from coursekit.course import Course, extra_with, wheel_name
from coursekit.errors import CoursekitError, MissingExtraError, carrier
from coursekit.notebooks.nbformat_cells import Node, code_cell, fold

_CODE = """\
#@title Install what this notebook uses, where it is missing
import importlib.util, sys, urllib.request, zipfile
wheels = {wheels}
if not importlib.util.find_spec("coursekit_installer"):
    for wheel in wheels:{beside}
        {get}
        sys.path.append(wheel)
from coursekit_installer import install
install(wheels{arguments})"""
_FETCH = "zipfile.is_zipfile(wheel) or urllib.request.urlretrieve({site} + wheel{name}, wheel)"
_EXPECT = (
    "zipfile.is_zipfile(wheel) or "
    'sys.exit(f"{wheel} is missing or broken: copy it from the course\'s zip")'
)


@dataclass(frozen=True)
class Install:
    """What a notebook's first cell installs. The fields are the parameters of its `install`.

    Attributes
    ----------
    wheels : tuple of str
        File names of the wheels that bring the course, its own first, and coursekit's last.
    extras : tuple of str
        The extras of the course that the notebook needs.
    site : str
        Address of the folder that has the wheels; empty where the course is not published.
    folder : str
        Where the wheels lie as seen from the notebook, as in ``../``; by default beside it.
    """

    wheels: tuple[str, ...]
    extras: tuple[str, ...] = ()
    site: str = ""
    folder: str = ""

    def code(self) -> str:
        """Return the code of the cell."""
        given = {"extras": ",".join(self.extras), "site": self.site}
        name = f"[{len(self.folder)}:]" if self.folder else ""
        return _CODE.format(
            wheels=json.dumps([self.folder + wheel for wheel in self.wheels]),
            beside="  # beside this notebook, or else from the course's site" * bool(self.site),
            get=_FETCH.format(site=json.dumps(self.site), name=name) if self.site else _EXPECT,
            arguments="".join(f", {k}={json.dumps(v)}" for k, v in given.items() if v),
        )


def add_install_cell(notebook: Node, install: Install, at: int = 1) -> None:
    """Insert the cell below the title, or at ``at``, unless the notebook installs for itself."""
    if any("%pip install" in cell.source for cell in notebook.cells):
        return
    cell = code_cell(install.code(), "install")
    cell.metadata["coursekit"] = {"role": "install"}
    fold(cell)
    notebook.cells.insert(at, cell)


def install_of(cells: Iterable[Node], course: Course, site: str = "") -> Install:
    """Return what ``cells`` need of a course: its extra for notebooks, and those they import."""
    trees = (tree for tree in map(parsed, cells) if tree)
    imported = {name.split(".")[0] for tree in trees for name in imported_names(tree)}
    extras = {extra_with(name, course.distribution) for name in imported}
    extras |= {"notebook"} & set(course.extras)
    return Install(tuple(wheel_names(course)), tuple(sorted(extras - {""})), site)


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


def published_folder(root: Path | str) -> str:
    """Return the address of the folder with the wheels on a course's published site.

    The address follows from ``_config.yml`` of the folder ``root``: see `address_of`. Without one
    nothing is published and the result is "". The repository itself cannot be installed: it lacks
    the bundled front end.
    """
    settings = Path(root) / "_config.yml"
    if not settings.is_file():
        return ""
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("PyYAML", "grading") from None
    site = address_of(yaml.safe_load(settings.read_text(encoding="utf-8")) or {}, str(settings))
    return site and f"{site}notebooks/"


def wheel_names(course: Course) -> list[str]:
    """Return the names of the wheels that hold a course: its own, and the one with coursekit."""
    other = carrier()
    if other in ("", course.distribution):
        return [course.wheel]
    return [course.wheel, wheel_name(other, version(other))]


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
