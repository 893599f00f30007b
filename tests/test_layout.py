"""The house stays in order: what may stand at the top, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP = {
    ".ci",
    ".gitignore",
    "CONTRIBUTING.md",
    "LICENSE",
    "LICENSE-TEXT.md",
    "Makefile",
    "README.md",
    "_config.yml",
    "_toc.yml",
    "benchmarks",
    "binder",
    "book",
    "exercises",
    "lib",
    "package-lock.json",
    "package.json",
    "pyproject.toml",
    "requirements-oracles.txt",
    "requirements.txt",
    "tests",
    "tools",
    "tsconfig.json",
}
LONGEST = 300  # lines of a source file
LONGEST_FUNCTION = 40  # lines, from `def` to the last, docstring included
#: Functions that are still longer. A function is taken off this list once it is short.
STILL_LONG: set[str] = {
    "lib/attn/attention.py:attention_weights",
    "lib/attn/attention.py:scaled_dot_product_attention",
    "lib/attn/blockwise.py:blockwise_attention",
    "lib/attn/centered.py:centered_attention",
    "lib/attn/fast/windows.py:attend_in_windows",
    "lib/attn/grouped.py:grouped_query_attention",
    "lib/attn/hard.py:hard_attention",
    "lib/attn/local.py:local_attention",
    "lib/attn/lsh.py:lsh_attention",
    "lib/attn/masks.py:padding_mask",
    "lib/attn/multi_head.py:__call__",
    "lib/attn/normalisation.py:softmax",
    "lib/attn/relative.py:rotary",
    "lib/attn/torch/attention.py:attention_weights",
    "lib/attn/torch/attention.py:scaled_dot_product_attention",
    "lib/attn/torch/attention.py:softmax",
    "lib/attn/torch/blockwise.py:blockwise_attention",
    "lib/attn/torch/centered.py:centered_attention",
    "lib/attn/torch/grouped.py:grouped_query_attention",
    "lib/attn/torch/hard.py:hard_attention",
    "lib/attn/torch/hard.py:score_function_loss",
    "lib/attn/torch/layers.py:forward",
    "lib/attn/torch/local.py:local_attention",
    "lib/attn/torch/lsh.py:lsh_attention",
    "lib/attn/torch/multi_head.py:forward",
    "lib/attn/torch/positions.py:rotary",
    "lib/attnlab/drawing/value_table.py:table",
    "lib/coursekit/grade/submissions.py:find_submissions",
    "tests/attn/everywhere.py:hiding_paths",
    "tests/book/test_numbers_in_use.py:at_work",
}


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
    assert {path.parts[0] for path in tracked} - TOP == set()


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
        and path.parts[0] in ("lib", "tests", "tools")
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_functions_stay_short(tracked: list[Path]) -> None:
    lengths: dict[str, int] = {}
    for path in tracked:
        if path.suffix != ".py" or path.parts[0] not in ("lib", "tests", "tools"):
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                name, lines = f"{path}:{node.name}", node.end_lineno - node.lineno + 1
                lengths[name] = max(lines, lengths.get(name, 0))
    long = {name: lines for name, lines in lengths.items() if lines > LONGEST_FUNCTION}
    assert {name: lines for name, lines in long.items() if name not in STILL_LONG} == {}
    assert STILL_LONG - set(long) == set(), "short by now: take them off the list"


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
