"""The built site as a host in the world sends it: text with gzip, connections kept open."""

from __future__ import annotations

import functools
import gzip
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.site.serve import Handler, server

_TEXT = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".wasm"}


@functools.cache
def _packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


class GzipHandler(Handler):
    """Sends what can be packed packed; a browser keeps files for a while, as it does elsewhere."""

    protocol_version = "HTTP/1.1"
    keeping = "max-age=600"

    def send_head(self) -> Any:
        """Send the head of an answer and return its body."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        asked = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (asked and path.is_file() and path.suffix in _TEXT):
            return super().send_head()
        body = _packed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on 127.0.0.1 while the context lasts; yield its address, with a slash."""
    with server(folder, handler=GzipHandler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        for path in folder.rglob("*"):
            if path.suffix in _TEXT and path.is_file():
                _packed(path)  # so that no reader waits for it
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
