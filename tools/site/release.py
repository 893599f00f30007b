"""Gather what a release carries: ``python -m tools.site.release TAG -o FOLDER``.

The wheel, the site as one zip, the book as one PDF, NumPy for Pyodide under its own name, so that
a build finds it there (`pyodide-numpy`), a file of hashes, and ``notes.md``: what has changed. The
tag, the version in ``pyproject.toml``, the newest entry of ``CHANGELOG.md``, ``CITATION.cff`` and
the wheel that ``README.md`` names must agree.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sys
from pathlib import Path

from tools.site.environment import BuildError
from tools.site.project import Project, read_yaml
from tools.site.publication import stored

#: Below the site's folder. Those of a build without PDF, archives or NumPy are left out.
ASSETS = ("*.zip", "*.pdf", "notebooks/*.whl", "_static/pyodide/numpy-*.whl")
NOTES, HASHES = "notes.md", "SHA256SUMS"
#: An entry's heading, as Keep a Changelog has it: "## 1.2.0 - 2026-12-01", or "## [1.2.0] - …".
_HEADING = re.compile(r"^## \[?(?P<version>[^\s\]]+)\]? - (?P<date>.+)$", re.MULTILINE)
_UNNAMED = re.compile(r"^## \[?unreleased\b.*$", re.MULTILINE | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
#: What `CITATION.cff` repeats, and where that stands.
_ORIGIN = {
    "version": "pyproject.toml has it",
    "date-released": "the newest entry of CHANGELOG.md has it",
    "repository-code": "_config.yml has it in `repository: url:`",
}


def newest_entry(changelog: Path) -> tuple[str, str, str]:
    """Return version, date and text of the first entry.

    Raises
    ------
    BuildError
        The file is missing, has no entry, or has changes that belong to no version.
    """
    text = changelog.read_text(encoding="utf-8") if changelog.is_file() else ""
    if unnamed := _UNNAMED.search(text):
        raise BuildError(
            f"{changelog}: `{unnamed[0]}` has no version; expected the one that it is going to be, "
            "as in `## 1.1.0 - unreleased`"
        )
    headings = list(_HEADING.finditer(text))
    if not headings:
        raise BuildError(f"{changelog}: no entry; expected a line such as `## 1.0.0 - 2026-12-01`")
    first, *others = headings
    end = others[0].start() if others else len(text)
    return first["version"], first["date"].strip(), text[first.end() : end].strip()


def check_version(project: Project, tag: str) -> str:
    """Return the notes of the version that a tag names, or raise `BuildError`."""
    version = project.settings.course.version
    if tag != f"v{version}":
        raise BuildError(f"the tag is {tag}; expected v{version}, as pyproject.toml has it")
    changelog = project.root / "CHANGELOG.md"
    if newest_entry(changelog)[1] == "unreleased":
        raise BuildError(
            f"{changelog}: {version} is unreleased; expected its date, as in 2026-12-01"
        )
    _, notes = check_places(project)
    if address := project.repository():
        _expect_cited(project, "repository-code", address)
    return notes


def check_places(project: Project) -> tuple[str, str]:
    """Return date and notes of the version, the date "" before it is released.

    Raises
    ------
    BuildError
        A place that repeats version or date has another one.
    """
    version, changelog = project.settings.course.version, project.root / "CHANGELOG.md"
    entry, said, notes = newest_entry(changelog)
    if entry != version:
        raise BuildError(f"{changelog}: the newest entry is of {entry}; expected {version}")
    date = "" if said == "unreleased" else said
    if date and not _DATE.match(date):
        raise BuildError(
            f"{changelog}: {version} is {date}; expected its date, as in 2026-12-01, or unreleased"
        )
    _expect_cited(project, "version", version)
    _expect_cited(project, "date-released", date)
    _check_readme(project)
    return date, notes


def _expect_cited(project: Project, name: str, expected: str) -> None:
    """Compare a value of `CITATION.cff`, in a course that has one."""
    file = project.root / "CITATION.cff"
    said = str(read_yaml(file).get(name) or "") if file.is_file() else expected
    if _bare(said) != _bare(expected):
        raise BuildError(
            f"{file}: {name} is {said or 'missing'}; expected {expected or 'none'}, as "
            f"{_ORIGIN[name]}"
        )


def _bare(value: str) -> str:
    """Return an address as it is compared; anything else stays as it is."""
    return value.rstrip("/").removesuffix(".git")


def _check_readme(project: Project) -> None:
    """Compare the name of the wheel in `README.md`, which readers copy from there."""
    file, wheel = project.root / "README.md", project.settings.course.wheel
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    start = re.escape(wheel.partition("-")[0])
    for named in re.findall(rf"\b{start}-[\w.+!]+-py3-none-any\.whl", text):
        if named != wheel:
            raise BuildError(f"{file} names {named}; expected {wheel}")


def gather(project: Project, notes: str, folder: Path) -> list[str]:
    """Copy the files into an empty or new folder, and return their names.

    Raises
    ------
    BuildError
        The folder has files already, or the site is not built, or of another version.
    """
    course, made = project.settings.course, stored(project.build)
    if made.version != course.version:
        raise BuildError(
            f"{project.html} is of version {made.version}; expected {course.version}: "
            "run `make book`"
        )
    if folder.is_dir() and any(folder.iterdir()):
        raise BuildError(f"{folder} is not empty; name a new folder")
    wheel = f"notebooks/{course.wheel}"
    if not (project.html / wheel).is_file():
        raise BuildError(f"{project.html} has no {wheel}; run `make book` first")
    files = [path for pattern in ASSETS for path in sorted(project.html.glob(pattern))]
    folder.mkdir(parents=True, exist_ok=True)
    hashes = []
    for path in files:
        shutil.copy2(path, folder / path.name)
        hashes.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    (folder / HASHES).write_text("".join(hashes), encoding="utf-8")
    (folder.parent / NOTES).write_text(f"{notes}\n", encoding="utf-8")
    return [path.name for path in files] + [HASHES]


def main() -> int:
    """Gather the release of the course in the current folder (or ``--root``)."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site.release",
        description="Gather the files that a release carries; notes.md is written beside them.",
        epilog="example: python -m tools.site.release v1.0.0 -o dist/files",
    )
    parser.add_argument("tag", help="the release's tag: v, and the version of pyproject.toml")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("-o", "--output", type=Path, help="folder to write")
    what.add_argument("--check", action="store_true", help="write nothing: do the versions agree?")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    args = parser.parse_args()
    project = Project(args.root.resolve())
    try:
        notes = check_version(project, args.tag)
        names = [] if args.check else gather(project, notes, args.output)
    except BuildError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 1
    print("\n".join(names or [f"✓ {args.tag} can be released"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
