"""The concept map: every idea is a link, every arrow leads down, and all of it can be heard."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from attnlab.data.course_map import IDEAS, LINKS, Idea, Link
from attnlab.drawing import concept_map

ROOT = Path(__file__).resolve().parents[3]


def svg() -> ElementTree.Element:
    markup = concept_map()._repr_html_()
    return ElementTree.fromstring(markup[markup.index("<svg") : markup.index("</svg>") + 6])


def test_every_idea_links_to_its_chapter() -> None:
    links = {a.get("href"): "".join(a.itertext()).strip() for a in svg().iter("a")}
    assert links == {f"{idea.chapter}.html": idea.name for idea in IDEAS}
    assert [i.chapter for i in IDEAS if not (ROOT / "book" / f"{i.chapter}.md").is_file()] == []


def test_the_alternative_text_has_every_arrow() -> None:
    told = svg().get("aria-label", "")
    names = {idea.chapter: idea.name for idea in IDEAS}
    assert all(f"{names[a]} → {words} → {names[b]}" for a, words, b in LINKS)
    assert told.count("→") == 2 * len(LINKS)
    assert svg().get("role") == "group"  # the links inside stay links


def test_it_is_as_narrow_as_a_phone_and_uses_the_theme() -> None:
    assert float(svg().get("width", "0")) <= 360
    assert re.findall(r"#[0-9a-f]{6}", ElementTree.tostring(svg(), encoding="unicode")) == []


A, B = Idea("a", "First", 0, 0), Idea("b", "Second", 0, 1)


@pytest.mark.parametrize(
    ("ideas", "links", "fault"),
    [
        ([A, B._replace(row=0)], [], r"b and a both stand at \(0, 0\)"),
        ([A, B], [Link("a", "to", "c")], "names 'c'; expected one of a, b"),
        ([A, B], [Link("b", "to", "a")], "b → a: expected an idea one row below"),
    ],
)
def test_a_map_that_cannot_be_drawn(ideas, links, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        concept_map(ideas, links)
