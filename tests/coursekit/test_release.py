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

from coursekit.cli import main
from coursekit.protection import protection

from .conftest import HEAD

CODE = "\n\n```{code-cell} ipython3\n1 + 1\n```\n"


@pytest.fixture
def release(numbers, tmp_path, monkeypatch, capsys) -> Callable[..., tuple[Path, list[str]]]:
    """Return a function that releases the small chapter: the notebook, and the lines printed."""
    monkeypatch.chdir(tmp_path)

    def run(*options: str) -> tuple[Path, list[str]]:
        assert main(["release", "numbers", "-o", "out", *options]) == 0
        return tmp_path / "out" / "numbers.ipynb", capsys.readouterr().out.splitlines()

    return run


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
    notebook = nbformat.read(release(*options)[0], 4)
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


def test_exercises_come_in_the_order_of_the_text(numbers, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    text = "# All about numbers\n\n```{exercise} twice\n```\n"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    (tmp_path / "_config.yml").write_text(
        "repository: {url: 'https://github.com/a/b'}", encoding="utf-8"
    )
    assert main(["release", "numbers", "-o", "out"]) == 0
    ids = [cell.id for cell in nbformat.read("out/numbers.ipynb", 4).cells]
    assert ids.index("twice-statement") < ids.index("double-statement")
    notebook = nbformat.read("out/numbers.ipynb", 4)
    assert notebook.cells[0].source == "# All about numbers"
    assert "https://a.github.io/b/notebooks/attention_course-" in notebook.cells[1].source
    assert main(["release", "numbers", "-o", "out", "--install", "my.whl"]) == 0
    assert '"my.whl"' in nbformat.read("out/numbers.ipynb", 4).cells[1].source


def test_with_the_chapter_s_text(numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    text = f"{HEAD}\n# Numbers\n\nProse.\n\n```{{exercise}} twice\n```\n\nMore prose."
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    assert main(["release", "numbers", "-o", "out", "--with-text"]) == 0
    cells = nbformat.read("out/numbers.ipynb", 4).cells
    assert cells[0].source == "# Numbers\n\nProse."
    assert cells[1].id == "twice-statement"
    ids = [cell.id for cell in cells]
    # The text does not name it: it stands below.
    assert ids.index("double-statement") > next(
        i for i, cell in enumerate(cells) if cell.source == "More prose."
    )
    assert "correct=True" not in nbformat.writes(nbformat.read("out/numbers.ipynb", 4))


def test_with_the_text_what_is_withheld_is_said_and_predictions_are_shown(
    release, write_exercise, sources: dict[str, str], tmp_path: Path
) -> None:
    title = 'title="Twice as much",'
    write_exercise(edits={title: f'{title}\n    withhold=["arithmetic.double"],'})
    edits = {"## pair": "## two", "## word": "## name", "## why": "## cause"}
    write_exercise(sources["twice"], "predict-twice", edits)
    (tmp_path / "book").mkdir()
    text = f"{HEAD}\n# Numbers\n\n```{{exercise}} predict-twice\n```{CODE}"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    file, lines = release("--with-text")
    assert lines[1] == (
        "protected: 7 of 15 points (hidden checks, questions, prose); "
        "8 can be tried against the visible checks and the text"
    )
    ids = [cell.id for cell in nbformat.read(file, 4).cells]
    assert ids[1] == "withheld"
    assert release()[1][1].startswith("protected: 13 of 15 points")


def test_a_missing_library_is_one_line(numbers, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "nbformat", None)
    assert main(["release", "numbers", "-o", "out"]) == 2
    assert capsys.readouterr().err == (
        "coursekit: nbformat is not installed; run: pip install 'attention-course[grading]'\n"
    )
