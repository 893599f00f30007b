"""Code as the book sets it: lines that wrap, few colours, comments of shapes at the right."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools.site.publish.code import set_code

CODE = """\
import numpy as np

query = np.ones((2, 3))     # (2, 3)
# alone
text = '''two
lines'''
"""


def made(code: str) -> BeautifulSoup:
    block = highlight(code, PythonLexer(), HtmlFormatter())
    page = f'<div class="highlight-python notranslate">{block}</div>'
    return BeautifulSoup(set_code(page, {"query": "q"}), "html.parser")


def test_the_text_stays_but_for_blanks_before_a_comment() -> None:
    assert made(CODE).pre.get_text() == CODE.replace("     #", " #")


def test_every_line_is_a_block_with_its_end() -> None:
    lines = [line.get_text() for line in made(CODE).select("pre > .ln")]
    assert len(lines) == CODE.count("\n")
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)


def test_names_comments_and_keywords_are_marked_and_nothing_else() -> None:
    page = made(CODE)
    assert [e.get_text() for e in page.select(".q")] == ["query"]
    assert [e.get_text() for e in page.select("s")] == ["# (2, 3)"]
    assert [e.get_text() for e in page.select("i")] == ["# alone"]
    assert [e.get_text() for e in page.select("b")] == ["import", "as"]
    assert page.select("pre span:not(.ln, .q)") == []


def test_text_has_the_colours_of_code_where_it_defines_a_name(site: Path) -> None:
    html = (site / "queries-keys-values.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser")
    defined = {hue: page.select_one(f"strong.{hue}").get_text() for hue in "qkv"}
    assert defined == {"q": "query", "k": "key", "v": "value"}
    assert page.select_one("#exercise-predict-who-drank td .k").get_text() == "key"
    assert page.select_one("td .q, td.q").get_text(" ", strip=True) == "query q"
