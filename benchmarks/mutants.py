"""How many small faults the tests find: `python benchmarks/mutants.py attn coursekit`.

Mutants are drawn at random from all places of the packages: another operator, comparison or
constant, a condition reversed, two arguments swapped, a statement left out. Each is put into a copy
of the project, and the tests of its package run there until one fails: those first that name the
mutated module. The same seed and sources give the same mutants, so that tests can be compared:
with ``--tests``, those of another checkout are run, and with ``--only`` a few of the numbers.

A mutant that survives is a question, not always a fault: some mean the same as the original.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Folders of tests by the longest prefix of the mutated file.
FOLDERS = {
    "attn": ["attn"],
    "attnlab": ["attnlab"],
    "coursekit": ["coursekit"],
    "coursekit/grade": ["grading"],
    "coursekit/page": ["coursekit_web"],
    "coursekit/browser": ["coursekit_web"],
}
#: With less of a sandbox, hostile notebooks would have this machine to themselves.
NOT_MUTATED = "coursekit/sandbox"
NOT_RUN = ("test_attacks.py", "test_seccomp.py")
OTHER: dict[type, type] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}
UNSEEN = {"annotation", "returns", "decorator_list"}


@dataclass(frozen=True)
class Mutant:
    """An edit of one file: what stands from one byte to another, and what is there instead."""

    file: str
    line: int
    start: int
    stop: int
    old: str
    new: str

    def apply(self, source: bytes) -> bytes:
        """Return the source with the edit."""
        return source[: self.start] + self.new.encode() + source[self.stop :]

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.file}:{self.line}: {old} → {new}"


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in place of a node."""
    other = copy.copy(node)
    if isinstance(other, ast.BinOp | ast.BoolOp) and type(other.op) in OTHER:
        other.op = OTHER[type(other.op)]()
        yield other
    elif isinstance(other, ast.BinOp) and isinstance(other.op, ast.MatMult):
        other.left, other.right = other.right, other.left
        yield other
    elif isinstance(other, ast.Compare) and type(other.ops[0]) in OTHER:
        other.ops = [OTHER[type(other.ops[0])](), *other.ops[1:]]
        yield other
    elif isinstance(other, ast.UnaryOp) and isinstance(other.op, ast.Not | ast.USub):
        yield other.operand
    elif isinstance(other, ast.Constant) and isinstance(other.value, bool | int | float):
        other.value = not other.value if isinstance(other.value, bool) else other.value + 1
        yield other
    elif isinstance(other, ast.IfExp):
        other.body, other.orelse = other.orelse, other.body
        yield other
    elif isinstance(other, ast.Call) and len({ast.dump(arg) for arg in other.args[:2]}) == 2:
        other.args = [other.args[1], other.args[0], *other.args[2:]]
        yield other
    elif isinstance(other, ast.AugAssign | ast.Raise | ast.Continue) or (
        isinstance(other, ast.Expr) and not isinstance(other.value, ast.Constant)
    ):
        yield ast.Pass()


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it, but for annotations and what only type checkers read."""
    yield node
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in UNSEEN:
                yield from _nodes(child)


def mutants_of(root: Path, package: str) -> Iterator[Mutant]:
    """Yield all mutants of a package below ``root/lib``."""
    for path in sorted((root / "lib" / package).rglob("*.py")):
        if NOT_MUTATED in str(path):
            continue
        source = path.read_bytes()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for top in ast.parse(source).body:
            for node in _nodes(top):
                for other in _others(node):
                    assert isinstance(node, ast.expr | ast.stmt)
                    assert node.end_lineno
                    assert node.end_col_offset is not None
                    start = starts[node.lineno - 1] + node.col_offset
                    stop = starts[node.end_lineno - 1] + node.end_col_offset
                    new = ast.unparse(other)
                    new = f"({new})" if isinstance(node, ast.expr) else new
                    old, file = source[start:stop].decode(), str(path.relative_to(root / "lib"))
                    yield Mutant(file, node.lineno, start, stop, old, new)


def which_tests(root: Path, file: str, near: bool = False) -> list[str]:
    """Return the files of tests for a file of the library, those that name its module first.

    If ``near``, the others are left out.
    """
    prefix = max((each for each in FOLDERS if f"{file}/".startswith(f"{each}/")), key=len)
    stem = Path(file).parent.name if file.endswith("__init__.py") else Path(file).stem
    found = [p for folder in FOLDERS[prefix] for p in (root / "tests" / folder).rglob("test_*.py")]
    found = [path for path in found if path.name not in NOT_RUN]
    naming = [p for p in found if re.search(rf"\b{stem}\b", p.read_text("utf-8"))]
    others = [] if near and naming else set(found) - set(naming)
    return [str(path) for path in (*sorted(naming), *sorted(others))]


def outcome(root: Path, mutant: Mutant, tests: Sequence[str], seconds: float) -> str:
    """Run tests with a mutant in place: it is "caught", has "survived", or it takes "too long"."""
    path = root / "lib" / mutant.file
    source = path.read_bytes()
    path.write_bytes(mutant.apply(source))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTHONPATH": str(root / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, "-m", "not heavy", *tests],
            cwd=root,
            env=env,
            check=False,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return "too long"
    finally:
        path.write_bytes(source)
    return "caught" if done.returncode else "survived"


def copied(root: Path, tests: Path, folder: Path) -> Path:
    """Return a copy of the project with the tests of another checkout; what is made is linked."""
    made = (".git", "_build", "node_modules", ".venv", "tests")
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*made, "__pycache__"))
    shutil.copytree(tests / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in made[1:4]:
        if (root / name).exists():
            (folder / name).symlink_to((root / name).resolve())
    return folder


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw mutants, run their tests, and print which were caught."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+", help="folders below lib/, such as coursekit/grade")
    parser.add_argument("--mutants", type=int, default=20, help="how many (20)")
    parser.add_argument("--seed", type=int, default=0, help="draws them (0)")
    parser.add_argument("--only", type=int, nargs="*", help="run these numbers of the draw (all)")
    parser.add_argument("--tests", type=Path, default=ROOT, help="a checkout with other tests")
    parser.add_argument("--near", action="store_true", help="run tests that name the module, only")
    parser.add_argument("--seconds", type=float, default=900, help="longest run of tests (900)")
    options = parser.parse_args(arguments)
    places = [mutant for package in options.packages for mutant in mutants_of(ROOT, package)]
    drawn = dict(enumerate(random.Random(options.seed).sample(places, options.mutants)))
    run, found = options.only if options.only is not None else list(drawn), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        root = copied(ROOT, options.tests.resolve(), Path(folder) / "project")
        for number in run:
            tests = which_tests(root, drawn[number].file, options.near)
            found.append(outcome(root, drawn[number], tests, options.seconds))
            print(f"{number:3} {found[-1]:8} {drawn[number]}", flush=True)
    counts = ", ".join(f"{found.count(each)} {each}" for each in ("caught", "survived", "too long"))
    print(f"{len(run)} mutants: {counts} ({len(places)} places, seed {options.seed})")


if __name__ == "__main__":
    main()
