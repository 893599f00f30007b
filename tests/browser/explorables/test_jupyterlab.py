"""An explorable in JupyterLab itself: it shows, moves and tells the kernel; no key leaks out."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from attnlab.explorables import base

CELLS = [
    "from attnlab.explorables import ContextVector\n"
    "shown = ContextVector.from_answer(query=None)\n"
    "shown",
    "print('the query is', shown.query)",
]
PATIENCE = 60_000  # ms for the laboratory to start on a busy machine


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """Start JupyterLab on a notebook of two cells, and return the notebook's address."""
    if not base.bundle("context_vector"):
        pytest.fail("the explorables are not bundled: run `make book` first", pytrace=False)
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "lab.ipynb")
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token=x"),
        f"--ServerApp.root_dir={tmp_path}",
    ]
    places = {name: str(tmp_path / "home") for name in ("HOME", "JUPYTER_CONFIG_DIR")}
    with (tmp_path / "log.txt").open("w") as log:
        server = subprocess.Popen(
            command, stdout=log, stderr=log, env=os.environ | places, cwd=tmp_path
        )
    try:
        _wait(f"{address}/api/status?token=x", tmp_path / "log.txt")
        yield f"{address}/lab/tree/lab.ipynb?token=x"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(address: str, log: Path) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    pytest.fail(f"JupyterLab did not start: {log.read_text()[-500:]}", pytrace=False)


@pytest.mark.heavy
def test_figure_lives_in_jupyterlab(lab: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.goto(lab)
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    expect(cells).to_have_count(2, timeout=PATIENCE)
    # What is run before the kernel has answered, JupyterLab drops without a word.
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=PATIENCE)
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
