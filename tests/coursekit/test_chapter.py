"""A chapter as a notebook: its text in plain Markdown, its exercises in place, ready to run."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import nbformat
import pytest

from coursekit.errors import CoursekitError, UnknownError
from coursekit.notebook import chapter_exercises, chapter_notebook
from coursekit.notebook.install import published_wheels

HEAD = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# Numbers

```{code-cell} ipython3
:tags: [remove-cell]

import numpy as np
```

Before $x$.

"""
CHAPTER = (
    HEAD
    + """\
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
)


@pytest.fixture
def chapter(tmp_path: Path) -> Path:
    file = tmp_path / "numbers.md"
    file.write_text(CHAPTER, encoding="utf-8")
    return file


def test_exercises_stand_in_place(chapter: Path, numbers) -> None:
    made = chapter_notebook(chapter, numbers)
    nbformat.validate(made)
    outline = [
        cell.metadata.get("coursekit", {}).get("role") or cell.source.splitlines()[0]
        for cell in made.cells
    ]
    assert outline[:4] == ["# Numbers", "import numpy as np", "Before $x$.", "statement"]
    assert outline[6:10] == ["check", "Between.", "1 + 1", "````"]
    assert outline[10] == "statement"
    assert made.metadata.kernelspec.name == "python3"
    assert chapter_exercises(chapter) == ["double", "twice"]
    assert nbformat.writes(made) == nbformat.writes(chapter_notebook(chapter, numbers))


def test_exercise_in_a_fold_stands_in_place(tmp_path: Path, numbers) -> None:
    file = tmp_path / "numbers.md"
    fold = ":::{dropdown} Warm up\nBefore.\n\n```{exercise} double\n```\n:::\n\nAfter.\n"
    file.write_text(HEAD + fold, encoding="utf-8")
    cells = chapter_notebook(file, numbers).cells
    words = ["**Warm up**", "Before.", "After."]
    roles = [cell.metadata.get("coursekit", {}).get("role") for cell in cells]
    assert [cell.source for cell in cells if cell.source in words] == words
    assert "statement" in roles
    assert cells[roles.index("check") + 1].source == "After."
    assert chapter_exercises(file) == ["double"]


def test_cells_that_the_page_hides_are_folded(chapter: Path, numbers) -> None:
    style, plain = (
        next(cell for cell in chapter_notebook(chapter, numbers).cells if cell.source == source)
        for source in ("import numpy as np", "1 + 1")
    )
    assert style.metadata.tags == ["remove-cell"]
    assert style.metadata.jupyter == plain.metadata.jupyter == {"source_hidden": True}


def test_the_library_is_installed_once_and_first(chapter: Path, numbers) -> None:
    made = chapter_notebook(chapter, numbers, install="a.whl[notebook]")
    code = [cell.source for cell in made.cells if cell.cell_type == "code"]
    assert 'uses=["coursekit", "numpy"]' in code[0]
    assert "\n".join(code).count('%pip install -q "a.whl[notebook]"\n') == 1
    chapter.write_text(
        HEAD + "```{code-cell} ipython3\n%pip install --quiet b.whl\n```\n", encoding="utf-8"
    )
    made = chapter_notebook(chapter, numbers, install="a.whl")
    assert "a.whl" not in str(made)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (CHAPTER + "```{exercise} doubel\n```\n", UnknownError, "did you mean double?"),
        (CHAPTER + "```{exercise} twice\n```\n", CoursekitError, "has the exercise 'twice' twice"),
        ("# No kernel\n", CoursekitError, "the front matter has no kernelspec"),
    ],
)
def test_bad_chapters(
    chapter: Path, numbers, text: str, error: type[Exception], message: str
) -> None:
    chapter.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        chapter_notebook(chapter, numbers)
    with pytest.raises(CoursekitError, match="no chapter at"):
        chapter_notebook(chapter.with_stem("letters"), numbers)


def test_one_setting_says_where_to_install_from(tmp_path: Path) -> None:
    assert published_wheels(tmp_path) is None
    settings = tmp_path / "_config.yml"
    settings.write_text('repository:\n  url: ""\n', encoding="utf-8")
    assert published_wheels(tmp_path) is None
    settings.write_text("repository:\n  url: https://github.com/Ada/loom\n", encoding="utf-8")
    wheel = f"attention_course-{version('attention-course')}-py3-none-any.whl"
    assert published_wheels(tmp_path) == (
        f"attention-course[notebook] @ https://ada.github.io/loom/notebooks/{wheel}"
    )
