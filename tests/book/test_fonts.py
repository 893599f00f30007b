"""KaTeX's fonts and style sheet in the site: what formulas use, and nothing besides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from tools.site.project import Project
from tools.site.publish.fonts import formula_style, preloaded

ROOT = Path(__file__).resolve().parents[2]
FORMULA = (
    '<span class="katex"><span class="katex-mathml"><math><mi>Z</mi></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mord mathnormal">Qα</span>'
    '<span class="sizing reset-size6 size3 mtight">&lt;</span></span></span>'
)


def made_for(formulas: list[str], folder: Path) -> Path:
    """Return the style sheet for formulas, made without the course's caches."""
    folder.mkdir()
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return formula_style(Project(folder), formulas, folder / "site")


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_for([FORMULA], tmp_path_factory.mktemp("fonts") / "one")


def test_fonts_have_the_characters_shown_small_letters_and_digits(sheet: Path) -> None:
    font = TTFont(sheet.parent / "fonts" / "KaTeX_Math-Italic.woff2")
    characters = {chr(code) for code in font.getBestCmap()}
    assert {"Q", "α", "a", "z"} <= characters
    assert "Z" not in characters  # it stands in the MathML only, which has no font of KaTeX's
    main = TTFont(sheet.parent / "fonts" / "KaTeX_Main-Regular.woff2")
    others = {chr(code) for code in main.getBestCmap()}
    assert {"<", "0", "9", "a"} <= others
    assert "Q" not in others  # variables have a font of their own
    assert not {"<", "0"} & characters


def test_sheet_has_the_changes_of_size_that_formulas_make(sheet: Path) -> None:
    style = sheet.read_text(encoding="utf-8")
    assert re.findall(r"\.sizing\.([\w.-]+)", style) == ["reset-size6.size3"]
    assert ".katex .mathnormal{" in style


def test_other_fonts_have_another_address(sheet: Path, tmp_path: Path) -> None:
    before = preloaded(sheet)
    for address in before:
        file, version = address.split("?v=")
        assert (sheet.parent / file).is_file()
        assert version
    assert not set(before) & set(preloaded(made_for([FORMULA.replace("Q", "K")], tmp_path / "two")))
