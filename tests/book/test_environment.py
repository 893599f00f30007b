"""Bad weather: one clear line each, and no traceback."""

from __future__ import annotations

import socket
import subprocess
import sys
import venv
from functools import partial
from pathlib import Path

import pytest

from tools.site import environment, serve, theme
from tools.site.environment import BuildError, together
from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]


def test_old_python_is_turned_away_with_the_way_out() -> None:
    with pytest.raises(BuildError, match=r"Python 3\.11 or newer is needed.*make book PYTHON="):
        environment.check_python((3, 10))
    environment.check_python((3, 11))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "Retrying after NewConnectionError('…: Failed to establish a new connection')",
            "no network",
        ),
        ("npm error code EAI_AGAIN", "no network"),
        (
            "ERROR: No matching distribution found for torch==2.9",
            r"this Python.* make book PYTHON=",
        ),
        ("Package 'demo' requires a different Python: 3.11", r"this Python.* make book PYTHON="),
        ("not created successfully because ensurepip is not\navailable.", "python3-venv"),
        ("error: the disk is full", "error: the disk is full"),
    ],
)
def test_a_failed_command_is_said_with_its_reason_and_where_the_rest_is(
    tmp_path: Path, line: str, said: str
) -> None:
    code = f"print('lots'); print({line!r}); print('more'); raise SystemExit(3)"
    with pytest.raises(BuildError, match=rf"^making failed: .*{said}.*\. Details: .*x\.txt$"):
        environment.run("making", [sys.executable, "-c", code], log="x.txt", root=tmp_path)


def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="making: no-npm does not start: No such file"):
        environment.run("making", ["no-npm"], log="x.txt", root=tmp_path)


def test_another_python_makes_the_environment_anew(tmp_path: Path) -> None:
    assert not environment.is_made_with(tmp_path / "none")
    venv.create(tmp_path / "own", symlinks=True)
    assert environment.is_made_with(tmp_path / "own")
    assert not environment.is_made_with(tmp_path / "own", (3, 99))
    python = tmp_path / "own" / "bin" / "python"
    python.unlink()
    python.symlink_to(tmp_path / "python-that-was-removed")
    assert not environment.is_made_with(tmp_path / "own")


@pytest.mark.heavy
def test_pins_have_a_file_for_the_newest_python(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"]
    options = ["--only-binary=:all:", "--python-version=3.14", f"--target={tmp_path}"]
    packages = ["--requirement", str(ROOT / "requirements.txt")]
    done = subprocess.run(
        [*pip, *options, *environment.torch_source(), *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "yanked" not in done.stderr


def test_environment_script_needs_nothing_installed(tmp_path: Path) -> None:
    # -S and -I: no site-packages, so that an import of anything installed would fail.
    script = ROOT / "tools" / "site" / "environment.py"
    code = f"import runpy; runpy.run_path({str(script)!r}, run_name='read')"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, cwd=tmp_path)


def test_menu_follows_from_the_one_setting() -> None:
    course = Project(ROOT)
    wheel, url = course.course.wheel, "https://github.com/Ada/course"
    files = ["attention-course.zip", "masking.ipynb", wheel]
    without = theme.menu(course, "", "masking.ipynb", "notebooks/")
    assert [address for _, address in without["files"]] == [f"notebooks/{name}" for name in files]
    assert f'pip install "{wheel}[notebook,torch]" jupyterlab' in without["commands"]
    assert "https://download.pytorch.org/whl/cpu" in without["notes"][1]
    assert theme.install_notes(["notebook"]) == [theme.ON_WINDOWS]
    assert without["away"] == {}
    colab, binder = theme.menu(course, url, "masking.ipynb", "n/")["away"].values()
    assert colab.endswith("/github/Ada/course/blob/gh-pages/notebooks/masking.ipynb")
    assert "/gh/Ada/course/gh-pages?urlpath=lab%2Ftree%2Fnotebooks%2Fmasking.ipynb" in binder


def test_serving_what_is_not_built_or_a_taken_port_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["serve", "--root", str(tmp_path)])
    assert serve.main() == 1
    assert capsys.readouterr().err.endswith("run `make book` first\n")
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        monkeypatch.setattr(sys, "argv", [*sys.argv, "--port", port])
        assert serve.main() == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"port {port}" in said


def test_what_fails_side_by_side_is_said_once_for_each_reason() -> None:
    def fail(said: str) -> None:
        raise BuildError(said)

    said = ["half 1 failed: no network. Details: a", "half 2 failed: no network. Details: b"]
    with pytest.raises(BuildError, match=r"^half 2 failed: no network. Details: b$"):
        together(*(partial(fail, line) for line in said))
    with pytest.raises(BuildError, match=r"^half 1 .*\npages: no Node$"):
        together(partial(fail, said[0]), lambda: None, partial(fail, "pages: no Node"))
    assert together(lambda: 1, lambda: 2) == [1, 2]
