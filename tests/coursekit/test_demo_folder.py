"""The folder and the bash cells of chapters that show a term on the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.demo_folder import bash, enter_demo_folder


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Undo what entering the folder changes: the working folder and the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("PORT", "ISOLATION", "PATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


@pytest.mark.usefixtures("restored")
def test_the_folder_has_a_place_for_private_exercises_and_a_bank_beside_it() -> None:
    course = enter_demo_folder("numbers")
    assert Path.cwd().resolve() == course.resolve()
    assert [path.name for path in (course / "private").iterdir()] == ["numbers"]
    assert list((course.parent / "exercises").rglob("*.py"))
    assert 1024 < int(os.environ["PORT"]) < 65536
    assert os.environ["ISOLATION"].startswith("--isolation ")


def test_the_folder_is_gone_when_python_ends() -> None:
    code = "from coursekit.demo_folder import enter_demo_folder as go; print(go('numbers'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).parent.exists()


def test_a_bash_cell_prints_both_streams_but_not_the_time_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bash("", "echo one\necho two >&2\necho '3 of 9, 4 a second, about 2 s left'\necho three")
    assert capsys.readouterr().out == "one\ntwo\nthree\n"


def test_a_bash_cell_stops_at_the_first_command_that_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        bash("", "echo before\nfalse\necho after")
    assert capsys.readouterr().out == "before\n"
