"""Diagrams whose parts are links: all of them lead somewhere, and can be heard."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from attnlab.data.course_map import IDEAS, LINKS
from attnlab.drawing import concept_map, gpt_diagram, looks_back

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = {False: "build-a-gpt", True: "build-a-gpt-torch"}


def svg(shown: Any) -> ElementTree.Element:
    markup = shown._repr_html_()
    return ElementTree.fromstring(markup[markup.index("<svg") : markup.index("</svg>") + 6])


def test_every_idea_links_to_its_chapter() -> None:
    links = {a.get("href"): "".join(a.itertext()).strip() for a in svg(concept_map()).iter("a")}
    assert links == {f"{idea.chapter}.html": idea.name for idea in IDEAS}
    assert [i.chapter for i in IDEAS if not (ROOT / "book" / f"{i.chapter}.md").is_file()] == []


def test_the_alternative_text_has_every_arrow() -> None:
    told = svg(concept_map()).get("aria-label", "")
    names = {idea.chapter: idea.name for idea in IDEAS}
    assert all(f"{names[a]} → {words} → {names[b]}" in told for a, words, b in LINKS)
    assert told.count("→") == 2 * len(LINKS)


def test_each_idea_has_its_place_and_arrows_lead_one_row_down() -> None:
    assert len({(idea.column, idea.row) for idea in IDEAS}) == len(IDEAS)
    rows = {idea.chapter: idea.row for idea in IDEAS}
    assert [link for link in LINKS if rows[link.end] != rows[link.start] + 1] == []


@pytest.mark.parametrize(("training", "chapter"), CHAPTERS.items())
def test_each_part_leads_to_its_exercise_and_all_steps_are_there(
    training: bool, chapter: str
) -> None:
    drawn = list(svg(gpt_diagram(training)))
    for link, beside in zip(drawn, [*drawn[1:], None], strict=True):
        if link.tag != "a":
            continue
        page, _, anchor = link.get("href", "").partition("#")
        assert anchor == f"exercise-{link.get('data-done-by')}"
        text = (ROOT / "book" / f"{page.removesuffix('.html') or chapter}.md").read_text("utf-8")
        assert f"```{{exercise}} {link.get('data-done-by')}\n" in text
        if link.get("class") == "frame":
            continue
        (label,) = [text.text for text in link.iter("text")]
        step = beside.iter("text") if beside is not None and beside.tag == "g" else []
        spoken = "".join(f"Step {number.text}: " for number in step) + str(label)
        assert spoken == link.get("aria-label")
    here = {link.get("data-done-by") for link in svg(gpt_diagram(training)).iter("a")}
    steps = {path.stem for path in (ROOT / "exercises" / chapter).glob("gpt-*.py")}
    assert steps <= here


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (concept_map(), " → "),
        (gpt_diagram(False), "four blocks follow"),
        (gpt_diagram(True), "three blocks follow"),
    ],
)
def test_it_can_be_heard_and_is_narrow(shown: Any, said: str) -> None:
    drawn = svg(shown)
    assert drawn.get("role") == "group"  # the links inside stay links
    assert said in drawn.get("aria-label", "")
    assert float(drawn.get("width", "0")) <= 360  # a phone's


@pytest.mark.parametrize("question", ["", "who?"])
def test_a_word_looks_at_some_and_its_lines_are_dashed_while_it_only_asks(question: str) -> None:
    drawn = svg(looks_back(["a", "cat", "that", "drank"], 3, [0, 1], question))
    lines = [line.get("style", "") for line in drawn.iter("path")]
    assert [("dasharray" in line) for line in lines] == [bool(question)] * 2
    words = [text.text for text in drawn.iter("text")]
    assert words == ["a", "cat", "that", "drank", *([question] if question else [])]
    assert [text.get("style", "")[-6:-1] for text in drawn.iter("text")][2] == "muted"
    assert question in drawn.get("aria-label", "")


@pytest.mark.parametrize(
    ("asks", "to", "fault"),
    [
        (2, [0], r"2 looks at \[0\]; expected places of 2 words"),
        (1, [1], r"1 looks at \[1\]"),
        (1, [5], r"1 looks at \[5\]"),
    ],
)
def test_a_word_looks_at_other_words_only(asks: int, to: list[int], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        looks_back(["cat", "drank"], asks, to)
    with pytest.raises(ValueError, match="7 words; expected at most 6"):
        looks_back(["word"] * 7, 0, [1])
