"""A chapter's numbers come from the course's module, in the page and in the notebook."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coursekit.errors import CoursekitError
from coursekit.notebooks import chapter_notebook
from coursekit.quoted import filled

from ..coursekit_web.conftest import build

SETTINGS = """\
[project]
name = "heights"
version = "1"
entry-points.coursekit = {exercises = "heights", quoted = "heights"}
"""
MODULE = """\
from pathlib import Path

def names(chapter):
    height = float(Path(__file__).with_name("height").read_text())
    return {"height": height, "page": chapter, "table": {"a: b": 1234}}
"""
HEAD = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---

"""
TEXT = """\
# How high

It is {number}`height:.2f` m, or
$h^{{number}`2 * height:.1f`}$, in *{number}`page`*: {number}`table["a: b"]:,`.
"""
FILLED = "It is 1.50 m, or\n$h^{3.0}$, in *index*: 1,234."


@pytest.fixture
def chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "heights.py").write_text(MODULE)
    (tmp_path / "height").write_text("1.499")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "heights", raising=False)
    (tmp_path / "book").mkdir()
    made = tmp_path / "book" / "index.md"
    made.write_text(HEAD + TEXT)
    return made


def test_a_field_is_what_an_f_string_makes_of_it(chapter: Path) -> None:
    assert filled(chapter, TEXT) == f"# How high\n\n{FILLED}\n"


def test_the_notebook_has_the_plain_numbers(chapter: Path) -> None:
    cells = chapter_notebook(chapter, {}).cells
    assert FILLED in "\n".join(cell.source for cell in cells)


def test_a_page_is_read_again_when_a_number_changes(chapter: Path) -> None:
    chapter.write_text(TEXT)
    built = build(chapter.parent, coursekit_exercises=[])
    assert built.warnings == []
    assert "It is 1.50 m, or" in built.text("index.html")
    assert "h^{3.0}" in built.text("index.html")
    (chapter.parent.parent / "height").write_text("1.7")
    assert "It is 1.70 m, or" in build(chapter.parent, coursekit_exercises=[]).text("index.html")
    chapter.write_text("# How high\n\n{number}`hight:.2f`\n")
    warning, *_ = build(chapter.parent, coursekit_exercises=[]).warnings
    assert "index.md:3: {number}`hight:.2f`: NameError" in warning


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("hight:.2f", "NameError: name 'hight' is not defined; there are height, page, table"),
        ('table["a"]', "KeyError: a"),
        ("height:.2q", "ValueError: "),
        ("height +", "SyntaxError: "),
        ("", "SyntaxError: "),
    ],
)
def test_a_field_without_a_value_is_one_error(chapter: Path, field: str, said: str) -> None:
    with pytest.raises(CoursekitError) as caught:
        filled(chapter, f"# How high\n\n{{number}}`{field}`\n")
    assert str(caught.value).startswith(f"{chapter}:3: {{number}}`{field}`: {said}")
    assert "\n" not in str(caught.value)


def test_a_fence_of_backticks_has_none_in_its_title(chapter: Path) -> None:
    with pytest.raises(CoursekitError, match=r"index.md:3: .* in the title of a fence; begin it w"):
        filled(
            chapter, "# How high\n\n```{note} At {number}`height`, {number}`height`\nYes.\n```\n"
        )


def test_a_course_without_numbers_is_told_what_to_add(chapter: Path) -> None:
    settings = chapter.parent.parent / "pyproject.toml"
    settings.write_text(SETTINGS.replace(', quoted = "heights"', ""))
    with pytest.raises(
        CoursekitError, match=r'has \{number\}, but .*; add quoted = "mylib.quoted"'
    ):
        filled(chapter, TEXT)
