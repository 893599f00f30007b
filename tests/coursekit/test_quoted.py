"""A chapter's numbers come from the course's module, in the page and in the notebook."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sphinx.errors import SphinxError

from coursekit import quoted
from coursekit.errors import CoursekitError
from coursekit.notebook import chapter_notebook

from ..coursekit_web.conftest import build
from .conftest import HEAD

SETTINGS = """\
[project]
name = "heights"
version = "1"
entry-points.coursekit = {quoted = "heights"}
"""
MODULE = """\
import json
from pathlib import Path

def names():
    stored = json.loads(Path(__file__).with_name("height.json").read_text())
    return {"height": stored, "table": {"a: b": 1234}}
"""
TEXT = """\
# How high

It is {number}`height:.2f` m, or
$h^{{number}`2 * height:.1f`}$: {number}`table["a: b"]:,`.
"""
FILLED = "# How high\n\nIt is 1.50 m, or\n$h^{3.0}$: 1,234."


@pytest.fixture
def chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "heights.py").write_text(MODULE)
    (tmp_path / "height.json").write_text("1.499")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "heights", raising=False)
    quoted._names.cache_clear()
    (tmp_path / "book").mkdir()
    made = tmp_path / "book" / "index.md"
    made.write_text(TEXT)
    return made


def test_a_notebook_has_the_numbers(chapter: Path) -> None:
    chapter.write_text(HEAD + TEXT)
    assert [cell.source for cell in chapter_notebook(chapter, {}).cells] == [FILLED]


def test_a_page_has_the_numbers_and_is_read_again_when_they_change(chapter: Path) -> None:
    built = build(chapter.parent, coursekit_exercises=[])
    assert built.warnings == []
    assert "It is 1.50 m, or" in built.text("index.html")
    assert "h^{3.0}" in built.text("index.html")
    (chapter.parent.parent / "height.json").write_text("1.7")
    quoted._names.cache_clear()
    assert "It is 1.70 m, or" in build(chapter.parent, coursekit_exercises=[]).text("index.html")


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("hight:.2f", "no name 'hight'; did you mean height?"),
        ('table["a"]', "KeyError: 'a'"),
        ("height:.2q", "ValueError: "),
        ("height +", "SyntaxError: "),
    ],
)
def test_a_number_without_a_value_is_one_error(chapter: Path, field: str, said: str) -> None:
    with pytest.raises(CoursekitError) as caught:
        quoted.filled(chapter, f"# How high\n\n{{number}}`{field}`\n")
    assert str(caught.value).startswith(f"{chapter}:3: {{number}}`{field}`: {said}")
    assert "\n" not in str(caught.value)


def test_a_page_with_a_wrong_name_stops_the_build(chapter: Path) -> None:
    chapter.write_text("# How high\n\n{number}`hight:.2f`\n")
    with pytest.raises(SphinxError, match=r"index\.md:3: .*no name 'hight'; did you mean height"):
        build(chapter.parent, coursekit_exercises=[])
