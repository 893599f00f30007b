"""Print the finished pages as PDFs: ``python -m tools.site.print``, which is what `make pdf` runs.

Chromium prints each chapter, and all of them as one book: tagged, with an outline. The pages' own
scripts do not run meanwhile, so figures show their first state, and exercises their questions.
``print.js`` prepares the articles, ``print.css`` sets them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from coursekit.colours import on_paper
from tools.site.browser import NONE, find_browser
from tools.site.build import build, has_pdfs
from tools.site.environment import BuildError, report, say
from tools.site.offline import package
from tools.site.project import Project
from tools.site.publish.stills import SHEET
from tools.site.theme import book_file, chapter_file

#: Between the margins of A4 that ``print.css`` sets, at 96 pixels an inch.
_SIZE: ViewportSize = {"width": 658, "height": 979}
_SCRIPT, _STYLE = (Path(__file__).with_name(f"print.{kind}") for kind in ("js", "css"))
#: All of them now: one that comes late changes what was measured. A fallback may not be installed.
_FONTS = "Promise.allSettled([...document.fonts].map(font => font.load())).then(() => 0)"


def paper(browser: Browser) -> Page:
    """Return an empty page that has the size of what is printed, and no scripts of its own."""
    page = browser.new_context(java_script_enabled=False, viewport=_SIZE).new_page()
    page.emulate_media(media="print", color_scheme="light", reduced_motion="reduce")
    return page


def print_all(project: Project, page: Page) -> int:
    """Print every chapter and the book into the site; return how many files that makes.

    The book is what the page shows afterwards.
    """
    names = [chapter.stem for chapter in project.chapters()]
    read = {name: _read(project, page, name) for name in names}
    # The document of all is the page with the most style sheets: not each one has formulas.
    _open(project, page, max(names, key=lambda name: read[name]["styles"]))
    title = str(project.config()["title"])
    page.evaluate("style", _running(title, {n: r["heading"] for n, r in read.items()}))
    references = "".join(r["article"] for r in read.values() if 'class="citation"' in r["article"])
    for name in names:
        page.evaluate("put", [read[name]["title"], read[name]["article"]])
        page.evaluate("cite", references)
        _write(project, page, chapter_file(name))
    everything = "".join(each["article"] for each in read.values())
    page.evaluate("put", [title, everything])
    _write(project, page, book_file(project))
    return len(names) + 1


def _open(project: Project, page: Page, name: str) -> None:
    page.goto((project.html / f"{name}.html").resolve().as_uri())
    page.evaluate(_SCRIPT.read_text(encoding="utf-8"))
    page.evaluate("style", on_paper(_STYLE.read_text(encoding="utf-8")))
    page.evaluate(_FONTS)


def _read(project: Project, page: Page, name: str) -> dict[str, Any]:
    """Return the article of a chapter, ready for paper, with its title and heading."""
    _open(project, page, name)
    read = dict(page.evaluate("prepare", [name, project.element_prefix]))
    # In the document of all chapters nothing is fetched: it would come after the printing.
    read["article"] = SHEET.sub(
        lambda link: f"<style>{(project.html / link[1]).read_text('utf-8')}</style>",
        read["article"],
    )
    return read


def _running(book: str, headings: dict[str, str]) -> str:
    """Return rules that write the titles of book and chapter over a chapter's pages."""
    quoted = partial(json.dumps, ensure_ascii=False)  # a string of CSS, too
    rules = (
        f"@page paper-{number} {{ @top-left {{ content: {quoted(book)} }}"
        f" @top-right {{ content: {quoted(heading if heading != book else '')} }} }}\n"
        f"[id='{name}--'] {{ page: paper-{number} }}\n"
        for number, (name, heading) in enumerate(headings.items())
    )
    return "".join(rules)


def _write(project: Project, page: Page, address: str) -> None:
    say(f"→ printing {address}")
    page.evaluate("aim", project.address())
    printed = page.pdf(tagged=True, outline=True, prefer_css_page_size=True, print_background=True)
    file = project.html / address
    file.parent.mkdir(parents=True, exist_ok=True)
    with pikepdf.open(BytesIO(printed)) as pdf:
        pdf.docinfo["/Author"] = str(project.config().get("author") or "")
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        _merge_pictures(pdf)
        pdf.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def _merge_pictures(pdf: pikepdf.Pdf) -> None:
    """Keep one of each picture: every hatched cell has brought its own, half of a book's bytes."""
    kept: dict[tuple[object, ...], pikepdf.Object] = {}
    for thing in pdf.objects:
        if not isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
            continue
        pictures = thing.get("/Resources", pikepdf.Dictionary()).get("/XObject")
        if not isinstance(pictures, pikepdf.Dictionary):
            continue
        for name, picture in list(pictures.items()):
            if picture.get("/Subtype") == "/Image":
                parts = [picture, *([picture.SMask] if "/SMask" in picture else [])]
                size = (int(picture.Width), int(picture.Height))
                key = (*size, *(bytes(part.read_raw_bytes()) for part in parts))
                pictures[name] = kept.setdefault(key, picture)


def _make(project: Project) -> int:
    """Build the site, print it unless it is printed already, and have its pages offer it."""
    program = find_browser()
    if program is None:
        raise BuildError(NONE)
    build(project)
    made = 0
    if not has_pdfs(project):
        with sync_playwright() as playwright:
            made = print_all(project, paper(playwright.chromium.launch(executable_path=program)))
        (project.build / "printed-from").write_text((project.build / "built-from").read_text())
    package(project)
    return made


def main() -> int:
    """Print what there is to print, and say where it is."""
    parser = argparse.ArgumentParser(description="Print the course as PDFs.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    project = Project(parser.parse_args().root.resolve())
    status = report(lambda: f"{_make(project)} PDFs printed")
    if status == 0:
        say(f"  they are in {os.path.relpath(project.html)}, in the folder pdf and beside it")
    return status


if __name__ == "__main__":
    sys.exit(main())
