"""coursekit and the build of a site serve any course: they name neither this one nor its subject.

Strings, comments, style sheets and TypeScript are looked through as well as code.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
SUBJECT = ("attn", "attention", "softmax", "transformer")
#: What contains such a word and means something else: names of IPython's, and MyST's admonition.
EXCEPTED = ("TransformerManager", "inputtransformer2", '"attention", "caution"')


def names_of_the_course() -> set[str]:
    """Return what the settings call this course: title, distribution, packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    packages = {path.parent.name for path in (ROOT / "lib").glob("*/__init__.py")} - {"coursekit"}
    return {config["title"], project["project"]["name"], *packages}


def named(path: Path, words: set[str]) -> list[str]:
    """Return the lines of a file that have one of the words, in any case."""
    pattern = re.compile("|".join(map(re.escape, sorted(words))), re.IGNORECASE)
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        plain = line
        for phrase in EXCEPTED:
            plain = plain.replace(phrase, "")
        if pattern.search(plain):
            lines.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return lines


@pytest.mark.parametrize("folder", ["lib/coursekit", "tools"])
def test_no_course_is_named(folder: str) -> None:
    words = {*SUBJECT, *names_of_the_course()}
    files = [
        path
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert {".py", ".ts", ".css"} & {path.suffix for path in files}
    assert [line for path in files for line in named(path, words)] == []
