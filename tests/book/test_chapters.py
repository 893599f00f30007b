"""Chapters are notebooks: they survive jupytext both ways, and the table of contents has them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import jupytext
import pytest
from bs4 import BeautifulSoup
from ruamel.yaml import YAML

from coursekit.times import chapter_time
from tests.course import BANK
from tools.site.project import Project

BOOK = Project(Path(__file__).resolve().parents[2])
NOTEBOOKS = [chapter for chapter in BOOK.chapters() if BOOK.is_notebook(chapter)]
#: Longest code cell that a reader is shown. Cells whose input is hidden may be longer.
LONGEST_CELL = 24
#: Minutes of a chapter's core, projects excepted: who builds a model does so in several sittings.
LONGEST = 60
CAPSTONES = {"build-a-gpt", "build-a-gpt-torch"}


@cache
def notebook_of(chapter: Path) -> Any:
    """Return a chapter as a notebook, which no test changes."""
    return jupytext.read(chapter)


def shown(cell: dict) -> bool:
    hidden = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
    return cell["cell_type"] == "code" and not hidden & set(cell["metadata"].get("tags", []))


def test_table_of_contents_names_every_chapter_once() -> None:
    listed = [chapter.name for chapter in BOOK.chapters()]
    assert sorted(listed) == sorted(path.name for path in BOOK.book.glob("*.md"))
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda path: path.stem)
def test_front_matter_says_each_thing_once(chapter: Path) -> None:
    _, settings, _ = re.split(r"(?m)^---$", chapter.read_text(encoding="utf-8"), maxsplit=2)
    assert YAML(typ="safe").load(settings)  # raises where a key stands twice


@pytest.mark.parametrize("chapter", NOTEBOOKS, ids=lambda path: path.stem)
def test_chapter_round_trips_through_jupytext(chapter: Path) -> None:
    notebook = notebook_of(chapter)
    again = jupytext.reads(jupytext.writes(notebook, fmt="md:myst"), fmt="md:myst")
    before, after = (
        [(c.cell_type, c.source, c.metadata) for c in each.cells] for each in (notebook, again)
    )
    assert after == before
    # The other way: a notebook saved from Jupyter gives the same chapter.
    ipynb = jupytext.reads(jupytext.writes(notebook, fmt="ipynb"), fmt="ipynb")
    assert [c.source for c in ipynb.cells] == [c.source for c in notebook.cells]


@pytest.mark.parametrize("chapter", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_answer_takes_the_name_of_what_a_chapter_imports(chapter: Path) -> None:
    """In the notebook both are variables, and later cells use what was imported."""
    code = [cell.source for cell in notebook_of(chapter).cells if cell.cell_type == "code"]
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for source in code
        if not source.startswith("%")
        for node in ast.walk(ast.parse(re.sub(r"(?m)^\s*[%!].*$", "", source)))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    asked = re.findall(r"(?m)^`{3,}\{exercise\} (\S+)$", chapter.read_text(encoding="utf-8"))
    taken = {id: imported & {*BANK[id].names} for id in asked if BANK[id].questions}
    assert {id: names for id, names in taken.items() if names} == {}


@pytest.mark.parametrize("chapter", NOTEBOOKS, ids=lambda path: path.stem)
def test_chapter_has_one_title_and_short_cells(chapter: Path) -> None:
    cells = notebook_of(chapter).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert len(re.findall("(?m)^# ", text)) == 1
    codes = [cell.source for cell in cells if shown(cell)]
    assert [code for code in codes if len(code.splitlines()) > LONGEST_CELL] == []


def test_a_chapter_s_core_takes_an_hour_at_most_and_no_page_types_how_long_it_takes() -> None:
    for file in [file for file in BOOK.chapters() if file.stem in BANK.chapters]:
        text = file.read_text(encoding="utf-8")
        assert chapter_time(text, BANK).minutes[0] <= LONGEST or file.stem in CAPSTONES, file.stem
        assert not re.search(r"(?i)\btakes\s+about\b|\babout\s+\d+\s+minutes", text), file.stem


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda path: path.stem)
def test_no_formula_is_left_as_it_was_typed(site: Path, chapter: Path) -> None:
    page = BeautifulSoup((site / f"{chapter.stem}.html").read_text("utf-8"), "lxml")
    article = page.select_one("article")
    assert article is not None
    for node in article.select(
        "pre, code, script, style, textarea, .math, .notebook-menu, .ck-data"
    ):
        node.decompose()
    text = article.get_text(" ")
    assert "$" not in text
    assert re.findall(r"\\[a-zA-Z]+", text) == []
