"""The page of evidence has every claim and every correction; everything that it names exists."""

import html
import re
from pathlib import Path
from typing import get_args

import jupytext
import numpy as np
import pytest
import yaml

from attnlab import evidence
from attnlab.claims import Level
from attnlab.evidence import corrections
from attnlab.evidence.page import SOURCE, Page
from attnlab.experiments import claim, figure, load, names, verdict

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"
LEVELS = get_args(Level)
#: The pages of claims.
PAGES = ("evidence", "evidence-in-use")
#: Pages without a mechanism of their own.
OTHER_PAGES = {
    *("using", "figures", "instructors", "instructors-marks", "changes"),
    *("evidence", "evidence-in-use", "notation", "glossary", "api", "references"),
}


def text(page: Page) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page.html))


def page_source() -> str:
    return "\n".join((BOOK / f"{page}.md").read_text("utf-8") for page in PAGES)


def chapters_on_the_page() -> list[str]:
    calls = re.findall(r"evidence\.claims\((.*?)\)", page_source(), re.DOTALL)
    return re.findall(r'"([\w-]+)"', " ".join(calls))


def test_every_claim_is_on_the_page_with_verdict_and_source():
    page = evidence.claims(*chapters_on_the_page())
    shown = text(page)
    for name in names():
        assert f'id="{evidence.anchor(name)}"' in page.html
        assert claim(name).sentence in shown
        assert claim(name).source in shown
        assert claim(name).refuted_by in shown
        assert verdict(name).level in LEVELS
        assert verdict(name).because in shown
        assert (ROOT / SOURCE / f"{name}.py").is_file()


def test_every_chapter_of_the_book_has_its_place_on_the_page():
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    chapters = {entry["file"] for part in parts for entry in part["chapters"]} - OTHER_PAGES
    assert sorted(chapters_on_the_page()) == sorted(chapters)
    assert {claim(name).chapter for name in names()} <= chapters


@pytest.mark.parametrize("name", names())
def test_each_claim_has_its_figure(name):
    result = load(name)
    drawn = figure(name, result)
    lines = [line for ax in drawn.axes for line in ax.get_lines()]
    named = [line for line in lines if line.get_label()[0] != "_" and line.get_label() != "chance"]
    assert named
    means = [curve.mean for curve in result.curves.values()]
    for line in named:
        heights = line.get_ydata()
        assert any(np.array_equal(mean[: len(heights)], heights) for mean in means), line
    assert drawn.get_label().startswith("Line chart")


def test_every_correction_is_on_the_page():
    groups = re.findall(r"evidence\.corrections_table\(corrections\.(\w+),", page_source())
    shown = [row for group in groups for row in getattr(corrections, group)]
    assert shown == list(corrections.ALL)
    words = text(evidence.corrections_table())
    for row in corrections.ALL:
        assert row.statement.replace("*", "").replace("$", "") in words
        assert row.correct.replace("*", "").replace("$", "") in words


@pytest.mark.parametrize("row", corrections.ALL, ids=lambda row: row.statement[:40])
def test_each_correction_is_backed(row):
    assert row.check or row.experiment or row.words
    if row.check:
        assert row.check().strip()
    if row.experiment:
        assert row.experiment in names()
    chapter = (BOOK / f"{row.chapter}.md").read_text("utf-8")
    if row.words:
        assert row.words in chapter


@pytest.mark.parametrize("name", names())
def test_each_experiment_is_shown_in_its_chapter_or_the_chapter_links_to_the_page(name):
    chapter = jupytext.read(BOOK / f"{claim(name).chapter}.md")
    code = "\n".join(cell.source for cell in chapter.cells if cell.cell_type == "code")
    prose = "\n".join(cell.source for cell in chapter.cells if cell.cell_type == "markdown")
    shown = re.search(rf'(load|figure)\("{name}"|import .*\b{name}\b', code)
    assert shown or f"({evidence.place(name).partition('.')[0]}.md)" in prose


@pytest.mark.parametrize("page", PAGES)
def test_links_to_claims_lead_to_the_page_that_has_them(page):
    calls = re.findall(r"evidence\.claims\((.*?)\)", (BOOK / f"{page}.md").read_text(), re.DOTALL)
    chapters = re.findall(r'"([\w-]+)"', " ".join(calls))
    assert chapters
    for name in names():
        is_here = evidence.place(name) == f"{page}.html#{evidence.anchor(name)}"
        assert is_here == (claim(name).chapter in chapters)


def test_every_region_of_the_pages_has_a_name_of_its_own():
    cells = [cell for page in PAGES for cell in jupytext.read(BOOK / f"{page}.md").cells]
    made = [
        eval(cell.source, {"evidence": evidence, "corrections": corrections}).html
        for cell in cells
        if cell.source.startswith("evidence.")
    ]
    labels = re.findall('aria-label="([^"]*)"', "".join(made))
    assert len(labels) > len(names())
    assert len(set(labels)) == len(labels)


def test_text_is_escaped_and_emphasis_kept():
    row = corrections.Correction("a < *b*", "c & d", "masking", words="row")
    page = evidence.corrections_table([row]).html
    assert "a &lt; <em>b</em>" in page
    assert "c &amp; d" in page


def test_exceptions_are_named_where_they_are_fewer_than_the_conditions():
    shown = text(evidence.claims("at-work"))
    assert "holds when the condition is none of these: 4 by 4 cells, width 16." in shown
    assert "Tests that count: 24 of 24." in shown
    assert "Tried at two values or more (4 by 4 cells only): " in shown
    assert "learning rate: 0.01 or 0.003; steps: 600 or 1200; width: 32 or 16." in shown


def test_what_refutes_a_claim_and_what_was_turned_at_once_is_on_the_page():
    shown = text(evidence.claims("gpt-and-bert", "attention-memory"))
    assert "Refuted: a gap, every word tried; writing, told the length." in shown
    assert "Turned together: learning rate 0.003 and steps 1600." in shown


def test_background_is_marked_and_not_counted_as_a_claim():
    background = [name for name in names() if claim(name).background]
    assert background == ["axial", "convolutions"]
    shown = text(evidence.claims(*chapters_on_the_page()))
    assert shown.count("Background, not a claim made for attention.") == len(background)
    summary = evidence.summary().html
    counts = [int(count) for count in re.findall(r"<td>(\d+)</td>", summary)]
    assert sum(counts) == len(names()) - len(background)
    linked = re.findall('href="([^"]+)"', summary)
    assert sorted(linked) == sorted(
        evidence.place(name) for name in names() if name not in background
    )
