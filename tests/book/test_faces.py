"""The fonts of text: what pages show, in files cut to it, and what stands there until they come."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont

from tools.site.project import Project
from tools.site.publish import faces

ROOT = Path(__file__).resolve().parents[2]
FONTS = Project(ROOT).fonts


def made(style: str, characters: str) -> TTFont:
    font = next(font for font in FONTS if font.style == style)
    return TTFont(BytesIO(faces.cut(ROOT / "node_modules" / font.file, font, characters)))


def test_a_font_has_the_characters_of_pages_and_of_typing_alone() -> None:
    shown = faces.characters_of(["<p title='ß'>né &rarr;</p><script>'ø'</script>"])
    assert {"é", "→", "A", "~"} <= shown
    assert not {"ß", "ø"} & shown
    characters = set(map(chr, made("normal", "né").getBestCmap()))
    assert characters == {"n", "é"}


def test_a_font_is_cut_at_its_place_and_a_range_stays_variable() -> None:
    text = made("italic", "a")
    assert "fvar" not in text
    moving = next(font for font in FONTS if isinstance(font.axes.get("wght"), list))
    cut = TTFont(BytesIO(faces.cut(ROOT / "node_modules" / moving.file, moving, "a")))
    (axis,) = cut["fvar"].axes
    assert [axis.minValue, axis.maxValue] == moving.axes["wght"]
    assert "font-weight:400 620" in faces.rule(moving, "a.woff2")


def test_all_signs_of_a_root_are_equally_wide() -> None:
    font = next(font for font in FONTS if font.like == "math")
    math = TTFont(BytesIO(faces.cut(ROOT / "node_modules" / font.file, font, "√(")))
    variants = math["MATH"].table.MathVariants
    of_root = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index("radical")]
    signs = [record.VariantGlyph for record in of_root.MathGlyphVariantRecord]
    signs += [part.glyph for part in of_root.GlyphAssembly.PartRecords]
    assert len(signs) > 3
    assert len({math["hmtx"][name][0] for name in signs}) == 1
    edges = [math["glyf"][name].xMax for name in signs[:4]]
    assert max(edges) - min(edges) < 50  # where the bar begins


@pytest.mark.parametrize(
    ("like", "style", "file"),
    [
        ("serif", "normal", "DejaVuSerif"),
        ("serif", "italic", "DejaVuSerif-Italic"),
        ("sans", "normal", "DejaVuSans"),
        ("mono", "normal", "DejaVuSansMono"),
    ],
)
def test_the_reader_s_own_font_takes_as_much_room(like: str, style: str, file: str) -> None:
    font = next(font for font in FONTS if (font.like, font.style) == (like, style))
    whole = TTFont(ROOT / "node_modules" / font.file)
    em, line = whole["head"].unitsPerEm, whole["hhea"]
    rules = faces.fallback(font, whole).split("@font-face")[1:]
    for rule in rules:
        size, ascent, descent, gap = (float(n) / 100 for n in re.findall(r":([\d.]+)%", rule))
        heights = (ascent, line.ascent), (descent, -line.descent), (gap, line.lineGap)
        for override, height in heights:
            assert abs(override * size - height / em) < 0.002
    # Matplotlib brings one of the fonts, which tells whether widths were typed right.
    dejavu = TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{file}.ttf")
    (of_dejavu,) = (rule for rule in rules if f'"{dejavu["name"].getDebugName(4)}"' in rule)
    text = "the weights of a row sum to one, so that its result is a mean of values"
    own, theirs = (
        sum(font["hmtx"][font.getBestCmap()[ord(c)]][0] for c in text) / font["head"].unitsPerEm
        for font in (whole, dejavu)
    )
    size = float(re.findall(r"size-adjust:([\d.]+)%", of_dejavu)[0]) / 100
    assert abs(theirs * size / own - 1) < 0.05


def test_all_fonts_of_a_page_are_light(site: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in (site / "_static" / "fonts").iterdir()}
    assert len(sizes) >= len(FONTS)
    assert sum(sizes.values()) <= 48 * 1024
    sheet = (site / "_static" / "site.css").read_text("utf-8")
    for font in FONTS:
        # That of formulas has none: no system's font has its widths.
        assert (f'font-family:"{font.family} Fallback"' in sheet) == (font.like != "math")
