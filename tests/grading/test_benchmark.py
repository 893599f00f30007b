"""The chapter on marks says what the benchmark of grading measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

from coursekit.bank import load_bank

ROOT = Path(__file__).parents[2]


def test_the_chapter_quotes_what_was_measured() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    text = " ".join((ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8").split())
    for chapter in ("motivation", "masking"):
        ratio = f" {stored['against nbgrader'][chapter]['ratio']:.0f} times "
        assert re.search(rf"{ratio}[\w ]*\[\]\({chapter}\.md\), which needs", text)
    costs = stored["chapters"]["processor seconds"]
    assert set(costs) == {e.chapter for e in load_bank().values() if not e.questions}
    assert f"costs {costs['masking']:.2f} s of processor time for masking" in text
    for word, chosen in (("least is", min), ("most", max)):
        chapter = chosen(costs, key=costs.__getitem__)
        assert f"the {word} {costs[chapter]:.2f} s ([]({chapter}.md))" in text
