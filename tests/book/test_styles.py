"""The site's style sheet and scripts: what no page uses goes, and nothing that one uses."""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from attnlab.drawing import tokens
from tools.site.project import Project
from tools.site.publish.styles import style_sheet

ROOT = Path(__file__).resolve().parents[2]
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}\b|\b(?:rgb|hsl)a?\(")


def test_variables_that_pages_and_scripts_name_stay(tmp_path: Path) -> None:
    names = ["page", "script", "sheet", "nobody"]
    sheet, script = tmp_path / "one.css", tmp_path / "one.js"
    variables = " ".join(f"--the-{name}: 1px;" for name in names)
    sheet.write_text(f":root {{ {variables} }} p {{ margin: var(--the-sheet) }}", encoding="utf-8")
    script.write_text('style.getPropertyValue("--the-script")', encoding="utf-8")
    page = '<html><p style="width: var(--the-page)">Text</p></html>'
    made = style_sheet(Project(tmp_path), [sheet], [page], [script])
    assert {name for name in names if f"--the-{name}:" in made} == {"page", "script", "sheet"}


USED = '<p class="used"><b>Text</b></p>'
SELECTED = ["p:not(.used)", ".used:not(.x)", ":is(p,b):hover", ".used:has(b)", "p:where(.used)"]


@pytest.mark.parametrize(
    ("page", "python", "kept", "gone"),
    [
        (USED, "", SELECTED, [".unused:not(.used)", ".unused:is(p,b)", "p.unused:has(b)"]),
        (USED, "", [".used[data-x=y]"], ["[data-x=y] .unused"]),
        (
            "<p>Text</p>",
            """row = f'<tr class="one {kind} two">'; title = 1""",
            [".one", ".two"],
            [".three", ".title"],
        ),
    ],
    ids=["what a selector excludes", "data attributes", "what Python in the page writes"],
)
def test_rules_stay_for_what_is_used(
    tmp_path: Path, page: str, python: str, kept: list[str], gone: list[str]
) -> None:
    sheet, wheel = tmp_path / "one.css", tmp_path / "one.whl"
    sheet.write_text("".join(f"{s}{{top:{i}px}}" for i, s in enumerate(kept + gone, 1)), "utf-8")
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("walks/rows.py", python)
        packed.writestr("walks/three.txt", 'class="three"')
    made = style_sheet(Project(tmp_path), [sheet], [page], [], wheel)
    assert re.findall(r"(?<=top:)\d", made) == [str(i) for i in range(1, 1 + len(kept))]


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
