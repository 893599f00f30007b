"""The last step of a build: a site that browsers keep for reading offline, and as one zip.

The list of files with their hashes, above the script of the service worker, is all that the worker
knows of a publication. It is made when the site is finished, by the command of the build and not by
previews of it: those are never kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from tools.site.environment import say
from tools.site.offline.folder import write_folder_zip, write_sizes, zip_name
from tools.site.project import Project, fingerprint, sources

WORKER = "sw.js"
#: On every page: has the browser keep the site once the page is there, and once a new worker has
#: taken over. Not on the machine of its writers, where the next look should show the next edit.
REGISTRATION = (
    'addEventListener("load",()=>setTimeout(async()=>{try{const w=navigator.serviceWorker,'
    'f=()=>(r?.waiting||w.controller)?.postMessage({type:"visit"});let r;'
    r"if(!/^(|localhost|127\..*|\[::1\])$/.test(location.hostname)){"
    'w.oncontrollerchange=f;r=await w.register("sw.js");f()}}catch{}},2e3))'
)
_GROUPS = {"_static/pyodide/": "python", "_static/data/": "data", "notebooks/": "notebooks"}
#: Other downloads, and what only hosts and search engines ask for.
_NOT_KEPT = ("binder/", "pdf/", "_downloads/", "_sources/", "_images/social_previews/", WORKER)
_OF_PAGES = (
    *(".html", ".js", ".css", ".json", ".woff2"),
    *(".svg", ".png", ".jpg", ".webp", ".gif"),
)
_HASH = 16  # hexadecimal digits


def package(project: Project) -> None:
    """Write the zip, its size into the pages, and the service worker, if the site has changed."""
    stamp = project.build / "packaged-from"
    made = [project.html / name for name in (zip_name(project), WORKER)]
    program = sources(Path(__file__).parent)

    def state() -> str:
        files = [path for path in project.html.rglob("*") if path.is_file() and path not in made]
        return fingerprint([*files, *program])

    is_there = all(path.exists() for path in made)
    if is_there and stamp.exists() and stamp.read_text() == state():
        return
    say("→ packing the site: for reading offline, and as a zip")
    write_folder_zip(project)
    write_sizes(project.html)
    write_worker(project)
    stamp.write_text(state())


def write_worker(project: Project) -> None:
    """Write the service worker of the site."""
    order = [f"{chapter.stem}.html" for chapter in project.chapters()]
    script = (project.assets / "worker" / WORKER).read_text(encoding="utf-8")
    text = json.dumps(listing(project.html, order), ensure_ascii=False, separators=(",", ":"))
    (project.html / WORKER).write_text(f"const LIST={text};\n{script}", encoding="utf-8")


def listing(html: Path, order: list[str]) -> dict[str, object]:
    """Return what ``worker.ts`` knows of a publication.

    Parameters
    ----------
    html : Path
        The folder of the site.
    order : list of str
        Its chapters, which browsers keep in this order, after what pages share.
    """
    names = [path.relative_to(html).as_posix() for path in html.rglob("*") if path.is_file()]
    place = {name: at for at, name in enumerate(order)}
    files, versions = {}, set()
    for name in sorted(names, key=lambda name: (place.get(name, -1), name)):
        if group := group_of(name):
            content = (html / name).read_bytes()
            files[name] = [group, hashlib.sha256(content).hexdigest()[:_HASH], len(content)]
            if name.endswith((".html", ".css")):
                versions |= {*re.findall(r"\?v=([0-9a-f]{8})", content.decode())}
    return {"versions": sorted(versions), "files": files}


def group_of(name: str) -> str | None:
    """Return to what a file belongs, as ``worker.ts`` calls it; None if it is not kept."""
    for folder, group in _GROUPS.items():
        # Scripts among the data are figures' own.
        if name.startswith(folder) and not (group == "data" and name.endswith(".js")):
            return group
    return "book" if name.endswith(_OF_PAGES) and not name.startswith(_NOT_KEPT) else None
