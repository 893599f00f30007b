"""``coursekit release``: a notebook that a kernel runs to its end, solved or not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.protection import protection

from .conftest import HEAD

CODE = "\n\n```{code-cell} ipython3\n1 + 1\n```\n"


@pytest.fixture
def release(numbers, run) -> Callable[..., tuple[Any, list[str]]]:
    """Return a function that releases the small chapter: the notebook, and the lines printed."""

    def released(*options: str) -> tuple[Any, list[str]]:
        lines = run("release", "numbers", "-o", "out", *options).out.splitlines()
        return nbformat.read("out/numbers.ipynb", 4), lines

    return released


def write_chapter(text: str) -> None:
    """Write the chapter's text where the course has it."""
    Path("book").mkdir()
    Path("book/numbers.md").write_text(text, encoding="utf-8")


def said(notebook: Any) -> dict[str, str]:
    """Return what the check cells of a notebook that ran show, as text."""
    checks = [c for c in notebook.cells if c.metadata.get("coursekit", {}).get("role") == "check"]
    assert all(len(cell.outputs) == 1 for cell in checks)
    assert all("text/html" in cell.outputs[0].data for cell in checks)
    return {cell.id: cell.outputs[0].data["text/plain"] for cell in checks}


START = "○ Not started: write your answer into the cell above, run it, then run this one."
SOLVED = {
    "double-answer": "def double(x):\n    return 2 * x",
    "twice-answer": 'pair = [1, 4]\nword = "a"',
}


@pytest.mark.parametrize(
    ("options", "answers", "code", "quiz"),
    [
        ([], {}, f"{START} 0 of 2 points.", "○ pair\n  No answer yet.\n○ word\n  No answer yet."),
        (
            ["--practice"],
            SOLVED,
            "✓ Done. The check passes. 2 of 2 points.\n✓ Small numbers\n"
            "1 point more is decided by other inputs when the notebook is graded.",
            "1 of 2 checks passes. 2 of 3 points.\n✓ `word`\n  Yes: of two equal numbers.\n"
            "✗ `pair`\n  Not quite.\n  Those are squares.",
        ),
    ],
)
def test_a_released_notebook_runs_to_its_end(release, options, answers, code, quiz) -> None:
    notebook, _ = release(*options)
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    assert said(notebook) == {"double-check": code, "twice-check": quiz}


def test_what_is_printed_says_how_many_points_are_protected(release) -> None:
    where = "out/numbers.ipynb: 2 exercises, 9 points"
    # Of 3 points of code 1 is hidden; 3 points of questions, 3 of prose.
    assert release()[1] == [
        where,
        "protected: 7 of 9 points (hidden checks, questions, prose); "
        "2 can be tried against the visible checks",
    ]
    assert release("--practice")[1] == [
        where,
        "protected: 4 of 9 points (hidden checks, prose); "
        "5 can be tried against the visible checks",
    ]


def test_practice_is_not_protected(double, twice) -> None:
    assert protection([twice]) == "protected: 6 of 6 points (hidden checks, questions, prose)"
    declared = [replace(exercise, practice=True) for exercise in (double, twice)]
    assert protection(declared) == (
        "protected: 0 of 9 points (hidden checks, questions, prose); "
        "9 can be tried against the visible checks and practice"
    )
    assert protection([double, twice], shown=["twice"]) == (
        "protected: 1 of 9 points (hidden checks, questions, prose); "
        "8 can be tried against the visible checks and the text"
    )


def test_exercises_come_in_the_order_of_the_text(release) -> None:
    write_chapter("# All about numbers\n\n```{exercise} twice\n```\n")
    Path("_config.yml").write_text("repository: {url: 'https://github.com/a/b'}")
    cells = release()[0].cells
    ids = [cell.id for cell in cells]
    assert ids.index("twice-statement") < ids.index("double-statement")
    assert cells[0].source == "# All about numbers"
    wheel = "attention-course[notebook] @ https://a.github.io/b/notebooks/attention_course-"
    assert wheel in cells[1].source
    assert '"my.whl"' in release("--install", "my.whl")[0].cells[1].source


def test_with_the_chapter_s_text(release) -> None:
    write_chapter(f"{HEAD}# Numbers\n\nProse.\n\n```{{exercise}} twice\n```\n\nMore prose.")
    cells = release("--with-text")[0].cells
    assert cells[0].source == "# Numbers\n\nProse."
    assert cells[1].id == "twice-statement"
    ids, sources = ([cell[part] for cell in cells] for part in ("id", "source"))
    # The text does not name it: it stands below.
    assert ids.index("double-statement") > sources.index("More prose.")
    assert "correct=True" not in str(cells)


def test_with_the_text_what_is_withheld_is_said_and_predictions_are_shown(
    release, write_exercise, sources: dict[str, str]
) -> None:
    title = 'title="Twice as much",'
    write_exercise(edits={title: f'{title}\n    withhold="arithmetic.double",'})
    edits = {"## pair": "## two", "## word": "## name", "## why": "## cause"}
    write_exercise(sources["twice"], "predict-twice", edits)
    write_chapter(f"{HEAD}# Numbers\n\n```{{exercise}} predict-twice\n```{CODE}")
    notebook, lines = release("--with-text")
    assert lines[1] == (
        "protected: 7 of 15 points (hidden checks, questions, prose); "
        "8 can be tried against the visible checks and the text"
    )
    assert notebook.cells[1].id == "withheld"
    assert release()[1][1].startswith("protected: 13 of 15 points")


def test_a_missing_library_is_one_line(numbers, run, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "nbformat", None)
    assert run("release", "numbers", "-o", "out", status=2).err == (
        "coursekit: nbformat is not installed; run: pip install 'attention-course[grading]'\n"
    )
