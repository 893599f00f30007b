"""Data of a chapter's cells in its page, and of an exercise."""

from __future__ import annotations

import json
import re
from pathlib import Path

from coursekit.page.cells import written_cells
from coursekit.page.page_data import checks_data, page_data, page_script
from tests.course import BANK as COURSE

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


def test_page_and_its_later_file_have_the_whole_data_each_part_once() -> None:
    exercise = next(e for e in COURSE.values() if e.kind == "code" and not e.notebook_only)
    data = json.loads(re.sub(r"</?script[^>]*>", "", page_script(exercise)))
    _, later = checks_data(exercise)
    assert data | later == page_data(exercise)
    assert not data.keys() & later.keys()
