"""Published notebooks on what Colab has: they run, and replace nothing that is there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tools.site.notebooks import requirements
from tools.site.project import Project

from .conftest import ROOT, by_extras
from .refresh_colab import PINS, pinned, python

#: The part of Google's package that notebooks use: here it notes that it was called.
OUTPUT = """\
from pathlib import Path

def enable_custom_widget_manager():
    Path("widgets-enabled").touch()
"""


def test_colab_s_torch_is_new_enough() -> None:
    (torch,) = re.findall(r"torch ([\d.]+\d)", PINS.read_text(encoding="utf-8"))
    assert torch in Requirement(requirements(Project(ROOT))["torch"]["torch"]).specifier


@pytest.mark.heavy
def test_chapters_run_on_what_colab_has_add_what_it_lacks_and_move_nothing(
    new_environment: Callable[..., Any], interpreter: Callable[..., str], unpacked: Path
) -> None:
    lacking = {"anywidget", "matplotlib"}
    pins = [f"{name}=={version}" for name, version in pinned().items() if name not in lacking]
    colab = new_environment("colab", *pins, constraints=PINS, python=interpreter(python()))
    package = colab.packages / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "output.py").write_text(OUTPUT)
    # Colab's kernel has imported it before the first cell runs; anywidget looks for it there.
    (colab.packages / "colab.pth").write_text("import google.colab.output\n")
    before = colab.versions()
    assert lacking.isdisjoint(before)
    # Without torch: Colab's has some gigabytes.
    colab.run_all(unpacked, by_extras(unpacked)["notebook"])
    after = colab.versions()
    assert {name: after[name] for name in before} == before
    assert {*after} - {*before} == {*lacking, "attention_course"}
    assert (unpacked / "widgets-enabled").exists()
