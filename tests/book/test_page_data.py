"""Data files that a course writes for its page: written once, and again when sources change."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools.site import page_data
from tools.site.environment import BuildError
from tools.site.project import Project

from .conftest import LEAST

SETTINGS = LEAST.replace("walks", "strolls") + 'page-data = "strolls.maps"\n'
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
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    package = tmp_path / "lib" / "strolls"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "maps.py").write_text(MODULE)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    for name in [name for name in sys.modules if name.split(".")[0] == "strolls"]:
        monkeypatch.delitem(sys.modules, name)
    return Project(tmp_path)


def written(project: Project) -> tuple[str, int]:
    """Write what is due; return what the page gets, and how often it has been written so far."""
    project.assets.mkdir(parents=True, exist_ok=True)
    page_data.write(project)
    count = len((project.root / "log").read_text())
    return (project.assets / "data" / "map.txt").read_text(), count


def test_written_again_only_when_a_source_or_the_module_changes(project: Project) -> None:
    assert written(project) == ("nothing", 1)
    assert written(project) == ("nothing", 1)
    large, before = project.root / "large", page_data.state(project)
    large.write_text("hills")
    assert page_data.state(project) != before
    assert written(project) == ("hills", 2)
    os.utime(large, (1, 1))
    assert written(project) == ("hills", 3)
    (project.lib / "strolls" / "maps.py").write_text(MODULE + "# another comment\n")
    assert written(project) == ("hills", 4)
    assert written(project) == ("hills", 4)


def test_python_in_the_page_knows_the_files_their_sizes_and_their_folder(project: Project) -> None:
    (project.root / "large").write_text("hills")
    written(project)
    assert page_data.listed(project) == {"folder": "strolls/data", "files": {"map.txt": 5}}


def test_what_is_wrong_with_a_source_is_one_line(project: Project) -> None:
    (project.root / "large").write_text("broken")
    project.assets.mkdir(parents=True)
    with pytest.raises(BuildError, match=r"page-data strolls\.maps: large is broken; expected a"):
        page_data.write(project)
    (project.root / "large").write_text("hills")
    assert written(project) == ("hills", 1)


def test_a_course_without_data_has_an_empty_folder(project: Project) -> None:
    settings = project.root / "pyproject.toml"
    settings.write_text(SETTINGS.replace('page-data = "strolls.maps"\n', ""))
    project.assets.mkdir(parents=True)
    page_data.write(project)
    assert list((project.assets / "data").iterdir()) == []
    assert page_data.state(project) == ""
    assert page_data.listed(project) == {"folder": "data", "files": {}}
