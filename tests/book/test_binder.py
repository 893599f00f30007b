"""binder/ stands alone, agrees with the project's own pins, and asks for nothing needless."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = ("requirements.txt", "postBuild", "runtime.txt", ".dockerignore")


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", text))


def test_binder_installs_what_the_chapters_need_as_the_book_was_built_and_nothing_else() -> None:
    """JupyterLab and a kernel are Binder's own; wheels need no Node and no hatchling."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras, ours = project["optional-dependencies"], pins("requirements.txt")
    needed = project["dependencies"] + extras["torch"] + extras["notebook"]
    names = {re.split(r"[<>=]", need)[0] for need in needed}
    assert pins("binder/requirements.txt") == {name: ours[name] for name in names}


def test_readme_states_the_size_that_was_measured() -> None:
    measured = json.loads((ROOT / "benchmarks/results/binder.json").read_text(encoding="utf-8"))
    asked = [f"{name}=={version}" for name, version in pins("binder/requirements.txt").items()]
    assert measured["requirements"] == asked  # else: python benchmarks/binder.py
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"downloads {measured['fetched_mb']} MB" in readme
    assert f"{measured['installed_mb']} MB once installed" in readme


def published(folder: Path, site: Path) -> Path:
    """Make ``folder`` hold what repo2docker finds on the published branch, a page included."""
    folder.mkdir()
    shutil.copytree(site / "binder", folder / "binder")
    (folder / "notebooks").mkdir()
    for pattern in ("*.whl", "masking.ipynb", "*.zip"):
        shutil.copy(next((site / "notebooks").glob(pattern)), folder / "notebooks")
    (folder / "masking.html").touch()
    return folder


def run_post_build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run postBuild in ``folder`` with a Python that prints what it is asked."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "python").write_text('#!/bin/sh\necho "$@"\n')
    (tools / "python").chmod(0o755)
    env = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = [str(folder / "binder" / "postBuild")]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_published_wheel_is_installed_alone(tmp_path: Path, site: Path) -> None:
    for name in FILES:
        assert (site / "binder" / name).read_bytes() == (ROOT / "binder" / name).read_bytes()
    folder = published(tmp_path / "branch", site)
    done = run_post_build(folder)
    (wheel,) = (folder / "notebooks").glob("*.whl")
    assert done.returncode == 0
    assert done.stdout.startswith("-m pip install --no-deps")
    assert done.stdout.rstrip().endswith(f" notebooks/{wheel.name}")


def test_sources_in_binder_end_in_one_sentence_with_the_way_out(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "binder", tmp_path / "binder")
    done = run_post_build(tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Choose the branch gh-pages" in done.stderr


@pytest.mark.heavy
def test_repo2docker_takes_the_published_branch(tmp_path: Path, site: Path) -> None:
    folder = published(tmp_path / "branch", site)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "jupyter-repo2docker==2026.4.0"], check=True
    )
    command = [python, "-m", "repo2docker", "--no-build", "--debug", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rendered = done.stdout + done.stderr
    assert "Building conda environment for python=3.11" in rendered
    assert 'pip install --no-cache-dir -r "binder/requirements.txt"' in rendered
    assert "RUN ./binder/postBuild" in rendered
