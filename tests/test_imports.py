"""Import arrows go one way, and attn stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = {"attn", "attnlab", "coursekit", "tools"}
#: Folder, and which of our packages its files may import besides their own.
ARROWS = {
    "lib/attn": set(),
    "lib/attnlab": {"attn"},
    "lib/coursekit": set(),
    "exercises": {"attn", "coursekit"},
    "tools": {"coursekit"},
}


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]


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


def test_only_attn_torch_imports_torch() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "lib" / "attn").rglob("*.py")
        if "torch" in set(imported(path)) and "torch" not in path.relative_to(ROOT).parts
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("attn", "torch matplotlib IPython sphinx"),
        ("coursekit", "attn attnlab torch matplotlib IPython sphinx nbformat yaml"),
    ],
)
def test_importing_stays_light(module: str, unwanted: str) -> None:
    code = f"import sys, {module}; print([m for m in {unwanted.split()!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
