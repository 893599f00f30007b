"""Render formulas as MathML once, at build, so that a page needs no script to show them.

KaTeX's MathML is mended: it is in the text's own letters, without its source, names in their hues.
Browsers map a variable of one letter to mathematical italics, which a text font lacks: they all
leave it alone where its variant is ``normal``, and the style sheet sets it in the text's italic.
What KaTeX means to stand upright becomes text, joined to words. Greek stays with the font of
formulas.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

from tools.site.environment import run_node
from tools.site.project import Project

_MATH = re.compile(
    r'(?s)(<(?P<tag>span|div) class="(?:amsmath )?math notranslate nohighlight"[^>]*>)'
    r"(?P<number>\s*<span class=\"eqno\">.*?</a></span>)?(?P<tex>.*?)</(?P=tag)>"
    r"(?P<after>[.,;:!?)\u2019\u201d]*)"
)
_TAG = re.compile(r"<[^>]*>")
_WIDE = 30  # characters, which are more than a phone shows
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
_UPRIGHT = re.compile(r'<mi mathvariant="normal">([^<]*)</mi>')
_WORD = re.compile(r"(?:<mtext>[A-Za-z]</mtext>){2,}")
_ITALIC = {ord(c): chr(0x1D6FC + i) for i, c in enumerate("αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ")}
_OPENING = tuple("([{,=≈≤≥<→")
#: Elements with scripts: a letter in a script counts or names something else.
_SCRIPTED = ("msub", "msubsup", "munder", "munderover")
#: Which of an element's children are set smaller: all from this one on.
_SMALLER = dict.fromkeys((*_SCRIPTED, "msup", "mover", "mroot"), 1) | {"mfrac": 0}

Formula = tuple[str, bool]


def _formula(match: re.Match[str]) -> Formula:
    """Return TeX and whether it stands on lines of its own."""
    tex = html.unescape(match["tex"]).strip()
    for start, end in ((r"\(", r"\)"), (r"\[", r"\]")):
        if tex.startswith(start) and tex.endswith(end):
            tex = tex[2:-2].strip()
    return tex, match["tag"] == "div"


def formulas_of(page: str) -> set[Formula]:
    """Return the formulas that Sphinx wrote into a page."""
    return {_formula(match) for match in _MATH.finditer(page)}


def typeset(page: str, rendered: dict[Formula, str]) -> str:
    """Return the page with each formula in its rendered form; equation numbers stay.

    What ends a clause stays in the line of its formula.
    """

    def replace(match: re.Match[str]) -> str:
        number, after, tag = match["number"] or "", match["after"], match["tag"]
        start, math = match[1], rendered[_formula(match)]
        if tag == "span" and len(_TAG.sub("", math)) > _WIDE:
            start = start.replace('"math', '"math long', 1)  # browsers do not break it
        formula = f"{start}{number}{math}</{tag}>"
        if not after or tag == "div":
            return formula + after
        return f'<span style="white-space: nowrap">{formula}{after}</span>'

    return _MATH.sub(replace, page)


def render(project: Project, formulas: Iterable[Formula]) -> dict[Formula, str]:
    """Return every formula as MathML.

    Raises
    ------
    BuildError
        If KaTeX does not understand a formula; the message has the formula and the fault.
    """
    ordered = sorted(set(formulas))
    question = json.dumps([{"tex": tex, "display": display} for tex, display in ordered])
    answer = run_node(Path(__file__).with_name("formulas.mjs"), question, "formula")
    made = zip(ordered, json.loads(answer), strict=True)
    return {formula: mended(math, project.hue_of) for formula, math in made}


def mended(math: str, hues: Mapping[str, str]) -> str:
    """Return a formula as pages have it; ``hues`` has the class of each coloured letter."""
    text = _UPRIGHT.sub(r"<mtext>\1</mtext>", math.replace(_NAMESPACE, ""))
    text = _WORD.sub(lambda word: f"<mtext>{_TAG.sub('', word[0])}</mtext>", text)
    root = ET.fromstring(text)
    semantics = root[0]
    root[:] = [each for each in semantics if each.tag != "annotation"]
    _set_letters(root, hues)
    return ET.tostring(root, encoding="unicode", short_empty_elements=False)


def _set_letters(element: ET.Element, hues: Mapping[str, str]) -> None:
    before = "("
    for at, child in enumerate(element):
        letter = child.text or ""
        if child.tag == "msup" and child[1].text == "′":
            child.tag = "mrow"  # the sign is raised, and small, without a script's help
        after = next((text for each in element[at + 1 : at + 2] for text in each.itertext()), "")
        if letter == "\u2061" and after not in _OPENING:
            # A function's argument, as in "max x": not every browser leaves room before it.
            child.tag, child.text, child.attrib = "mspace", "", {"width": "0.17em"}
        if child.tag == "mo" and letter in "−+±" and before in _OPENING:
            child.set("form", "prefix")  # the sign of a number, not an operation
        before = letter if child.tag == "mo" else ""
        shown = {} if at and element.tag in _SCRIPTED else hues
        if child.tag == "mi" and len(letter) == 1 and letter.isascii():
            child.set("mathvariant", "normal")
            if letter in shown:
                child.set("class", shown[letter])
        _set_letters(child, shown)
        if child.tag in ("mi", "mn", "mtext") and at >= _SMALLER.get(element.tag, at + 1):
            # Firefox does not make smaller what has a font of its own.
            element[at] = ET.Element("mrow")
            element[at].append(child)


def characters_of(formulas: Iterable[str]) -> str:
    """Return the characters for a font of formulas: roots, Greek italics, all but plain letters."""
    texts = (text for math in formulas for text in ET.fromstring(math).itertext())
    shown = {"√"}.union(*texts)
    drawn = {c for letter in shown for c in (letter, letter.translate(_ITALIC))}
    return "".join(sorted(c for c in drawn if not (c.isascii() and c.isalnum())))
