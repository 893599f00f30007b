"""The site as one zip, to be opened from a folder: what cannot work there is left out."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from tools.site.project import Project

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


def zip_name(project: Project) -> str:
    """Return the name of the zip, in the root of the site."""
    return f"{project.course.distribution}-site.zip"


def write_folder_zip(project: Project) -> None:
    """Write the zip; the same site, the same bytes."""
    target, html = project.html / zip_name(project), project.html
    data = any(path.suffix != ".js" for path in (html / "_static" / "data").glob("*"))
    left_out = "Left out are the data of trained models, which the website has." if data else ""
    readme = README.format(title=project.config()["title"], left_out=left_out)
    content = {"README.txt": readme.encode()}
    for path in html.rglob("*"):
        name = path.relative_to(html).as_posix()
        if path.is_file() and works_in_folder(name):
            content[name] = for_folder(path) if path.suffix == ".html" else path.read_bytes()
    write_zip(target, content)


def works_in_folder(name: str) -> bool:
    """Whether a file is of use in a folder; archives and PDFs have the same once more."""
    if name.startswith("_static/data/"):
        return name.endswith(".js")
    if name.startswith("_static/pyodide/"):  # for those who serve the folder
        return True
    left_out = ("binder/", "sw.js", ".", "_images/social_previews/", "sitemap.xml", "robots.txt")
    return not name.startswith(left_out) and not name.endswith((".zip", ".pdf"))


def for_folder(page: Path) -> bytes:
    """Return a page without links to archives, which only the website has."""
    text = without_files(page.read_text(encoding="utf-8"))
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


def without_files(page: str) -> str:
    """Return a page without what this step has written into it, as a new build would have it."""
    return _IF_THERE.sub(r'\1 hidden="">', _SIZE.sub(r"\1\3", page))


def _size(file: Path) -> str:
    if not file.exists():
        return ""
    size = file.stat().st_size
    if size < 1e6:
        return f" ({size / 1e3:.0f} kB)"
    return f" ({size / 1e6:.1f} MB)" if size < 1e7 else f" ({size / 1e6:.0f} MB)"
