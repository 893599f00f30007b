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
from tools.site.project import TOOLS, Project, fingerprint, sources
from tools.site.publish import embeds, formulas, styles
from tools.site.publish.faces import write_faces
from tools.site.publish.head import site_of, write_lists
from tools.site.publish.pages import Assets, explorables_in, finish
from tools.site.publish.pictures import repack
from tools.site.publish.stills import Stills
from tools.site.search.sections import Section, sections_of

#: The sheets of the page around a text, in the order in which they are bundled.
FRAME = tuple(
    TOOLS / "frame" / f"{name}.css" for name in ("frame", "menu", "text", "code", "tables", "print")
)

SEARCH = TOOLS / "search"


def publish(project: Project) -> None:
    """Write the site into ``_build/html``."""
    stamp = project.build / "finished.json"
    _start_anew(project.html, stamp)
    staged = staged_pages(project)
    rendered = formulas.render(project, set().union(*map(formulas.formulas_of, staged.values())))
    assets = _assets(project, staged, rendered)
    site = site_of(project, staged)
    _copy_files(project)
    # Of each page its key, and what can be found on it.
    written = json.loads(stamp.read_text("utf-8")) if stamp.exists() else {}
    done: dict[str, tuple[str, list[Section]]] = {}
    program = _program()
    changed = []
    stills = Stills(project, _scripts_of_figures(project))
    for name, page in staged.items():
        drawn = stills.state if explorables_in(page, assets.elements) else ""
        key = fingerprint([], program, repr((assets, site.of(name))), page, drawn)
        done[name] = (key, [])
        if name in written and written[name][0] == key and (project.html / name).exists():
            done[name] = written[name]
        else:
            changed.append((formulas.typeset(page, rendered), name, assets, site.of(name)))
    with ProcessPoolExecutor() as pool:
        found = pool.map(sections_of, [staged[name] for _, name, *_ in changed])
        made = list(pool.map(finish, *zip(*changed, strict=True)))
    stills.draw(made)
    files = [f"{address}?v={of}" for address, of in assets.versions.items()]
    for (_, name, *_), page, sections in zip(changed, made, found, strict=True):
        done[name] = (done[name][0], sections)
        shown = repack(stills.put(page))
        (project.html / name).write_text(shown, encoding="utf-8")
        embeds.write_embeds(project.html, name, shown, files)
    for name in written.keys() - done.keys():
        embeds.write_embeds(project.html, name, "", ())
        (project.html / name).unlink(missing_ok=True)
    embeds.fill_gallery(project.html, [name for name in site.pages if name in done])
    shutil.copy2(project.html / site.start, project.html / "index.html")  # the site's own address
    write_lists(project, site)
    _write_index(project, [(name, done[name][1]) for name in site.pages if name in done])
    stamp.write_text(json.dumps(done, ensure_ascii=False), encoding="utf-8")


def _start_anew(html: Path, stamp: Path) -> None:
    """Remove what a build has left that did not end, or whose site is gone."""
    if not (stamp.exists() and html.exists()):
        stamp.unlink(missing_ok=True)
        shutil.rmtree(html, ignore_errors=True)
    html.mkdir(parents=True, exist_ok=True)


def _program() -> str:
    folders = (Path(__file__).parent, SEARCH)
    return fingerprint([file for each in folders for file in sources(each, ".py", ".css")])


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
    scripts = _copy_scripts(project)
    sheets = stylesheets_of(project)
    wheel = _wheel_of_the_page(project.assets / "pyodide")
    shown = [*staged.values(), *rendered.values()]
    sheet = styles.style_sheet(project, sheets, shown, scripts, wheel)
    faces, early = write_faces(project, staged.values(), rendered.values(), static / "fonts")
    (static / "site.css").write_text(faces + sheet, encoding="utf-8")
    alone = styles.style_sheet(project, sheets, [embeds.SKELETON], _scripts_of_figures(project))
    (project.html / embeds.STYLE).write_text(faces + alone, encoding="utf-8")
    versions = {
        path.relative_to(project.html).as_posix(): fingerprint([path])[:8]
        for path in [*scripts, static / "site.css", project.html / embeds.STYLE]
    }
    versions |= _of_one_version(project)
    if (chapters := f"_static/{PAGES}") in versions:
        versions[chapters] = ""  # it changes with every exercise, and pages need not
    return Assets(
        course=project.course.distribution,
        elements=project.element_prefix,
        early={f"_static/{address}": shown for address, shown in early.items()},
        hues=project.hue_of,
        versions=versions,
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


def stylesheets_of(project: Project) -> list[Path]:
    """Return all style sheets: the page's, figures' and exercises', and last the book's own."""
    exercises = [*sorted(project.assets.glob("*.css")), SEARCH / "search.css"]
    names = project.options().get("html_css_files", [])
    book = [project.book / "assets" / name for name in names]
    return [*FRAME, *project.styles, *exercises, *book]


def _copy_scripts(project: Project) -> list[Path]:
    """Write the scripts that pages use into the site, and return them."""
    static = project.html / "_static"
    static.mkdir(parents=True, exist_ok=True)
    chapters = project.stage / "_static" / PAGES
    own = [*sorted(project.assets.glob("*.js")), *([chapters] if chapters.exists() else [])]
    copied = [Path(shutil.copy2(source, static / source.name)) for source in own]
    mirror(project.assets / "explorables", static / "explorables")
    return [*copied, *sorted((static / "explorables").glob("*.js"))]


def _scripts_of_figures(project: Project) -> list[Path]:
    """Return the scripts that make figures, in the order in which a page runs them."""
    static, prefix = project.html / "_static", project.element_prefix
    shared = static / "explorables.js"
    own = sorted((static / "explorables").glob(f"{prefix}*.js")) if prefix else []
    return [*([shared] if shared.exists() else []), *own]


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
    """Make ``target`` hold what ``source`` holds, and nothing else."""
    shutil.rmtree(target, ignore_errors=True)
    if source.exists():
        shutil.copytree(source, target)
