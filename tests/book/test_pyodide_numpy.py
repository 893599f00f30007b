"""Where NumPy for the page comes from: the course's own places first, strangers last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tools.site import pyodide_numpy
from tools.site.project import Project

BUILD = b"stands for NumPy, built for WebAssembly"
NAME = "numpy-2.0-pyodide.whl"
SETTINGS = """
[project]
name = "course"
version = "1"

[project.entry-points.coursekit]
exercises = "walks"

[tool.coursekit]
page-packages = ["walks"]
"""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a course whose Pyodide wants `BUILD`, with no source that has it."""
    root = tmp_path / "course"
    (root / "lib" / "walks").mkdir(parents=True)
    (root / "lib" / "walks" / "__init__.py").touch()
    (root / "pyproject.toml").write_text(SETTINGS)
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
    monkeypatch.setattr(pyodide_numpy, "_download", list_of.append)
    monkeypatch.setattr(pyodide_numpy, "_from_carrier", lambda name: list_of.append("strangers"))
    return list_of


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[bytes], str]]:
    """Return a function that serves a file on this machine and returns its address."""
    folder = tmp_path / "release"
    folder.mkdir()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()

    def put(content: bytes) -> str:
        (folder / NAME).write_bytes(content)
        return f"http://127.0.0.1:{server.server_port}/{NAME}"

    yield put
    server.shutdown()
    thread.join()
    server.server_close()


def set_address(course: Project, address: str) -> Project:
    settings = course.root / "pyproject.toml"
    settings.write_text(f'{settings.read_text()}pyodide-numpy = "{address}"\n')
    return Project(course.root)


def test_the_address_in_the_settings_is_asked_and_its_file_kept(
    course: Project, serve: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    course = set_address(course, serve(BUILD))
    found = pyodide_numpy.find_numpy(course)
    assert found == course.cache / "pyodide" / NAME
    assert found.read_bytes() == BUILD
    monkeypatch.setenv("PYODIDE_OFFLINE", "1")
    assert pyodide_numpy.find_numpy(course) == found


def test_a_file_of_another_hash_is_refused_and_said(
    course: Project,
    serve: Callable[[bytes], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    address = serve(b"what somebody put in its place")
    course = set_address(course, address)
    distribution = serve(b"the same").replace(NAME, "{version}/{file}")  # which is not there
    monkeypatch.setattr(pyodide_numpy, "DISTRIBUTION", distribution)
    monkeypatch.setattr(pyodide_numpy, "_from_carrier", lambda name: None)
    assert pyodide_numpy.find_numpy(course) is None
    assert not (course.cache / "pyodide").exists()
    said = capsys.readouterr().out
    assert f"! {address} has another {NAME}: sha256 " in said
    assert f"expected {hashlib.sha256(BUILD).hexdigest()}" in said
    assert "! not there: HTTP Error 404" in said


def test_strangers_are_asked_last(course: Project, asked: list[str]) -> None:
    assert pyodide_numpy.find_numpy(set_address(course, "https://ada.example/n.whl")) is None
    distribution = pyodide_numpy.DISTRIBUTION.format(version="0.1", file=NAME)
    assert asked == ["https://ada.example/n.whl", distribution, "strangers"]


def test_a_published_course_asks_its_own_latest_release(course: Project, asked: list[str]) -> None:
    config = course.root / "_config.yml"
    config.write_text("repository:\n  url: https://github.com/Ada/course\n")
    assert pyodide_numpy.find_numpy(course) is None
    release = f"https://github.com/Ada/course/releases/latest/download/{NAME}"
    assert (asked[0], asked[-1]) == (release, "strangers")


def test_a_folder_comes_before_all_and_does_without_network(
    course: Project, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / NAME).write_bytes(BUILD)
    monkeypatch.setenv("PYODIDE_WHEELS", str(tmp_path / "wheels"))
    assert pyodide_numpy.find_numpy(course) is not None
    assert asked == []


def test_that_the_last_resort_belongs_to_strangers_is_said(
    course: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pyodide_numpy, "_download", lambda address: None)
    monkeypatch.setattr(pyodide_numpy, "CARRIER", ("not a requirement", "nowhere/"))
    assert pyodide_numpy.find_numpy(course) is None
    said = capsys.readouterr().out
    assert "a package of\n  strangers on PyPI" in said
    assert "pyodide-numpy in pyproject.toml" in said
