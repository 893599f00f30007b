"""Packages tell type checkers that they are typed, and tell their version."""

from __future__ import annotations

import zipfile
from importlib.metadata import version
from pathlib import Path

import attn


def test_wheel_carries_the_marks(site: Path) -> None:
    with zipfile.ZipFile(next((site / "notebooks").glob("*.whl"))) as wheel:
        marked = {name for name in wheel.namelist() if name.endswith("py.typed")}
    assert marked == {"attn/py.typed", "attnlab/py.typed", "coursekit/py.typed"}


def test_attn_says_the_version_that_is_installed() -> None:
    assert attn.__version__ == version("attention-course")
