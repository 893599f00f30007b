"""Chapters for readers need nothing of POSIX: what they import, and what that reaches."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from coursekit.notebook.install import parsed

ROOT = Path(__file__).resolve().parents[2]
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
#: Runs what it reads where the course's code finds none of these modules. Others' code may: it asks
#: for the platform, which no test can change.
WITHOUT = f"""
import os
import sys

LIB, POSIX = {str(ROOT / "lib")!r} + os.sep, {POSIX!r}


class Missing:
    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if name in POSIX and frame.f_code.co_filename.startswith((LIB, "<string>")):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Missing())
for name in POSIX:
    sys.modules.pop(name, None)
exec(sys.stdin.read())
"""


def notebooks(site: Path) -> dict[str, nbformat.NotebookNode]:
    paths = sorted((site / "notebooks").glob("*.ipynb"))
    return {p.stem: nbformat.read(p, as_version=4) for p in paths}


def imports(notebook: nbformat.NotebookNode) -> set[str]:
    """Return the import statements at the top of cells, as code."""
    trees = [parsed(cell) for cell in notebook.cells if cell.get("id") != "install"]
    nodes = [node for tree in trees if tree for node in tree.body]
    return {ast.unparse(n) for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom))}


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", WITHOUT]
    return subprocess.run(command, input=code, capture_output=True, text=True, check=False)


def test_chapters_import_without_modules_of_posix(site: Path) -> None:
    lines = sorted(set().union(*map(imports, notebooks(site).values())))
    assert any("attnlab" in line for line in lines)
    done = run("\n".join(lines))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", ["import fcntl", "from coursekit.sandbox import fork_server"])
def test_the_block_is_real(line: str) -> None:
    assert "No module named" in run(line).stderr


def test_nothing_but_grading_asks_for_a_module_of_posix() -> None:
    """Inside of functions neither."""
    asking = {p.relative_to(ROOT / "lib") for p in (ROOT / "lib").rglob("*.py") if _asks(p)}
    grading = [Path("coursekit", name) for name in ("sandbox", "grade")]
    assert asking
    assert [p for p in asking if not any(map(p.is_relative_to, grading))] == []


def _asks(path: Path) -> bool:
    statement = rf"(?m)^\s*(import|from) ({'|'.join(sorted(POSIX))})\b"
    return re.search(statement, path.read_text(encoding="utf-8")) is not None
