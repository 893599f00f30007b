"""Change the code a little, at random, and print the changes that no test notices.

``python benchmarks/mutants.py 40 tests/attn`` draws 40 changes of ``lib/attn`` (``--of`` for other
folders, ``--seed`` for other changes) and runs the tests on each, in a copy of the work tree.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "_build", "node_modules", "__pycache__")
#: Far above what the tests of `attn` take: a change may make a loop endless.
LIMIT = 900
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn},
    ast.NotIn: ast.In,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult},
}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand in place of a node."""
    new: ast.AST = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and type(new.ops[0]) in COMPARED:
        new.ops[0] = COMPARED[type(new.ops[0])]()
        yield new
    elif isinstance(new, ast.BinOp) and type(new.op) in SWAPPED:
        new.op = SWAPPED[type(new.op)]()
        yield new
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not | ast.USub | ast.Invert):
        yield new.operand
    elif isinstance(new, ast.Constant) and type(new.value) is bool:
        yield ast.Constant(not new.value)
    elif isinstance(new, ast.Constant) and type(new.value) in (int, float):
        yield from (ast.Constant(new.value + step) for step in (1, -1))
    elif isinstance(new, ast.Call) and new.keywords:
        new.keywords.pop()
        yield new


def mutants(file: Path) -> Iterator[tuple[Path, ast.expr, str]]:
    """Yield file, place and new text of every change of a module's functions."""
    tree = ast.parse(file.read_text("utf-8"))
    bodies = [n.body for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    for statement in (s for body in bodies for s in body):
        if isinstance(statement, ast.FunctionDef | ast.Raise):
            continue
        messages = [n for n in ast.walk(statement) if isinstance(n, ast.Raise | ast.JoinedStr)]
        told = {id(inner) for n in messages for inner in ast.walk(n)}  # the words of an error
        for node in ast.walk(statement):
            if isinstance(node, ast.expr) and id(node) not in told:
                for new in changes(node):
                    yield file, node, ast.unparse(new)


def changed(text: str, node: ast.expr, new: str) -> str:
    """Return a module's text with another expression at a node's place."""
    assert node.end_lineno is not None
    lines = text.encode().splitlines(keepends=True)  # columns count bytes
    head = lines[node.lineno - 1][: node.col_offset]
    tail = lines[node.end_lineno - 1][node.end_col_offset :]
    lines[node.lineno - 1 : node.end_lineno] = [head + f"({new})".encode() + tail]
    return b"".join(lines).decode()


def noticed(tree: Path, tests: list[str]) -> bool:
    """Return whether a test fails, or no longer ends."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    paths = os.pathsep.join([str(tree / "lib"), str(tree)])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=tree, env=environment, timeout=LIMIT, **QUIET)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--of", nargs="+", default=["lib/attn"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT, symlinks=True)
        files = sorted(file for of in options.of for file in (tree / of).rglob("*.py"))
        every = [mutant for file in files for mutant in mutants(file)]
        drawn = random.Random(options.seed).sample(every, options.number)
        if noticed(tree, options.tests):
            sys.exit("the tests fail before anything is changed")
        passed = 0
        for file, node, new in drawn:
            text = file.read_text("utf-8")
            file.write_text(changed(text, node, new), "utf-8")
            if not noticed(tree, options.tests):
                passed += 1
                print(
                    f"{file.relative_to(tree)}:{node.lineno}: {ast.unparse(node)} → {new}",
                    flush=True,
                )
            file.write_text(text, "utf-8")
    print(f"{options.number - passed} of {options.number} changes noticed (seed {options.seed})")
