"""Cut the course's fonts to what its pages show, and write the rules that load them.

Until a font has arrived the reader sees one of his own in its place, scaled to the same widths and
heights: the text does not move when the letters change.
"""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from itertools import repeat
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from tools.site.environment import BuildError
from tools.site.project import Font, Project, fingerprint
from tools.site.publish import formulas as math

#: Always there, whatever pages show: readers write text and code, too.
_ASCII = "".join(map(chr, range(0x20, 0x7F)))
_TAG = re.compile(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>")
#: How often English has a letter or a space, per thousand characters of text.
_OFTEN = (180, 104, 74, 67, 62, 57, 57, 52, 50, 49, 35, 33, 23, 23)
_SELDOM = (20, 19, 18, 16, 16, 16, 12, 8, 6, 2, 1, 1, 1)
_ENGLISH = dict(zip(" etaoinshrdlcumwfgypbvkjxqz", _OFTEN + _SELDOM, strict=True))
#: Fonts of Windows, macOS, Android and Linux, and the mean width of their English in em.
_SYSTEM = {
    "serif": (
        (("Times New Roman", "Liberation Serif"), 0.4002),
        (("Noto Serif", "Noto Serif Regular"), 0.4792),
        (("DejaVu Serif",), 0.5123),
    ),
    "italic": (
        (("Times New Roman Italic", "Liberation Serif Italic"), 0.4018),
        (("Noto Serif Italic",), 0.4650),
        (("DejaVu Serif Italic",), 0.5123),
    ),
    "sans": (
        (("Arial", "Liberation Sans", "Roboto", "Roboto Regular"), 0.4420),
        (("Noto Sans", "Noto Sans Regular"), 0.4720),
        (("DejaVu Sans",), 0.5070),
    ),
    "mono": ((("Courier New", "Liberation Mono", "Droid Sans Mono", "DejaVu Sans Mono"), 0.6005),),
}


def write_faces(
    project: Project, pages: Collection[str], formulas: Collection[str], target: Path
) -> tuple[str, dict[str, str]]:
    """Write the fonts of the settings into the folder ``target``, cut to pages and formulas.

    Return the rules ``@font-face``, for a style sheet beside the folder, and the addresses of those
    to load early, relative to it, each with the selector of what is set in it.
    """
    fonts, rules, early = project.fonts, [], {}
    of_text = "".join(sorted(characters_of(pages))) if fonts else ""
    of_formulas = math.characters_of(formulas)
    target.mkdir(parents=True, exist_ok=True)
    sources = [project.node_modules / font.file for font in fonts]
    if missing := [source.name for source in sources if not source.is_file()]:
        raise BuildError(f"no font {missing[0]} in node_modules; `make book` installs packages")
    shown = [of_formulas if font.like == "math" else of_text for font in fonts]
    with ProcessPoolExecutor() as pool:
        made = pool.map(_cached, repeat(project.cache / "fonts"), sources, fonts, shown)
    for font, cached in zip(fonts, made, strict=True):
        name = f"{Path(font.file).name.partition('-latin')[0]}-{font.style}.woff2"
        shutil.copy2(cached, target / name)
        # Browsers keep fonts: those with other characters need another address.
        address = f"{target.name}/{name}?v={cached.stem[:8]}"
        rules.append(rule(font, address) + fallback(font, TTFont(cached)))
        if font.preload:
            early[address] = font.preload
    return "".join(rules), early


def _cached(folder: Path, source: Path, font: Font, shown: str) -> Path:
    file = folder / f"{fingerprint([Path(__file__), source], repr(font), shown)[:12]}.woff2"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(cut(source, font, shown))
    return file


def characters_of(pages: Collection[str]) -> set[str]:
    """Return the characters that pages show, and those that can always be typed."""
    return {*_ASCII, *(c for page in pages for c in html.unescape(_TAG.sub("", page)))}


def cut(source: Path, font: Font, characters: str) -> bytes:
    """Return a font file with the glyphs of some characters, at the font's place on its axes."""
    options = subset.Options(layout_features=list(font.features), hinting=False, glyph_names=False)
    options.notdef_outline = True
    options.drop_tables += ["DSIG", "STAT"]
    whole = TTFont(source, recalcTimestamp=False)  # the same build, the same bytes
    whole.flavor = None  # instances are made of plain fonts
    plain = BytesIO()
    whole.save(plain)
    made = TTFont(plain, recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(made)
    if font.axes:
        made = instancer.instantiateVariableFont(
            made,
            {name: tuple(at) if isinstance(at, list) else at for name, at in font.axes.items()},
        )
    if "MATH" in made:
        _narrow_roots(made)
    made.flavor = "woff2"
    small = BytesIO()
    made.save(small)
    return small.getvalue()


def _narrow_roots(font: TTFont) -> None:
    """Give all signs of a root the width of the smallest: Chromium leaves room for the widest."""
    smallest = font.getBestCmap()[ord("√")]
    variants = font["MATH"].table.MathVariants
    of_root = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(smallest)]
    taller = {record.VariantGlyph for record in of_root.MathGlyphVariantRecord} - {smallest}
    for name in taller | {part.glyph for part in of_root.GlyphAssembly.PartRecords}:
        width, room = font["hmtx"][name]
        narrower = font["hmtx"][smallest][0] / width
        font["glyf"][name].coordinates.scale((narrower, 1))
        font["glyf"][name].coordinates.toInt()
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = font["hmtx"][smallest][0], round(room * narrower)


def rule(font: Font, address: str) -> str:
    """Return the rule that loads a font."""
    weight = font.axes.get("wght")
    weights = f"font-weight:{weight[0]} {weight[1]};" if isinstance(weight, list) else ""
    return (
        f'@font-face{{font-family:"{font.family}";src:url({address}) format("woff2");'
        f"font-style:{font.style};{weights}font-display:swap}}"
    )


def fallback(font: Font, made: TTFont) -> str:
    """Return the rules of systems' fonts in its place, ``FAMILY Fallback``, of equal metrics."""
    if font.like == "math":
        return ""
    em, line, glyphs = made["head"].unitsPerEm, made["hhea"], made.getBestCmap()
    own = sum(made["hmtx"][glyphs[ord(c)]][0] * n for c, n in _ENGLISH.items())
    heights = (("ascent", line.ascent), ("descent", -line.descent), ("line-gap", line.lineGap))
    rules = []
    # Of rules for one family a browser takes the last one that it has a font for.
    for names, width in reversed(_SYSTEM["italic" if font.style == "italic" else font.like]):
        size = own / sum(_ENGLISH.values()) / em / width
        local = ",".join(f'local("{name}")' for name in names)
        overrides = "".join(f"{what}-override:{n / em / size:.1%};" for what, n in heights)
        rules.append(
            f'@font-face{{font-family:"{font.family} Fallback";src:{local};'
            f"font-style:{font.style};size-adjust:{size:.1%};{overrides}}}"
        )
    return "".join(rules)
