"""The directive: a block that is readable anywhere, and clear errors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from coursekit.bank import Bank
from coursekit.notebook.statements import WITHHELD
from coursekit.page.later import CHECKS
from coursekit.page.page_data import checks_data
from coursekit.page.progress import PAGES

from .conftest import HERE, Built, build

Writer = Callable[..., Built]


@pytest.fixture(scope="module")
def page(sampler: Built) -> BeautifulSoup:
    return BeautifulSoup(sampler.text("sampler.html"), "html.parser")


def test_block_keeps_the_contract(page: BeautifulSoup, sampler: Built) -> None:
    assert sampler.warnings == []
    blocks = page.select("section.ck-exercise")
    ids = ["three-questions", "graded-root", "practice-point", "tensor-square"]
    assert [block["data-exercise"] for block in blocks] == ids
    assert [block["id"] for block in blocks] == [f"exercise-{id}" for id in ids]
    for block in blocks:
        assert len(block.select("script.ck-data")) == 1
        assert block.select_one(f"#{block['aria-labelledby']}").get_text()


def test_what_code_is_checked_with_stands_in_scripts_of_its_own(sampler: Built, bank: Bank) -> None:
    files = {path.name: path.read_text("utf-8") for path in sampler.out.glob(f"*/{CHECKS}/*")}
    made = dict(checks_data(bank[id]) for id in ("graded-root", "practice-point"))
    assert files.keys() == made.keys()  # nothing for the one that runs in notebooks only
    for name, data in made.items():
        start = f'(window.coursekitChecks ??= {{}})["{name}"] = '
        assert files[name].startswith(start)
        assert json.loads(files[name].removeprefix(start).rstrip(";\n")) == data
        assert json.dumps(data["check_source"])[1:40] not in sampler.text("sampler.html")


def test_what_the_chapter_withholds_stands_in_every_code_exercise(page: BeautifulSoup) -> None:
    lines = {line.find_parent("section")["id"]: line for line in page.select(".ck-withheld")}
    ids = {"exercise-graded-root", "exercise-practice-point", "exercise-tensor-square"}
    assert lines.keys() == ids
    for line in lines.values():
        assert (line.name, line.p.get_text()) == ("details", f"{WITHHELD}math.isqrt")
        assert [code.get_text() for code in line.select("code")] == ["math.isqrt"]


def test_titles_are_one_level_below_their_section_and_can_be_referred_to(page) -> None:
    assert page.select_one("#exercise-graded-root .ck-title").name == "h3"
    assert page.select_one("#exercise-practice-point .ck-title").name == "h4"
    link = page.select_one('a[href="#exercise-practice-point"]')
    assert link.get_text() == "A point far away"


def test_statement_hints_and_options_are_proper_markup(page: BeautifulSoup) -> None:
    quiz = page.select_one("#exercise-three-questions")
    assert quiz.select_one(".ck-statement .math") is not None
    assert quiz.select_one(".ck-statement code").get_text() == "sqrt"
    assert len(quiz.select("[data-question=root] ol.ck-options > li")) == 3
    assert quiz.select_one("ol.ck-options .math") is not None
    summaries = [s.get_text() for s in quiz.select("details.ck-hint > summary")]
    assert summaries == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    assert len(quiz.select("details.ck-rubric li")) == 2
    examples = quiz.select("details.ck-rubric > details.ck-example")
    assert [example.summary.get_text() for example in examples] == [
        "Weak answer: 0 of 3 points",
        "Good answer: 1 of 3 points",
        "Excellent answer: 3 of 3 points",
    ]
    assert examples[1].blockquote.select_one("code").get_text() == "-1"
    assert "Line by line: 1 of 1, 0 of 2. True, and" in examples[1].get_text()


def test_reader_without_scripts_sees_the_starter_and_for_practice_the_solution(page) -> None:
    block = page.select_one("#exercise-graded-root")
    assert "raise NotImplementedError" in block.select_one(".ck-starter pre").get_text()
    assert "notebook" in block.select_one("noscript").get_text()
    assert block.select_one(".ck-solution") is None
    solution = page.select_one("#exercise-practice-point details.ck-solution")
    assert "[3.0, 0.0]" in solution.get_text()


def test_what_a_page_cannot_run_is_shown_with_its_hints_and_names_the_notebook(
    page: BeautifulSoup,
) -> None:
    block = page.select_one("#exercise-tensor-square")
    assert "ck-notebook-only" in block["class"]
    assert "needs torch" in block.select_one(".ck-note").get_text()
    assert "notebook" in block.select_one(".ck-note").get_text()
    assert block.select_one("details.ck-hint") is not None
    # Neither a word on scripts, which would not help, nor a solution that no attempt can precede.
    assert block.select_one("noscript, .ck-solution") is None
    # It can never be done in the page, so the page does not count it.
    assert page.select_one(".ck-progress .ck-count").get_text() == "3 exercises on this page"


@pytest.mark.parametrize(
    ("head", "notebook"),
    [("---\nkernelspec: {name: python3}\n---\n", "notebooks/index.ipynb"), ("", None)],
)
def test_notebook_is_linked_and_takes_answers_where_the_page_is_one(
    tmp_path: Path, figures: None, head: str, notebook: str | None
) -> None:
    text = "# Title\n\n```{exercise} graded-root\n```\n\n```{exercise} tensor-square\n```\n"
    (tmp_path / "index.md").write_text(head + text, encoding="utf-8")
    made = build(tmp_path, coursekit_notebooks="notebooks/").text("index.html")
    page = BeautifulSoup(made, "html.parser")
    assert page.select_one(".ck-progress").get("data-notebook") == notebook
    link = page.select_one(".ck-notebook-only .ck-note a")
    assert link["href"] == "notebooks/index.ipynb"


SECRETS = (
    "solution_of_graded_work",
    "hidden_numbers",
    "HIDDEN-TITLE",
    "SECRET-EXPLANATION",
    "wrong_answer_of_the_bank",
    "another_right_answer",
    "MISTAKES",
    "ALSO_RIGHT",
    "BEGIN SOLUTION",
)


def test_whole_site_has_no_secret(sampler: Built, bank: Bank) -> None:
    assert all(secret in bank["graded-root"].source for secret in SECRETS)
    for path in sampler.out.rglob("*"):
        if path.suffix in (".html", ".js", ".txt", ".md"):
            text = path.read_text(encoding="utf-8")
            assert [s for s in SECRETS if s in text] == [], path


def test_scripts_are_loaded_only_where_they_are_needed(sampler: Built) -> None:
    assert "coursekit.js" in sampler.text("sampler.html")
    assert "coursekit.js" in sampler.text("index.html")
    assert "coursekit" not in sampler.text("plain.html")


def test_page_path_and_scripts_know_how_many_exercises_it_has(sampler: Built) -> None:
    page = BeautifulSoup(sampler.text("sampler.html"), "html.parser")
    line = page.select_one("h1 + .ck-time + .ck-progress")
    assert line.get_text().strip() == "3 exercises on this page"
    index = BeautifulSoup(sampler.text("index.html"), "html.parser")
    (row,) = index.select(".ck-path li")
    assert row.select_one("a")["href"] == "sampler.html"
    cell = row.select_one("[data-exercises]")
    here = page.select(".ck-exercise:not(.ck-notebook-only)")
    versions = [f"{b['data-exercise']}@{b['data-version']}" for b in here]
    assert cell["data-exercises"].split() == versions
    text = sampler.text(f"_static/{PAGES}")
    ((file, title, exercises),) = json.loads(text.removeprefix("window.coursekitPages=")[:-2])
    assert (file, title, exercises) == ("sampler.html", "Sampler", versions)


def test_path_says_what_each_chapter_answers_and_where_to_begin(tmp_path, figures: None) -> None:
    shutil.copytree(HERE / "book", tmp_path, dirs_exist_ok=True)
    index = tmp_path / "index.md"
    front = "```{start}\nAn hour, and *nothing* to install.\n```\n\n```{progress}\nsampler: Why?"
    index.write_text(index.read_text("utf-8").replace("```{progress}", front), "utf-8")
    made = build(tmp_path)
    assert made.warnings == []
    page = BeautifulSoup(made.text("index.html"), "html.parser")
    (button,) = page.select(".ck-start a.ck-button")
    assert (button["href"], button.get_text()) == ("sampler.html", "Start: Sampler")
    assert page.select_one(".ck-beside").get_text().strip() == "An hour, and nothing to install."
    (row,) = page.select(".ck-path li")
    assert row.select_one(".ck-asks").get_text() == "Why?"
    assert row.select_one("small").get_text().split() == ["40", "min", "3", "exercises"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("```{progress}\nWhy?\n```", "progress has 'Why?'; expected `chapter: question`"),
        ("```{progress}\nlost: Why?\n```\n\n```{exercise} graded-root\n```",
         "no page with exercises is called 'lost'"),
        ("```{explorable} Lost\n```", "explorable shows 'Lost', which 'figures' does not have"),
        ("```{review-cards} dya\n```", "no route 'dya'; did you mean day"),
        ("```{exercise} graded-rot\n```", "no exercise 'graded-rot'; did you mean graded-root"),
        ("```{exercise} graded-root\n```\n\n```{exercise} graded-root\n```",
         "'graded-root' stands on this page twice"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_its_place(write_book: Writer, text: str, problem: str) -> None:
    (line,) = write_book(text).warnings
    assert problem in line
    assert "index.md:" in line
    assert "Traceback" not in line


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}\n\n:::{{container}} after-predict-rot\nIt is 4.\n:::", "does not have"),
        ("::::{{container}} after-predict-root\n{}\n::::", "a question inside it"),
        ("{}\n\n:::{{container}} after-predict-root\nIt is 4.\n:::", ""),
    ],
)
def test_what_waits_for_no_question_of_the_page_is_one_error(
    write_book: Writer, tmp_path: Path, text: str, problem: str
) -> None:
    bank = tmp_path / "bank" / "sampler"
    bank.mkdir(parents=True)
    source = (HERE / "bank" / "sampler" / "three-questions.py").read_text(encoding="utf-8")
    (bank / "predict-root.py").write_text(source.replace("three-questions", "predict-root"))
    page = text.format("```{exercise} predict-root\n```")
    built = write_book(page, coursekit_exercises=[str(bank.parent)])
    if not problem:
        assert built.warnings == []
        return
    (line,) = built.warnings
    assert "index.md:" in line
    assert "'after-predict-ro" in line
    assert problem in line


def test_missing_figure_is_one_error(write_book: Writer) -> None:
    page = "```{exercise} practice-point\n```"
    (line,) = write_book(page, coursekit_explorables="walks").warnings
    assert "'practice-point' shows 'Point', which 'walks' does not have" in line


# --- what goes deeper is folded; its heading stays where it is ------------------------------------


TEXT = f"""## Before

{"word " * 2600}

## Deeper: roots

{"word " * 1300}

```{{exercise}} graded-root
```

### Of cubes

Inside.

## Deeper, but needed

After.
"""


def test_what_stands_below_the_heading_is_folded(write_book: Writer) -> None:
    built = write_book(TEXT)
    assert built.warnings == []
    page = BeautifulSoup(built.text("index.html"), "html.parser")
    (fold,) = page.select("details.ck-deeper")
    assert fold.parent["id"] == "deeper-roots"
    inside = [child.name for child in fold.parent.find_all(True, recursive=False)]
    assert inside == ["h2", "details"]
    summary = fold.find("summary", recursive=False)
    assert summary.get_text() == "What goes deeper: about 20 minutes"
    assert fold.select_one("#exercise-graded-root") is not None
    assert fold.select_one("section#of-cubes > h3") is not None
    told = page.select_one("h1 + .ck-time")
    assert told.get_text() == "About 20 minutes, and 20 for what goes deeper."
    links = [link["href"] for link in page.select(".sphinxsidebar a")]
    assert {"#deeper-roots", "#of-cubes", "#deeper-but-needed"} <= set(links)
