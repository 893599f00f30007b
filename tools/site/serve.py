"""Serve the built site on this machine, and build it again when its sources change.

``python -m tools.site.serve --watch``
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import re
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Any

from watchfiles import DefaultFilter, watch

from tools.site.build import FILES, FOLDERS
from tools.site.environment import say
from tools.site.project import COURSEKIT, TOOLS


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files with the types that a page needs, never a stale one, and logs no requests."""

    # Whatever this machine says of them: modules run as scripts only.
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    #: The browser asks for a newer version: the site may have been rebuilt.
    keeping = "no-cache"

    def end_headers(self) -> None:
        """Say how long the browser may keep what it gets."""
        self.send_header("Cache-Control", self.keeping)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where there is nothing, as its host will."""
        page = Path(self.directory, "404.html")
        if code == HTTPStatus.NOT_FOUND and page.is_file():
            text = at_the_root(page.read_text(encoding="utf-8"))
            self.error_message_format = text.replace("%", "%%")
        super().send_error(code, message, explain)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def at_the_root(page: str) -> str:
    """Return the page for what is not found as it is where the site has no folder of its own."""
    prefix = re.search(r'href="([^"]*/)_static/', page)
    return page.replace(f'"{prefix[1]}', '"/') if prefix else page


def server(
    folder: Path, port: int = 0, handler: type[Handler] = Handler
) -> http.server.ThreadingHTTPServer:
    """Return a server of ``folder`` on 127.0.0.1; port 0 is any free one."""
    serve = functools.partial(handler, directory=str(folder))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), serve)


class _IsSource(DefaultFilter):
    """Leaves out what the build itself writes beside the sources."""

    ignore_dirs = (*DefaultFilter.ignore_dirs, "_dist", ".ipynb_checkpoints")


def rebuild(root: Path) -> None:
    """Build the course in the folder ``root`` again whenever a source changes, until Ctrl-C."""
    folders = [path for name in FOLDERS if (path := root / name).is_dir()]
    by_turns: dict[str, Any] = {"rust_timeout": 100, "yield_on_timeout": True}
    below = watch(*folders, TOOLS, COURSEKIT, watch_filter=_IsSource(), **by_turns)
    # The folder, not the files in it: editors put a new file into the place of the old one.
    beside = watch(
        root, recursive=False, watch_filter=lambda _, path: Path(path).name in FILES, **by_turns
    )
    say("watching: what changes is built again")
    command = [sys.executable, "-m", "tools.site.build", "--preview", "--root", str(root)]
    for changes in map(set.union, below, beside):  # those during a build come after it
        if names := sorted({os.path.relpath(path, root) for _, path in changes}):
            say(f"→ changed: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}")
            subprocess.run(command, check=False)


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Serve the built site on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="8000; 0 for any free one")
    parser.add_argument("--root", type=Path, default=Path(), help="folder of the course")
    parser.add_argument("--watch", action="store_true", help="build again whenever it changes")
    args = parser.parse_args()
    root = args.root.resolve()
    folder = root / "_build" / "html"
    if not (folder / "index.html").exists():
        print(f"✗ no site in {folder}: run `make book` first", file=sys.stderr)
        return 1
    try:
        running = server(folder, args.port)
    except OSError as error:
        hint = f"another one: make serve PORT={args.port + 1}"
        print(f"✗ port {args.port}: {error.strerror}; {hint}", file=sys.stderr)
        return 1
    say(f"serving http://127.0.0.1:{running.server_port}/ (Ctrl-C ends it)")
    try:
        if args.watch:
            Thread(target=running.serve_forever, daemon=True).start()
            rebuild(root)
        running.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
