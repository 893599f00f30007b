"""Import arrows go one way, none in a circle, and coursekit stays light."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = {"attn", "attnlab", "coursekit", "tools"}
#: What mistakes compute, an encoder, the GPTs, and the translator: the parts of attnlab that
#: exercises use, all but the second GPT also in the page.
SHARED = {
    "attnlab.minilm",
    "attnlab.gpt",
    "attnlab.models.gpt_torch",
    "attnlab.models.numpy_translator",
}
#: Folder, and which of our packages its files may import besides their own.
ARROWS = {
    "lib/attn": set(),
    "lib/attnlab": {"attn"},
    "lib/coursekit": set(),
    "exercises": {"attn", "coursekit", *SHARED},
    "tools": {"coursekit"},
}


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}."
                shared = {name for name in SHARED if full.startswith(f"{name}.")}
                yield from shared or {node.module.split(".")[0]}


@pytest.mark.parametrize("folder", ARROWS)
def test_imports_follow_the_arrows(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    allowed = ARROWS[folder] | {Path(folder).name}
    wrong = {
        str(path.relative_to(ROOT)): sorted(set(imported(path)) & OURS - allowed)
        for path in files
        if set(imported(path)) & OURS - allowed
    }
    assert wrong == {}


def sources_of_lib() -> dict[str, str]:
    """Return the sources of ``lib/`` by the names of their modules."""
    sources = {}
    for path in (ROOT / "lib").rglob("*.py"):
        parts = path.relative_to(ROOT / "lib").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sources[name] = path.read_text(encoding="utf-8")
    return sources


def imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ...]]:
    """Yield for each import the module that it may mean, or else the package it takes a name from.

    Imports inside of functions count, since they only delay a circle. Those under TYPE_CHECKING do
    not, since they never run.
    """
    for node in nodes:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name,) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((f"{node.module}.{alias.name}", node.module) for alias in node.names)
        else:
            yield from imports(ast.iter_child_nodes(node))


def one_circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the nodes of one circle; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def circle(sources: Mapping[str, str], parts: int | None = None) -> list[str]:
    """Return the modules of one circle of imports; none where there is no circle.

    With ``parts`` the circles are those of packages: names of so many parts.
    """
    graph: dict[str, set[str]] = {}
    for name, source in sources.items():
        modules = (
            next((module for module in either if module in sources), name)
            for either in imports(ast.parse(source).body)
        )
        own, *others = (".".join(each.split(".")[:parts]) for each in (name, *modules))
        graph.setdefault(own, set()).update(other for other in others if other != own)
    return one_circle(graph)


#: An import of one of our TypeScript files, of its types alone or when it is needed, too.
_TS_IMPORT = re.compile(r"""(?:\bfrom\s+|\bimport\(|^import\s+)"(\.[^"?]+)""", re.MULTILINE)


def circle_of_scripts(folder: Path) -> list[str]:
    """Return the TypeScript files of one circle of imports; none where there is no circle."""
    graph = {}
    for path in folder.rglob("*.ts"):
        names = _TS_IMPORT.findall(path.read_text(encoding="utf-8"))
        graph[str(path)] = {os.path.normpath(path.parent / name) for name in names}
    return one_circle(graph)


@pytest.mark.parametrize("folder", ["lib", "tools"])
def test_no_script_is_imported_in_a_circle(folder: str) -> None:
    assert circle_of_scripts(ROOT / folder) == []


def test_nothing_is_imported_in_a_circle() -> None:
    sources = sources_of_lib()
    assert {"attn", "attnlab", "coursekit"} <= set(sources)
    assert circle(sources) == []
    inner = {name: text for name, text in sources.items() if "." in name}
    assert circle(inner, parts=2) == []  # of packages within attn, attnlab and coursekit


def test_only_attn_torch_imports_torch() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "lib" / "attn").rglob("*.py")
        if "torch" in set(imported(path)) and "torch" not in path.relative_to(ROOT).parts
    ]
    assert wrong == []


def test_importing_coursekit_stays_light() -> None:
    unwanted = ("attn", "attnlab", "torch", "matplotlib", "IPython", "sphinx", "nbformat", "yaml")
    code = f"import sys, coursekit; print([m for m in {unwanted!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", ["attn", "attn.torch", "coursekit"])
def test_import_as_gives_a_module(package: str) -> None:
    face = importlib.import_module(package)
    modules = [module.name for module in pkgutil.iter_modules(face.__path__)]
    hidden = [name for name in modules if name in face.__all__]
    assert modules
    assert hidden == [], f"`import {package}.{hidden[0]} as X` gives something else"
