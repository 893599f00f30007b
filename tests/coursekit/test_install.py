"""A notebook's first cell: what it finds, what it installs, what it says where it cannot."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from coursekit.errors import CoursekitError
from coursekit.notebook.install import address_of, imported_by, install_cell, site_url

WHEEL = "course-1-py3-none-any.whl"
PUBLISHED = f"course[notebook] @ https://ada.github.io/course/notebooks/{WHEEL}"


def run(folder: Path, modules: set[str], *sources: str, brings: str = "") -> list[list[str]]:
    """Run the cell, its `%pip` a stand-in that brings a module; return what pip was asked for."""
    asked: list[list[str]] = []

    def pip(magic: str, line: str) -> None:
        asked.append([magic, *shlex.split(line)])
        (folder / f"{brings}.py").touch()

    code = TransformerManager().transform_cell(install_cell(modules, sources).source)
    exec(code, {"get_ipython": lambda: SimpleNamespace(run_line_magic=pip)})
    return asked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_nothing_happens_where_nothing_is_missing(folder: Path, capsys) -> None:
    assert run(folder, {"json", "sys"}, PUBLISHED) == []
    assert capsys.readouterr().out == ""


def test_pip_installs_what_brings_the_missing_modules(folder: Path, capsys) -> None:
    sources = (PUBLISHED, "other-2-py3-none-any.whl")
    asked = run(folder, {"json", "missing_one"}, *sources, brings="missing_one")
    assert asked == [["pip", "install", "-q", *sources]]
    assert capsys.readouterr().out.startswith("Installing missing_one takes some minutes")


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        (PUBLISHED, "a network. Then"),
        (f"{WHEEL}[notebook]", f"a network, and {WHEEL} beside this notebook. Then"),
        (WHEEL, f"a network, and {WHEEL} beside this notebook. Then"),
    ],
)
def test_where_pip_fails_one_line_says_what_to_do(folder: Path, source: str, needed: str) -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        run(folder, {"missing_one", "missing_two"}, source, brings="missing_two")
    assert str(caught.value) == (
        f"missing_one could not be installed: pip says above why. It needs {needed} restart the "
        "kernel and run this cell again."
    )


@pytest.mark.parametrize("others", [set(), {"missing_one"}], ids=["installed", "to install"])
@pytest.mark.parametrize("name", ["numpy", "token", "helpers"])
def test_a_file_beside_the_notebook_that_hides_a_module_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, others: set[str]
) -> None:
    (folder / "work").mkdir()
    (folder / "work" / f"{name}.py").touch()
    monkeypatch.chdir(folder / "work")
    hides = name == "numpy" or (name == "token" and others)  # pip alone runs in this folder
    said = pytest.raises(ImportError, match=f"^{name}.py in this folder hides .*Rename")
    with said if hides else nullcontext():
        assert len(run(folder, {"numpy", *others}, WHEEL, brings="missing_one")) == len(others)


def test_cells_say_what_they_import() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("import nothing"),
        nbformat.v4.new_code_cell("%matplotlib inline\nimport os, torch.nn as nn\n!ls"),
        nbformat.v4.new_code_cell("def f():\n    from attn.torch import rotary"),
        nbformat.v4.new_code_cell("%%bash\nimport -window root shot.png"),
        nbformat.v4.new_code_cell("import mended(\n"),
    ]
    assert imported_by(cells) == {"torch", "attn"}


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("", ""),
        ("https://github.com/Ada/course", "https://ada.github.io/course/"),
        ("https://github.com/Ada/course.git/", "https://ada.github.io/course/"),
        ("https://github.com/Ada/Ada.github.io", "https://ada.github.io/"),
        ("https://github.com/Ada/bob.github.io", "https://ada.github.io/bob.github.io/"),
    ],
)
def test_site_stands_where_github_serves_it(url: str, site: str) -> None:
    assert site_url(url) == site


@pytest.mark.parametrize("own", ["https://walks.example.org", "https://walks.example.org/"])
def test_a_domain_of_its_own_goes_before_github_s(own: str) -> None:
    repository = {"url": "https://github.com/Ada/course"}
    assert address_of({"repository": repository}) == "https://ada.github.io/course/"
    config = {"html": {"baseurl": own}, "repository": repository}
    assert address_of(config) == "https://walks.example.org/"
    assert address_of({"html": {"baseurl": f"{own.rstrip('/')}/a/b"}}) == f"{own.rstrip('/')}/a/b/"
    assert address_of({"html": None, "repository": None}) == ""


@pytest.mark.parametrize(
    "own", ["walks.example.org", "https://", "https://a.org/x y", "https://a/?b"]
)
def test_a_domain_that_is_no_address_is_one_line(own: str) -> None:
    with pytest.raises(CoursekitError, match=r"html baseurl is .*; expected the address of the"):
        address_of({"html": {"baseurl": own}})


@pytest.mark.parametrize("url", ["https://example.org/a/b", "https://github.com/only", "nonsense"])
def test_address_that_is_no_repository_is_one_line(url: str) -> None:
    with pytest.raises(CoursekitError, match=r"expected https://github\.com/OWNER/NAME"):
        site_url(url)
