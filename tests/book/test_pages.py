"""What a page gets on its way to the site: code, an opening, pictures and formulas."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path

import numpy as np
from bs4 import BeautifulSoup
from numpy.typing import NDArray
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools.site.publish.code import set_code
from tools.site.publish.formulas import characters_of, mended
from tools.site.publish.pages import open_chapter
from tools.site.publish.pictures import repack

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
START = '<image xlink:href="data:image/png;base64,'
HUES = {"q": "q", "k": "k"}


def set_in_page(code: str) -> BeautifulSoup:
    block = highlight(code, PythonLexer(), HtmlFormatter())
    page = f'<div class="highlight-python notranslate">{block}</div>'
    return BeautifulSoup(set_code(page, {"query": "q"}), "html.parser")


def test_the_text_stays_but_for_blanks_before_a_comment() -> None:
    assert set_in_page(CODE).pre.get_text() == CODE.replace("     #", " #")


def test_every_line_is_a_block_with_its_end() -> None:
    lines = [line.get_text() for line in set_in_page(CODE).select("pre > .ln")]
    assert len(lines) == CODE.count("\n")
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)


def test_names_comments_and_keywords_are_marked_and_nothing_else() -> None:
    page = set_in_page(CODE)
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


def page_with(pixels: NDArray[np.uint8]) -> str:
    file = BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, "PNG")
    return f'<p>{START}{base64.b64encode(file.getvalue()).decode()}"/></p>'


def picture_in(page: str) -> NDArray[np.uint8]:
    data = base64.b64decode(page.split(START)[1].split('"')[0])
    return np.asarray(Image.open(BytesIO(data)).convert("RGBA"))


def heat_map(rng: np.random.Generator) -> NDArray[np.uint8]:
    pixels = np.full((160, 200, 4), (26, 29, 33, 0), dtype=np.uint8)
    pixels[..., 3] = rng.integers(0, 256, (160, 200))
    return pixels


def test_a_picture_of_one_ink_is_smaller_and_the_same() -> None:
    pixels = heat_map(np.random.default_rng(3))
    rounded = pixels.copy()
    rounded[pixels[..., 3] < 10, :3] += 20  # premultiplied, this is less than one level
    before = page_with(rounded)
    after = repack(before)
    assert len(after) < 0.8 * len(before)
    np.testing.assert_array_equal(picture_in(after), pixels)


def test_a_picture_of_several_colours_stays_as_it_is() -> None:
    pixels = heat_map(np.random.default_rng(5))
    pixels[3, 4] = (200, 29, 33, 255)
    assert repack(page_with(pixels)) == page_with(pixels)


def mended_row(inner: str) -> str:
    math = f"<mrow>{inner}</mrow><annotation>x</annotation>"
    whole = mended(
        f'<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>{math}</semantics></math>',
        HUES,
    )
    return whole.removeprefix("<math><mrow>").removesuffix("</mrow></math>")


def test_a_letter_is_left_alone_by_browsers_and_has_its_hue() -> None:
    assert mended_row("<mi>q</mi>") == '<mi mathvariant="normal" class="q">q</mi>'
    assert mended_row("<mi>x</mi>") == '<mi mathvariant="normal">x</mi>'
    assert mended_row("<mi>α</mi><mi>max</mi>") == "<mi>α</mi><mi>max</mi>"


def test_an_index_has_no_hue() -> None:
    script = mended_row("<msub><mi>k</mi><mi>k</mi></msub>")
    assert script.count('class="k"') == 1
    assert script.index("class") < script.rindex("<mi")


def test_what_is_set_smaller_stands_in_a_row_of_its_own() -> None:
    """In Firefox an element with a font of its own is not made smaller."""
    assert mended_row("<msup><mn>2</mn><mn>3</mn></msup>") == (
        "<msup><mn>2</mn><mrow><mn>3</mn></mrow></msup>"
    )
    assert mended_row("<mfrac><mn>1</mn><mn>2</mn></mfrac>").count("<mrow>") == 2


def test_a_prime_is_no_script_and_a_function_has_room_before_its_argument() -> None:
    assert mended_row("<msup><mn>2</mn><mo>′</mo></msup>") == "<mrow><mn>2</mn><mo>′</mo></mrow>"
    assert "<mspace" in mended_row("<mi>max</mi><mo>\u2061</mo><mi>S</mi>")
    assert "<mspace" not in mended_row("<mi>max</mi><mo>\u2061</mo><mrow><mo>(</mo></mrow>")


def test_upright_letters_are_words() -> None:
    assert mended_row('<mi mathvariant="normal">s</mi><mi mathvariant="normal">o</mi>') == (
        "<mtext>so</mtext>"
    )


def test_a_sign_is_no_operation() -> None:
    negative = mended_row("<mo>(</mo><mo>−</mo><mn>1</mn><mo>−</mo><mn>2</mn>")
    assert negative.count('form="prefix"') == 1
    assert negative.index("prefix") < negative.index("<mn>1")


def test_a_font_of_formulas_has_signs_and_greek_in_italics() -> None:
    made = characters_of(["<math><mi>α</mi><mo>≈</mo><mi>x</mi></math>"])
    assert set(made) == {"α", "𝛼", "≈", "√"}
