"""Chapters as notebooks: what the site offers, and that they run where nothing is installed."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from bs4 import BeautifulSoup

from coursekit.notebooks import Install
from coursekit.notebooks.packed import write_zip
from tools.site.header_buttons import COMMAND
from tools.site.notebooks import to_install
from tools.site.project import Project

from .conftest import by_extras

BOOK = Project(Path(__file__).resolve().parents[2])
WHEEL = BOOK.settings.course.wheel
PATHS = BOOK.notebooks()


@pytest.mark.parametrize("chapter", PATHS)
def test_site_offers_the_chapter_as_a_valid_notebook(site: Path, chapter: str) -> None:
    notebook = nbformat.read(site / "notebooks" / PATHS[chapter], as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert any(cell.cell_type == "code" for cell in notebook.cells)
    # Directives of the page have no meaning in a notebook.
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "```{" not in text
    assert "{cite}" not in text


@pytest.mark.parametrize("chapter", PATHS)
def test_references_to_other_chapters_lead_to_the_site_or_to_the_notebook_beside(
    site: Path, chapter: str
) -> None:
    file = site / "notebooks" / PATHS[chapter]
    notebook = nbformat.read(file, as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    beside = re.findall(r"\]\(([^():]+\.ipynb)\)", text)
    assert [name for name in beside if not (file.parent / name).is_file()] == []
    source = (BOOK.book / f"{chapter}.md").read_text(encoding="utf-8")
    for other in set(re.findall(r"\]\(([\w-]+)\.md", source)) & set(PATHS) - {chapter}:
        path = re.escape(os.path.relpath(PATHS[other], os.path.dirname(PATHS[chapter]) or "."))
        assert re.search(rf"\]\(({path}|https://[^)]+/{other}\.html[^)]*)\)", text), other


def test_notebook_installs_only_what_it_needs() -> None:
    def install(*code: str, site: str = "https://ada.github.io/course/") -> Install:
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in code])
        return to_install(BOOK, "first", made, site)

    light = install("import attn")
    assert light == Install((WHEEL,), ("notebook",), "https://ada.github.io/course/notebooks/")
    assert install("import attn", site="").site == ""
    assert install("import attn", "%matplotlib inline\nimport torch").extras == (
        "notebook",
        "torch",
    )
    teach = install("%%bash\ncoursekit grade masking\ndask worker &")
    assert {"notebook", "grading", "cluster"} <= set(teach.extras)


@pytest.mark.parametrize("chapter", PATHS)
def test_site_offers_the_chapter_with_a_cell_that_installs_what_it_uses(
    site: Path, chapter: str
) -> None:
    notebook = nbformat.read(site / "notebooks" / PATHS[chapter], as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert first.metadata["coursekit"] == {"role": "install"}
    folder = "../" * PATHS[chapter].count("/")
    assert f'wheels = ["{folder}{WHEEL}"]' in first.source
    assert len(first.source.splitlines()) <= 10


def test_archive_has_every_notebook_and_the_wheel(site: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive) as zipped:
        names = {name.removeprefix("attention-course/") for name in zipped.namelist()}
        inside = {name: zipped.read(f"attention-course/{name}") for name in names}
    assert "python3 install.py" in inside.pop("README.txt").decode()
    assert "'notebook,torch', '00-start-here.ipynb'" in inside.pop("install.py").decode()
    copies = {f"to-read/{path.rpartition('/')[2]}" for path in PATHS.values()}
    assert set(inside) == {"00-start-here.ipynb", WHEEL, *PATHS.values(), *copies}
    assert all((site / "notebooks" / name).read_bytes() == data for name, data in inside.items())


def test_page_is_told_what_the_zip_of_each_chapter_has(site: Path) -> None:
    folder = site / "notebooks"
    zips = json.loads((folder / "zips.json").read_text(encoding="utf-8"))
    assert set(zips) == set(PATHS.values())
    for path, made in zips.items():
        assert made["files"] == [path, WHEEL]
        assert all((folder / name).is_file() for name in made["files"])
        name = path.removesuffix(".ipynb")
        extras = next(each for each, names in by_extras(folder).items() if name in names)
        assert f"'{extras}', '{path}'" in made["texts"]["install.py"]


def test_numbers_follow_the_book_and_what_is_no_chapter_lies_in_a_folder(site: Path) -> None:
    assert PATHS["motivation"] == "01-motivation.ipynb"
    assert PATHS["instructors"] == "for-those-who-teach/instructors.ipynb"
    numbered = [path for path in PATHS.values() if "/" not in path]
    assert numbered == sorted(numbered)
    start = nbformat.read(site / "notebooks" / "00-start-here.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in start.cells)
    assert all(f"]({path})" in text for path in PATHS.values())
    assert re.search(r"built on \d{1,2} \w+ \d{4}", text)


@pytest.mark.parametrize("chapter", ["motivation", "instructors"])
def test_copy_to_read_has_the_outputs_of_the_page_as_pictures(site: Path, chapter: str) -> None:
    path = PATHS[chapter]
    name = path.rpartition("/")[2]
    file = site / "notebooks" / "to-read" / name
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert f"[{name}](../{path})" in notebook.cells[2].source
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    data = [output.data for output in outputs if "data" in output]
    assert len(outputs) > 5
    pictures = [each for each in data if "image/svg+xml" in each]
    assert pictures
    assert all("](data:image/svg+xml;base64," in each["text/markdown"] for each in pictures)
    assert not any("text/html" in each for each in pictures)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    beside = re.findall(r"\]\(([^():]+\.ipynb)\)", text)
    assert [each for each in beside if not (file.parent / each).is_file()] == []


def test_copies_to_read_have_no_picture_that_comes_out_as_letters(site: Path) -> None:
    figures, images = [], 0
    for file in sorted((site / "notebooks" / "to-read").glob("*.ipynb")):
        for cell in nbformat.read(file, as_version=4).cells:
            outputs = cell.get("outputs", [])
            pages = [o.data["text/html"] for o in outputs if "text/html" in o.get("data", {})]
            pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', "".join(pages))
            for picture in pictures:
                ElementTree.fromstring(base64.b64decode(picture))  # as a viewer reads an image
            images += len(pictures)
            assert not [page for page in pages if "<svg" in page], (file.name, cell.id)
            if cell.metadata.get("coursekit", {}).get("role") == "figure":
                figures += [(file.name, cell.id, len(pages))]
    assert images > 20
    assert figures
    assert [each for each in figures if each[2] != 1] == []


def test_archive_of_the_same_files_is_the_same(tmp_path: Path) -> None:
    files = {"a.ipynb": b"a", "b.whl": b"b"}
    for name, made in (("one", files), ("two", dict(reversed(files.items())))):
        (tmp_path / name).mkdir()
        write_zip(tmp_path / name / "all.zip", made)
    one, two = (tmp_path / name / "all.zip" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_pages_give_the_one_command_and_the_wheel_that_there_is(site: Path) -> None:
    page = BeautifulSoup((site / "welcome.html").read_text(encoding="utf-8"), "html.parser")
    link = page.select_one('article a[href$=".whl"]')
    assert link is not None
    assert link["href"] == f"notebooks/{WHEEL}"
    for text in (page.get_text(), (BOOK.root / "README.md").read_text(encoding="utf-8")):
        assert COMMAND in text
        assert set(re.findall(r"attention_course-[\w.-]+?\.whl", text)) <= {WHEEL}


@pytest.mark.parametrize("version", ["3.8", "3.10"])
def test_python_that_is_too_old_is_told_so_in_one_sentence(
    interpreter: Callable[[str], str], unpacked: Path, version: str
) -> None:
    """The first cell is code that such a Python can read."""
    notebook = nbformat.read(unpacked / PATHS["hashing"], as_version=4)
    code = next(cell.source for cell in notebook.cells if cell.cell_type == "code")
    command = [interpreter(version), "-c", "import sys; exec(sys.stdin.read(), {})"]
    done = subprocess.run(
        command, input=code, capture_output=True, text=True, check=False, cwd=unpacked
    )
    shown = done.stderr.splitlines()[-1]
    assert f"needs Python 3.11 or newer, and this is Python {version}." in shown


@pytest.mark.heavy
@pytest.mark.parametrize("extras", ["notebook", "notebook,torch", "notebook,torch,grading,cluster"])
def test_notebooks_of_the_archive_run_with_just_what_they_declare(
    new_environment: Callable[..., Any], unpacked: Path, extras: str
) -> None:
    new = new_environment("clean", constraints=BOOK.root / "requirements.txt")
    groups = by_extras(unpacked)
    assert set(groups) == {"notebook", "notebook,torch", "notebook,torch,grading,cluster"}
    # All of those that are for readers run on Colab's packages (`test_colab.py`).
    new.run_all(unpacked, groups[extras][:: 4 if extras == "notebook,torch" else 1])
    assert "torch" in extras or "torch" not in new.versions()
    where = "import attn, attnlab.explorables as e; print(attn.__file__, e.__file__)"
    done = subprocess.run([new.python, "-c", where], capture_output=True, text=True, check=True)
    assert all(str(new.folder) in part for part in done.stdout.split())
