"""colab.txt is made from Google's list: what pip would install of it, with its date and Python."""

from __future__ import annotations

import datetime
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.book import refresh_colab

FREEZE = """\
# Do not modify this file directly
fourth==4.0
google-colab @ file:///colabtools/dist/google_colab-1.0.0.tar.gz
ipykernel==6.17.1
Small_Kernel.part==1.5
unasked==9
torch @ https://example.org/whl/cpu/torch-2.11.0%2Bcpu-cp313-cp313-manylinux_2_28_x86_64.whl
"""
DATE = datetime.date(2026, 8, 19)


def wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """Write a wheel without code."""
    info = f"{name}-{version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as made:
        made.writestr(f"{info}/METADATA", head + "".join(f"Requires-Dist: {n}\n" for n in needs))
        made.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        made.writestr(f"{info}/RECORD", "")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a list like Google's. pip has an index of its packages, newer ones among them."""
    (tmp_path / "pip-freeze.txt").write_text(FREEZE)
    (tmp_path / "os-info.txt").write_text("Ubuntu 22.04.5 LTS\nPython 3.13.15\nR version 4.6.1\n")
    wheel(tmp_path, "ipykernel", "6.17.1", "small-kernel-part", "third")
    wheel(tmp_path, "ipykernel", "7.4.0")
    wheel(tmp_path, "small_kernel_part", "1.5", "fourth>=4")
    wheel(tmp_path, "third", "3.0")
    wheel(tmp_path, "fourth", "4.0")
    wheel(tmp_path, "unasked", "9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path / "pip-freeze.txt"


def test_keeps_what_pip_would_install_and_colab_has(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "colab.txt"
    assert refresh_colab.refresh(str(source), DATE, target) == 3
    text = target.read_text()
    assert text.startswith("# What Colab had on 2026-08-19,")
    # Not `third`, which Colab lacks, and not `unasked`, which no chapter meets.
    assert refresh_colab.pinned(target) == {
        "fourth": "4.0",
        "ipykernel": "6.17.1",
        "small-kernel-part": "1.5",
    }
    assert refresh_colab.python(target) == "3.13"
    assert "torch 2.11.0." in text


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "tests.book.refresh_colab", *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_help_says_how() -> None:
    done = command("--help")
    assert done.returncode == 0
    assert "googlecolab/backend-info" in done.stdout


@pytest.mark.parametrize(
    ("freeze", "info", "said"),
    [
        (None, "Python 3.13.1\n", "pip-freeze.txt cannot be read (No such file or directory)"),
        (FREEZE, None, "os-info.txt cannot be read (No such file or directory)"),
        (FREEZE, "Ubuntu\n", "os-info.txt names no Python; expected a line like Python 3.13.15"),
        ("<html>", "Python 3.13.1\n", "names no version of ipykernel and torch; expected Colab's"),
        (
            FREEZE.replace("6.17.1", "5.0"),
            "Python 3.13.1\n",
            "pip cannot resolve the list: ERROR: ",
        ),
    ],
)
def test_list_that_is_none_is_one_line_and_leaves_the_file(
    source: Path, tmp_path: Path, freeze: str | None, info: str | None, said: str
) -> None:
    for name, text in (("pip-freeze.txt", freeze), ("os-info.txt", info)):
        (tmp_path / name).unlink()
        if text is not None:
            (tmp_path / name).write_text(text)
    target = tmp_path / "colab.txt"
    target.write_text("as before")
    done = command(str(source), "--date", str(DATE), "-o", str(target))
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert target.read_text() == "as before"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["https://127.0.0.1:9/pip-freeze.txt", "--date", "2026-08-19"], "Connection refused"),
        (["pip-freeze.txt", "--date", "yesterday"], "'yesterday' is not a date; expected 2026-08"),
    ],
)
def test_what_cannot_be_read_is_named(arguments: list[str], said: str) -> None:
    done = command(*arguments)
    assert done.returncode
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_the_list_in_the_tests_has_what_chapters_meet() -> None:
    """Colab has no nbgrader, no distributed and no latex2mathml; all else that we ask for."""
    missing = set(refresh_colab.roots()) - set(refresh_colab.pinned())
    assert missing <= {"nbgrader", "distributed", "latex2mathml", "pyseccomp"}
