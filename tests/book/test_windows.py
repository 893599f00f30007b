"""Chapters for readers need nothing of POSIX: what they import, and what that reaches."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat

from coursekit.notebook.install import parsed
from tools.site.dependencies import imported
from tools.site.project import Project

POSIX = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")


def asks(path: Path) -> bool:
    """Tell whether a module imports one that only POSIX has, inside of functions too."""
    statement = rf"(?m)^\s*(import|from) ({'|'.join(POSIX)})\b"
    return re.search(statement, path.read_text(encoding="utf-8")) is not None


def test_no_notebook_reaches_a_module_of_posix(project: Project, site: Path) -> None:
    notebooks = [nbformat.read(path, as_version=4) for path in site.glob("notebooks/*.ipynb")]
    trees = (parsed(cell) for notebook in notebooks for cell in notebook.cells)
    code = "\n".join(ast.unparse(tree) for tree in trees if tree)
    modules = {path for path in imported(project.packages, code) if path.suffix == ".py"}
    assert {path.relative_to(project.lib).parts[0] for path in modules} == {*project.packages}
    assert [path for path in modules if asks(path)] == []


def test_nothing_but_grading_asks_for_a_module_of_posix(project: Project) -> None:
    asking = {p.relative_to(project.lib) for p in project.lib.rglob("*.py") if asks(p)}
    grading = [Path("coursekit", name) for name in ("sandbox", "grade")]
    assert asking
    assert [p for p in asking if not any(map(p.is_relative_to, grading))] == []
