"""Python for the page: what is in it, NumPy from the course's own places first, and data files."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.site import page_data, pyodide
from tools.site.environment import BuildError
from tools.site.project import Project

from .conftest import LEAST

BUILD = b"stands for NumPy, built for WebAssembly"
NAME = "numpy-2.0-pyodide.whl"
SETTINGS = LEAST.replace("walks", "strolls") + 'page-data = "strolls.maps"\n'
#: A module that writes data files for the page from a large one outside of the course.
MODULE = """\
from pathlib import Path
SOURCE = Path(__file__).parents[2] / "large"

def sources():
    return [SOURCE] if SOURCE.exists() else []

def write(folder):
    text = SOURCE.read_text() if SOURCE.exists() else "nothing"
    if text == "broken":
        raise ValueError("large is broken; expected a map")
    (folder / "map.txt").write_text(text)
    with SOURCE.with_name("log").open("a") as log:
        log.write("x")
"""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a course whose Pyodide wants `BUILD`, with no source that has it."""
    root = tmp_path / "course"
    (root / "lib" / "walks").mkdir(parents=True)
    (root / "lib" / "walks" / "__init__.py").touch()
    (root / "pyproject.toml").write_text(LEAST)
    (root / "_config.yml").write_text("title: Walks\nrepository:\n  url: ''\n")
    (root / "node_modules" / "pyodide").mkdir(parents=True)
    numpy = {"file_name": NAME, "sha256": hashlib.sha256(BUILD).hexdigest()}
    lock = {"info": {"version": "0.1"}, "packages": {"numpy": numpy}}
    (root / "node_modules" / "pyodide" / "pyodide-lock.json").write_text(json.dumps(lock))
    for name in ("PYODIDE_WHEELS", "PYODIDE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    return Project(root)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of the sources beyond this machine that are asked, none of which answers."""
    list_of: list[str] = []
    monkeypatch.setattr(pyodide, "_download", list_of.append)
    monkeypatch.setattr(pyodide, "_from_carrier", lambda name: list_of.append("strangers"))
    return list_of


def test_what_is_fetched_is_kept(course: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyodide, "_download", lambda address: BUILD)
    found = pyodide.find_numpy(course)
    assert found == course.cache / "pyodide" / NAME
    assert found.read_bytes() == BUILD
    monkeypatch.setenv("PYODIDE_OFFLINE", "1")
    assert pyodide.find_numpy(course) == found


def test_a_file_of_another_hash_is_refused_and_said(
    course: Project, asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(pyodide, "_download", lambda address: b"what somebody put in its place")
    assert pyodide.find_numpy(course) is None
    assert not (course.cache / "pyodide").exists()
    said = capsys.readouterr().out
    assert f"! {pyodide.DISTRIBUTION.format('0.1', NAME)} has another {NAME}: sha256 " in said
    assert f"expected {hashlib.sha256(BUILD).hexdigest()}" in said


def test_a_source_that_does_not_answer_is_said_and_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pyodide, "CARRIER", "not a requirement")
    assert pyodide._download((tmp_path / NAME).as_uri()) is None
    assert pyodide._from_carrier(NAME) is None
    assert "! not there: <urlopen error" in capsys.readouterr().out


def test_a_published_course_asks_its_own_latest_release_first_and_strangers_last(
    course: Project, asked: list[str]
) -> None:
    config = course.root / "_config.yml"
    config.write_text("title: Walks\nrepository:\n  url: https://github.com/Ada/course\n")
    assert pyodide.find_numpy(course) is None
    release = f"https://github.com/Ada/course/releases/latest/download/{NAME}"
    assert asked == [release, pyodide.DISTRIBUTION.format("0.1", NAME), "strangers"]


def test_a_folder_comes_before_all_and_does_without_network(
    course: Project, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / NAME).write_bytes(BUILD)
    monkeypatch.setenv("PYODIDE_WHEELS", str(tmp_path / "wheels"))
    assert pyodide.find_numpy(course) is not None
    assert asked == []


def wheel(folder: Path, name: str, *names: str) -> Path:
    path = folder / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inside in names:
            archive.writestr(inside, f"content of {inside}")
    return path


def names(archive: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


def test_site_without_numpy_says_what_is_missing(
    course: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYODIDE_OFFLINE", "1")
    for name in pyodide.CORE:
        (course.node_modules / "pyodide" / name).touch()
    with (course.root / "pyproject.toml").open("a") as settings:
        settings.write('page-files = ["walks/words.npz"]\n')
    (course.lib / "walks" / "words.npz").touch()
    old = course.assets / "pyodide" / "old.whl"
    old.parent.mkdir(parents=True)
    old.touch()
    about, data = "course-1.dist-info/METADATA", "walks/words.npz"
    own = wheel(tmp_path, "course", "walks/step.py", data, "walks/exercises/a/b.py", "a.css", about)
    kit = wheel(tmp_path, "kit", "coursekit/model.py", "other/a.py", "kit-1.dist-info/METADATA")
    pyodide.gather(course, [own, kit], None)
    folder = course.assets / "pyodide"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["numpy"] is None
    assert "notebook" in manifest["missing"]
    assert manifest["data"] == {"folder": "data", "files": {}}
    assert not old.exists()
    assert manifest["files"] == {data: len(f"content of {data}")}
    assert (folder / "files" / data).read_text() == f"content of {data}"
    # What exercises may import; data stand beside it.
    inside = names((folder / own.name).read_bytes())
    assert inside == ["walks/step.py", about, "coursekit/model.py"]


def test_numpy_of_the_site_is_the_one_in_the_lock_file(site: Path) -> None:
    folder = site / "_static" / "pyodide"
    lock = json.loads((folder / "pyodide-lock.json").read_text())["packages"]["numpy"]
    said = json.loads((folder / "manifest.json").read_text())
    if said["numpy"] is None:
        pytest.fail(f"the site was built without NumPy for the page: {said['missing']}")
    core = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    sizes = [(folder / name).stat().st_size for name in (*core, said["numpy"], said["wheel"])]
    assert said["bytes"] == sum(sizes)  # what a page's bar counts to
    digest = hashlib.sha256((folder / said["numpy"]).read_bytes()).hexdigest()
    assert digest == lock["sha256"]
    assert (folder / said["wheel"]).exists()


@pytest.fixture
def strolls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    package = tmp_path / "lib" / "strolls"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "maps.py").write_text(MODULE)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    for name in [name for name in sys.modules if name.split(".")[0] == "strolls"]:
        monkeypatch.delitem(sys.modules, name)
    return Project(tmp_path)


def written(strolls: Project) -> tuple[str, int]:
    """Write what is due; return what the page gets, and how often it has been written so far."""
    strolls.assets.mkdir(parents=True, exist_ok=True)
    page_data.write(strolls)
    count = len((strolls.root / "log").read_text())
    return (strolls.assets / "data" / "map.txt").read_text(), count


def test_written_again_only_when_a_source_or_the_module_changes(strolls: Project) -> None:
    assert written(strolls) == ("nothing", 1)
    assert written(strolls) == ("nothing", 1)
    large, before = strolls.root / "large", page_data.state(strolls)
    large.write_text("hills")
    assert page_data.state(strolls) != before
    assert written(strolls) == ("hills", 2)
    os.utime(large, (1, 1))
    assert written(strolls) == ("hills", 3)
    (strolls.lib / "strolls" / "maps.py").write_text(MODULE + "# another comment\n")
    assert written(strolls) == ("hills", 4)
    assert written(strolls) == ("hills", 4)


def test_python_in_the_page_knows_the_files_their_sizes_and_their_folder(strolls: Project) -> None:
    (strolls.root / "large").write_text("hills")
    written(strolls)
    assert page_data.listed(strolls) == {"folder": "strolls/data", "files": {"map.txt": 5}}


def test_what_is_wrong_with_a_source_is_one_line(strolls: Project) -> None:
    (strolls.root / "large").write_text("broken")
    strolls.assets.mkdir(parents=True)
    with pytest.raises(BuildError, match=r"page-data strolls\.maps: large is broken; expected a"):
        page_data.write(strolls)
    (strolls.root / "large").write_text("hills")
    assert written(strolls) == ("hills", 1)


def test_a_course_without_data_has_an_empty_folder(strolls: Project) -> None:
    settings = strolls.root / "pyproject.toml"
    settings.write_text(SETTINGS.replace('page-data = "strolls.maps"\n', ""))
    strolls.assets.mkdir(parents=True)
    page_data.write(strolls)
    assert list((strolls.assets / "data").iterdir()) == []
    assert page_data.state(strolls) == ""
    assert page_data.listed(strolls) == {"folder": "data", "files": {}}
