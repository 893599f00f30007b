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
from typing import Any

from tools.site.environment import say
from tools.site.offline.folder import write_folder_zip, write_sizes, zip_name
from tools.site.project import Project, fingerprint

WORKER = "sw.js"
#: What stands in the worker's place where a site does not want one: it removes the one that was.
OFF = Path(__file__).with_name("off.js")
#: The page that is shown for one that is not kept, and those that it may be made of.
ABSENT, _FRAMES = "offline.html", ("genindex.html", "search.html")
_ABSENT = """\
<h1>Not kept in this browser</h1>
<p>You are offline, and what you asked for has not been kept in this browser. Pages that you have
opened are there. Once you are connected again, the <a href="index.html">first page</a> lets you
keep all pages, Python and the notebooks. PDFs and the zip of the site are never kept: download them
while you are connected.</p>
"""
#: On every page: has the browser keep the site once the page is there. Not on the machine of those
#: who write it, where the next look should show the next edit.
REGISTRATION = (
    'addEventListener("load",()=>setTimeout(async()=>{try{const w=navigator.serviceWorker;'
    r"if(!/^(|localhost|127\..*|\[::1\])$/.test(location.hostname)){"
    'await w.register("sw.js");(await w.ready).active.postMessage("visit")}}catch{}},2e3))'
)
_PYTHON, _DATA, _NOTEBOOKS = "_static/pyodide/", "_static/data/", "notebooks/"
#: Other downloads, and what only hosts and search engines ask for.
_NOT_KEPT = ("binder/", "pdf/", "_downloads/", "_sources/", "_images/social_previews/")
_OF_PAGES = (
    ".html",
    ".js",
    ".mjs",
    ".css",
    ".json",
    ".woff2",
    ".svg",
    ".png",
    ".jpg",
    ".webp",
    ".gif",
)
_HASH = 16  # hexadecimal digits


def package(project: Project) -> None:
    """Write the zip, its size into the pages, and the service worker, if the site has changed."""
    stamp = project.build / "packaged-from"
    made = {zip_name(project), WORKER, ABSENT}
    program = sorted(Path(__file__).parent.glob("*"))

    def state() -> str:
        files = [p for p in _files(project.html) if p.name not in made]
        given = (*program_text(program), str(project.settings.offline))
        return fingerprint(files, *given)

    is_there = all((project.html / name).exists() for name in (zip_name(project), WORKER))
    if is_there and stamp.exists() and stamp.read_text() == state():
        return
    say("→ packing the site: for reading offline, and as a zip")
    write_absent(project.html)
    write_folder_zip(project)
    write_sizes(project.html)
    write_worker(project)
    stamp.write_text(state())


def program_text(files: list[Path]) -> list[str]:
    """Return what this step is made of, without what Python makes of it."""
    return [path.read_text(encoding="utf-8") for path in files if path.is_file()]


def _files(html: Path) -> list[Path]:
    return sorted(path for path in html.rglob("*") if path.is_file())


def write_absent(html: Path) -> None:
    """Write the page that is shown offline for one that is not kept, in the frame of another."""
    frame = next((html / name for name in _FRAMES if (html / name).exists()), None)
    if frame is None:
        return
    page = frame.read_text(encoding="utf-8")
    page = re.sub(r"(<article\b[^>]*>).*?(</article>)", rf"\1{_ABSENT}\2", page, flags=re.DOTALL)
    title = "<title>Not kept in this browser</title>"
    page = re.sub(r"<title>.*?</title>", title, page, count=1, flags=re.DOTALL)
    (html / ABSENT).write_text(page, encoding="utf-8")


def write_worker(project: Project) -> None:
    """Write the service worker of the site, or that which ends the one that there was."""
    target = project.html / WORKER
    if not project.settings.offline:
        (project.html / ABSENT).unlink(missing_ok=True)
        target.write_bytes(OFF.read_bytes())
        return
    order = [f"{chapter.stem}.html" for chapter in project.chapters()]
    script = (project.assets / "worker" / WORKER).read_text(encoding="utf-8")
    text = json.dumps(listing(project.html, order), ensure_ascii=False, separators=(",", ":"))
    target.write_text(f"const LIST={text};\n{script}", encoding="utf-8")


def listing(html: Path, order: list[str]) -> dict[str, Any]:
    """Return the list of a publication: see ``kept.ts``.

    Parameters
    ----------
    html : Path
        The folder of the site.
    order : list of str
        Its chapters, which browsers keep in this order.
    """
    names = [path.relative_to(html).as_posix() for path in _files(html)]
    grouped = {name: group for name in names if (group := group_of(name))}
    place = {name: at for at, name in enumerate(order)}
    addresses = versions_in(html, [name for name in grouped if name.endswith((".html", ".css"))])
    files = {}
    for name in sorted(grouped, key=lambda name: (place.get(name, len(place)), name)):
        content = (html / name).read_bytes()
        digest = hashlib.sha256(content).hexdigest()[:_HASH]
        version = [addresses[name]] if name in addresses else []
        files[name] = [grouped[name], digest, len(content), *version]
    whole = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:_HASH]
    return {"version": whole, "addresses": sorted({*addresses.values()}), "files": files}


def group_of(name: str) -> str | None:
    """Return to what a file belongs, as ``kept.ts`` calls it; None if it is not kept."""
    if name.startswith(_PYTHON):
        return "python"
    if name.startswith(_NOTEBOOKS):
        return "notebooks"
    if name.startswith(_DATA) and not name.endswith(".js"):  # scripts are figures' own
        return "data"
    if name == WORKER or name.startswith(_NOT_KEPT) or not name.endswith(_OF_PAGES):
        return None
    return "book"


def versions_in(html: Path, names: list[str]) -> dict[str, str]:
    """Return the ``?v=`` with which pages and style sheets ask for a file, by the file's name."""
    found = {}
    for name in names:
        if name == "404.html":  # its addresses begin elsewhere
            continue
        folder = Path(name).parent
        text = (html / name).read_text(encoding="utf-8")
        for address, version in re.findall(r"[\"'(]([^\"'(?:\s]+)\?v=([0-9a-f]{8})", text):
            found[(folder / address).as_posix()] = version
    return found
