"""A notebook's first cell: what it finds, what it installs, what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from coursekit.errors import CoursekitError
from coursekit.notebook.install import Install, from_source, install_cell, site_url

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
        self.asked.append(command[5:])
        if "--constraint" in command:
            self.constraints = Path(command[command.index("--constraint") + 1]).read_text()
        if not self._error and self._brings:
            (Path.cwd() / f"{self._brings.pop(0)}.py").touch()
        return subprocess.CompletedProcess(command, bool(self._error), "", self._error)


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


def test_nothing_happens_where_nothing_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = Pip()
    run(monkeypatch, tmp_path, Install({"json": "", "sys": ""}, (PUBLISHED,), (WHEEL,)), pip)
    assert pip.asked == []
    assert capsys.readouterr().out == ""


def test_the_wheel_beside_the_notebook_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / WHEEL).touch()
    pip = Pip(["our_missing_module"])
    install = Install({"our_missing_module": ""}, (PUBLISHED,), (WHEEL,), ("notebook", "torch"))
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[f"{tmp_path / WHEEL}[notebook,torch]"]]


def test_the_wheel_that_brings_coursekit_is_installed_with_the_course_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheels = (WHEEL, "other-2-py3-none-any.whl")
    install = Install({"our_missing_module": ""}, (PUBLISHED,), wheels, ("notebook",))
    (tmp_path / WHEEL).touch()
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[PUBLISHED]]  # one of the two wheels alone is not enough
    (tmp_path / "our_missing_module.py").unlink()
    (tmp_path / wheels[1]).touch()
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[f"{tmp_path / WHEEL}[notebook]", str(tmp_path / wheels[1])]]


def test_a_course_without_extras_is_asked_for_by_its_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / WHEEL).touch()
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, Install({"our_missing_module": ""}, (), (WHEEL,)), pip)
    assert pip.asked == [[str(tmp_path / WHEEL)]]


def test_the_published_wheel_is_next(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, Install({"our_missing_module": ""}, (PUBLISHED,), (WHEEL,)), pip)
    assert pip.asked == [[PUBLISHED]]


def test_without_either_one_sentence_has_the_line_for_pip(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pip = Pip()
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (), (WHEEL,), ("notebook", "torch")), pip
    )
    assert f'python -m pip install "{WHEEL}[notebook,torch]"' in shown
    assert pip.asked == []


def test_what_others_make_is_installed_by_name_where_the_library_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pip = Pip(["their_missing_module"])
    install = Install(
        {"json": "", "their_missing_module": "theirs>=2"}, (), (WHEEL,), ("notebook",)
    )
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [["theirs>=2"]]


def test_what_pip_says_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = "WARNING: Retrying\nERROR: HTTP error 404 while getting it\nhint: no\n"
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,), (WHEEL,)), Pip(error=error)
    )
    assert "our_missing_module, their_missing_module" in shown
    assert "HTTP error 404" in shown
    assert "hint" not in shown
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(error="No module: pip")
    )
    assert "No module: pip" in shown


def test_what_cannot_be_imported_afterwards_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(["their_missing_module"])
    )
    assert shown.startswith("our_missing_module cannot be imported")
    assert "restart the kernel" in shown


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


def test_colab_keeps_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, colab: list[str]
) -> None:
    pip = Pip(["our_missing_module", "their_missing_module"])
    run(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,), (WHEEL,)), pip)
    ours, theirs = pip.asked
    assert ours == ["--no-deps", PUBLISHED]
    assert theirs[0] == "--constraint"
    assert theirs[2:] == ["theirs>=2"]
    names = [line.split("==")[0] for line in pip.constraints.splitlines()]
    assert len(names) == len(set(names))
    assert f"pytest=={pytest.__version__}" in pip.constraints
    assert colab == []  # no widget in this notebook


def test_widgets_of_others_are_switched_on_in_colab(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, colab: list[str]
) -> None:
    run(monkeypatch, tmp_path, Install({"anywidget": "anywidget"}, (PUBLISHED,)), Pip())
    assert colab == ["widgets"]


def test_cells_say_what_they_import() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("import nothing"),
        nbformat.v4.new_code_cell("%matplotlib inline\nimport os, torch.nn as nn\n!ls"),
        nbformat.v4.new_code_cell("def f():\n    from attn.torch import rotary"),
        nbformat.v4.new_code_cell("%%bash\nimport -window root shot.png"),
        nbformat.v4.new_code_cell("import mended(\n"),
    ]
    assert from_source(cells, "a.whl") == Install({"torch": "", "attn": ""}, ("a.whl",))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("", ""),
        ("https://github.com/Ada/course", "https://ada.github.io/course/"),
        ("https://github.com/Ada/course.git/", "https://ada.github.io/course/"),
        ("https://github.com/Ada/Ada.github.io", "https://ada.github.io/"),
        ("https://github.com/Ada/bob.github.io", "https://ada.github.io/bob.github.io/"),
    ],
)
def test_site_stands_where_github_serves_it(url: str, site: str) -> None:
    assert site_url(url) == site


@pytest.mark.parametrize("url", ["https://example.org/a/b", "https://github.com/only", "nonsense"])
def test_address_that_is_no_repository_is_one_line(url: str) -> None:
    with pytest.raises(CoursekitError, match=r"expected https://github\.com/OWNER/NAME"):
        site_url(url)
