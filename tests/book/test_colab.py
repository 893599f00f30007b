"""Published notebooks on what Colab has: they run, and replace nothing that is there."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PINS = Path(__file__).with_name("colab.txt")
#: The part of Google's package that notebooks use: here it notes that it was called.
OUTPUT = """\
from pathlib import Path

def enable_custom_widget_manager():
    Path("widgets-enabled").touch()
"""


def pinned() -> list[str]:
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def colab(new_environment: Callable[..., Any]) -> Any:
    """Return an environment with Colab's pins, and a stand-in for ``google.colab`` at work in it.

    Its Python is the one that runs the tests. So is its torch, lent: Colab's is 2.11, for CUDA, and
    some gigabytes.
    """
    made = new_environment("colab", *pinned(), constraints=PINS)
    package = made.packages / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "output.py").write_text(OUTPUT)
    # Colab's kernel has imported it before the first cell runs.
    (made.packages / "colab.pth").write_text("import google.colab\n")
    made.lend("torch")
    return made


@pytest.mark.heavy
@pytest.mark.parametrize(("chapter", "widgets"), [("windows", True), ("attention-today", False)])
def test_runs_on_what_colab_has(
    colab: Any, archive: Path, tmp_path: Path, chapter: str, widgets: bool
) -> None:
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(tmp_path)
    before = colab.versions()
    colab.run(tmp_path / archive.stem / f"{chapter}.ipynb")
    after = colab.versions()
    assert after.pop("attention_course")
    before.pop("attention_course", None)
    assert after == before
    assert {name.split("==")[0] for name in pinned()} <= set(after)
    assert (tmp_path / archive.stem / "widgets-enabled").exists() is widgets


@pytest.mark.heavy
def test_what_colab_lacks_is_added_and_nothing_else_moves(
    colab: Any, archive: Path, tmp_path: Path
) -> None:
    colab.pip("uninstall", "-y", "-q", "anywidget", "matplotlib", "attention-course")
    before = colab.versions()
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(tmp_path)
    colab.run(tmp_path / archive.stem / "windows.ipynb")
    after = colab.versions()
    assert {name: after[name] for name in before} == before
    assert {"anywidget", "matplotlib", "attention_course"} <= set(after)
