"""Which modules a chapter's notebook needs, and which extras of the course's wheel bring them.

A notebook needs what its cells import and what the code that they reach imports in turn, inside of
functions too. A function is reached if reached code uses its name: bare in the same file, as an
import, or as an attribute of something imported; a method, by any attribute of its name, and
`__init__` and its like with their class. That counts a function too many now and then, and
none too few. So a chapter which only draws a stored result does not ask for what training it again
would take.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from coursekit.course import SETTINGS, read_settings
from coursekit.errors import carrier
from coursekit.notebook.install import parsed
from tools.site.environment import BuildError
from tools.site.packages import Packages
from tools.site.project import Project

#: What comes with every kernel, or with ipywidgets, and so is never asked for by name.
_WITH_THE_KERNEL = frozenset({"IPython", "matplotlib_inline", "traitlets"})
#: Modules that come with a distribution of another name.
_DISTRIBUTION = {
    "yaml": "pyyaml",
    "cycler": "matplotlib",
    "markdown_it": "markdown-it-py",
    "mdit_py_plugins": "mdit-py-plugins",
}
#: A module below a package, and none of the other strings that stand in code.
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
#: Stands for the file of what the cells themselves import and mention.
_CELLS = Path("cells")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Reach:
    """The code of the course that cells reach, and the modules of others that this imports.

    Parameters
    ----------
    packages : Packages
        The course's, and coursekit.
    cells : iterable of cells
        Those of a notebook.
    """

    def __init__(self, packages: Packages, cells: Iterable[Any]) -> None:
        self.modules: set[str] = set()
        self._packages = packages
        self._loaded: set[Path] = set()
        self._importing_by_name: set[Path] = set()
        self._names: set[tuple[Path | None, str]] = set()  # None: wherever it is defined
        self._imported: dict[tuple[Path, str], str] = {}  # names bound by imports, in each file
        self._strings: set[str] = set()
        self._waiting: list[tuple[Path, str, _Function]] = []  # file, name that reaches it
        for cell in cells:
            if tree := parsed(cell):
                self._read(_CELLS, [tree], whole=True)
                self._strings.update(_strings(tree))
        self._follow()

    def _follow(self) -> None:
        """Read the functions that are mentioned, until none is left."""
        while reached := [each for each in self._waiting if self._is_reached(*each[:2])]:
            self._waiting = [each for each in self._waiting if each not in reached]
            for path, _, function in reached:
                self._read(path, function.body)

    def _is_reached(self, path: Path, name: str) -> bool:
        return bool({(path, name), (None, name)} & self._names)

    def _read(self, path: Path, nodes: Iterable[ast.AST], whole: bool = False) -> None:
        """Note what ``nodes`` of the file ``path`` import and mention when they are run."""
        for node, owner in _run(nodes, whole):
            if isinstance(node, _Function):
                special = node.name.startswith("__") and node.name.endswith("__")
                by = node.name if not owner else owner if special else f".{node.name}"
                self._waiting.append((path, by, node))
            elif isinstance(node, ast.Name):
                self._names.add((path, node.id))
                self._names.add((None, self._imported.get((path, node.id), "")))
            elif isinstance(node, ast.Attribute):
                self._names.add((None, f".{node.attr}"))
                if self._may_be_module(path, node):
                    self._names.add((None, node.attr))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    self._imported[path, alias.asname or alias.name.split(".")[0]] = alias.name
                    self._load(alias.name.split("."))
            elif isinstance(node, ast.ImportFrom):
                base = self._packages.absolute(node, path.parent)
                for alias in node.names:
                    self._imported[path, alias.asname or alias.name] = alias.name
                    self._load([*base, alias.name])
            elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
                self._load_by_name(path, node)

    def _may_be_module(self, path: Path, node: ast.expr) -> bool:
        """Whether an attribute may be a module's: of something imported, by name too."""
        while isinstance(node, ast.Attribute):
            node = node.value
        imported = isinstance(node, ast.Name) and (path, node.id) in self._imported
        return imported or (isinstance(node, ast.Call) and path in self._importing_by_name)

    def _load_by_name(self, path: Path, call: ast.Call) -> None:
        """Load what ``import_module`` may: modules whose names stand in the file or the cells."""
        prefix = "".join(_strings(call))
        own = _strings(ast.parse(path.read_text(encoding="utf-8")))
        for name in self._strings if prefix else set(own):
            if _DOTTED.fullmatch(prefix + name):
                self._load((prefix + name).split("."), external=False)

    def _load(self, parts: list[str], external: bool = True) -> None:
        """Load a module of the course's with the packages above it, or note one of another's."""
        if parts[0] not in self._packages:
            if external and parts[0] not in sys.stdlib_module_names | _WITH_THE_KERNEL:
                self.modules.add(parts[0])
            return
        self.modules.add(parts[0])
        for file in self._packages.files(parts):
            if file not in self._loaded:
                self._loaded.add(file)
                source = file.read_text(encoding="utf-8")
                if "import_module(" in source:
                    self._importing_by_name.add(file)
                self._read(file, ast.parse(source).body)


def _run(nodes: Iterable[ast.AST], whole: bool, owner: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that run when ``nodes`` do, each with the class that it stands in.

    Of a function that is itself and no more, unless ``whole``.
    """
    for node in nodes:
        if isinstance(node, ast.If) and re.search("TYPE_CHECKING|__main__", ast.unparse(node.test)):
            yield from _run(node.orelse, whole, owner)
            continue
        yield node, owner
        if _is_optional(node):
            nodes_below = [n for n in ast.iter_child_nodes(node) if not _is_import(n)]
            yield from _run(nodes_below, whole, owner)
        elif isinstance(node, _Function) and not whole:
            yield from _run([*node.decorator_list, *node.args.defaults], whole)
        else:
            below = node.name if isinstance(node, ast.ClassDef) else owner
            yield from _run(ast.iter_child_nodes(node), whole, below)


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_optional(node: ast.AST) -> bool:
    """Whether ``node`` is a ``try`` that goes on where an import fails."""
    handlers = node.handlers if isinstance(node, ast.Try) else []
    caught = " ".join(ast.unparse(h.type) for h in handlers if h.type)
    ends = any(isinstance(n, ast.Raise) for h in handlers for n in ast.walk(h))
    return "ImportError" in caught and not ends


def _strings(tree: ast.AST) -> list[str]:
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def requirements(root: Path) -> dict[str, dict[str, str]]:
    """Return pip's requirements in ``pyproject.toml`` by extra and distribution; "" is no extra.

    Where the course asks for the distribution that brings coursekit, the requirements of that one
    stand beside it.
    """
    project = read_settings(root / SETTINGS)["project"]
    by_extra = {"": project.get("dependencies", []), **project.get("optional-dependencies", {})}
    own = canonicalize_name(project["name"])
    return {extra: dict(_by_distribution(needs, own)) for extra, needs in by_extra.items()}


def oldest_python(root: Path) -> str:
    """Return the lower bound of ``requires-python`` in ``pyproject.toml``; "" where it has none."""
    asked = SpecifierSet(read_settings(root / SETTINGS)["project"].get("requires-python", ""))
    return next((each.version for each in asked if each.operator == ">="), "")


def _by_distribution(needs: Iterable[str], own: str) -> Iterator[tuple[str, str]]:
    for need in needs:
        requirement = Requirement(need)
        name = canonicalize_name(requirement.name)
        yield name, need
        if name != own and name == canonicalize_name(carrier()):
            for extra in ("", *requirement.extras):
                yield from _of_carrier(extra)


def _of_carrier(extra: str) -> Iterator[tuple[str, str]]:
    """Yield what the distribution that brings coursekit needs, for an extra or for none."""
    for need in map(Requirement, metadata.requires(carrier()) or ()):
        if need.marker is None:
            if not extra:
                yield canonicalize_name(need.name), str(need)
        elif need.marker.evaluate({"extra": extra}) and (extra or "extra" not in str(need.marker)):
            plain = re.sub(r"""\s*(and\s+)?extra\s*==\s*['"][^'"]*['"]""", "", str(need.marker))
            yield (
                canonicalize_name(need.name),
                f"{need.name}{need.specifier}{f'; {plain}' if plain else ''}",
            )


def extras(
    project: Project, chapter: str, modules: Iterable[str]
) -> tuple[dict[str, str], list[str]]:
    """Return ``modules`` with pip's requirement for each, and the extras that bring them all.

    The requirement is empty for the course's own modules and for coursekit. A module that only
    some systems have comes with its extra and is left out.

    Raises
    ------
    BuildError
        If nothing in ``pyproject.toml`` brings a module; the message names it.
    """
    known = requirements(project.root)
    ours = {name for name in modules if name in project.packages}
    brought_by = {name: _DISTRIBUTION.get(name, name).lower() for name in set(modules) - ours}
    chosen = ["notebook"] if "notebook" in known else []
    while waiting := set(brought_by.values()).difference(
        known[""], *(known[name] for name in chosen)
    ):
        best = max(known, key=lambda extra: (len(waiting & set(known[extra])), -len(known[extra])))
        if not waiting & set(known[best]):
            raise BuildError(
                f"{chapter} imports {min(waiting)}, which nothing in pyproject.toml installs: "
                "add it to the extra that it belongs to"
            )
        chosen.append(best)
    needs = {name: need for extra in known.values() for name, need in extra.items()}
    asked_for = {name: needs[by] for name, by in brought_by.items() if ";" not in needs[by]}
    return dict.fromkeys(ours, "") | asked_for, sorted(chosen, key=list(known).index)
