"""Chapters as notebooks: what the site offers. `test_bounds.py` runs them in new environments."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from tools.site.environment import BuildError
from tools.site.notebooks import needs, to_install
from tools.site.project import Project
from tools.site.theme import install_commands

from .conftest import by_extras, run_notebook

BOOK = Project(Path(__file__).resolve().parents[2])
WHEEL = BOOK.course.wheel
CHAPTERS = [chapter for chapter in BOOK.chapters() if BOOK.is_notebook(chapter)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_site_offers_the_chapter_as_a_valid_notebook(site: Path, chapter: Path) -> None:
    notebook = nbformat.read(site / "notebooks" / f"{chapter.stem}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # The first cell installs what it uses.
    first, *_ = codes
    assert first.metadata["coursekit"] == {"role": "install"}
    assert len(first.source.splitlines()) <= 10
    assert re.search(rf'%pip install -q ".*{re.escape(WHEEL)}[^"]*"$', first.source, re.MULTILINE)
    # No output gives a prediction away.
    assert all((cell.outputs, cell.execution_count) == ([], None) for cell in codes)
    # Directives of the page have no meaning in a notebook.
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "```{" not in text
    assert "{cite}" not in text
    # Other chapters are on the site, or notebooks beside this one.
    folder = site / "notebooks"
    beside = re.findall(r"\]\(([^():]+\.ipynb)\)", text)
    assert [name for name in beside if not (folder / name).is_file()] == []
    named = set(re.findall(r"\]\(([\w-]+)\.md", chapter.read_text(encoding="utf-8")))
    for other in named & {each.stem for each in CHAPTERS} - {chapter.stem}:
        assert re.search(rf"\]\(({other}\.ipynb|https://[^)]+/{other}\.html[^)]*)\)", text), other


@pytest.mark.parametrize(
    ("chapter", "extras"), [("positions", "notebook"), ("windows", "notebook,torch")]
)
def test_notebook_installs_the_published_wheel_and_only_what_it_needs(
    chapter: str, extras: str
) -> None:
    def sources(site: str) -> list[str]:
        return to_install(BOOK, BOOK.book / f"{chapter}.md", site)[1]

    site = "https://ada.github.io/course/"
    assert sources(site) == [f"attention-course[{extras}] @ {site}notebooks/{WHEEL}"]
    assert sources("") == [f"{WHEEL}[{extras}]"]


def chapter_with(folder: Path, extras: str) -> Path:
    path = folder / "first.md"
    path.write_text(f"---\nkernelspec: {{name: python3}}\n{extras}\n---\n\n# First\n")
    return path


def test_extras_are_those_of_the_course_or_of_the_chapter_with(tmp_path: Path) -> None:
    modules, extras = needs(BOOK, chapter_with(tmp_path, ""))
    assert extras == ["notebook", "torch"]
    assert {"attn", "attnlab", "coursekit", "numpy", "matplotlib", "torch"} <= modules
    modules, extras = needs(BOOK, chapter_with(tmp_path, "extras: [notebook]"))
    assert extras == ["notebook"]
    assert "torch" not in modules


def test_a_module_has_not_always_its_distribution_s_name(tmp_path: Path) -> None:
    modules, _ = needs(BOOK, chapter_with(tmp_path, "extras: [grading]"))
    assert {"yaml", "markdown_it"} <= modules
    assert "pyseccomp" not in modules  # not every system has it


def test_an_extra_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    said = "first: extras has pictures, which pyproject.toml has not"
    with pytest.raises(BuildError, match=said):
        needs(BOOK, chapter_with(tmp_path, "extras: [pictures]"))


def test_archive_has_every_notebook_and_the_wheel(site: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive) as zipped:
        names = {name.removeprefix("attention-course/") for name in zipped.namelist()}
        inside = {name: zipped.read(f"attention-course/{name}") for name in names}
    readme = inside.pop("README.txt").decode()
    assert f'"{WHEEL}[notebook,torch]"' in readme
    assert set(inside) == {f"{chapter.stem}.ipynb" for chapter in CHAPTERS} | {WHEEL}
    assert all((site / "notebooks" / name).read_bytes() == data for name, data in inside.items())


def test_pages_that_give_the_command_name_the_wheel_that_there_is(site: Path) -> None:
    page = BeautifulSoup((site / "using.html").read_text(encoding="utf-8"), "html.parser")
    assert "\n".join(install_commands(BOOK)) in page.get_text()
    link = page.select_one('article a[href$=".whl"]')
    assert link is not None
    assert link["href"] == f"notebooks/{WHEEL}"
    for text in (page.get_text(), (BOOK.root / "README.md").read_text(encoding="utf-8")):
        assert f'"{WHEEL}[notebook,torch]" jupyterlab' in text
        assert "--extra-index-url https://download.pytorch.org/whl/cpu" in text
        assert set(re.findall(r"attention_course-[\w.-]+?\.whl", text)) == {WHEEL}


def test_a_notebook_of_the_archive_that_declares_no_torch_runs_without(
    unpacked: Path, tmp_path: Path
) -> None:
    assert "positions" in by_extras(unpacked)["notebook"]
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(name='torch')\n")
    run_notebook(unpacked / "positions.ipynb", {**os.environ, "PYTHONPATH": str(tmp_path)})
