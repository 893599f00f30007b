"""Search over the site's sections: what it finds, written as a script that the pages load.

`sections` reads the pages, ``engine.ts`` finds, with MiniSearch, and ``dialog.ts`` shows it. The
index is a script and not JSON, so that search works in a folder, too, where a page may not fetch
files.
"""

from __future__ import annotations

import json
from pathlib import Path

from tools.site.project import Project
from tools.site.search.sections import Section

INDEX = "search-index.js"
STYLE = Path(__file__).with_name("search.css")


def write_index(project: Project, pages: list[tuple[str, list[Section]]]) -> None:
    """Write what can be found on pages, which are named by their files, in reading order."""
    content = {"pages": pages, "synonyms": project.search_synonyms}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    script = project.html / "_static" / INDEX
    script.write_text(f"globalThis.searchIndex={text};\n", encoding="utf-8")
