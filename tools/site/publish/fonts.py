"""KaTeX's style sheet with its fonts cut to the characters which the site's formulas use."""

from __future__ import annotations

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
PRELOADED = ("KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2")
_SOURCES = re.compile(r"src:url\((fonts/[^)]*\.woff2)\) format\(\"woff2\"\)[^;}]*")


def formula_style(project: Project, rendered: Iterable[str], target: Path) -> Path:
    """Write ``katex.css`` and ``fonts/`` into ``target``; return the style sheet.

    KaTeX's own version makes formulas and style sheet alike: both come from one package.
    """
    package = project.node_modules / "katex"
    version = json.loads((package / "package.json").read_text())["version"]
    # Letters, digits and signs are always kept: a new formula then seldom needs new fonts.
    characters = sorted(set(string.printable).union(*rendered))
    key = fingerprint([Path(__file__)], version, "".join(characters))[:16]
    cached = project.cache / "katex" / key
    if not cached.exists():
        _make(package / "dist", cached, "".join(characters))
    shutil.copytree(cached, target, dirs_exist_ok=True)
    return target / "katex.css"


def _make(source: Path, cached: Path, characters: str) -> None:
    making = cached.with_suffix(".part")
    shutil.rmtree(making, ignore_errors=True)
    (making / "fonts").mkdir(parents=True)
    style = (source / "katex.min.css").read_text(encoding="utf-8")
    style = _SOURCES.sub(r'src:url(\1) format("woff2")', style)
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
