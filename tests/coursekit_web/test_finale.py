"""The block that opens when exercises have passed: what it has in the page."""

from __future__ import annotations

import json
from collections.abc import Callable

from bs4 import BeautifulSoup

from coursekit.bank.load import Bank
from coursekit.page.page_data import used_data

from .conftest import Built

FINALE = """
```{exercise} graded-root
```

:::{finale} Point
:title: It _turns_
:steps: graded-root
:more: practice-point
:runs: course.Turning

How far.
:::
"""


def test_a_finale_has_its_steps_its_figure_and_its_text(
    write_book: Callable[..., Built], bank: Bank
) -> None:
    made = write_book(FINALE)
    assert made.warnings == []
    block = BeautifulSoup(made.text("index.html"), "html.parser").select_one("section.ck-finale")
    data = json.loads(block.select_one("script.ck-data").string)
    assert data["runs"] == "course.Turning"
    assert data["steps"] == [used_data(bank["graded-root"])]
    assert data["more"] == [used_data(bank["practice-point"])]
    assert block.select_one(".ck-title em").get_text() == "turns"
    assert block.select_one(".ck-explorable test-point")
    assert block.select_one(".ck-finale-text").get_text(strip=True) == "How far."


def test_a_finale_of_unknown_steps_or_figure_is_refused(write_book: Callable[..., Built]) -> None:
    for old, new in ((":steps: graded-root", ":steps: nowhere"), ("Point", "Nothing")):
        made = write_book(FINALE.replace(old, new))
        assert len(made.warnings) == 1
        assert "nowhere" in made.warnings[0] or "Nothing" in made.warnings[0]
