"""The mutants of `benchmarks/mutants.py`: each is one edit that Python reads as other code."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import mutants

SOURCE = '''
"""Not 1 mutant: nobody runs a docstring."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 1

def f(x: int | None, y=2):
    if not x and y <= 3:
        raise ValueError(f"é{x + 1}")
    print(x, y)
    return -x
'''
EDITS = {
    "2 → (3)",
    "not x and y <= 3 → (not x or y <= 3)",
    "not x → (x)",
    "y <= 3 → (y < 3)",
    "3 → (4)",
    'raise ValueError(f"é{x + 1}") → pass',
    "print(x, y) → pass",
    "print(x, y) → (print(y, x))",
    "-x → (x)",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lib" / "attn").mkdir(parents=True)
    (tmp_path / "lib" / "attn" / "some.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "lib" / "attn" / "__init__.py").touch()
    (tmp_path / "tests" / "attn").mkdir(parents=True)
    for name, test in (("a", "assert True"), ("z", "from attn.some import f; assert f(4) == -4")):
        test = f"def test_{name}():\n    {test}\n"
        (tmp_path / "tests" / "attn" / f"test_{name}.py").write_text(test)
    return tmp_path


def test_each_kind_of_edit_is_made_where_code_is_run(project: Path) -> None:
    found = list(mutants.mutants_of(project, "attn"))
    assert {str(mutant).partition(": ")[2] for mutant in found} == EDITS
    for mutant in found:
        edited = mutant.apply(SOURCE.encode()).decode()
        assert ast.dump(ast.parse(edited)) != ast.dump(ast.parse(SOURCE))


def test_a_mutant_is_caught_by_a_test_that_sees_it_and_its_file_is_put_back(project: Path) -> None:
    by_edit = {
        str(mutant).partition(": ")[2]: mutant for mutant in mutants.mutants_of(project, "attn")
    }
    tests = mutants.which_tests(project, "attn/some.py")
    found = [mutants.outcome(project, by_edit[e], tests, 60) for e in ("-x → (x)", "2 → (3)")]
    assert found == ["caught", "survived"]
    assert (project / "lib" / "attn" / "some.py").read_text(encoding="utf-8") == SOURCE


def test_tests_that_name_the_module_come_first_and_none_lets_attacks_loose() -> None:
    names = [Path(path).name for path in mutants.which_tests(ROOT, "coursekit/grade/secret.py")]
    assert "secret" in (ROOT / "tests" / "grading" / names[0]).read_text(encoding="utf-8")
    assert "test_attacks.py" not in names
    assert names[0] in map(
        os.path.basename, mutants.which_tests(ROOT, "coursekit/grade/secret.py", True)
    )
    files = {mutant.file for mutant in mutants.mutants_of(ROOT, "coursekit")}
    assert "coursekit/grade/secret.py" in files
    assert not any(file.startswith("coursekit/sandbox") for file in files)
