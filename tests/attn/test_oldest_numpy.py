"""The NumPy tests again with NumPy 2.0, the version that runs in the page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("numpy==2.0.2", "pytest", "hypothesis")


@pytest.mark.heavy
def test_passes_with_numpy_2_0(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True)
    python = str(tmp_path / ("Scripts" if os.name == "nt" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    done = subprocess.run(
        [
            *(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not heavy"),
            # Without torch, and without what the tests of the course need.
            *("--confcutdir=tests/attn", "--ignore=tests/attn/torch", "tests/attn"),
            *("--ignore=tests/attn/everywhere.py", "--ignore=lib/attn/torch", "lib/attn"),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "lib")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-1000:]
