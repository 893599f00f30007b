"""The path of the first page: each chapter builds on what its own "You need" names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coursekit.errors import DefinitionError
from coursekit.page.path import path_rows

BOOK = Path(__file__).resolve().parents[2] / "book"
PATH = re.compile(r"(?ms)^```\{progress\}\n(.*?)^```$")
#: The sentence that says what a chapter needs, up to its full stop.
NEED = re.compile(r"(?s)\bYou\s+need\s(.*?\.)(?=\s|\*)")
LINK = re.compile(r"\]\(([\w-]+)\.md")


def needs(chapter: str) -> set[str]:
    """Return the chapters that a chapter's sentence links."""
    found = NEED.search((BOOK / f"{chapter}.md").read_text(encoding="utf-8"))
    return set(LINK.findall(found[1])) if found else set()


def test_chapters_build_on_what_they_say() -> None:
    found = PATH.search((BOOK / "welcome.md").read_text(encoding="utf-8"))
    assert found is not None
    rows = path_rows(found[1].splitlines())
    assert {chapter: set(row.needs) for chapter, row in rows.items()} == {
        chapter: needs(chapter) for chapter in rows
    }


def test_a_chapter_cannot_build_on_a_later_one() -> None:
    with pytest.raises(DefinitionError, match="one builds on 'two', which is not before it"):
        path_rows(["one (two): Why?", "two: How?"])
