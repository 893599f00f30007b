"""A new experiment is its module and its stored result: nothing else is edited."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from attnlab import experiments

LIB = Path(experiments.__file__).parents[2]
NEW = '''
"""Is a half a half?"""

from attnlab.claims import Claim, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

CLAIM = Claim(
    chapter="masking",
    sentence="A half is one half.",
    source="Arithmetic.",
    refuted_by="Another number.",
    seconds=0.1,
)


def run(seeds=(0, 1, 2), quick=False):
    curves = {"half": Curve([1, 2], [[0.5, 0.5] for _ in seeds])}
    return Result(curves, seeds, {"quick": quick}, 0.1)


def trials(result):
    return each_seed(result["half"].at(1) == 0.5)


def because(result):
    return "Every seed gives 0.5."


def figure(result):
    return plot_curves(result.curves, accent="half")
'''
USE = """
from attnlab import evidence, experiments

assert "half" in experiments.names()
result = experiments.load("half")
assert result == experiments.run("half", [0, 1, 2])
assert experiments.verdict("half").level == "holds"
page = evidence.claims("masking").html
assert 'id="claim-half"' in page and "A half is one half." in page and "<svg" in page
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a copy of the library with one more experiment."""
    copy = shutil.copytree(LIB, tmp_path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "attnlab" / "experiments" / "half.py").write_text(NEW, encoding="utf-8")
    return copy


def python(library: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=library, capture_output=True, text=True, check=False
    )


def test_a_new_module_is_an_experiment_and_has_its_place_on_the_page(library: Path) -> None:
    stored = python(library, "-m", "attnlab.experiments", "half")
    assert stored.returncode == 0, stored.stderr
    assert (library / "attnlab" / "experiments" / "results" / "half.json").is_file()
    used = python(library, "-c", USE)
    assert used.returncode == 0, used.stderr
    listed = python(library, "-m", "attnlab.experiments")
    assert "half           A half is one half. (about 0 s)" in listed.stdout


def test_every_public_module_of_the_package_is_an_experiment() -> None:
    for name in experiments.names():
        module = experiments._module(name)
        for part in ("CLAIM", "run", "trials", "because", "figure"):
            assert hasattr(module, part), f"{name} has no {part}"


def test_every_stored_result_belongs_to_an_experiment() -> None:
    stored = {path.stem for path in experiments.RESULTS.iterdir()}
    assert stored == set(experiments.names())
