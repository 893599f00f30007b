"""What reaches the page of an exercise, and what never does."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from coursekit.bank import Bank, load_exercise
from coursekit.model import Exercise
from coursekit.page.cells import written_cells
from coursekit.page.page_data import block_data, checks_data, page_data, page_script
from tests.course import BANK as COURSE


def test_what_code_is_checked_with_is_not_in_the_page(bank: Bank) -> None:
    exercise = bank["graded-root"]
    name, data = checks_data(exercise)
    assert name == f"graded-root-{page_data(exercise)['digest']}.js"
    assert data == {
        key: page_data(exercise)[key] for key in ("check_source", "misconceptions", "known")
    }
    assert data["check_source"]
    assert set(block_data(exercise)) == set(page_data(exercise)) - set(data)
    assert "misconceptions" in block_data(bank["three-questions"])  # answered without Python


def _normal(code: str) -> str:
    """Return code as the parser sees it: without comments and whatever its spaces."""
    return ast.unparse(ast.parse(code))


@pytest.mark.parametrize("exercise", COURSE.values(), ids=lambda e: e.id)
def test_nothing_that_grades_a_course_exercise_is_in_its_page(exercise: object) -> None:
    page = page_data(exercise)
    data = json.dumps(page)
    for check in exercise.checks:
        assert not check.hidden or not re.search(rf"\b{check.name}\b", data)
    if exercise.kind == "quiz":
        return
    shown = [_normal(page[key]) for key in ("setup", "starter", "check_source")]
    kept = [exercise.solution, *exercise.also_right.values()]
    kept += [wrong.code for wrong in exercise.wrong.values()]
    # A wrong answer may be the very starter: an answer not yet changed.
    for code in {_normal(code) for code in kept} - {_normal(exercise.starter)}:
        assert not any(code in text for text in shown)


def test_script_cannot_be_ended_by_a_text_of_the_exercise(bank: Bank) -> None:
    script = page_script(bank["graded-root"])
    assert script.count("<") == 2
    assert json.loads(re.sub(r"<[^>]*>", "", script))["title"] == "A graded root </script>"


def edited(exercise: Exercise, folder: Path, old: str, new: str) -> dict[str, Any]:
    """Return what the page gets of an exercise whose file was edited."""
    assert old in exercise.source
    file = folder / "sampler" / f"{exercise.id}.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(exercise.source.replace(old, new), encoding="utf-8")
    return page_data(load_exercise(file))


def test_digest_follows_what_is_judged_and_not_what_is_hidden(bank: Bank, tmp_path: Path) -> None:
    exercise = bank["graded-root"]
    before = page_data(exercise)["digest"]
    hidden = edited(exercise, tmp_path, "uniform(1, 2, 7)", "uniform(1, 2, 11)")
    assert hidden["digest"] == before
    assert edited(exercise, tmp_path, "root(16.0), 4.0", "root(16.5), 4.0")["digest"] != before


@pytest.mark.parametrize("id", ["graded-root", "three-questions"])
def test_version_is_what_the_author_says(bank: Bank, tmp_path: Path, id: str) -> None:
    # A sentence put better leaves readers what they have earned.
    assert page_data(bank[id])["version"] == "1"
    newer = edited(bank[id], tmp_path, "    title=", "    version=12,\n    title=")
    assert newer["version"] == "12"


def test_points_that_the_page_cannot_give_are_told(bank: Bank) -> None:
    data = page_data(bank["graded-root"])
    assert data["points"] - sum(check["points"] for check in data["checks"]) == 1


def test_options_come_in_their_order(bank: Bank) -> None:
    data = page_data(bank["three-questions"])["questions"][0]["options"]
    assert [(o["key"], o["correct"]) for o in data] == [("a", False), ("b", True), ("c", False)]


# --- the cells of a chapter -----------------------------------------------------------------------


CHAPTER = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Title

```{code-cell} ipython3
:tags: [remove-cell]
from walks import style
```

```{code-cell} ipython3
import numpy as np
from walks.plots import histogram
```

```{code-cell} ipython3
:tags: [remove-input]
import torch.nn
```

```{code-cell} ipython3
:tags: [hide-output]
from sklearn.svm import SVC
```

```{code-cell} ipython3
%%bash
ls
```
"""


def test_hidden_code_and_what_no_page_has_are_written(tmp_path: Path) -> None:
    chapter = tmp_path / "walk.md"
    chapter.write_text(CHAPTER, encoding="utf-8")
    assert list(written_cells(chapter, frozenset({"walks"}))) == [
        {"source": "from walks import style"},
        {},
        {"source": "import torch.nn", "needs": "torch"},
        {"needs": "sklearn"},
        {"needs": "a notebook"},
    ]
