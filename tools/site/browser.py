"""Find a browser to test or to print with, or install one: ``python -m tools.site.browser``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = (
    "chromium-headless-shell",  # without windows: it opens a page with less work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
#: For every start. Without the last one, the Chromium without windows rounds the widths of letters.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--font-render-hinting=none",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NONE = "no browser: install Chromium or Chrome, or name its program with CHROMIUM=/path/to/chromium"


def find_browser() -> str | None:
    """Return the path of a Chromium: that of ``CHROMIUM``, the system's, or Playwright's."""
    return next(filter(os.path.exists, _candidates()), None)


def _candidates() -> Iterator[str]:
    if "CHROMIUM" in os.environ:
        yield os.environ["CHROMIUM"]
        return
    yield from filter(None, map(shutil.which, NAMES))
    yield from PLACES
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def get_browser() -> str | None:
    """Return a browser's path, after installing one if none is there; None if that fails."""
    program = find_browser()
    if program is not None:
        return program
    print("→ no Chromium here: fetching one", flush=True)
    for command in _installers():
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and find_browser() is not None:
            return find_browser()
    return None


def _installers() -> Iterator[list[str]]:
    yield [sys.executable, "-m", "playwright", "install", "chromium"]
    if Path("/usr/bin/apt-get").exists() and hasattr(os, "geteuid") and os.geteuid() == 0:
        yield ["sh", "-c", "apt-get update -qq && apt-get install -y -qq chromium-headless-shell"]


def main() -> int:
    """Get a browser, or say in one line what to do."""
    program = get_browser()
    if program is None:
        print(f"✗ {NONE}", file=sys.stderr)
        return 1
    print(f"→ browser: {program}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
