"""What all tests share: where the project is, the site that `make book` built, and a second course.

The second course, on random walks, shows that coursekit and ``tools/site`` serve any course.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[1]
SECOND = ROOT / "tests" / "second_course"

collect_ignore = ["second_course"]

#: The folders with the files that take longest. They come first: at the end both test processes
#: have short files, and neither waits for the other.
FIRST = ("browser", "book", "coursekit", "grading")

# How fast a machine is decides nothing: neither one example's time nor that of making it.
settings.register_profile(
    "course",
    deadline=None,
    max_examples=50,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ``heavy.toml`` leaves to ``make verify``; put long files first."""
    lists = tomllib.loads((ROOT / "tests" / "heavy.toml").read_text(encoding="utf-8"))
    for item in items:
        if _is_in(lists["heavy"], item) and not _is_in(lists["chosen"], item):
            item.add_marker(pytest.mark.heavy)
        if "second_course" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(900))  # the first of them builds a whole site
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    folder = item.nodeid.removeprefix("tests/").partition("/")[0]
    return FIRST.index(folder) if folder in FIRST else len(FIRST)


def _is_in(named: dict[str, list[str]], item: pytest.Item) -> bool:
    tests = named.get(item.nodeid.split("::")[0].removeprefix("tests/"), [])
    return not {"*", item.name, item.name.split("[")[0]}.isdisjoint(tests)


@pytest.fixture(scope="session")
def project() -> Project:
    """Return the course itself."""
    return Project(ROOT)


@pytest.fixture(scope="session")
def site(project: Project) -> Path:
    """Return the folder of the built site."""
    if not (project.html / "index.html").exists():
        pytest.fail("no site in _build/html: run `make book` first", pytrace=False)
    return project.html


@pytest.fixture(scope="session")
def second_course(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Project:
    """Return the second course in a folder of its own, its site built by the command for that."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent  # that of all test processes
    course = Project(shared / "random-walks")
    with FileLock(shared / "random-walks.lock"):
        if not (built := shared / "random-walks.built").exists():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(SECOND, course.root, ignore=ignored, dirs_exist_ok=True)
            build_site(course.root)
            built.touch()
    return course


def build_site(root: Path) -> None:
    """Build a site with NumPy from the cache of this course's."""
    command = [sys.executable, "-m", "tools.site.build", "--root", str(root)]
    numpy = str(ROOT / "_build" / "cache" / "pyodide")
    env = {**os.environ, "PYODIDE_WHEELS": numpy, "PYODIDE_OFFLINE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
