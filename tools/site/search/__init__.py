"""Write the search index of the site's sections as a script that the pages load.

`sections` reads the pages, ``ranking.ts`` finds, with MiniSearch, ``dialog.ts`` shows it, and
`loader` is what every page has. The index is a script and not JSON, so that search works in a
folder, too, where a page may not fetch files.
"""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

from tools.site.project import Project, fingerprint
from tools.site.search.sections import sections_of

INDEX = "search-index.js"
STYLE = Path(__file__).with_name("search.css")
LOADER = Path(__file__).with_name("loader.py")


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
