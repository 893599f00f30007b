"""`make serve` builds again what an author changes, says what is wrong, and cleans up."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tools.site import build as site_build
from tools.site.execute import execute
from tools.site.preview import Preview
from tools.site.publish import publish

#: Of Jupyter Book's extensions, about each other.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def preview(course: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Preview]:
    """Return a preview of the small course, which has no front end and no wheel to be made."""

    def build(project: Any) -> bool:
        execute(project)
        site_build.write_pages(project)
        publish(project)
        return True

    monkeypatch.setattr(site_build, "build", build)
    build(course)
    yield Preview(course)
    gc.unfreeze()


def page(course: Any, name: str) -> str:
    return (course.html / f"{name}.html").read_text(encoding="utf-8")


def test_an_edit_reaches_the_page(course: Any, preview: Preview, capfd: Any) -> None:
    assert not preview.look()
    course.write("second", "# Second\n\nA sentence that was not there.\n")
    assert preview.look()
    assert "A sentence that was not there." in page(course, "second")
    assert "→ changed: book/second.md\n" in capfd.readouterr().out
    assert not preview.look()


def test_what_is_wrong_is_said_and_the_next_edit_mends_it(
    course: Any, preview: Preview, capfd: Any
) -> None:
    course.write("second", "# Second\n\nSee {ref}`nowhere`.\n")
    assert preview.look()
    wrong = capfd.readouterr().err
    assert wrong.startswith("✗ ")
    assert "nowhere" in wrong
    assert "Traceback" not in wrong
    course.write("second", "# Second\n\nSee here.\n")
    assert preview.look()
    assert "See here." in page(course, "second")


def test_a_changed_library_is_built_by_a_new_interpreter_until_it_works(
    course: Any, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses, ran = [1, 0], []

    def run(command: list[str], check: bool) -> Any:
        return subprocess.CompletedProcess(command, statuses.pop(0))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr("os.execv", lambda program, command: ran.append(command))
    (course.root / "lib" / "small" / "__init__.py").write_text("CHANGED = True\n")
    assert preview.look()
    assert not ran  # broken: what is there goes on
    course.write("second", "# Second\n\nMended elsewhere.\n")
    assert preview.look()
    assert statuses == []
    (command,) = ran
    assert command[:3] == [sys.executable, "-m", "tools.site.preview"]


def test_no_course_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.site.preview", "--root", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("✗ _config.yml: cannot be read")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_server_ends_the_watcher(course: Any, end: signal.Signals) -> None:
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
            said = [serving.stdout.readline(), serving.stdout.readline()]
            assert any(line.startswith("serving http://127.0.0.1:") for line in said)
            assert "watching: what changes is built again\n" in said
            (watcher,) = psutil.Process(serving.pid).children()
            serving.send_signal(end)
            assert serving.wait(timeout=20) == (0 if end == signal.SIGINT else -end)
            gone, _ = psutil.wait_procs([watcher], timeout=20)
            assert gone == [watcher]
        finally:
            serving.kill()
