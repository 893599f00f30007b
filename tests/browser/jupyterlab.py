"""A real JupyterLab for tests: start one in a folder, and do in a page what a reader does."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

PATIENCE = 60_000  # ms for the laboratory to start on a busy machine
#: By default cells outside the view are not in the page.
_SETTINGS = {"notebook-extension/tracker": {"windowingMode": "none"}}


@contextmanager
def jupyterlab(folder: Path, settings: Mapping[str, object] = {}) -> Iterator[str]:
    """Start JupyterLab in a folder and yield the address that a file's name follows."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token="),
        f"--ServerApp.root_dir={folder}",
    ]
    home = folder / ".home"
    for name, values in {**_SETTINGS, **settings}.items():
        file = home / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")
    places = {name: str(home) for name in ("HOME", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
    places["JUPYTERLAB_SETTINGS_DIR"] = str(home / "settings")
    log = home / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=output, env=os.environ | places, cwd=folder
        )
    try:
        _wait(f"{address}/api/status", log)
        yield f"{address}/lab/tree/"
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


def open_notebook(browser: Browser, address: str, cells: int) -> Page:
    """Open a notebook in a new page, and wait for its code cells and its kernel."""
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.goto(address)
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(cells, timeout=PATIENCE)
    # What is run before the kernel has answered, JupyterLab drops without a word.
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=PATIENCE)
    return page


def run_all(page: Page) -> None:
    """Choose *Run All Cells* and wait for the kernel."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Run All Cells$")).click()
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=PATIENCE)


def run_cell(cell: Locator, source: str) -> None:
    """Write ``source`` into a cell and run it; the next cell is then the selected one."""
    keyboard = cell.page.keyboard
    cell.locator(".cm-content").click()
    keyboard.press("Control+a")
    keyboard.insert_text(source)
    keyboard.press("Shift+Enter")
