"""Marks in short texts: taken apart by one pattern wherever they are shown."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest

from coursekit.kernel.messages import as_html
from coursekit.live.display import Markdown
from coursekit.marked import message_html, pieces

#: Texts and their pieces; tests/coursekit_web/dom.test.ts reads them, too.
CASES = [
    (text, [(tag, piece) for tag, piece in parts])
    for text, parts in json.loads(Path(__file__).with_name("marked.json").read_text("utf-8"))
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_text_is_taken_apart(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(pieces(text)) == expected


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_every_place_marks_the_same(text: str, expected: list[tuple[str, str]]) -> None:
    parts = [(tag, escape(piece)) for tag, piece in expected]
    html = "".join(f"<{tag}>{piece}</{tag}>" if tag else piece for tag, piece in parts)
    assert message_html(text) == html
    assert as_html(text) == html.replace("&quot;", '"')
    assert Markdown(text)._repr_html_() == f"<p>{html}</p>".replace("\n", " ")
