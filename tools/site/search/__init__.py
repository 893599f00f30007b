"""Search over the site's sections: what it finds, written as a script that the pages load.

`sections` reads the pages, ``engine.ts`` finds, with MiniSearch, and ``dialog.ts`` shows it. The
index is a script and not JSON, so that search works in a folder, too, where a page may not fetch
files.
"""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

from bs4 import BeautifulSoup

from tools.site.project import Project, fingerprint
from tools.site.search.sections import sections_of

INDEX = "search-index.js"
STYLE = Path(__file__).with_name("search.css")
#: What every page has: it loads the search, and opens its dialog by the key that readers know.
_LOADER = (
    '{const{src}=document.currentScript.dataset,d=document.getElementById("search-dialog"),'
    'load=()=>document.head.append(Object.assign(document.createElement("script"),{src}));%s;'
    'addEventListener("keydown",e=>{'
    'const t=e.composedPath()[0];if(e.key!="/"||e.ctrlKey||e.metaKey||e.altKey||d.open||'
    "t.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName))return;e.preventDefault();"
    'document.querySelector(".search-button").click()})}'
)
_IN_DIALOG = 'd.addEventListener("focusin",load,{once:true})'
#: At once where the address asks for something, as a form without JavaScript does.
_ON_ITS_PAGE = (
    'location.search?addEventListener("DOMContentLoaded",load)'
    ':addEventListener("focusin",load,{once:true})'
)


def add_search(page: BeautifulSoup, name: str, root: str, script: str) -> None:
    """Have a page load the search when it is wanted: when its field or its dialog has the focus.

    Parameters
    ----------
    page : BeautifulSoup
        The page, which is changed.
    name : str
        Its file name.
    root : str
        What leads from it to the site's root.
    script : str
        Where the search is, from there.
    """
    dialog = page.select_one("#search-dialog")
    if dialog is None:
        return
    # As an attribute, for a server that moves the page for what is not found to another folder.
    loader = page.new_tag("script", attrs={"data-src": root + script})
    loader.string = _LOADER % (_ON_ITS_PAGE if name == "search.html" else _IN_DIALOG)
    dialog.insert_after(loader)


def write_index(project: Project, staged: dict[str, str], names: list[str]) -> None:
    """Write what can be found on the named pages, in their order.

    A page is read again only where it changed. ``staged`` has the pages, by file name.
    """
    folder = project.build / "search"
    folder.mkdir(exist_ok=True)
    program = [Path(__file__).with_name("sections.py")]
    pages = []
    for name in [f"{name}.html" for name in names]:
        # What stands around the article changes with every title of the book.
        article = staged[name].partition("<article")[2]
        state, kept = fingerprint(program, article), folder / f"{name}.json"
        stored = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
        if stored.get("of") != state:
            found = [astuple(section) for section in sections_of(staged[name])]
            stored = {"of": state, "sections": found}
            kept.write_text(json.dumps(stored, ensure_ascii=False), encoding="utf-8")
        pages.append([name, stored["sections"]])
    content = {"pages": pages, "synonyms": project.settings.search_synonyms}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    script = project.html / "_static" / INDEX
    script.write_text(f"globalThis.searchIndex={text};\n", encoding="utf-8")
