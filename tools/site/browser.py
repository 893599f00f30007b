"""Find a browser to test or to print with, or install one: ``python -m tools.site.browser``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    "chromium-headless-shell",  # without windows: it opens a page in half the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NONE = "no browser: install Chromium or Chrome, or name its program with CHROMIUM=/path/to/chromium"
PLAYWRIGHT_S = [sys.executable, "-m", "playwright", "install", "chromium"]
DEBIAN_S = ["apt-get", "install", "-y", "-qq"]


def find_browser() -> str | None:
    """Return the path of a Chromium: that of ``CHROMIUM``, the system's, or Playwright's."""
    if own := os.environ.get("CHROMIUM"):
        return own if os.path.exists(own) else None
    if found := next(filter(None, map(shutil.which, NAMES)), None):
        return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def main() -> int:
    """Get a browser, or say in one line what to do."""
    commands = [PLAYWRIGHT_S]
    if Path("/usr/bin/apt-get").exists() and os.geteuid() == 0:
        commands.append(["apt-get", "update", "-qq"])
        commands += [[*DEBIAN_S, name] for name in NAMES[:2]]
    while (program := find_browser()) is None and commands:
        print("→ no Chromium here: fetching one", flush=True)
        subprocess.run(commands.pop(0), capture_output=True, check=False)
    if program is None:
        print(f"✗ {NONE}", file=sys.stderr)
        return 1
    print(f"→ browser: {program}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
