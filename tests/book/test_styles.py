"""The site's one style sheet: what no page uses goes, and nothing that one uses."""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.project import Project
from tools.site.publish import staged_pages, stylesheets_of
from tools.site.publish.styles import style_sheet

_DEFINED = re.compile(r"[{;\s](--[\w-]+)\s*:")
_NAMED = re.compile(r"--[a-zA-Z][\w-]*")


def test_variables_that_pages_and_scripts_name_stay(tmp_path: Path) -> None:
    names = ["page", "script", "sheet", "nobody"]
    sheet, script = tmp_path / "one.css", tmp_path / "one.js"
    variables = " ".join(f"--the-{name}: 1px;" for name in names)
    sheet.write_text(f":root {{ {variables} }} p {{ margin: var(--the-sheet) }}", encoding="utf-8")
    script.write_text('style.getPropertyValue("--the-script")', encoding="utf-8")
    page = '<html><p style="width: var(--the-page)">Text</p></html>'
    made = style_sheet(Project(tmp_path), [sheet], [page], [script])
    assert {name for name in names if f"--the-{name}:" in made} == {"page", "script", "sheet"}


def test_site_has_every_variable_that_it_names(project: Project, site: Path) -> None:
    sheets = stylesheets_of(project, staged_pages(project))
    defined = {name for path in sheets for name in _DEFINED.findall(_text(path))}
    made = _text(site / "_static" / "site.css")
    kept = set(_DEFINED.findall(made))
    users = [*site.glob("*.html"), *(site / "_static").glob("**/*.js")]
    named = {name for path in users for name in _NAMED.findall(_text(path))}
    named |= set(re.findall(r"var\((--[\w-]+)", made))
    assert len(kept) > 100
    assert (named & defined) - kept == set()
    unnamed = {name for name in kept - named if name.startswith("--attn-")}
    assert unnamed == set()  # the other way: what nobody names is gone


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
