"""KaTeX's style sheet and fonts, cut to what the site's formulas use."""

from __future__ import annotations

import html
import json
import re
import shutil
import string
from collections.abc import Collection
from pathlib import Path

from fontTools import subset

from tools.site.project import Project, fingerprint

#: Fonts which nearly every formula needs: loaded before the style sheet asks for them, so that
#: the text does not move when they arrive.
_EARLY = ("KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2")
#: A variable: it has a font of its own, ``KaTeX_Math``.
_VARIABLE = re.compile(r'<span class="[^"]*\b(?:mathnormal|boldsymbol)\b[^"]*"[^>]*>([^<]*)')
_TAG = re.compile(r"<[^>]*>")
_ADDRESS = re.compile(r"url\(([^)]*)\)")
#: A change of size in a formula, and the rule for it: there is one for every pair of sizes.
_SIZE = re.compile(r"reset-size\d+ size\d+")
_SIZING = re.compile(
    r"\.katex \.fontsize-ensurer\.(reset-size\d+)\.(size\d+),"
    r"\.katex \.sizing\.\1\.\2\{[^}]*\}"
)
_SOURCES = re.compile(r"src:url\((fonts/[^)]*\.woff2)\) format\(\"woff2\"\)[^;}]*")


def formula_style(project: Project, rendered: Collection[str], target: Path) -> Path:
    """Write ``katex.css`` and ``fonts/`` into ``target``; return the style sheet.

    KaTeX's own version makes formulas and style sheet alike: both come from one package.
    """
    package = project.node_modules / "katex"
    version = json.loads((package / "package.json").read_text())["version"]
    shown = _shown(rendered)
    sizes = sorted({size for formula in rendered for size in _SIZE.findall(formula)})
    key = fingerprint([Path(__file__)], version, *shown, repr(sizes))[:16]
    cached = project.cache / "katex" / key
    if not cached.exists():
        _make(package / "dist", cached, shown, sizes, key)
    shutil.copytree(cached, target, dirs_exist_ok=True)
    return target / "katex.css"


def _shown(rendered: Collection[str]) -> tuple[str, str]:
    """Return the characters that formulas show: those of variables, and all others.

    Their MathML takes no font of KaTeX's. Small letters and digits are always among them: a new
    formula then seldom needs new fonts.
    """
    variables, others = {*string.ascii_lowercase}, {*string.ascii_lowercase, *string.digits}
    for formula in rendered:
        visible = formula[max(0, formula.find('class="katex-html"')) :]
        variables.update(html.unescape("".join(_VARIABLE.findall(visible))))
        others.update(html.unescape(_TAG.sub("", _VARIABLE.sub("", visible))))
    return "".join(sorted(variables)), "".join(sorted(others))


def preloaded(sheet: Path) -> tuple[str, ...]:
    """Return the addresses of the fonts to load early, relative to the style sheet."""
    addresses = {Path(a).name.partition("?")[0]: a for a in _ADDRESS.findall(sheet.read_text())}
    return tuple(addresses[name] for name in _EARLY)


def _make(source: Path, cached: Path, shown: tuple[str, str], sizes: list[str], key: str) -> None:
    making = cached.with_suffix(".part")
    shutil.rmtree(making, ignore_errors=True)
    (making / "fonts").mkdir(parents=True)
    style = (source / "katex.min.css").read_text(encoding="utf-8")
    # Browsers keep fonts: those with other characters need another address.
    style = _SOURCES.sub(rf'src:url(\1?v={key[:8]}) format("woff2")', style)
    style = _SIZING.sub(lambda rule: rule[0] if f"{rule[1]} {rule[2]}" in sizes else "", style)
    (making / "katex.css").write_text(style, encoding="utf-8")
    for font in sorted((source / "fonts").glob("*.woff2")):
        variables, others = shown
        is_theirs = font.name.startswith("KaTeX_Math")
        _cut(font, making / "fonts" / font.name, variables if is_theirs else others)
    making.rename(cached)


def _cut(source: Path, target: Path, characters: str) -> None:
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False)
    options.notdef_outline = True
    with subset.load_font(str(source), options, lazy=False) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        subset.save_font(font, str(target), options)
