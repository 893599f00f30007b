"""The diagram of a GPT: each part leads to the exercise that builds it, on the page that has it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from attnlab.drawing import gpt_diagram

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = {False: "build-a-gpt", True: "build-a-gpt-torch"}


def svg(training: bool) -> ElementTree.Element:
    markup = gpt_diagram(training)._repr_html_()
    return ElementTree.fromstring(markup[markup.index("<svg") : markup.index("</svg>") + 6])


@pytest.mark.parametrize(("training", "chapter"), CHAPTERS.items())
def test_each_part_leads_to_its_exercise_and_all_steps_are_there(
    training: bool, chapter: str
) -> None:
    drawn = list(svg(training))
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
    here = {link.get("data-done-by") for link in svg(training).iter("a")}
    steps = {path.stem for path in (ROOT / "exercises" / chapter).glob("gpt-*.py")}
    assert steps <= here


@pytest.mark.parametrize("training", CHAPTERS)
def test_it_can_be_heard_and_has_the_colours_of_the_theme(training: bool) -> None:
    drawn = svg(training)
    assert drawn.get("role") == "group"  # the links inside stay links
    assert f"{'three' if training else 'four'} blocks follow" in drawn.get("aria-label", "")
    assert float(drawn.get("width", "0")) <= 350
    assert re.findall(r"#[0-9a-f]{6}", ElementTree.tostring(drawn, encoding="unicode")) == []
