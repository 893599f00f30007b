"""``coursekit release``: a notebook that a kernel runs to its end, solved or not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.cli import main


@pytest.fixture
def released(
    numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["release", "numbers", "--to", "out"]) == 0
    assert capsys.readouterr().out == "out/numbers.ipynb: 2 exercises, 9 points\n"
    return tmp_path / "out" / "numbers.ipynb"


def said(cell: Any) -> str:
    return "\n".join("\n".join(o.get("traceback", [o.get("text", "")])) for o in cell.outputs)


def test_released_notebook_runs_on_unsolved(released: Path) -> None:
    notebook = nbformat.read(released, 4)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    checks = {c.id: said(c) for c in notebook.cells if c.metadata.get("tags")}
    assert checks == {
        "double-check-small": "✗ Small numbers\n"
        "Not started: replace the placeholder with your code.",
        "twice-check-pair": "✗ pair\nNo answer yet.",
        "twice-check-word": "✗ word\nNo answer yet.",
    }


def test_released_notebook_tells_right_and_wrong(released: Path) -> None:
    notebook = nbformat.read(released, 4)
    answers = {
        "double-answer": "def double(x):\n    return 2 * x",
        "twice-answer": 'pair = [1, 4]\nword = "a"',
    }
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    checks = {c.id: said(c) for c in notebook.cells if c.metadata.get("tags")}
    assert checks == {
        "double-check-small": "✓ Small numbers (2 points)\n",
        "twice-check-pair": "✗ pair\nNot quite. Those are squares.",
        "twice-check-word": "✓ word (2 points)\nYes: of two equal numbers.\n",
    }


def test_exercises_come_in_the_order_of_the_text(
    numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    text = "# All about numbers\n\n```{exercise} twice\n```\n"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    (tmp_path / "_config.yml").write_text(
        "repository: {url: 'https://github.com/a/b'}", encoding="utf-8"
    )
    assert main(["release", "numbers", "--to", "out"]) == 0
    ids = [cell.id for cell in nbformat.read("out/numbers.ipynb", 4).cells]
    assert ids.index("twice-statement") < ids.index("double-statement")
    notebook = nbformat.read("out/numbers.ipynb", 4)
    assert notebook.cells[0].source == "# All about numbers"
    assert "https://a.github.io/b/notebooks/attention_course-" in notebook.cells[1].source
    assert main(["release", "numbers", "--to", "out", "--install", "my.whl"]) == 0
    assert '"my.whl"' in nbformat.read("out/numbers.ipynb", 4).cells[1].source


def test_with_the_chapter_s_text(numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book").mkdir()
    head = "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n"
    text = f"{head}\n# Numbers\n\nProse.\n\n```{{exercise}} twice\n```\n"
    (tmp_path / "book" / "numbers.md").write_text(text, encoding="utf-8")
    assert main(["release", "numbers", "--to", "out", "--with-text"]) == 0
    cells = nbformat.read("out/numbers.ipynb", 4).cells
    assert cells[0].source == "# Numbers\n\nProse."
    assert cells[1].id == "twice-statement"


def test_a_missing_library_is_one_line(
    numbers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "nbformat", None)
    assert main(["release", "numbers", "--to", "out"]) == 2
    assert capsys.readouterr().err == (
        "coursekit: nbformat is not installed; run: pip install 'attention-course[grading]'\n"
    )
