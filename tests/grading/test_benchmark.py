"""The chapter on marks says what the benchmark of grading measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

from coursekit.bank import load_bank

ROOT = Path(__file__).parents[2]


def test_the_chapter_quotes_what_was_measured() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    beside, scale = stored["against nbgrader"], stored["scale"]
    text = " ".join((ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8").split())
    for chapter in ("motivation", "masking"):
        ratio = f" {beside[chapter]['ratio']:.0f} times "
        assert re.search(rf"{ratio}[\w ]*\[\]\({chapter}\.md\), which needs", text)
    smaller, largest = scale["1000"], scale["10000"]
    held = [size["own memory at most, MiB"] for size in (smaller, largest)]
    most = max(size for kind, size in held[1].items() if kind != "all at once")
    assert f"No process held more than {most:.0f} MiB of its own" in text
    # In KiB per submission: little more than the name.
    assert (held[1]["coordinator"] - held[0]["coordinator"]) * 1024 / 9000 < 0.5


def test_the_chapter_lists_what_every_chapter_with_code_costs() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    costs = stored["chapters"]["processor seconds"]
    bank = load_bank()
    with_code = {exercise.chapter for exercise in bank.values() if not exercise.questions}
    assert set(costs) == with_code
    text = (ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d\.\d\d) \| (.+) \|$", text)
    listed = {name: cost for cost, names in rows for name in re.findall(r"\((.+?)\.md\)", names)}
    assert listed == {chapter: f"{cost:.2f}" for chapter, cost in costs.items()}
