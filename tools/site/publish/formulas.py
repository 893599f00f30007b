"""Render formulas as MathML once, at build, so that a page needs no script to show them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path

from tools.site.environment import run_node
from tools.site.project import Project
from tools.site.publish.mathml import mended

_MATH = re.compile(
    r'(?s)(<(?P<tag>span|div) class="(?:amsmath )?math notranslate nohighlight"[^>]*>)'
    r"(?P<number>\s*<span class=\"eqno\">.*?</a></span>)?(?P<tex>.*?)</(?P=tag)>"
    r"(?P<after>[.,;:!?)\u2019\u201d]*)"
)
_TAG = re.compile(r"<[^>]*>")
_WIDE = 30  # characters

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
        math = rendered[_formula(match)]
        start = match[1].replace('"math', '"math long', 1) if _is_long(math, tag) else match[1]
        formula = f"{start}{number}{math}</{tag}>"
        if not after or tag == "div":
            return formula + after
        return f'<span style="white-space: nowrap">{formula}{after}</span>'

    return _MATH.sub(replace, page)


def _is_long(math: str, tag: str) -> bool:
    """Whether a formula in a line is wider than a phone: browsers do not break it."""
    return tag == "span" and len(_TAG.sub("", math)) > _WIDE


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
