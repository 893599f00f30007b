"""The commands of the pages for those who teach print what these pages say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .transcripts import PAGES, Course


@pytest.mark.timeout(900)
def test_all_commands_print_what_the_pages_say(tmp_path: Path) -> None:
    course = Course(tmp_path)
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        for block, printed in course.print(page):
            line = page.count("\n", 0, block.start()) + 1
            assert printed == block["printed"], f"{path.name}, line {line}"
    rows = map(json.loads, (course.folder / "grades.jsonl").read_text("utf-8").splitlines())
    lost = {
        row["student"]: {c["exercise"] for c in row["checks"] if c["points"] < c["max_points"]}
        for row in rows
    }
    # Named in the text: Finn's syntax error cost only that exercise, beside prose that waits.
    assert lost["finn"] == {"look-back", "long-subject"}
