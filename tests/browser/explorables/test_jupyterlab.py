"""An explorable in JupyterLab itself: it shows, moves and tells the kernel; no key leaks out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from attnlab.explorables import ContextVector

from ..jupyterlab import PATIENCE, jupyterlab, open_notebook

CELLS = [
    "from attnlab.explorables import ContextVector\n"
    "shown = ContextVector(answers=['query'])\n"
    "shown",
    "print('the query is', shown.query)",
]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """Start JupyterLab on a notebook of two cells, and return the notebook's address."""
    if not ContextVector._esm:
        pytest.fail("the explorables are not bundled: run `make book` first", pytrace=False)
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "lab.ipynb")
    with jupyterlab(tmp_path) as address:
        yield f"{address}lab.ipynb"


@pytest.mark.heavy
def test_figure_lives_in_jupyterlab(lab: str, browser: Browser) -> None:
    page = open_notebook(browser, lab, len(CELLS))
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    query = page.get_by_role("application", name="query (0.50, −0.50)")
    expect(query).to_be_visible(timeout=PATIENCE)

    query.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("query = [0.0, -0.5]")).to_be_visible()
    page.get_by_role("button", name="Copy as answer").click()
    page.keyboard.press("d")
    page.keyboard.press("d")  # in JupyterLab that would delete the cell
    expect(cells).to_have_count(2)

    cells.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cells.nth(1)).to_contain_text("the query is [0.0, -0.5]", timeout=PATIENCE)
    page.close()
