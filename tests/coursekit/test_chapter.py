"""A chapter as a notebook: its text in plain Markdown, its exercises in place, ready to run."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from coursekit.errors import CoursekitError, UnknownError
from coursekit.notebook import chapter_exercises, chapter_notebook

TEXT = """\
# Numbers

```{code-cell} ipython3
:tags: [remove-cell]

import numpy as np
```

Before $x$.

```{exercise} double
```

Between.

```{code-cell} ipython3
:tags: [hide-input, hide-output]

1 + 1
```

````
```{exercise} shown-as-text
```
````

```{exercise} twice
```
"""
CHAPTER = Path("numbers.md")  # where the fixture `made` writes it


def test_exercises_stand_in_place_and_what_the_page_hides_is_folded(made, numbers) -> None:
    notebook = made(TEXT, numbers)
    nbformat.validate(notebook)
    outline = [
        cell.metadata.get("coursekit", {}).get("role") or cell.source.splitlines()[0]
        for cell in notebook.cells
    ]
    assert outline[:4] == ["# Numbers", "import numpy as np", "Before $x$.", "statement"]
    assert outline[6:10] == ["check", "Between.", "1 + 1", "````"]
    assert outline[10] == "statement"
    style, plain = (c for c in notebook.cells if c.source in ("import numpy as np", "1 + 1"))
    assert style.metadata.tags == ["remove-cell"]
    assert style.metadata.jupyter == plain.metadata.jupyter == {"source_hidden": True}
    assert notebook.metadata.kernelspec.name == "python3"
    assert chapter_exercises(CHAPTER) == ["double", "twice"]
    assert nbformat.writes(notebook) == nbformat.writes(made(TEXT, numbers))


def test_exercise_in_a_fold_stands_in_place(made, numbers) -> None:
    fold = ":::{dropdown} Warm up\nBefore.\n\n```{exercise} double\n```\n:::\n\nAfter.\n"
    cells = made(f"# Numbers\n\n{fold}", numbers).cells
    words = ["**Warm up**", "Before.", "After."]
    roles = [cell.metadata.get("coursekit", {}).get("role") for cell in cells]
    assert [cell.source for cell in cells if cell.source in words] == words
    assert "statement" in roles
    assert cells[roles.index("check") + 1].source == "After."
    assert chapter_exercises(CHAPTER) == ["double"]


def test_the_library_is_installed_once_and_first(made, numbers) -> None:
    notebook = made(TEXT, numbers, install="a.whl[notebook]")
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert 'uses=["coursekit", "numpy"]' in code[0]
    assert "\n".join(code).count('%pip install -q "a.whl[notebook]"\n') == 1
    own = "# Numbers\n\n```{code-cell} ipython3\n%pip install --quiet b.whl\n```\n"
    assert "a.whl" not in str(made(own, numbers, install="a.whl"))


def test_bad_chapters(made, numbers) -> None:
    with pytest.raises(UnknownError, match="did you mean double"):
        made(TEXT + "```{exercise} doubel\n```\n", numbers)
    with pytest.raises(CoursekitError, match="has the exercise 'twice' twice"):
        made(TEXT + "```{exercise} twice\n```\n", numbers)
    CHAPTER.write_text("# No kernel\n", encoding="utf-8")
    with pytest.raises(CoursekitError, match="the front matter has no kernelspec"):
        chapter_notebook(CHAPTER, numbers)
    with pytest.raises(CoursekitError, match="no chapter at"):
        chapter_notebook(CHAPTER.with_stem("letters"), numbers)
