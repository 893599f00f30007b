"""What tests of a notebook's first cell share: stand-ins for pip and Colab."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from coursekit.notebook.install import Install, install_cell

WHEEL = "course-1-py3-none-any.whl"
PUBLISHED = f"course[notebook] @ https://ada.github.io/course/notebooks/{WHEEL}"
#: One module of the course and one of another's; no machine has either.
MISSING = {"our_missing_module": "", "their_missing_module": "theirs>=2", "json": "theirs"}


class Pip:
    """Takes the place of `subprocess.run`: notes what pip is asked for, and brings modules."""

    def __init__(self, brings: Sequence[str] = (), error: str = "") -> None:
        self.asked: list[list[str]] = []
        self.constraints = ""
        self._brings, self._error = list(brings), error

    def __call__(self, command: list[str], **options: Any) -> Any:
        assert command[:4] == [sys.executable, "-m", "pip", "install"]
        assert command[4:6] == ["--quiet", "--no-input"]
        self.asked.append(command[6:])
        if "--constraint" in command:
            self.constraints = Path(command[command.index("--constraint") + 1]).read_text()
        if not self._error and self._brings:
            (Path.cwd() / f"{self._brings.pop(0)}.py").touch()
        return subprocess.CompletedProcess(command, bool(self._error), "", self._error)


def wheel(folder: Path, name: str = WHEEL) -> bytes:
    """Write a wheel into ``folder`` and return what is in the file."""
    with zipfile.ZipFile(folder / name, "w") as made:
        made.writestr("course/__init__.py", "")
    return (folder / name).read_bytes()


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, install: Install, pip: Pip) -> None:
    """Run the cell in ``folder`` as a notebook there would."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(subprocess, "run", pip)
    names: dict[str, Any] = {}
    exec(install_cell(install).source, names)
    assert set(names) == {"__builtins__"}  # nothing stays behind


def sentence(monkeypatch: pytest.MonkeyPatch, folder: Path, install: Install, pip: Pip) -> str:
    """Return what a reader sees of the cell's error."""
    with pytest.raises(Exception, match=r"\w") as caught:
        run(monkeypatch, folder, install, pip)
    error: Any = caught.value  # IPython asks it for its own traceback
    (line,) = error._render_traceback_()
    assert "\n" not in line
    return str(line)


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put a stand-in for ``google.colab`` in place; return the calls that it gets."""
    calls: list[str] = []
    google, colab, output = map(ModuleType, ("google", "google.colab", "google.colab.output"))
    vars(output)["enable_custom_widget_manager"] = lambda: calls.append("widgets")
    vars(google)["colab"], vars(colab)["output"] = colab, output
    for module in (google, colab, output):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return calls
