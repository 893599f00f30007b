"""A chapter's core takes an hour at most, and no page types how long it takes."""

from __future__ import annotations

import re

import pytest

from coursekit.bank import Bank, load_bank
from coursekit.times import chapter_time
from tools.site.project import Project

LONGEST = 60
#: Two projects: who builds a model does so in several sittings.
CAPSTONES = {"build-a-gpt", "build-a-gpt-torch"}


@pytest.fixture(scope="module")
def bank(project: Project) -> Bank:
    return load_bank(project.root / "exercises")


def test_the_core_of_a_chapter_takes_an_hour_at_most(project: Project, bank: Bank) -> None:
    times = {
        file.stem: chapter_time(file.read_text(encoding="utf-8"), bank).minutes[0]
        for file in project.chapters()
        if file.stem in bank.chapters and file.stem not in CAPSTONES
    }
    assert {chapter: minutes for chapter, minutes in times.items() if minutes > LONGEST} == {}


def test_no_chapter_types_what_is_computed(project: Project, bank: Bank) -> None:
    typed = {
        file.stem
        for file in project.chapters()
        if file.stem in bank.chapters
        and re.search(
            r"(?i)\btakes\s+about\b|\babout\s+\d+\s+minutes", file.read_text(encoding="utf-8")
        )
    }
    assert typed == set()
