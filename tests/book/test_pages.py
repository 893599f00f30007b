"""What a page gets on its way to the site: code, an opening and formulas."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools.site.publish.code import set_code
from tools.site.publish.formulas import characters_of, mended
from tools.site.publish.pages import open_chapter

CODE = """\
import numpy as np

query = np.ones((2, 3))     # (2, 3)
# alone
text = '''two
lines'''
"""
PAGE = """<article><p class="kicker">Chapter 1</p><div class="notebook-menu">Notebook</div><section>
<h1>One</h1><div class="ck-time">About 5 minutes.</div><div class="ck-progress">2 exercises</div>
<p><em>After this chapter you can count.</em></p><p>Text with <em>stress</em>.</p>
<p><em>You need numbers.</em></p><section><p><em>Not this.</em></p></section></section></article>"""
HUES = {"q": "q", "k": "k"}


def set_in_page(code: str) -> BeautifulSoup:
    block = highlight(code, PythonLexer(), HtmlFormatter())
    page = f'<div class="highlight-python notranslate">{block}</div>'
    return BeautifulSoup(set_code(page, {"query": "q"}), "html.parser")


def test_code_keeps_its_text_in_lines_and_has_names_comments_and_keywords_marked() -> None:
    page = set_in_page(CODE)
    assert page.pre.get_text() == CODE.replace("     #", " #")  # but for blanks before a comment
    lines = [line.get_text() for line in page.select("pre > .ln")]
    assert lines == page.pre.get_text().splitlines(keepends=True)
    marked = {each: [e.get_text() for e in page.select(each)] for each in (".q", "s", "i", "b")}
    assert marked == {".q": ["query"], "s": ["# (2, 3)"], "i": ["# alone"], "b": ["import", "as"]}
    assert page.select("pre span:not(.ln, .q)") == []


def test_text_has_the_colours_of_code_where_it_defines_a_name(site: Path) -> None:
    html = (site / "queries-keys-values.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser")
    defined = {hue: page.select_one(f"strong.{hue}").get_text() for hue in "qkv"}
    assert defined == {"q": "query", "k": "key", "v": "value"}
    assert page.select_one("#exercise-predict-who-drank td .k").get_text() == "key"
    assert page.select_one("td .q, td.q").get_text(" ", strip=True) == "query q"


def test_promise_and_what_it_takes_stand_below_the_title() -> None:
    page = BeautifulSoup(PAGE, "html.parser")
    open_chapter(page)
    kicker, title, promise, line, text = page.select("article > section > *")[:5]
    assert (kicker["class"], title.name) == (["kicker"], "h1")
    assert promise["class"] == "promise"
    assert promise.get_text() == "After this chapter you can count."
    assert promise.em is None
    assert line.get_text("|") == "About 5 minutes.|You need numbers.|Notebook|2 exercises"
    assert text.em is not None
    assert page.select_one("section section em") is not None


MENDED = {
    # A letter is left alone by browsers and has its hue; an index has none.
    "<mi>q</mi>": '<mi mathvariant="normal" class="q">q</mi>',
    "<mi>x</mi>": '<mi mathvariant="normal">x</mi>',
    "<mi>α</mi><mi>max</mi>": "<mi>α</mi><mi>max</mi>",
    # What is set smaller stands in a row of its own: Firefox does not shrink a font of its own.
    "<msub><mi>k</mi><mn>1</mn></msub>": (
        '<msub><mi mathvariant="normal" class="k">k</mi><mrow><mn>1</mn></mrow></msub>'
    ),
    "<msub><mn>2</mn><mi>k</mi></msub>": (
        '<msub><mn>2</mn><mrow><mi mathvariant="normal">k</mi></mrow></msub>'
    ),
    "<msup><mn>2</mn><mn>3</mn></msup>": "<msup><mn>2</mn><mrow><mn>3</mn></mrow></msup>",
    "<mfrac><mn>1</mn><mn>2</mn></mfrac>": (
        "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"
    ),
    # A prime is no script, and a function has room before its argument.
    "<msup><mn>2</mn><mo>′</mo></msup>": "<mrow><mn>2</mn><mo>′</mo></mrow>",
    "<mi>max</mi><mo>\u2061</mo><mn>1</mn>": (
        '<mi>max</mi><mspace width="0.17em"></mspace><mn>1</mn>'
    ),
    "<mi>max</mi><mo>\u2061</mo><mo>(</mo>": "<mi>max</mi><mo>\u2061</mo><mo>(</mo>",
    # Upright letters are words; the sign of a number is no operation.
    '<mi mathvariant="normal">s</mi><mi mathvariant="normal">o</mi>': "<mtext>so</mtext>",
    "<mo>−</mo><mn>1</mn><mo>−</mo>": '<mo form="prefix">−</mo><mn>1</mn><mo>−</mo>',
}


@pytest.mark.parametrize("inner", MENDED)
def test_formulas_are_mended(inner: str) -> None:
    math = f"<mrow>{inner}</mrow><annotation>x</annotation>"
    namespace = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    whole = f"<math {namespace}><semantics>{math}</semantics></math>"
    assert mended(whole, HUES) == f"<math><mrow>{MENDED[inner]}</mrow></math>"


def test_a_font_of_formulas_has_signs_and_greek_in_italics() -> None:
    made = characters_of(["<math><mi>α</mi><mo>≈</mo><mi>x</mi></math>"])
    assert set(made) == {"α", "𝛼", "≈", "√"}
