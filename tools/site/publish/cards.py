"""Draw the picture of a page where its address is shared: a PNG of 1200 by 630 pixels.

It says the page's title, what it is about and how long it takes, in the course's colours. Pictures
need absolute addresses, so there are none where the site's address is not known.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageColor, ImageDraw, ImageFont

from coursekit.colours import colours
from tools.site.project import Project, fingerprint
from tools.site.publish.about import PageFacts, SiteFacts

SIZE = (1200, 630)
_FOLDER = "_static/cards"
_MARGIN, _WIDTH = 80, 1040
_PAPER, _INK, _MUTED = (colours()[name][0] for name in ("paper", "ink", "muted"))
#: Drawn at twice the size and made smaller, since Pillow draws circles with jagged edges.
_FINE = 2


def write_cards(project: Project, site: SiteFacts) -> SiteFacts:
    """Draw the cards that changed into the site; return the site with their addresses."""
    folder = project.html / _FOLDER
    if not site.address:
        shutil.rmtree(folder, ignore_errors=True)
        return site
    folder.mkdir(parents=True, exist_ok=True)
    cache, colours = project.cache / "cards", project.settings.card_colours
    cache.mkdir(parents=True, exist_ok=True)
    pages = []
    for page in site.pages:
        lines = texts(site, page)
        key = fingerprint([Path(__file__)], repr(lines), repr(colours))[:16]
        drawn, name = cache / f"{key}.png", f"{Path(page.file).stem}.png"
        if not drawn.exists():
            making = drawn.with_suffix(".part")
            card(*lines, colours).save(making, "PNG", optimize=True)
            making.rename(drawn)
        shutil.copyfile(drawn, folder / name)
        pages.append(replace(page, card=f"{_FOLDER}/{name}?v={key[:8]}"))
    for old in folder.iterdir():
        if old.name not in {f"{Path(page.file).stem}.png" for page in pages}:
            old.unlink()
    return replace(site, pages=tuple(pages))


def texts(site: SiteFacts, page: PageFacts) -> tuple[str, str, str, str]:
    """Return what stands above the title, the title, what it is about, and what stands below."""
    is_start = page.file == site.start
    chapters = site.chapters
    below = page.part
    if page in chapters:
        number = chapters.index(page) + 1
        below = f"Chapter {number} of {len(chapters)}  ·  {page.minutes} minutes"
    elif is_start and chapters:
        hours = round(sum(each.minutes for each in chapters) / 30) / 2
        below = f"{len(chapters)} chapters  ·  {hours:g} hours"
    return "" if is_start else site.title, page.title, page.description, below


def card(above: str, title: str, about: str, below: str, colours: tuple[str, ...]) -> Image.Image:
    """Return the picture, with a palette of few colours."""
    font = _Fonts(f"{above}{title}{about}{below}")
    drawn = Image.new("RGB", (SIZE[0] * _FINE, SIZE[1] * _FINE), _PAPER)
    pen = ImageDraw.Draw(drawn)
    pen.rectangle((0, 0, 16 * _FINE, drawn.height), fill=colours[0])
    y = 72 if above else 130
    if above:
        _line(pen, y, above, font(30, "Medium"), _MUTED)
        y += 62
    sizes = (64, 56, 48) if above else (72, 64, 56, 48)
    size = next((s for s in sizes if len(_wrapped(title, font(s, "Bold"))) <= 2), sizes[-1])
    for line in _balanced(title, font(size, "Bold"))[:3]:
        _line(pen, y, line, font(size, "Bold"), _INK)
        y += round(size * 1.2)
    y += 22
    for line in _wrapped(about, font(32, "Regular"))[:4]:
        _line(pen, y, line, font(32, "Regular"), _MUTED)
        y += 45
    _marks(pen, colours)
    left = _MARGIN + 56 * min(len(colours), 3) + 12
    _line(pen, 531, below, font(30, "Medium"), _INK, left)
    small = drawn.resize(SIZE, Image.Resampling.LANCZOS)
    return small.quantize(palette=_palette(colours), dither=Image.Dither.NONE)


def _palette(colours: tuple[str, ...]) -> Image.Image:
    """Return a picture with the colours of a card, and those at the edges of its letters."""
    paper, steps = np.array(ImageColor.getrgb(_PAPER)), np.linspace(0, 1, 12)[:, None]
    ramps = [paper + steps * (np.array(ImageColor.getrgb(c)) - paper) for c in _used(colours)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.concatenate(ramps).round().astype(int).ravel().tolist())
    return palette


def _used(colours: tuple[str, ...]) -> tuple[str, ...]:
    return (_INK, _MUTED, *colours[:3])


def _line(
    pen: ImageDraw.ImageDraw,
    y: int,
    text: str,
    font: ImageFont.FreeTypeFont,
    colour: str,
    x: int = _MARGIN,
) -> None:
    pen.text((x * _FINE, y * _FINE), text, font=font, fill=colour)


def _marks(pen: ImageDraw.ImageDraw, colours: tuple[str, ...]) -> None:
    """Draw a circle, a square and a triangle, as far as there are colours."""
    for number, colour in enumerate(colours[:3]):
        x, y, side = (_MARGIN + 56 * number) * _FINE, 532 * _FINE, 36 * _FINE
        if number == 0:
            pen.ellipse((x, y, x + side, y + side), fill=colour)
        elif number == 1:
            pen.rectangle((x + 3, y + 3, x + side - 3, y + side - 3), fill=colour)
        else:
            pen.polygon([(x + side / 2, y), (x + side, y + side), (x, y + side)], fill=colour)


def _balanced(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return a text in as many lines as it needs, of about the same width."""
    lines = [_wrapped(text, font, width) for width in range(_WIDTH // 2, _WIDTH + 1, 20)]
    return min(lines, key=len)  # the first of them, which is the narrowest


def _wrapped(text: str, font: ImageFont.FreeTypeFont, width: int = _WIDTH) -> list[str]:
    """Return a text in lines of at most a width, in pixels of the card."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width * _FINE or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class _Fonts:
    """The font that comes with the extension for link previews, or one with more characters."""

    def __init__(self, text: str) -> None:
        with as_file(files("sphinxext.opengraph") / "_static" / "Roboto-Flex.ttf") as path:
            self._file = path.read_bytes()
        characters = TTFont(BytesIO(self._file), lazy=True).getBestCmap()
        self._is_enough = all(ord(letter) in characters for letter in text)

    def __call__(self, size: int, weight: str) -> ImageFont.FreeTypeFont:
        """Return the font in a size, in pixels of the card."""
        if not self._is_enough:
            name = "DejaVuSans-Bold.ttf" if weight == "Bold" else "DejaVuSans.ttf"
            path = Path(matplotlib.get_data_path(), "fonts", "ttf", name)
            return ImageFont.truetype(str(path), round(0.9 * size * _FINE))
        font = ImageFont.truetype(BytesIO(self._file), size * _FINE)
        font.set_variation_by_name(weight)
        return font
