"""What the last step of a build makes: the list for reading offline, and the site as a zip."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from pathlib import Path

import pytest

from tools.site.offline import REGISTRATION, package, write_sizes
from tools.site.project import Project

from .conftest import LEAST

PAGE = """\
<html><head><title>A page</title><link href="_static/site.css?v=0123abcd">
<script>{script}</script></head>
<body><article class="a"><h1>{name}</h1><ul><li><a href="notebooks/walks.zip">all</a></li>
<li><a href="notebooks/second.ipynb">one</a></li></ul>
<p><a href="walks-site.zip">The site</a><span data-size-of="walks-site.zip"></span></p>
<div data-needs-file="walks.pdf" hidden=""><a href="walks.pdf">On paper</a></div>
</article></body></html>
"""
FILES = {
    "_static/site.css": "a { src: url(fonts/a.woff2?v=89abcdef) }",
    "_static/fonts/a.woff2": "font",
    "_static/pyodide/pyodide.js": "python",
    "_static/pyodide/stdlib.zip": "more",
    "_static/worker.js": "runs it",
    "_static/data/stored.js": "stored",
    "_static/data/layer-1.safetensors": "weights",
    "notebooks/walks.zip": "zip",
    "notebooks/second.ipynb": "{}",
    ".nojekyll": "",
    "objects.inv": "inventory",
}


def course(root: Path) -> Project:
    """Return a course with a built site of three pages."""
    made = Project(root)
    (root / "lib" / "walks").mkdir(parents=True)
    (root / "lib" / "walks" / "__init__.py").touch()
    (root / "pyproject.toml").write_text(LEAST.replace('"course"', '"walks"'))
    (root / "_config.yml").write_text("title: Walks\n")
    (root / "_toc.yml").write_text("format: jb-book\nroot: second\nchapters:\n- file: first\n")
    (root / "book").mkdir()
    for name in ("first", "second"):
        (root / "book" / f"{name}.md").write_text(f"# {name}\n")
    pages = {f"{name}.html": PAGE.format(name=name, script=REGISTRATION) for name in
             ("first", "second", "genindex")}  # fmt: skip
    for name, text in (FILES | pages).items():
        (made.html / name).parent.mkdir(parents=True, exist_ok=True)
        (made.html / name).write_text(text)
    (made.assets / "worker").mkdir(parents=True)
    (made.assets / "worker" / "sw.js").write_text("work(LIST)")
    return made


@pytest.fixture
def walks(tmp_path: Path) -> Project:
    return course(tmp_path)


def test_worker_knows_every_file_that_is_kept(walks: Project) -> None:
    package(walks)
    text = (walks.html / "sw.js").read_text(encoding="utf-8")
    found = re.fullmatch(r"const LIST=(.*);\nwork\(LIST\)", text)
    assert found is not None
    listed = json.loads(found[1])
    groups = {name: about[0] for name, about in listed["files"].items()}
    assert groups == {
        "_static/data/layer-1.safetensors": "data",
        "_static/data/stored.js": "book",
        "_static/fonts/a.woff2": "book",
        "_static/pyodide/pyodide.js": "python",
        "_static/pyodide/stdlib.zip": "python",
        "_static/site.css": "book",
        "_static/worker.js": "book",
        "genindex.html": "book",
        "notebooks/second.ipynb": "notebooks",
        "notebooks/walks.zip": "notebooks",
        "second.html": "book",
        "first.html": "book",
    }
    assert list(groups)[-2:] == ["second.html", "first.html"]  # the chapters come in their order
    content = (walks.html / "first.html").read_bytes()
    hashed = hashlib.sha256(content).hexdigest()[:16]
    assert listed["files"]["first.html"] == ["book", hashed, len(content)]
    assert listed["versions"] == ["0123abcd", "89abcdef"]


def test_zip_is_the_same_for_the_same_site_and_has_what_works_in_a_folder(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        walks = course(tmp_path / name)
        os.utime(walks.html / "first.html", (10**9, 10**9 + len(made)))
        package(walks)
        made.append(walks.html / "walks-site.zip")
    assert made[0].read_bytes() == made[1].read_bytes()
    with zipfile.ZipFile(made[0]) as archive:
        texts = {name.removeprefix("walks-site/"): archive.read(name).decode()
                 for name in archive.namelist()}  # fmt: skip
    left_out = {"_static/data/layer-1.safetensors", "notebooks/walks.zip", ".nojekyll"}
    pages = {"first.html", "second.html", "genindex.html", "README.txt"}
    assert texts.keys() == (FILES.keys() | pages) - left_out
    assert "Left out are the data of trained models" in texts["README.txt"]
    assert "python3 -m http.server --bind 127.0.0.1 8000" in texts["README.txt"]
    assert "notebooks/walks.zip" not in texts["first.html"]
    assert '<li><a href="notebooks/second.ipynb">one</a></li>' in texts["first.html"]
    assert "<li>all (on the website)</li>" in texts["first.html"]


def test_pages_say_how_large_a_file_is(walks: Project) -> None:
    size = '<span data-size-of="walks-site.zip">{}</span>'
    package(walks)
    page = walks.html / "first.html"
    kilobytes = round((walks.html / "walks-site.zip").stat().st_size / 1e3)
    assert 2 <= kilobytes <= 5
    assert size.format(f" ({kilobytes} kB)") in page.read_text()
    (walks.html / "walks-site.zip").write_bytes(bytes(12_400_000))
    write_sizes(walks.html)
    assert size.format(" (12 MB)") in page.read_text()


def test_pages_speak_of_a_file_only_where_it_is(walks: Project) -> None:
    package(walks)
    page, part = walks.html / "first.html", '<div data-needs-file="walks.pdf"{}><a'
    before = page.read_text()
    assert part.format(' hidden=""') in before
    (walks.html / "walks.pdf").write_text("PDF")
    package(walks)
    assert part.format("") in page.read_text()
    with zipfile.ZipFile(walks.html / "walks-site.zip") as archive:
        assert "walks-site/walks.pdf" not in archive.namelist()
    (walks.html / "walks.pdf").unlink()
    package(walks)
    assert page.read_text() == before


def test_nothing_is_made_twice(walks: Project) -> None:
    package(walks)
    worker = walks.html / "sw.js"
    os.utime(worker, (1, 1))
    package(walks)
    assert worker.stat().st_mtime == 1
    (walks.html / "_static" / "site.css").write_text("b")
    package(walks)
    assert worker.stat().st_mtime > 1


def test_every_page_asks_for_it_in_few_bytes(site: Path) -> None:
    assert len(REGISTRATION) < 300
    pages = [path for path in site.glob("*.html") if 'id="main-content"' in path.read_text("utf-8")]
    with_it = {path.name for path in pages if REGISTRATION in path.read_text(encoding="utf-8")}
    assert {path.name for path in pages} - with_it == {"404.html"}
