"""Where node is, and the bundles that a browser or a notebook loads, built by esbuild."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def node() -> str:
    """Return the environment's node, or the system's."""
    beside = Path(sys.executable).with_name("node.exe" if os.name == "nt" else "node")
    path = str(beside) if beside.exists() else shutil.which("node")
    if path is None:
        pytest.fail("no node: run `make book` first, it installs one", pytrace=False)
    return path


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `context_vector.js` as the ES module that a notebook loads."""
    out = tmp_path_factory.mktemp("bundle")
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists():
        pytest.fail("no esbuild: run `make book` first, it installs it", pytrace=False)
    source = ROOT / "lib/attnlab/explorables/context_vector/context_vector.ts"
    beside = str(Path(sys.executable).parent)
    subprocess.run(
        [str(esbuild), str(source), "--bundle", "--format=esm", "--loader:.css=text",
         f"--outdir={out}"],
        check=True,
        capture_output=True,
        env=os.environ | {"PATH": os.pathsep.join([beside, os.environ["PATH"]])},
    )  # fmt: skip
    return out
