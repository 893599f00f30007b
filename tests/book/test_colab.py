"""Published notebooks on what Colab has: they run, and replace nothing that is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from .conftest import by_extras
from .refresh_colab import PINS, pinned, python

#: The part of Google's package that notebooks use: here it notes that it was called.
OUTPUT = """\
from pathlib import Path

def enable_custom_widget_manager():
    Path("widgets-enabled").touch()
"""


def make(new_environment: Callable[..., Any], interpreter: str) -> Any:
    """Return an environment with Colab's pins, in which a stand-in for ``google.colab`` works."""
    pins = [f"{name}=={version}" for name, version in pinned().items()]
    made = new_environment("colab", *pins, constraints=PINS, python=interpreter)
    package = made.packages / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "output.py").write_text(OUTPUT)
    # Colab's kernel has imported it before the first cell runs; anywidget looks for it there.
    (made.packages / "colab.pth").write_text("import google.colab.output\n")
    return made


@pytest.fixture(scope="module")
def colab(new_environment: Callable[..., Any]) -> Any:
    """Return Colab's packages for the Python that runs the tests.

    Its torch is lent: Colab's, for CUDA, has some gigabytes.
    """
    made = make(new_environment, sys.executable)
    made.lend("torch")
    return made


def run_and_compare(colab: Any, folder: Path, chapters: Sequence[str]) -> None:
    """Run chapters, and see that Colab's packages stay and that its widgets are switched on."""
    before = colab.versions()
    assert set(pinned()) <= {name.replace("_", "-") for name in before}
    colab.run_all(folder, chapters)
    after = colab.versions()
    assert after.pop("attention_course")
    before.pop("attention_course", None)
    assert after == before


@pytest.mark.heavy
def test_every_chapter_runs_on_what_colab_has(colab: Any, unpacked: Path) -> None:
    groups = by_extras(unpacked)
    run_and_compare(colab, unpacked, groups["notebook"] + groups["notebook,torch"])
    assert (unpacked / "widgets-enabled").exists()


@pytest.mark.heavy
def test_chapters_without_torch_run_on_colab_s_python_too(
    new_environment: Callable[..., Any], interpreter: Callable[[str], str], unpacked: Path
) -> None:
    made = make(new_environment, interpreter(python()))
    run_and_compare(made, unpacked, by_extras(unpacked)["notebook"])


@pytest.mark.heavy
def test_what_colab_lacks_is_added_and_nothing_else_moves(colab: Any, unpacked: Path) -> None:
    colab.pip("uninstall", "-y", "-q", "anywidget", "matplotlib", "attention-course")
    before = colab.versions()
    # Without torch: the lent one asks for newer setuptools than Colab has, and would be replaced.
    colab.run(unpacked / f"{by_extras(unpacked)['notebook'][0]}.ipynb")
    after = colab.versions()
    assert {name: after[name] for name in before} == before
    assert {"anywidget", "matplotlib", "attention_course"} <= set(after)
