"""What a release carries, and that its tag, the version and the list of changes agree."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import attn
from tools.site import release
from tools.site.environment import BuildError
from tools.site.project import Project
from tools.site.publication import record

WHEEL = "walks-2.0.0-py3-none-any.whl"
ROOT = Path(__file__).resolve().parents[2]
CHANGES = (
    "# Changelog\n\n## [2.0.0] - 2026-12-01\n\n- New walks.\n\n## 1.0.0 - 2025-11-30\n\n- Old.\n"
)


@pytest.fixture
def course(tmp_path: Path) -> Project:
    """Return a course of version 2.0.0 that is ready to be released, with a small site."""
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "walks"\nversion = "2.0.0"\n'
        "[project.entry-points.coursekit]\n[tool.coursekit]\npage-packages = []\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    (tmp_path / "CITATION.cff").write_text("version: 2.0.0\ndate-released: 2026-12-01\n")
    (tmp_path / "_config.yml").write_text("repository: {url: ''}\n")
    (tmp_path / "README.md").write_text(f"`pip install {WHEEL}`, see random_walks-1.0.0.zip\n")
    site = tmp_path / "_build" / "html"
    for name in (
        *("index.html", "walks-site.zip", "walks.pdf", "pdf/one.pdf", f"notebooks/{WHEEL}"),
        *("_static/pyodide/numpy-2.whl", "_static/pyodide/walks.whl", "_static/pyodide/a.zip"),
    ):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(name)
    made = Project(tmp_path)
    record(made)
    return made


def test_wheel_site_book_and_numpy_are_gathered(course: Project, tmp_path: Path) -> None:
    notes = release.check_version(course, "v2.0.0")
    names = release.gather(course, notes, tmp_path / "out" / "files")
    assert names == ["walks-site.zip", "walks.pdf", WHEEL, "numpy-2.whl", "SHA256SUMS"]
    files = tmp_path / "out" / "files"
    assert sorted(path.name for path in files.iterdir()) == sorted(names)
    for line in (files / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((files / name).read_bytes()).hexdigest() == digest
    assert (tmp_path / "out" / "notes.md").read_text() == "- New walks.\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("CHANGELOG.md", "# Nothing\n", "no entry; expected a line such as"),
        ("CHANGELOG.md", "## 1.9.0 - 2026-12-01\n", "newest entry is of 1.9.0; expected 2.0.0"),
        ("CHANGELOG.md", "## 2.0.0 - unreleased\n", "2.0.0 is unreleased; expected its date"),
        ("CHANGELOG.md", "## 2.0.0 - soon\n", "2.0.0 is soon; expected its date, as in"),
        (
            "CHANGELOG.md",
            f"## [Unreleased]\n\n{CHANGES}",
            "`## [Unreleased]` has no version; expec",
        ),
        ("CHANGELOG.md", f"## Unreleased\n\n{CHANGES}", "as in `## 1.1.0 - unreleased`"),
        ("CITATION.cff", "version: 1.9.0\n", "version is 1.9.0; expected 2.0.0"),
        ("CITATION.cff", "version: [2", "CITATION.cff: while parsing a flow sequence"),
        ("CITATION.cff", "version: 2.0.0\n", "date-released is missing; expected 2026-12-01"),
        (
            "CITATION.cff",
            "version: 2.0.0\ndate-released: 2026-11-30\n",
            "date-released is 2026-11-30; expected 2026-12-01, as the newest entry of CHANGELOG.md",
        ),
        (
            "_config.yml",
            "repository: {url: 'https://github.com/Ada/walks'}\n",
            "repository-code is missing; expected https://github.com/Ada/walks, as _config.yml",
        ),
        (
            "README.md",
            "`pip install 'walks-1.9.0-py3-none-any.whl[notebook]'`\n",
            f"names walks-1.9.0-py3-none-any.whl; expected {WHEEL}",
        ),
    ],
)
def test_what_does_not_agree_is_named(course: Project, name: str, text: str, message: str) -> None:
    (course.root / name).write_text(text)
    with pytest.raises(BuildError, match=re.escape(message)):
        release.check_version(course, "v2.0.0")


def test_an_unreleased_version_has_no_date_anywhere(course: Project) -> None:
    for name in ("CHANGELOG.md", "CITATION.cff"):
        file = course.root / name
        file.write_text(file.read_text().replace("2026-12-01", "unreleased", 1))
    with pytest.raises(BuildError, match="date-released is unreleased; expected none"):
        release.check_places(course)
    (course.root / "CITATION.cff").write_text("version: 2.0.0\n")
    assert release.check_places(course) == ("", "- New walks.")
    with pytest.raises(BuildError, match=r"2\.0\.0 is unreleased; expected its date"):
        release.check_version(course, "v2.0.0")


def test_a_citation_names_the_repository(course: Project) -> None:
    (course.root / "_config.yml").write_text(
        "repository: {url: 'https://github.com/Ada/walks.git'}\n"
    )
    citation = course.root / "CITATION.cff"
    citation.write_text(f"{citation.read_text()}repository-code: https://github.com/Ada/walks/\n")
    assert release.check_version(course, "v2.0.0") == "- New walks."
    citation.write_text(citation.read_text().replace("Ada", "Eve"))
    with pytest.raises(BuildError, match=r"repository-code is .*/Eve/walks/; expected"):
        release.check_version(course, "v2.0.0")


def test_a_tag_of_another_version_is_refused(course: Project) -> None:
    with pytest.raises(BuildError, match=r"the tag is v2\.0\.1; expected v2\.0\.0"):
        release.check_version(course, "v2.0.1")


def test_a_site_that_is_not_built_is_not_released(course: Project, tmp_path: Path) -> None:
    (course.html / "notebooks" / WHEEL).unlink()
    with pytest.raises(BuildError, match=f"has no notebooks/{WHEEL}; run `make book` first"):
        release.gather(course, "", tmp_path / "files")
    # Built before the version was raised.
    (course.html / "notebooks" / WHEEL.replace("2.0.0", "1.0.0")).touch()
    with pytest.raises(BuildError, match=f"has no notebooks/{WHEEL}; run `make book` first"):
        release.gather(course, "", tmp_path / "files")


def test_a_site_of_another_version_is_not_released(course: Project, tmp_path: Path) -> None:
    settings = course.root / "pyproject.toml"
    settings.write_text(settings.read_text().replace("2.0.0", "2.0.1"))
    with pytest.raises(BuildError, match=r"is of version 2\.0\.0; expected 2\.0\.1: run `make b"):
        release.gather(Project(course.root), "", tmp_path / "files")


def test_files_of_an_older_release_are_not_mixed_in(course: Project, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="is not empty; name a new folder"):
        release.gather(course, "", tmp_path)


def test_check_writes_nothing(
    course: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["release", "v2.0.0", "--check", "--root", str(course.root)])
    before = sorted(course.root.rglob("*"))
    assert release.main() == 0
    assert capsys.readouterr().out == "✓ v2.0.0 can be released\n"
    assert sorted(course.root.rglob("*")) == before


def test_this_courses_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    _, notes = release.check_places(Project(ROOT))
    assert attn.__version__ == project["version"]
    assert notes


def test_the_citation_is_one() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    file = str(ROOT / "CITATION.cff")
    done = subprocess.run(
        [*check, "vendor.citation-file-format", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
