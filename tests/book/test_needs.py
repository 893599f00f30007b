"""What a notebook installs: the extras that its chapter names, or else those of the course."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tools.site.environment import BuildError
from tools.site.needs import needs
from tools.site.project import Project

COURSE = Project(Path(__file__).resolve().parents[2])


def chapter(folder: Path, extras: str) -> Path:
    path = folder / "first.md"
    path.write_text(f"---\nkernelspec: {{name: python3}}\n{extras}\n---\n\n# First\n")
    return path


def cell(code: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_code_cell(code)


def test_extras_are_those_of_the_course_or_of_the_chapter(tmp_path: Path) -> None:
    modules, extras = needs(COURSE, chapter(tmp_path, ""), [cell("import torch.nn, json, attn")])
    assert extras == ["notebook", "torch"]
    assert {"attn", "attnlab", "coursekit", "numpy", "matplotlib", "torch"} <= modules
    light = chapter(tmp_path, "extras: [notebook]")
    modules, extras = needs(COURSE, light, [cell("%load_ext magic\nimport IPython\n!import x")])
    assert extras == ["notebook"]
    assert "torch" not in modules


def test_a_module_has_not_always_its_distribution_s_name(tmp_path: Path) -> None:
    page = chapter(tmp_path, "extras: [grading]")
    modules, _ = needs(COURSE, page, [cell("import yaml, mpl_toolkits")])
    assert {"yaml", "markdown_it"} <= modules
    assert "pyseccomp" not in modules  # not every system has it


@pytest.mark.parametrize(
    ("extras", "code", "said"),
    [
        ("extras: [notebook]", "import torch", r"first imports torch, which none .*\(notebook\)"),
        ("extras: []", "import unheard_of", r"first imports unheard_of, .*\(it has none\)"),
        ("extras: [pictures]", "", "first: extras has pictures, which pyproject.toml has not"),
    ],
)
def test_what_no_extra_brings_is_one_line(
    tmp_path: Path, extras: str, code: str, said: str
) -> None:
    with pytest.raises(BuildError, match=said):
        needs(COURSE, chapter(tmp_path, extras), [cell(code)])
