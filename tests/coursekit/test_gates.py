"""Predictions in notebooks: text that follows waits; and code that the learner is to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit import CheckFailed, require_code
from coursekit.bank import Bank, load_bank
from coursekit.errors import CoursekitError
from coursekit.source import STUB

PAGE = """\
# Numbers

```{exercise} predict-twice
```

Still open.

```{code-cell} ipython3
1 + 1
```

```{code-cell} ipython3
:tags: [hide-output]

2 + 2
```

It is four.

```{code-cell} ipython3
3 + 3
```

Both are even.

## Later

Open again.

```{code-cell} ipython3
:tags: [hide-output]

4 + 4
```
"""


@pytest.fixture
def bank(write_exercise, sources: dict[str, str], tmp_path: Path) -> Bank:
    """Return a bank whose quiz is a prediction."""
    write_exercise(sources["twice"], "predict-twice", {})
    return load_bank(tmp_path / "exercises")


#: Marked parts above and below the question, one with an exercise in it.
MARKED = """\

:::{container} after-predict-twice
Four is *even*.
:::

```{code-cell} ipython3
:tags: [after-predict-twice]

5 + 5
```

```{code-cell} ipython3
:tags: [after-predict-twice]

6 + 6
```

Open.

::::{container} after-predict-twice other
Before it.

```{exercise} twice
```
::::

:::{container} other
Open, too.
:::
"""


def test_what_follows_waits_up_to_the_next_heading(bank: Bank, made) -> None:
    cells = made(PAGE, bank).cells
    sources = [cell.source for cell in cells]
    assert "Still open." in sources
    first, second = (s for s in sources if s.startswith("<details><summary>Read on when"))
    assert "It is four." in first
    assert "Both are even." in second
    assert "## Later\n\nOpen again." in sources


def test_code_that_waits_is_folded(bank: Bank, made) -> None:
    page = PAGE.replace("Still open.", MARKED.partition("Open.")[0])
    cells = made(page, bank).cells
    folds = {c.source: c.metadata.get("jupyter") for c in cells if c.cell_type == "code"}
    waits = {"source_hidden": True}
    assert [folds[source] for source in ("5 + 5", "6 + 6", "2 + 2")] == [waits] * 3
    assert folds["1 + 1"] is folds["3 + 3"] is folds["4 + 4"] is None


def test_what_is_marked_waits_wherever_it_stands(bank, sources, write_exercise, tmp_path, made):
    write_exercise(sources["twice"], "twice")
    bank = load_bank(tmp_path / "exercises")
    cells = made(PAGE.replace("Open again.", MARKED), bank).cells
    title = bank["predict-twice"].title
    fold = f"<details><summary>Read this when you have answered “{title}”</summary>\n\n"
    assert any(f"{fold}Four is *even*.\n\n</details>" in cell.source for cell in cells)
    assert any(cell.source == f"{fold}Before it.\n\n</details>" for cell in cells)
    inside = [
        cell for cell in cells if cell.metadata.get("coursekit", {}).get("exercise") == "twice"
    ]
    assert all(
        cell.source.startswith(fold) == (cell.metadata["coursekit"]["role"] != "text")
        for cell in inside
        if cell.cell_type == "markdown"
    )
    assert any(cell.source == "Open, too." for cell in cells)
    ids = [cell.id for cell in cells]
    assert len(ids) == len({*ids})


@pytest.mark.parametrize(
    "marked",
    [
        "```{code-cell} ipython3\n:tags: [after-predict-thrice]\n\n1\n```",
        ":::{container} after-predict-thrice\nText.\n:::",
        "```{note}\n:::{container} after-predict-thrice\nText.\n:::\n```",
    ],
)
def test_what_waits_for_no_question_is_refused(bank: Bank, made, marked: str) -> None:
    with pytest.raises(CoursekitError, match=r"numbers\.md: 'after-predict-thrice' waits for"):
        made(f"{PAGE}\n{marked}\n", bank)


def test_a_cell_that_runs_the_learners_code_says_what_is_missing() -> None:
    names: dict = {}
    exec(f"def stub(x):\n    {STUB}\nclass Half:\n    x = 1\n    forward = stub", names)
    with pytest.raises(CheckFailed) as caught:
        require_code(require_code, names["stub"], names["Half"])
    message = "This cell runs your code, and `stub` and `Half` are still to be written."
    assert str(caught.value).startswith(message)
    assert len(caught.value._render_traceback_()) == 1
    require_code(Path, require_code)
