"""Data of a chapter's cells in its page, and what a page may know of graded results."""

from __future__ import annotations

import json
import re
from pathlib import Path

from coursekit.page.cells import written_cells
from coursekit.page.page_data import checks_data, expected, page_data, page_script
from tests.course import BANK as COURSE

GRADED = [e for e in COURSE.values() if e.kind == "code" and not e.practice and not e.notebook_only]
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


def test_page_of_graded_work_has_shape_and_range_and_not_the_version() -> None:
    graded = next(e for e in GRADED if expected(e))
    data = json.loads(re.sub(r"</?script[^>]*>", "", page_script(graded)))
    assert data.pop("expected") == expected(graded)
    _, later = checks_data(graded)
    assert data | later == page_data(graded)
    assert not data.keys() & later.keys()
    assert set(expected(graded) or {}) == {"shape", "low", "high"}


def test_practice_and_work_for_notebooks_have_none() -> None:
    others = [e for e in COURSE.values() if e not in GRADED]
    assert [expected(e) for e in others] == [None] * len(others)


def test_range_is_rounded_so_that_no_page_has_the_result() -> None:
    functions = [e for e in GRADED if not e.binds]  # the other answers are values
    known = [facts for e in functions if (facts := expected(e))]
    assert len(known) > len(functions) / 2
    for facts in known:
        for end in ("low", "high"):
            assert facts[end] == float(f"{facts[end]:.3g}")
