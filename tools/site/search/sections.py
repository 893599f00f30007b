"""Read what can be found on a page: sections, terms, exercises, documented names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag
from pylatexenc.latex2text import LatexNodes2Text

from coursekit.predictions import MARKED

#: Code and what it printed, figures, and what a prediction holds back: nothing to quote from.
_LEFT_OUT = re.compile(
    r"headerlink|cell_(?:out|in)put|ck-(?:hidden|kicker|time|progress|starter|setup|hint|options)"
)
_NOT_TEXT = re.compile(r"<(svg|script|style)\b.*?</\1>", re.DOTALL)
_HELD_BACK = "held-back"
_FOLDED = re.compile(r"\btag_hide-(output|cell)\b")
_TEX = LatexNodes2Text(math_mode="text", strict_latex_spaces=False)
_TRANSPOSED = re.compile(r"\s*\^\s*(?:⊤|𝖳|𝐓|T\b)")
#: What divides formulas side by side or one below another.
_BESIDE = re.compile(r"[,;]?\s*(?:\\q?quad\b|\\\\)")
#: Products of matrices are words of their own: Q Kᵀ as people write it, QKᵀ.
_FACTORS = re.compile(r"\b([A-Z]) (?=[A-Z]ᵀ?(?:\b|\s|$))")


class Section(NamedTuple):
    """A place that a search can lead to.

    ``kind`` is "page", "section", "term", "exercise" or "name"; ``anchor`` the element's id.
    ``held_back`` is text that waits for the answer to a prediction: it is found, but never quoted.
    """

    kind: str
    anchor: str
    title: str
    text: str
    held_back: str = ""


def sections_of(html: str) -> list[Section]:
    """Return what can be found on a page, in reading order."""
    article = BeautifulSoup(_NOT_TEXT.sub("", html), "lxml").select_one("article")
    if article is None:
        return []
    _leave_out(article)
    places = [place for element in article.find_all(True) if (place := _place(element))]
    found = []
    for kind, element, title in reversed(places):
        # The innermost places are read first and taken out, so that each has its own text.
        anchor = str(title["id"] if element.name == "dd" else element["id"])
        name = anchor if kind == "name" else _text(title)  # a signature is long
        title.extract()
        # Of a documented name, what it does: its parameters would be found before all chapters.
        read = (element.find("p") or element) if kind == "name" else element
        waiting = [element] if element.find_parent(class_=_HELD_BACK) else None
        waiting = waiting or element.find_all(class_=_HELD_BACK)
        held_back = " ".join(text for each in waiting if (text := _text(each.extract())))
        text = "" if waiting == [element] else _text(read)
        found.append(Section(kind, anchor, name, text, held_back))
        element.extract()
    return found[::-1]


def _leave_out(article: Tag) -> None:
    """Take out what is not looked for, mark what is not quoted, and read formulas as text."""
    for formula in article.find_all(class_="math"):
        formula.string = formula_text(formula.get_text())
    for element in article.find_all(_is_left_out):
        element.decompose()
    predictions = article.select('.ck-exercise[data-exercise^="predict-"]')
    held_back = [each for exercise in predictions for each in _held_back(exercise)]
    for element in held_back + article.select(MARKED):
        if element.find_parent(class_=_HELD_BACK) is None:
            element["class"] = _HELD_BACK


def _is_left_out(element: Tag) -> bool:
    classes = list(element.get("class") or [])
    if element.name == "details" and "ck-deeper" not in classes:
        return "ck-" in " ".join(classes)
    if element.name == "summary" and element.parent is not None:
        return not {"hide", "ck-deeper"}.isdisjoint(element.parent.get_attribute_list("class"))
    return element.name in ("pre", "nav", "noscript") or any(map(_LEFT_OUT.fullmatch, classes))


def _held_back(exercise: Tag) -> Iterator[Tag]:
    """Yield what waits for the answer to a prediction: from the first folded output on."""
    has_begun = False
    for element in exercise.find_next_siblings():
        if element.name == "section":
            return
        has_begun = has_begun or bool(_FOLDED.search(" ".join(element.get("class") or [])))
        if has_begun:
            yield element


def _place(element: Tag) -> tuple[str, Tag, Tag] | None:
    """Return a place's kind, the element that holds its text, and its title."""
    if element.name == "dt" and element.get("id"):
        text = element.find_next_sibling("dd")
        is_name = "sig" in (element.get("class") or [])
        return ("name" if is_name else "term", text, element) if isinstance(text, Tag) else None
    if element.name != "section" or not element.get("id"):
        return None
    heading = element.find(re.compile(r"h[1-6]"), recursive=False)
    if heading is None:
        return None
    if "ck-exercise" in (element.get("class") or []):
        return "exercise", element, heading
    return "page" if heading.name == "h1" else "section", element, heading


def formula_text(tex: str) -> str:
    r"""Return a formula as people type it: ``Q K^\top / \sqrt{d_k}`` is "QKᵀ/√(d_k)"."""
    bare = tex.strip().removeprefix(r"\(").removesuffix(r"\)")
    bare = _BESIDE.sub("; ", bare)
    text = _TRANSPOSED.sub("ᵀ", _TEX.latex_to_text(bare))
    return _FACTORS.sub(r"\1", re.sub(r"\s+", " ", text)).replace("/ ", "/").strip()


def _text(element: Tag) -> str:
    text = re.sub(r"\s+", " ", element.get_text(" ", strip=True))
    return re.sub(r" ([.,;:!?)])", r"\1", text).replace("( ", "(")
