"""Make the site of the pages which Jupyter Book wrote: light, self-contained, accessible.

The pages are read from the stage and written anew; the stage stays as Sphinx knows it. A page is
finished again only if it or something that it refers to changed.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from coursekit.page.later import CHECKS, DECKS
from tools.site.project import Project, copy_if_changed, fingerprint, sources
from tools.site.publish import formulas, styles
from tools.site.publish.decimals import shorten
from tools.site.publish.fonts import formula_style, preloaded
from tools.site.publish.head import site_of, write_lists
from tools.site.publish.pages import Assets, assets_of, finish, is_unused, redirect, scripts_of
from tools.site.publish.pictures import repack
from tools.site.publish.scripts import write_scripts
from tools.site.publish.sheets import link_sheet, sheet_name, sheet_of
from tools.site.search import LOADER, STYLE, write_index


def publish(project: Project) -> None:
    """Write the site into ``_build/html``."""
    stamp = project.build / "finished.json"
    if not (stamp.exists() and project.html.exists()):
        stamp.unlink(missing_ok=True)
        shutil.rmtree(project.html, ignore_errors=True)
    project.html.mkdir(parents=True, exist_ok=True)
    staged = staged_pages(project)
    rendered = formulas.render(
        project, {formula for page in staged.values() for formula in formulas.formulas_of(page)}
    )
    assets = _assets(project, staged, rendered)
    config = project.config()
    site = site_of(project, staged)
    _copy_files(project)
    written = json.loads(stamp.read_text()) if stamp.exists() else {}
    program = fingerprint([*sources(Path(__file__).parent, ".py", ".css"), LOADER])
    done = {}
    for name, page in staged.items():
        refers_to = assets_of(name, assets)
        about = site if name == site.start else replace(site, course="")
        done[name] = fingerprint([], program, repr((refers_to, about)), page)
        if written.get(name) != done[name] or not (project.html / name).exists():
            if "<head>" in page:
                typeset = formulas.typeset(page, rendered)
                with_formulas = formulas.has_formulas(typeset)
                made = finish(typeset, name, refers_to, about, formulas=with_formulas)
                _write_page(project, name, made)
            else:
                bare = redirect(page, config["title"], _icon(config), site.address)
                (project.html / name).write_text(bare, encoding="utf-8")
    for name in written.keys() - done.keys():
        (project.html / name).unlink(missing_ok=True)
        (project.html / sheet_name(name)).unlink(missing_ok=True)
    write_lists(project, site)
    write_index(project, staged, [chapter.stem for chapter in project.chapters()])
    stamp.write_text(json.dumps(done))


def _icon(config: dict[str, Any]) -> str:
    """Return the address of the site's icon, an empty one if need be: the browser asks for one."""
    favicon = (config.get("html") or {}).get("favicon")
    return f"_static/{Path(favicon).name}" if favicon else "data:,"


def _write_page(project: Project, name: str, page: str) -> None:
    """Write a finished page, and the summary sheet that is made of it."""
    finished = repack(shorten(link_sheet(page, name)))
    (project.html / name).write_text(finished, encoding="utf-8")
    sheet, file = sheet_of(page, name), project.html / sheet_name(name)
    if sheet is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(sheet, encoding="utf-8")


def staged_pages(project: Project) -> dict[str, str]:
    """Return the chapters and the pages around them; Sphinx leaves those of old chapters lying."""
    names = [chapter.stem for chapter in project.chapters()] + [
        "index",
        "genindex",
        "search",
        "404",
    ]
    paths = [project.stage / f"{name}.html" for name in names]
    return {path.name: path.read_text("utf-8") for path in paths if path.exists()}


def _assets(
    project: Project, staged: dict[str, str], rendered: dict[formulas.Formula, str]
) -> Assets:
    """Write what pages refer to, and return its addresses."""
    static, theme = project.html / "_static", project.stage / "_static"
    scripts = _copy_scripts(project, staged)
    sheets = stylesheets_of(project, staged)
    wheel = _wheel_of_the_page(project.assets / "pyodide")
    sheet = styles.style_sheet(project, sheets, list(staged.values()), scripts, wheel)
    (static / "site.css").write_text(sheet, encoding="utf-8")
    katex = formula_style(project, rendered.values(), static / "katex")
    versions = {
        path.relative_to(project.html).as_posix(): fingerprint([path])[:8]
        for path in [*scripts, static / "site.css", katex]
    }
    versions |= _of_one_version(project)
    return Assets(
        course=project.settings.course.distribution,
        elements=project.settings.element_prefix,
        theme=theme,
        options=(theme / "documentation_options.js").read_text(encoding="utf-8"),
        preloaded=tuple(f"_static/katex/{address}" for address in preloaded(katex)),
        versions=versions,
        offline=project.settings.offline,
    )


def _wheel_of_the_page(python: Path) -> Path | None:
    """Return the wheel that pages run; None where a site has no Python for its pages."""
    manifest = python / "manifest.json"
    if not manifest.exists():
        return None
    return python / str(json.loads(manifest.read_text(encoding="utf-8"))["wheel"])


def _of_one_version(project: Project) -> dict[str, str]:
    """Return the addresses of our own scripts with one version for all.

    One loads another under its own version: it must change when any of them does.
    """
    scripts = sorted(project.assets.glob("*.js"))
    return {f"_static/{path.name}": fingerprint(scripts)[:8] for path in scripts}


def stylesheets_of(project: Project, staged: dict[str, str]) -> list[Path]:
    """Return all style sheets: the theme's, figures' and exercises', and last the book's own."""
    linked = dict.fromkeys(name for page in staged.values() for name in styles.linked_styles(page))
    exercises = [*sorted(project.assets.glob("*.css")), STYLE]
    assets = {path.name: path for path in (project.book / "assets").glob("*.css")}
    last = {*assets, *(path.name for path in exercises)}
    theme = [project.stage / name for name in linked if Path(name).name not in last]
    book = [assets[name] for link in linked if (name := Path(link).name) in assets]
    return [*theme, *project.settings.styles, *exercises, *book]


def _copy_scripts(project: Project, staged: dict[str, str]) -> list[Path]:
    """Write the scripts that pages use into the site, and return them."""
    names = {name for page in staged.values() for name in scripts_of(page) if not is_unused(name)}
    theme = {
        p: project.html / name for name in sorted(names) if (p := project.stage / name).exists()
    }
    write_scripts(project, theme)
    copied = [*theme.values()]
    static = project.html / "_static"
    for source in sorted(project.assets.glob("*.js")):
        copied.append(Path(shutil.copy2(source, static / source.name)))
    mirror(project.assets / "explorables", static / "explorables")
    return [*copied, *sorted((static / "explorables").glob("*.js"))]


def _copy_files(project: Project) -> None:
    """Copy figures, Python for the page, and what a host of static sites looks for."""
    for name in ("_images", "_downloads"):
        mirror(project.stage / name, project.html / name)
    for name in ("pyodide", "data"):
        mirror(project.assets / name, project.html / "_static" / name)
    for name in (CHECKS, DECKS):  # the pages' scripts load them, or readers do
        mirror(project.stage / "_static" / name, project.html / "_static" / name)
    for icon in (project.stage / "_static").glob("favicon.*"):
        shutil.copy2(icon, project.html / "_static")
    shutil.copy2(project.stage / "objects.inv", project.html)
    # Without it the host leaves out every folder whose name starts with an underscore.
    (project.html / ".nojekyll").touch()


def mirror(source: Path, target: Path) -> None:
    """Make ``target`` hold what ``source`` holds: new files copied, others removed."""
    relative = {p.relative_to(source) for p in source.rglob("*") if p.is_file()}
    for path in [p for p in target.rglob("*") if p.is_file()]:
        if path.relative_to(target) not in relative:
            path.unlink()
    for name in relative:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        copy_if_changed(source / name, target / name)
