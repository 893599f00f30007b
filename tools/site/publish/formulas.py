"""Formulas as HTML: rendered once at build, so that a page needs no script to show them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path

from tools.site.environment import run_node
from tools.site.project import Project

_MATH = re.compile(
    r'(?s)(<(?P<tag>span|div) class="(?:amsmath )?math notranslate nohighlight"[^>]*>)'
    r"(?P<number>\s*<span class=\"eqno\">.*?</a></span>)?(?P<tex>.*?)</(?P=tag)>"
    r"(?P<after>[.,;:!?)\u2019\u201d]*)"
)

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


def has_formulas(page: str) -> bool:
    """Whether a page shows any formula, rendered or not."""
    return 'class="katex' in page or bool(_MATH.search(page))


def typeset(page: str, rendered: dict[Formula, str]) -> str:
    """Return the page with each formula in its rendered form; equation numbers stay.

    What ends a clause stays in the line of its formula, which itself may still be broken.
    """

    def replace(match: re.Match[str]) -> str:
        number, after, tag = match["number"] or "", match["after"], match["tag"]
        formula = f"{match[1]}{number}{rendered[_formula(match)]}</{tag}>"
        if not after or tag == "div":
            return formula + after
        broken = formula.replace(">", ' style="white-space: normal">', 1)
        return f'<span style="white-space: nowrap">{broken}{after}</span>'

    return _MATH.sub(replace, page)


def render(project: Project, formulas: Iterable[Formula]) -> dict[Formula, str]:
    """Return every formula as HTML. Those that were rendered before come from the cache.

    Raises
    ------
    BuildError
        If KaTeX does not understand a formula; the message has the formula and the fault.
    """
    file = _cache(project)
    known = {(tex, display): out for tex, display, out in json.loads(_read(file, "[]"))}
    ordered = sorted(set(formulas))
    new = [formula for formula in ordered if formula not in known]
    if new:
        question = json.dumps([{"tex": tex, "display": display} for tex, display in new])
        answer = run_node(Path(__file__).with_name("formulas.mjs"), question, "formula")
        known |= zip(new, json.loads(answer), strict=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([[*key, out] for key, out in known.items()]), encoding="utf-8")
    return {formula: known[formula] for formula in ordered}


def _cache(project: Project) -> Path:
    package = json.loads((project.node_modules / "katex" / "package.json").read_text())
    return project.cache / f"formulas-{package['version']}.json"


def _read(path: Path, default: str) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else default
