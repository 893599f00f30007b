"""The house stays in order: what may stand at the top, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tools.site.notebooks import requirements
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[1]
TOP = """
.ci .github benchmarks binder book exercises lib tests tools
CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE LICENSE-TEXT.md README.md
.gitignore Makefile _config.yml _toc.yml package-lock.json package.json pyproject.toml
requirements-oracles.txt requirements.txt tsconfig.json
"""
LONGEST = 400  # lines of a source file: one idea
LONGEST_FUNCTION = 40  # lines, from `def` to the last, without the docstring


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """Return every file of the repository that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout: nothing says which files belong to it")
    return [Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def test_top_level_has_what_architecture_names(tracked: list[Path]) -> None:
    assert {path.parts[0] for path in tracked} - {*TOP.split()} == set()


def test_no_generated_file_is_tracked(tracked: list[Path]) -> None:
    made = [p for p in tracked if {"_dist", "_build", "node_modules"} & set(p.parts)]
    made += [p for p in tracked if p.suffix in (".pyc", ".whl")]
    made += [p for p in tracked if p.suffix == ".ipynb" and p.parts[0] != "tests"]
    assert made == []


def test_source_files_stay_short(tracked: list[Path]) -> None:
    lengths = {
        str(path): (ROOT / path).read_text(encoding="utf-8").count("\n")
        for path in tracked
        if path.suffix in (".py", ".ts", ".css", ".mjs")
        and path.parts[0] in ("book", "lib", "tests", "tools")
    }
    assert "book/assets/course.css" in lengths
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_functions_stay_short(tracked: list[Path]) -> None:
    long: dict[str, int] = {}
    for path in tracked:
        if path.suffix != ".py" or path.parts[0] not in ("lib", "tests", "tools"):
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = _lines_of_code(node)
                if lines > LONGEST_FUNCTION:
                    long[f"{path}:{node.name}"] = lines
    assert long == {}


def _lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's lines without its docstring, which says more of what is public."""
    first = function.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = (function.end_lineno or 0) - function.lineno + 1
    return lines - ((first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0)


def test_python_needs_what_the_environment_script_asks_for(tracked: list[Path]) -> None:
    # The script says "Python X or newer" before anything is installed; pip says it afterwards.
    from tools.site.environment import OLDEST

    declared = re.search(
        r'requires-python = ">=(\d+)\.(\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert declared is not None
    assert tuple(map(int, declared.groups())) == OLDEST


def test_requirements_are_plain_pins() -> None:
    # pip takes the file as constraints as well, which may have neither ranges nor extras.
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line.strip() and not line.startswith("#")]
    assert len(wanted) > 100
    assert [line for line in wanted if not re.fullmatch(r"[\w.-]+==[\w.+!]+", line)] == []


def test_every_declared_library_is_pinned() -> None:
    # What was once installed by hand here would be missing in a fresh clone.
    pins = {
        canonicalize_name(line.split("==")[0])
        for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    declared = requirements(Project(ROOT))
    names = {name for extra in set(declared) - {"oracles"} for name in declared[extra]}
    assert len(names) > 10
    assert {canonicalize_name(name) for name in names} - pins == set()


def test_the_lists_of_heavy_tests_name_what_exists() -> None:
    lists = tomllib.loads((ROOT / "tests" / "heavy.toml").read_text(encoding="utf-8"))
    named = [
        (file, test) for each in lists.values() for file, tests in each.items() for test in tests
    ]
    sources = {file: (ROOT / "tests" / file).read_text(encoding="utf-8") for file, _ in named}
    gone = [
        (file, test)
        for file, test in named
        if test != "*" and f"def {test.split('[')[0]}(" not in sources[file]
    ]
    assert gone == []
    assert set(lists["chosen"]) <= set(lists["heavy"]), "only what is heavy needs to be chosen"
