"""`make serve` builds again what an author changes, and cleans up."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.site import serve


def replace(path: Path, text: str) -> None:
    """Write a file as editors do: a new one takes the place of the old one."""
    path.with_name("new~").write_text(text, encoding="utf-8")
    path.with_name("new~").replace(path)


def test_what_changes_is_built_again_what_changes_meanwhile_too(
    course: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    edits = ["book/second.md", "_toc.yml", "_toc.yml", "book/first.md"]
    made: list[list[str]] = []

    def edit() -> None:
        replace(course.root / edits[len(made)], f"anything {len(made)}")

    def watch(*paths: Any, **options: Any) -> Any:
        for turn, changes in enumerate(seen(*paths, **options)):
            if turn == 0 and course.root in paths:  # both watch by now
                edit()
            yield changes

    def build(command: list[str], **options: Any) -> None:
        made.append(command)
        if len(made) == len(edits):
            raise KeyboardInterrupt
        edit()

    seen = serve.watch
    monkeypatch.setattr(serve, "watch", watch)
    monkeypatch.setattr(subprocess, "run", build)
    with pytest.raises(KeyboardInterrupt):
        serve.rebuild(course.root)
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("→")]
    assert said == [f"→ changed: {name}" for name in edits]
    assert made[0][1:3] == ["-m", "tools.site.build"]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_watches_until_it_is_ended(course: Any, end: signal.Signals) -> None:
    course.html.mkdir(parents=True)
    (course.html / "index.html").write_text("here")
    command = [sys.executable, "-m", "tools.site.serve", "--port", "0", "--watch"]
    with subprocess.Popen(
        [*command, "--root", str(course.root)],
        stdout=subprocess.PIPE,
        text=True,
        # What runs in the background of a script is deaf to Ctrl-C, and so is what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as serving:
        try:
            assert serving.stdout is not None
            assert serving.stdout.readline().startswith("serving http://127.0.0.1:")
            assert serving.stdout.readline() == "watching: what changes is built again\n"
            serving.send_signal(end)
            assert serving.wait(timeout=60) == (0 if end == signal.SIGINT else -end)
        finally:
            serving.kill()
