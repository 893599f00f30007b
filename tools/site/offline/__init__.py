"""The last step of a build: a site that browsers keep for reading offline, and as one zip.

The list of files with their hashes, above the script of the service worker, is all that the worker
knows of a publication. It is made when the site is finished, by the command of the build and not by
previews of it: those are never kept.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from pathlib import Path

from tools.site.environment import say
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
README = """\
{title}: the whole site in a folder

Open index.html in a browser. Texts, figures, questions and the search work from here, without a
connection. Browsers run no Python in pages that are opened as files. To run code in the pages, have
a server send them: with Python installed, run in this folder

    python3 -m http.server --bind 127.0.0.1 8000

(on Windows, python in place of python3) and open http://127.0.0.1:8000. That needs no connection.

The folder notebooks has all chapters as notebooks, and the library that they need. {left_out}
"""
_SIZE = re.compile(r'(<span data-size-of="([^"]+)">)[^<]*(</span>)')
#: A part of a page that speaks of a file which not every site has, such as PDFs.
_IF_THERE = re.compile(r'(<(?:div|li) data-needs-file="([^"]+)")(?: hidden="")?>')
#: Links to archives and PDFs: downloads of their own.
_LINK = re.compile(r'<a\b[^>]*href="[^":]+\.(?:zip|pdf)"[^>]*>(.*?)</a>', re.DOTALL)


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
    """Return what ``worker.ts`` knows of a publication in the folder ``html``.

    ``order`` are its chapters, which browsers keep in this order, after what pages share.
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


def zip_name(project: Project) -> str:
    """Return the name of the zip, in the root of the site."""
    return f"{project.course.distribution}-site.zip"


def write_folder_zip(project: Project) -> None:
    """Write the zip without what cannot work in a folder; the same site, the same bytes."""
    target, html = project.html / zip_name(project), project.html
    data = any(path.suffix != ".js" for path in (html / "_static" / "data").glob("*"))
    left_out = "Left out are the data of trained models, which the website has." if data else ""
    readme = README.format(title=project.config()["title"], left_out=left_out)
    names = [path.relative_to(html).as_posix() for path in html.rglob("*") if path.is_file()]
    content = {name: _for_folder(html / name) for name in names if works_in_folder(name)}
    write_zip(target, content | {"README.txt": readme.encode()})


def works_in_folder(name: str) -> bool:
    """Whether a file is of use in a folder; archives and PDFs have the same once more."""
    if name.startswith("_static/data/"):
        return name.endswith(".js")
    if name.startswith("_static/pyodide/"):  # for those who serve the folder
        return True
    left_out = ("binder/", WORKER, ".", "_images/social_previews/", "sitemap.xml", "robots.txt")
    return not name.startswith(left_out) and not name.endswith((".zip", ".pdf"))


def _for_folder(file: Path) -> bytes:
    """Return what is in a file; a page without links to archives, which only the website has."""
    if file.suffix != ".html":
        return file.read_bytes()
    # As a new build has it, without what `write_sizes` has written.
    text = _SIZE.sub(r"\1\3", file.read_text(encoding="utf-8"))
    text = _IF_THERE.sub(r'\1 hidden="">', text)
    return _LINK.sub(r"\1 (on the website)", text).encode()


def write_zip(target: Path, content: dict[str, bytes]) -> None:
    """Write a zip with one folder, in which each name has its content; the same, the same bytes."""
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(content):
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content[name], zipfile.ZIP_DEFLATED)


def write_sizes(html: Path) -> None:
    """Write the sizes of files into the pages that name them: ``<span data-size-of="a.zip">``.

    A ``<div data-needs-file="a.pdf" hidden>`` or ``<li …>`` is shown where there is that file.
    """

    def shown(found: re.Match[str]) -> str:
        return f"{found[1]}>" if (html / found[2]).exists() else f'{found[1]} hidden="">'

    for page in html.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        sized = _SIZE.sub(lambda found: f"{found[1]}{_size(html / found[2])}{found[3]}", text)
        sized = _IF_THERE.sub(shown, sized)
        if sized != text:
            page.write_text(sized, encoding="utf-8")


def _size(file: Path) -> str:
    if not file.exists():
        return ""
    size = file.stat().st_size
    if size < 1e6:
        return f" ({size / 1e3:.0f} kB)"
    return f" ({size / 1e6:.1f} MB)" if size < 1e7 else f" ({size / 1e6:.0f} MB)"
