"""Packages tell type checkers that they are typed, and tell their version."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import attn

USER = """\
import attn
import attnlab.drawing
import coursekit

reveal_type(attn.softmax)
reveal_type(attnlab.drawing.use)
reveal_type(coursekit.numeric)
attn.causal_mask("three", 4)
"""


def test_mypy_sees_the_types_in_a_users_file(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--cache-dir", "cache", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()
    assert "Skipping analyzing" not in done.stdout
    assert 'Revealed type is "Any"' not in done.stdout
    assert [line for line in told if "error:" in line] == [
        'user.py:8: error: Argument 1 to "causal_mask" has incompatible type "str"; '
        'expected "int"  [arg-type]'
    ]


def test_wheel_carries_the_marks(site: Path) -> None:
    with zipfile.ZipFile(next((site / "notebooks").glob("*.whl"))) as wheel:
        marked = {name for name in wheel.namelist() if name.endswith("py.typed")}
    assert marked == {"attn/py.typed", "attnlab/py.typed", "coursekit/py.typed"}


def test_attn_says_the_version_that_is_installed() -> None:
    assert attn.__version__ == version("attention-course")
