"""A course's settings: what is wrong with them is one line with the file and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.environment import BuildError
from tools.site.project import Project

TEXT = """\
[project]
name = "walks"
version = "1"
optional-dependencies = {notebook = []}

[project.entry-points.coursekit]
exercises = "walks"
explorables = "walks.figures"

[tool.coursekit]
element-prefix = "walk-"
styles = ["lib/walks/*.css"]
notebook-extras = ["notebook"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a course with a package and a module of figures."""
    for folder in ("walks", "walks/figures"):
        (tmp_path / "lib" / folder).mkdir(parents=True)
        (tmp_path / "lib" / folder / "__init__.py").touch()
    for name in ("b.css", "a.css"):
        (tmp_path / "lib" / "walks" / name).touch()
    (tmp_path / "pyproject.toml").write_text(TEXT)
    return tmp_path


def test_a_course_without_figures_needs_one_line(root: Path) -> None:
    short = TEXT.split("[tool.coursekit]")[0].replace('explorables = "walks.figures"\n', "")
    (root / "pyproject.toml").write_text(short + "[tool.coursekit]\n")
    made = Project(root)
    assert (made.explorables, made.styles, made.notebook_extras) == (None, [], [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[tool.coursekit]", "[tool.other]", r"\[tool.coursekit\]: None is not of type 'object'"),
        ("[project.entry-points.coursekit]", "[x]", r"no table \[project.entry-points.coursekit\]"),
        (
            'exercises = "walks"',
            'exercises = "runs"',
            r"pyproject\.toml: exercises has 'runs'; expected a package",
        ),
        ("walks.figures", "walks.maps", r"explorables has 'walks.maps'; .*/lib/walks/maps"),
        ('element-prefix = "walk-"', "", "has no element-prefix, but there are explorables"),
        (
            "lib/walks/*.css",
            "lib/walks/*.scss",
            r"has 'lib/walks/\*\.scss'; expected a file, but .*scss",
        ),
        ('extras = ["notebook"]', 'extras = ["book"]', "has 'book'; expected extras of the course"),
        ("[tool.coursekit]", '[tool.coursekit]\nstyle = "x"', r"\('style' was unexpected\)"),
        (
            "[tool.coursekit]",
            '[tool.coursekit]\npage-files = ["walks/no.npz"]',
            r"page-files has 'walks/no.npz'; expected a file, but .*no\.npz does not exist",
        ),
        ('version = "1"', "version = ", r"pyproject\.toml: .*line 3"),
        (TEXT, "", r"pyproject\.toml: no table"),
    ],
)
def test_what_is_wrong_is_one_line(root: Path, old: str, new: str, message: str) -> None:
    assert old in TEXT
    (root / "pyproject.toml").write_text(TEXT.replace(old, new))
    with pytest.raises(BuildError, match=message) as wrong:
        Project(root).read_settings()
    assert "\n" not in str(wrong.value)
    assert str(root / "pyproject.toml") in str(wrong.value)
