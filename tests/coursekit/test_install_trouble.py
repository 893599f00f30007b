"""A notebook's first cell where something is in the way: one sentence says what, and what to do."""

from __future__ import annotations

import os
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coursekit.notebook.install import Install, install_cell

from .install_cells import MISSING, PUBLISHED, WHEEL, Pip, colab, run, sentence, wheel

__all__ = ["colab"]


def test_without_either_one_sentence_has_the_line_for_pip(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pip = Pip()
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (), (WHEEL,), ("notebook", "torch")), pip
    )
    # The kernel's Python: the one that a terminal calls python may be another.
    assert f'{sys.executable} -m pip install "{WHEEL}[notebook,torch]"' in shown
    assert "incomplete" not in shown
    assert pip.asked == []


def test_what_pip_says_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = "WARNING: Retrying\nERROR: HTTP error 404 while getting it\nhint: no\n"
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,), (WHEEL,)), Pip(error=error)
    )
    assert "our_missing_module, their_missing_module" in shown
    assert "HTTP error 404" in shown
    assert "hint" not in shown
    shown = sentence(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(error="Killed"))
    assert "(Killed)" in shown


#: What pip wrote where it was tried: without a network, for a system's Python, in a folder of
#: another user's, and in an environment that was made without pip.
OFFLINE = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor.\
urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: [Errno -3] \
Temporary failure in name resolution')': /simple/numpy/
ERROR: Could not find a version that satisfies the requirement numpy>=2.0 (from versions: none)
ERROR: No matching distribution found for numpy>=2.0
"""
MANAGED = """\
error: externally-managed-environment

× This environment is externally managed
╰─> To install Python packages system-wide, try apt install python3-xyz
"""
DENIED = """\
ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/opt/site'
Check the permissions.
"""


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OFFLINE, ["could not reach the network", "connect and run this cell again"]),
        (
            MANAGED,
            ["(error: externally-managed-environment)", " -m venv course", "bin/jupyter lab"],
        ),
        (DENIED, ["Permission denied: '/opt/site'", " -m venv course"]),
        (f"{sys.executable}: No module named pip", ["has no pip", " -m ensurepip"]),
    ],
)
def test_what_stops_pip_comes_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: str, expected: list[str]
) -> None:
    shown = sentence(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(error=error))
    assert [part for part in expected if part not in shown] == []
    if "venv course" in shown:
        assert f'course/bin/python -m pip install "jupyterlab" "{PUBLISHED}"' in shown


def test_where_no_program_can_be_started_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(138, "emscripten does not support processes.")

    install: Any = refuse
    shown = sentence(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), install)
    assert "does not support processes" in shown


def test_fault_in_pip_is_named_by_its_last_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    error = "ERROR: Exception:\nTraceback (most recent call last):\n  …\nzlib.error: Error -3\n"
    shown = sentence(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(error=error))
    assert "(zlib.error: Error -3)" in shown


def test_what_pip_puts_into_the_user_s_folder_is_found_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """pip does so where the kernel's Python belongs to somebody else."""
    user = tmp_path / "user"

    class UserPip(Pip):
        def __call__(self, command: list[str], **options: Any) -> Any:
            user.mkdir()
            (user / "our_module_of_the_user.py").touch()
            return super().__call__(command, **options)

    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(user))
    run(monkeypatch, tmp_path, Install({"our_module_of_the_user": ""}, (PUBLISHED,)), UserPip())
    assert str(user) in sys.path


def test_half_a_wheel_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = wheel(tmp_path)
    (tmp_path / WHEEL).write_bytes(whole[: len(whole) // 2])
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, Install({"our_missing_module": ""}, (PUBLISHED,), (WHEEL,)), pip)
    assert pip.asked == [[PUBLISHED]]
    (tmp_path / "our_missing_module.py").unlink()
    shown = sentence(
        monkeypatch, tmp_path, Install({"our_missing_module": ""}, (), (WHEEL,)), Pip()
    )
    assert f"({WHEEL} there is incomplete, renamed or of another version)" in shown


@pytest.mark.parametrize(
    "name", ["course-2-py3-none-any.whl", "course-1-py3-none-any (1).whl", f"{WHEEL}.part"]
)
def test_another_wheel_beside_the_notebook_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    wheel(tmp_path, name)
    pip = Pip()
    shown = sentence(monkeypatch, tmp_path, Install(MISSING, (), (WHEEL,)), pip)
    assert f"put {WHEEL}, " in shown
    assert f"({name} there is incomplete, renamed or of another version)" in shown
    assert pip.asked == []


def test_folder_of_a_module_s_name_is_no_module(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "our_missing_folder").mkdir()
    install = Install({"our_missing_folder": ""}, (PUBLISHED,), (WHEEL,))
    shown = sentence(monkeypatch, tmp_path, install, Pip(["their_missing_module"]))
    assert shown.startswith("our_missing_folder cannot be imported")


def test_python_that_is_too_old_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = sentence(monkeypatch, tmp_path, Install({"json": ""}, python="3.99"), Pip())
    assert shown.startswith("This notebook needs Python 3.99 or newer, and this kernel runs Python")
    assert sys.executable in shown
    run(monkeypatch, tmp_path, Install({"json": ""}, python="3.11"), Pip())


def test_colab_s_own_packages_are_named_where_they_stand_in_the_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, colab: list[str]
) -> None:
    error = (
        "ERROR: Cannot install theirs because these package versions have conflicting dependencies."
    )
    install = Install({"their_missing_module": "theirs>=2"}, (PUBLISHED,))
    shown = sentence(monkeypatch, tmp_path, install, Pip(error=error))
    assert shown.startswith("Colab's own packages stand in the way of their_missing_module")


def test_what_cannot_be_imported_afterwards_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = sentence(
        monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,)), Pip(["their_missing_module"])
    )
    assert shown.startswith("our_missing_module cannot be imported")
    assert "restart the kernel" in shown


#: Runs the cell, and shows what a reader sees of its error.
AS_SHOWN = """
import sys
try:
    exec(sys.stdin.read(), {})
except Exception as error:
    print(*error._render_traceback_(), sep="\\n")
"""


def test_environment_without_pip_is_one_sentence(tmp_path: Path) -> None:
    """As uv makes them."""
    made = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")]
    subprocess.run(made, check=True)
    python = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wheel(tmp_path)
    done = subprocess.run(
        [python, "-c", AS_SHOWN],
        input=install_cell(Install({"our_missing_module": ""}, (), (WHEEL,))).source,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    announced, shown = done.stdout.splitlines()
    assert announced == "Installing our_missing_module; this can take some minutes …"
    assert "this kernel's Python has no pip: run " in shown
    assert done.stderr == ""
