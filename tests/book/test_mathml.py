"""Formulas in the text's own letters: KaTeX's MathML, mended."""

from __future__ import annotations

from tools.site.publish.mathml import characters_of, mended

HUES = {"q": "q", "k": "k"}


def made(inner: str) -> str:
    math = f"<mrow>{inner}</mrow><annotation>x</annotation>"
    whole = mended(
        f'<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>{math}</semantics></math>',
        HUES,
    )
    return whole.removeprefix("<math><mrow>").removesuffix("</mrow></math>")


def test_a_letter_is_left_alone_by_browsers_and_has_its_hue() -> None:
    assert made("<mi>q</mi>") == '<mi mathvariant="normal" class="q">q</mi>'
    assert made("<mi>x</mi>") == '<mi mathvariant="normal">x</mi>'
    assert made("<mi>α</mi><mi>max</mi>") == "<mi>α</mi><mi>max</mi>"


def test_an_index_has_no_hue() -> None:
    script = made("<msub><mi>k</mi><mi>k</mi></msub>")
    assert script.count('class="k"') == 1
    assert script.index("class") < script.rindex("<mi")


def test_what_is_set_smaller_stands_in_a_row_of_its_own() -> None:
    """In Firefox an element with a font of its own is not made smaller."""
    assert made("<msup><mn>2</mn><mn>3</mn></msup>") == (
        "<msup><mn>2</mn><mrow><mn>3</mn></mrow></msup>"
    )
    assert made("<mfrac><mn>1</mn><mn>2</mn></mfrac>").count("<mrow>") == 2


def test_a_prime_is_no_script_and_a_function_has_room_before_its_argument() -> None:
    assert made("<msup><mn>2</mn><mo>′</mo></msup>") == "<mrow><mn>2</mn><mo>′</mo></mrow>"
    assert "<mspace" in made("<mi>max</mi><mo>\u2061</mo><mi>S</mi>")
    assert "<mspace" not in made("<mi>max</mi><mo>\u2061</mo><mrow><mo>(</mo></mrow>")


def test_upright_letters_are_words() -> None:
    assert made('<mi mathvariant="normal">s</mi><mi mathvariant="normal">o</mi>') == (
        "<mtext>so</mtext>"
    )


def test_a_sign_is_no_operation() -> None:
    negative = made("<mo>(</mo><mo>−</mo><mn>1</mn><mo>−</mo><mn>2</mn>")
    assert negative.count('form="prefix"') == 1
    assert negative.index("prefix") < negative.index("<mn>1")


def test_a_font_of_formulas_has_signs_and_greek_in_italics() -> None:
    made = characters_of(["<math><mi>α</mi><mo>≈</mo><mi>x</mi></math>"])
    assert set(made) == {"α", "𝛼", "≈", "√"}
