"""Make the site of the pages which Jupyter Book wrote: light, self-contained, accessible.

The pages are read from the stage and written anew; the stage stays as Sphinx knows it. A page is
finished again only if it or something that it refers to changed.
"""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from coursekit.page.later import CHECKS, DECKS
from coursekit.page.progress import PAGES
from tools.site.environment import ROOT, run_node
from tools.site.project import TOOLS, Project, fingerprint, sources
from tools.site.publish import embeds, formulas
from tools.site.publish.faces import write_faces
from tools.site.publish.head import Site, site_of, write_lists
from tools.site.publish.pages import Assets, explorables_in, finish
from tools.site.publish.stills import Stills
from tools.site.search.sections import Section, sections_of

#: The sheets of the page around a text, in the order in which they are bundled.
FRAME = tuple(
    TOOLS / "frame" / f"{name}.css" for name in ("frame", "menu", "text", "code", "tables", "print")
)

SEARCH = TOOLS / "search"
_ESBUILD = Project(ROOT).node_modules / "esbuild" / "bin" / "esbuild"
_OF_STYLES = ("--bundle", "--minify", "--loader=css", "--charset=utf8")


def publish(project: Project) -> None:
    """Write the site into ``_build/html``."""
    stamp = project.build / "finished.json"
    _start_anew(project.html, stamp)
    staged = staged_pages(project)
    rendered = formulas.render(project, set().union(*map(formulas.formulas_of, staged.values())))
    assets = _assets(project, staged, rendered)
    site = site_of(project)
    # Of each page its key, and what can be found on it.
    done: dict[str, tuple[str, list[Section]]] = (
        json.loads(stamp.read_text("utf-8")) if stamp.exists() else {}
    )
    stills = Stills(project, _scripts_of_figures(project))
    keys = {name: _key(staged[name], assets, site, stills) for name in staged}
    changed = [
        (formulas.typeset(page, rendered), name, assets, site)
        for name, page in staged.items()
        if name not in done or done[name][0] != keys[name] or not (project.html / name).exists()
    ]
    with ProcessPoolExecutor() as pool:
        found = pool.map(sections_of, [staged[name] for _, name, *_ in changed])
        made = list(pool.map(finish, *zip(*changed, strict=True)))
    stills.draw(made)
    files = [f"{address}?v={of}" for address, of in assets.versions.items()]
    for (_, name, *_), page, sections in zip(changed, made, found, strict=True):
        done[name] = keys[name], sections
        shown = stills.put(page)
        (project.html / name).write_text(shown, encoding="utf-8")
        embeds.write_embeds(project.html, name, shown, files)
    for name in done.keys() - staged.keys():
        embeds.write_embeds(project.html, name, "", ())
        (project.html / name).unlink(missing_ok=True)
        del done[name]
    pages = [name for name in site.pages if name in done]
    embeds.fill_gallery(project.html, pages)
    # At the site's own address.
    shutil.copy2(project.html / site.pages[0], project.html / "index.html")
    write_lists(project, site)
    _write_index(project, [(name, done[name][1]) for name in pages])
    stamp.write_text(json.dumps(done, ensure_ascii=False), encoding="utf-8")


def _start_anew(html: Path, stamp: Path) -> None:
    """Remove what a build has left that did not end, or whose site is gone."""
    if not (stamp.exists() and html.exists()):
        stamp.unlink(missing_ok=True)
        shutil.rmtree(html, ignore_errors=True)
    (html / "_static").mkdir(parents=True, exist_ok=True)


def _key(page: str, assets: Assets, site: Site, stills: Stills) -> str:
    """Return a fingerprint of all that a finished page is made of."""
    folders = (Path(__file__).parent, SEARCH)
    program = [file for each in folders for file in sources(each, ".py", ".css")]
    drawn = stills.state if explorables_in(page, assets.elements) else ""
    return fingerprint(program, repr((assets, site)), page, drawn)


def _write_index(project: Project, pages: list[tuple[str, list[Section]]]) -> None:
    """Write what can be found on pages, which are named by their files, in reading order."""
    content = {"pages": pages, "synonyms": project.search_synonyms}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    script = project.html / "_static" / "search-index.js"
    script.write_text(f"globalThis.searchIndex={text};\n", encoding="utf-8")


def staged_pages(project: Project) -> dict[str, str]:
    """Return the chapters and the pages around them; Sphinx leaves those of old chapters lying."""
    names = [chapter.stem for chapter in project.chapters()] + ["genindex", "search", "404"]
    paths = [project.stage / f"{name}.html" for name in names]
    return {path.name: path.read_text("utf-8") for path in paths if path.exists()}


def _assets(
    project: Project, staged: dict[str, str], rendered: dict[formulas.Formula, str]
) -> Assets:
    """Write what pages refer to, and return its addresses."""
    static = project.html / "_static"
    scripts = _copy_files(project)
    faces, early = write_faces(project, staged.values(), rendered.values(), static / "fonts")
    (project.html / embeds.STYLE).write_text(faces + style_sheet(project), encoding="utf-8")
    versions = {
        path.relative_to(project.html).as_posix(): fingerprint([path])[:8]
        for path in [*scripts, project.html / embeds.STYLE]
    }
    # One of our own scripts loads another under its own version: all of them have the same.
    own = sorted(project.assets.glob("*.js"))
    versions |= dict.fromkeys([f"_static/{path.name}" for path in own], fingerprint(own)[:8])
    if (chapters := f"_static/{PAGES}") in versions:
        versions[chapters] = ""  # it changes with every exercise, and pages need not
    return Assets(
        course=project.course.distribution,
        elements=project.element_prefix,
        early={f"_static/{address}": shown for address, shown in early.items()},
        hues=project.hue_of,
        versions=versions,
    )


def style_sheet(project: Project) -> str:
    """Return all style sheets as one: the page's, figures', exercises', and last the book's own."""
    exercises = [*sorted(project.assets.glob("*.css")), SEARCH / "search.css"]
    names = project.options().get("html_css_files", [])
    book = [project.book / "assets" / name for name in names]
    sheets = [*FRAME, *project.styles, *exercises, *book]
    imports = "".join(f"@import {json.dumps(str(path))};" for path in sheets)
    return run_node(_ESBUILD, imports, "style sheet", *_OF_STYLES)  # which rebases addresses


def _copy_files(project: Project) -> list[Path]:
    """Copy what pages load and what a host of static sites looks for; return the scripts."""
    static, staged = project.html / "_static", project.stage / "_static"
    for name in ("_images", "_downloads", f"_static/{CHECKS}", f"_static/{DECKS}"):
        mirror(project.stage / name, project.html / name)
    for name in ("pyodide", "data", "explorables"):
        mirror(project.assets / name, static / name)
    shutil.copy2(project.stage / "objects.inv", project.html)
    # Without it the host leaves out every folder whose name starts with an underscore.
    (project.html / ".nojekyll").touch()
    for icon in staged.glob("favicon.*"):
        shutil.copy2(icon, static)
    scripts = [*sorted(project.assets.glob("*.js")), *staged.glob(PAGES)]
    copied = [Path(shutil.copy2(source, static)) for source in scripts]
    return [*copied, *sorted((static / "explorables").glob("*.js"))]


def _scripts_of_figures(project: Project) -> list[Path]:
    """Return the scripts that make figures, in the order in which a page runs them."""
    static, prefix = project.html / "_static", project.element_prefix
    own = sorted((static / "explorables").glob(f"{prefix}*.js")) if prefix else []
    return [*static.glob("explorables.js"), *own]


def mirror(source: Path, target: Path) -> None:
    """Make ``target`` hold what ``source`` holds, and nothing else."""
    shutil.rmtree(target, ignore_errors=True)
    if source.exists():
        shutil.copytree(source, target)
