"""Colours are defined in one place, and figures have those of the theme."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from attnlab.drawing import tokens

ROOT = Path(__file__).resolve().parents[2]
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}\b|\b(?:rgb|hsl)a?\(")


def literals(path: Path) -> Iterator[str]:
    """Yield the colours that a file writes as numbers, black and white excepted."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        constants = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
        texts = [text for text in constants if isinstance(text, str)]
        yield from (text for text in texts if _COLOUR.fullmatch(text) and text not in tokens.PLAIN)
    else:
        code = re.sub(r"/\*.*?\*/|//.*", "", text, flags=re.DOTALL if path.suffix == ".css" else 0)
        yield from (colour for colour in _COLOUR.findall(code) if colour not in tokens.PLAIN)


@pytest.mark.parametrize("folder", ["lib", "tools", "book/assets"])
def test_colours_are_numbers_only_where_they_are_defined(folder: str) -> None:
    files = [p for p in (ROOT / folder).rglob("*.*") if p.suffix in (".css", ".ts", ".py")]
    code = [p for p in files if p.name != "tokens.css" and not {"_dist"} & set(p.parts)]
    assert len(code) > 2
    found = {str(path.relative_to(ROOT)): list(literals(path)) for path in code}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_figures_have_the_colours_of_the_theme(site: Path) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in site.glob("*.html"))
    drawn = " ".join(re.findall(r'(?:style|fill|stroke)="([^"]*)"', pages))
    assert drawn.count("var(--attn-key") > 100
    # Black or white is the number on a cell; any other would stay the same in the dark.
    assert set(re.findall(r"(?<!, )(?<!\()#[0-9a-f]{6}\b", drawn)) <= {"#000000", "#ffffff"}
