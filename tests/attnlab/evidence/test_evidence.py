"""The page of evidence has every claim and every correction; everything that it names exists."""

import html
import re
from dataclasses import replace
from pathlib import Path

import jupytext
import numpy as np
import pytest
import yaml

pytest.importorskip("torch")

from attnlab import evidence
from attnlab.evidence import corrections
from attnlab.evidence.page import SOURCE, Page
from attnlab.experiments import Curve, claim, figure, load, names, verdict

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"
LEVELS = ("holds", "holds when", "does not hold")
#: Pages without a mechanism of their own.
OTHER_PAGES = {"instructors", "evidence", "notation", "api", "references"}


def text(page: Page) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page.html))


def page_source() -> str:
    return (BOOK / "evidence.md").read_text("utf-8")


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
    (ax,) = drawn.axes
    lines = {
        line.get_label(): line.get_ydata() for line in ax.get_lines() if line.get_label()[0] != "_"
    }
    assert lines
    means = [curve.mean for curve in result.curves.values()]
    for label, heights in lines.items():
        assert any(np.array_equal(mean[: len(heights)], heights) for mean in means), label
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
    assert shown or "(evidence.md)" in prose


def test_the_numbers_of_a_claim_are_those_of_its_result():
    shown = text(evidence.claims("multi-head"))
    curve = load("heads")["one head, from the start: participle"]
    mean, low, high = (f"{part.at(6)[0]:.3g}" for part in ends_of(curve))
    assert f"{mean} ({low}–{high})" in shown


def ends_of(curve: Curve):
    """Return the mean, lowest and highest seed of a curve, each as a curve of one row."""
    return (Curve(curve.x, [list(part)]) for part in (curve.mean, curve.low, curve.high))


def test_every_region_of_the_page_has_a_name_of_its_own():
    cells = jupytext.read(BOOK / "evidence.md").cells
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


def doctored(name: str, curve: str, value: float):
    """Return a stored result with one curve replaced by a constant."""
    stored = load(name)
    old = stored[curve]
    values = [[value] * len(old.x) for _ in stored.seeds]
    return replace(stored, curves={**stored.curves, curve: Curve(old.x, values)})


@pytest.mark.parametrize(
    ("name", "curve", "value", "expected"),
    [
        ("agreement", "GRU", 0.5, "holds"),
        ("memory", "GRU, one length", 1.0, "does not hold"),
        ("bottleneck", "vector of 64: sentence", 1.0, "does not hold"),
        ("heads", "one head, from the end: participle", 1.0, "does not hold"),
        ("convolutions", "4 layers of kernel 3", 0.5, "does not hold"),
        ("recall", "vector of 16", 1.0, "does not hold"),
        ("swap", "BiGRU with attention: weight on the English subject", 0.9, "holds"),
        ("importance", "BiGRU: tau", 0.9, "holds when"),
        ("cue", "BiGRU: weight on the cue", 0.9, "holds"),
        ("alignment", "BiGRU: content", 0.1, "holds when"),
        ("scaling", "norm, unscaled", 0.2, "does not hold"),
    ],
)
def test_a_verdict_follows_the_numbers(name, curve, value, expected):
    assert verdict(name, doctored(name, curve, value)).level == expected
    assert verdict(name).level != expected


def test_a_transformer_that_looks_in_one_of_its_layers_does_not_refute_swap():
    """Cross-attention alone is not where a model looks: its decoder has self-attention, too."""
    stored, name = load("swap"), "BiGRU with attention: weight on the English subject"
    looking = {**stored.curves, name: Curve(stored[name].x, [[0.9] * len(stored[name].x)] * 3)}
    english = stored["Transformer: weight on the English subject"].at(4)
    assert english.min() < 0.1  # that layer looks elsewhere in some seed
    assert verdict("swap", replace(stored, curves=looking)).level == "holds"
    blind = "Transformer: weight on the French subject"
    looking[blind] = Curve(stored[blind].x, [[0.0] * len(stored[blind].x)] * 3)
    assert verdict("swap", replace(stored, curves=looking)).level == "does not hold"
