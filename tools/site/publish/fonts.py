"""KaTeX's style sheet and fonts, cut to what the site's formulas use."""

from __future__ import annotations

import html
import json
import re
import shutil
import string
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset

from tools.site.project import Project, fingerprint

#: Fonts which nearly every formula needs: loaded before the style sheet asks for them, so that
#: the text does not move when they arrive.
_EARLY = ("KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2")
_TAG = re.compile(r"<[^>]*>")
_ADDRESS = re.compile(r"url\(([^)]*)\)")
#: A change of size in a formula, and the rule for it: there is one for every pair of sizes.
_SIZE = re.compile(r"reset-size\d+ size\d+")
_SIZING = re.compile(
    r"\.katex \.fontsize-ensurer\.(reset-size\d+)\.(size\d+),"
    r"\.katex \.sizing\.\1\.\2\{[^}]*\}"
)
_SOURCES = re.compile(r"src:url\((fonts/[^)]*\.woff2)\) format\(\"woff2\"\)[^;}]*")


def formula_style(project: Project, rendered: Iterable[str], target: Path) -> Path:
    """Write ``katex.css`` and ``fonts/`` into ``target``; return the style sheet.

    KaTeX's own version makes formulas and style sheet alike: both come from one package.
    """
    package = project.node_modules / "katex"
    version = json.loads((package / "package.json").read_text())["version"]
    # Small letters and digits are always kept: a new formula then seldom needs new fonts.
    shown = {character for formula in rendered for character in _shown(formula)}
    characters = sorted(shown.union(string.ascii_lowercase, string.digits))
    sizes = sorted({size for formula in rendered for size in _SIZE.findall(formula)})
    key = fingerprint([Path(__file__)], version, "".join(characters), repr(sizes))[:16]
    cached = project.cache / "katex" / key
    if not cached.exists():
        _make(package / "dist", cached, "".join(characters), sizes, key)
    shutil.copytree(cached, target, dirs_exist_ok=True)
    return target / "katex.css"


def _shown(formula: str) -> str:
    """Return the characters that a rendered formula shows; its MathML takes no font of KaTeX's."""
    return html.unescape(_TAG.sub("", formula[formula.find('class="katex-html"') :]))


def preloaded(sheet: Path) -> tuple[str, ...]:
    """Return the addresses of the fonts to load early, relative to the style sheet."""
    addresses = {Path(a).name.partition("?")[0]: a for a in _ADDRESS.findall(sheet.read_text())}
    return tuple(addresses[name] for name in _EARLY)


def _make(source: Path, cached: Path, characters: str, sizes: list[str], key: str) -> None:
    making = cached.with_suffix(".part")
    shutil.rmtree(making, ignore_errors=True)
    (making / "fonts").mkdir(parents=True)
    style = (source / "katex.min.css").read_text(encoding="utf-8")
    # Browsers keep fonts: those with other characters need another address.
    style = _SOURCES.sub(rf'src:url(\1?v={key[:8]}) format("woff2")', style)
    style = _SIZING.sub(lambda rule: rule[0] if f"{rule[1]} {rule[2]}" in sizes else "", style)
    (making / "katex.css").write_text(style, encoding="utf-8")
    for font in sorted((source / "fonts").glob("*.woff2")):
        _cut(font, making / "fonts" / font.name, characters)
    making.rename(cached)


def _cut(source: Path, target: Path, characters: str) -> None:
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False)
    options.notdef_outline = True
    with subset.load_font(str(source), options, lazy=False) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        subset.save_font(font, str(target), options)
