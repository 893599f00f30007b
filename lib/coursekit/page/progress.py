"""Time and progress: a line on each page with exercises, and a list of all these pages.

Without a script the line says how many exercises there are; ``coursekit/web`` adds how many are
done, from the browser's own storage, and ticks chapters in the sidebar of every page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from coursekit.command import counted
from coursekit.page.directive import bank_of
from coursekit.page.nodes import Part, notebook_of, part
from coursekit.times import Time, chapter_time

SCRIPT, STYLE = "coursekit.js", "coursekit.css"
#: The list of pages with exercises: a script, which pages opened from a folder can load, too.
PAGES = "coursekit-pages.js"


def places(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return, for each page, its exercises as ``id@version``."""
    exercises: dict[str, list[str]] = vars(env).setdefault("coursekit_places", {})
    return exercises


def blocks(tree: nodes.Node) -> list[Part]:
    """Return the exercises of a page, those for notebooks only included."""
    return [node for node in tree.findall(Part) if "ck-exercise" in node["classes"]]


def page_time(app: Sphinx, page: str) -> Time:
    """Return how long a page takes, from its text and the bank."""
    return chapter_time(text_of(app, page), bank_of(app))


def text_of(app: Sphinx, page: str) -> str:
    """Return a page's MyST; "" where it is written in something else."""
    file = Path(app.env.doc2path(page))
    return file.read_text(encoding="utf-8") if file.suffix == ".md" else ""


def _note_page(app: Sphinx, tree: nodes.document) -> None:
    """Remember a page's exercises; put its time and how far the reader is below its title."""
    exercises = blocks(tree)
    if not exercises:
        return
    places(app.env)[app.env.docname] = [
        f"{block['attributes']['data-exercise']}@{block['attributes']['data-version']}"
        for block in exercises
        if "ck-notebook-only" not in block["classes"]
    ]
    number = len(places(app.env)[app.env.docname])
    title = next(iter(tree.findall(nodes.title)), None)
    if title is None or title.parent is None:
        return
    time = nodes.Text(f"A{str(page_time(app, app.env.docname))[1:]}.")
    below = [part("div", time, classes=["ck-time"])]
    if number:
        told = nodes.Text(f"{counted(number, 'exercise')} on this page")
        # Where the page has its notebook, which answers are put into.
        address = notebook_of(app.env) if "kernelspec" in app.env.metadata[app.env.docname] else ""
        line = part("div", part("span", told, classes=["ck-count"]), classes=["ck-progress"])
        line["attributes"] = {"data-notebook": address} if address else {}
        below.append(line)
    title.parent.insert(title.parent.index(title) + 1, below)


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    places(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    places(env).update({page: where for page, where in places(other).items() if page in pages})


def _pages_with_tables(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages to write again: a table depends on every other page."""
    return [page for page, exercises in places(env).items() if not exercises]


def chapters(env: BuildEnvironment) -> list[str]:
    """Return the pages that have exercises, in reading order."""
    return [page for page in env.collect_relations() if places(env).get(page)]


def _write_pages(app: Sphinx, fault: Exception | None) -> None:
    """Write file, title and exercises of each chapter, for the sidebar and for *Continue*."""
    if fault is not None:
        return
    rows = [
        [app.builder.get_target_uri(page), app.env.titles[page].astext(), places(app.env)[page]]
        for page in chapters(app.env)
    ]
    if rows:
        file = Path(app.outdir, "_static", PAGES)
        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        file.write_text(f"window.coursekitPages={text};\n", encoding="utf-8")


def _add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Load script and style on the pages that need them."""
    if page in places(app.env):
        app.add_js_file(PAGES, loading_method="defer")
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)


def register(app: Sphinx) -> None:
    """Register what follows pages through a build."""
    app.connect("doctree-read", _note_page)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _pages_with_tables)
    app.connect("html-page-context", _add_files)
    app.connect("build-finished", _write_pages)
