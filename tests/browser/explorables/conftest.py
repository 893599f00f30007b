"""A page of its own for explorables, opened from the file system.

It has the figures as Python writes them, the style sheet and the script, and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from attnlab.drawing.tokens import style_element
from attnlab.explorables.base import Explorable

ROOT = Path(__file__).resolve().parents[3]
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page's script, built by esbuild as the site builds it."""
    out = tmp_path_factory.mktemp("script") / "explorables.js"
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists():
        pytest.fail("no esbuild: run `make book` first, it installs it", pytrace=False)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        [str(esbuild), str(ROOT / "lib/attnlab/explorables/page.ts"), "--bundle", "--minify",
         "--format=iife", "--loader:.css=text", f"--outfile={out}"],
        check=True, capture_output=True, env=os.environ | {"PATH": path},
    )  # fmt: skip
    return out


@pytest.fixture
def show(browser: Browser, script: Path, watch: Any, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page with figures; a fault of a page fails the test."""
    contexts, seen = [], []

    def opened(
        *figures: Explorable, theme: str = "light", around: str = "{}", **options: Any
    ) -> Page:
        body = around.format("".join(figure.html() for figure in figures))
        html = (
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width"><title>Figures</title>'
            f'{style_element()}<script defer src="{script.as_uri()}"></script></head>'
            '<body style="background: var(--attn-paper); color: var(--attn-ink)">'
            f'<main style="max-width: 44rem"><h1>Figures</h1>{body}</main></body></html>'
        )
        path = tmp_path / "figures.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        page = context.new_page()
        contexts.append(context)
        seen.append(watch(page, "file://"))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [fault for each in seen for fault in each.faults] == []
