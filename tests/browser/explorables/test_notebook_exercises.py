"""A chapter's notebook in JupyterLab: an exercise of each kind, a figure's answer, a prediction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from coursekit.bank import Bank, load_bank
from coursekit.notebook import chapter_notebook

from ..jupyterlab import PATIENCE, jupyterlab, open_notebook, run_all, run_cell

ROOT = Path(__file__).resolve().parents[3]
HEAD = """\
---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# One of each

"""
CODE, PARSONS, QUIZ, FIGURE = "softmax-axis", "decoding-loop", "recall-masking", "soft-dictionary"
PROSE, PREDICTION = "scaling-factor", "predict-hidden-key"
EXERCISES = [CODE, PARSONS, QUIZ, FIGURE, PROSE, PREDICTION]
AFTER_IT = """
```{code-cell} ipython3
:tags: [hide-output]

print("what", "was", "predicted")
```

What it means.

## After
"""


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank(ROOT / "exercises")


class Lab:
    """The notebook in a page: its cells by what they are for."""

    def __init__(self, page: Page, notebook: nbformat.NotebookNode) -> None:
        self.page = page
        self._code = [cell for cell in notebook.cells if cell.cell_type == "code"]

    def cell(self, role: str, exercise: str = "") -> Locator:
        about = [cell.metadata.get("coursekit", {}) for cell in self._code]
        wanted = {"role": role} | ({"exercise": exercise} if exercise else {})
        (at,) = [i for i, each in enumerate(about) if wanted.items() <= each.items()]
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(at)

    def answer(self, exercise: str, source: str) -> Locator:
        """Write an answer, run its cell and its check, and return what the check shows."""
        run_cell(self.cell("answer", exercise), source)
        self.page.keyboard.press("Control+Enter")
        return self.cell("check", exercise).locator(".ck-shown")


@pytest.fixture(scope="module")
def lab(bank: Bank, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    page = folder / "each.md"
    placed = "\n\n".join(f"```{{exercise}} {id}\n```" for id in EXERCISES)
    page.write_text(HEAD + placed + "\n" + AFTER_IT, encoding="utf-8")
    notebook = chapter_notebook(page, bank)
    nbformat.write(notebook, folder / "each.ipynb")
    count = sum(cell.cell_type == "code" for cell in notebook.cells)
    with jupyterlab(folder) as address:
        opened = open_notebook(browser, f"{address}each.ipynb", count)
        yield Lab(opened, notebook)
        opened.close()


@pytest.mark.heavy
def test_run_all_passes_what_is_not_started_and_opens_no_text_that_waits(lab: Lab) -> None:
    run_all(lab.page)
    for exercise in (CODE, PARSONS, QUIZ, FIGURE, PREDICTION):
        shown = lab.cell("check", exercise).locator(".ck-shown")
        expect(shown).to_contain_text("○ Not started", timeout=PATIENCE)
    expect(lab.page.locator(".ck-bad")).to_have_count(0)
    expect(lab.page.locator("p", has_text="What it means.")).not_to_be_visible()


@pytest.mark.heavy
def test_code_is_told_what_is_wrong_and_then_shows_the_solution(lab: Lab, bank: Bank) -> None:
    exercise = bank[CODE]
    wrong = exercise.setup + "\n" + exercise.solution.replace("axis=-1", "axis=-2")
    shown = lab.answer(CODE, wrong)
    expect(shown).to_contain_text("None of the checks passes yet.", timeout=PATIENCE)
    expect(shown.locator("li .ck-bad").first).to_have_text("✗")
    rows = shown.locator(".ck-array").first.inner_text().split("\n")
    assert len(rows) == 2
    assert len({len(row.strip("[], ")) for row in rows}) == 1
    solution = shown.locator("details pre")
    expect(solution).not_to_be_visible()
    shown.get_by_text("Solution", exact=True).click()
    expect(solution).to_contain_text("axis=-1")
    shown = lab.answer(CODE, exercise.setup + "\n" + exercise.solution)
    expect(shown).to_contain_text("✓ Done. All 3 checks pass. 3 of 3 points.", timeout=PATIENCE)
    broken = lab.cell("answer", CODE)
    run_cell(broken, exercise.setup + "\n" + exercise.solution + "\nx = [\n")
    expect(broken).to_contain_text("SyntaxError", timeout=PATIENCE)
    lab.page.keyboard.press("Control+Enter")
    expect(shown).to_contain_text("Your last change did not run: line ", timeout=PATIENCE)
    expect(shown).to_contain_text("Mend it, run its cell, then this one.")
    shown = lab.answer(CODE, exercise.setup + "\n" + exercise.solution)
    expect(shown).to_contain_text("✓ Done. All 3 checks pass. 3 of 3 points.", timeout=PATIENCE)


@pytest.mark.heavy
def test_questions_of_every_kind_are_graded(lab: Lab, bank: Bank) -> None:
    quiz = bank[QUIZ]
    (mistake, _), *_ = quiz.auto_graded[0].known_mistakes
    mistaken = quiz.answers | {"rows_and_columns": mistake}
    shown = lab.answer(QUIZ, quiz.answer_cell(mistaken))
    expect(shown).to_contain_text("2 of 3 checks pass. 2 of 3 points.", timeout=PATIENCE)
    expect(shown.locator("li").last).to_contain_text("rows_and_columns")
    order = bank[PARSONS]
    right = lab.answer(PARSONS, order.answer_cell(order.answers))
    expect(right).to_contain_text("✓ Done. The check passes.", timeout=PATIENCE)


@pytest.mark.heavy
def test_a_figure_is_done_by_its_own_instructions(lab: Lab, bank: Bank) -> None:
    page = lab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    told = page.locator(".jp-MarkdownCell", has_text="Paste what it copies into the answer")
    expect(told).to_contain_text("The figure below has a button, Copy as answer.")
    figure = lab.cell("figure", FIGURE)
    slider = figure.get_by_role("slider", name="temperature")
    for _ in range(60):
        told = figure.get_by_text(re.compile(r"^temperature = ")).inner_text()
        if float(told.removeprefix("temperature = ")) < 0.31:
            break
        slider.press("ArrowLeft")
    figure.get_by_role("button", name="Copy as answer").click()
    shown = lab.answer(FIGURE, page.evaluate("navigator.clipboard.readText()"))
    expect(shown).to_contain_text("✓ Done. The check passes. 2 of 2 points.", timeout=PATIENCE)


@pytest.mark.heavy
def test_prose_is_compared_with_its_examples(lab: Lab) -> None:
    page = lab.page
    fold = page.locator("summary", has_text="what a good answer says")
    good = page.locator("p", has_text="What earns points:")
    expect(good).not_to_be_visible()
    fold.click()
    expect(good).to_be_visible()
