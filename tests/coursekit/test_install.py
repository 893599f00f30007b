"""A notebook's first cell: what it finds, what it installs, what it says where it cannot."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import nbformat
import pytest

from coursekit.errors import CoursekitError
from coursekit.notebook.install import Install, address_of, from_source, site_url

from .install_cells import MISSING, PUBLISHED, WHEEL, Pip, colab, run, wheel

__all__ = ["colab"]


def test_nothing_happens_where_nothing_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = Pip()
    run(monkeypatch, tmp_path, Install({"json": "", "sys": ""}, (PUBLISHED,), (WHEEL,)), pip)
    assert pip.asked == []
    assert capsys.readouterr().out == ""


def test_the_wheel_beside_the_notebook_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel(tmp_path)
    pip = Pip(["our_missing_module"])
    install = Install({"our_missing_module": ""}, (PUBLISHED,), (WHEEL,), ("notebook", "torch"))
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[f"{tmp_path / WHEEL}[notebook,torch]"]]


def test_the_wheel_that_brings_coursekit_is_installed_with_the_course_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheels = (WHEEL, "other-2-py3-none-any.whl")
    install = Install({"our_missing_module": ""}, (PUBLISHED,), wheels, ("notebook",))
    wheel(tmp_path)
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[PUBLISHED]]  # one of the two wheels alone is not enough
    (tmp_path / "our_missing_module.py").unlink()
    wheel(tmp_path, wheels[1])
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [[f"{tmp_path / WHEEL}[notebook]", str(tmp_path / wheels[1])]]


def test_a_course_without_extras_is_asked_for_by_its_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel(tmp_path)
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, Install({"our_missing_module": ""}, (), (WHEEL,)), pip)
    assert pip.asked == [[str(tmp_path / WHEEL)]]


@pytest.mark.parametrize("is_there", [False, True])
def test_that_figures_move_after_the_page_is_reloaded_is_said_where_widgets_were_missing(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    is_there: bool,
) -> None:
    pip, find = Pip(["our_missing_module"]), importlib.util.find_spec

    def find_unless_missing(name: str) -> object:
        return None if name == "anywidget" and not (is_there or pip.asked) else find(name)

    monkeypatch.setattr(importlib.util, "find_spec", find_unless_missing)
    monkeypatch.delitem(sys.modules, "anywidget", raising=False)
    install = Install({"our_missing_module": "", "anywidget": "anywidget"}, (PUBLISHED,), (WHEEL,))
    run(monkeypatch, tmp_path, install, pip)
    said = "reloaded this page in the browser" in capsys.readouterr().out
    assert said == (not is_there)


def test_the_published_wheel_is_next(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pip = Pip(["our_missing_module"])
    run(monkeypatch, tmp_path, Install({"our_missing_module": ""}, (PUBLISHED,), (WHEEL,)), pip)
    assert pip.asked == [[PUBLISHED]]


def test_what_others_make_is_installed_by_name_where_the_library_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pip = Pip(["their_missing_module"])
    install = Install(
        {"json": "", "their_missing_module": "theirs>=2"}, (), (WHEEL,), ("notebook",)
    )
    run(monkeypatch, tmp_path, install, pip)
    assert pip.asked == [["theirs>=2"]]


def test_colab_keeps_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, colab: list[str]
) -> None:
    pip = Pip(["our_missing_module", "their_missing_module"])
    run(monkeypatch, tmp_path, Install(MISSING, (PUBLISHED,), (WHEEL,)), pip)
    ours, theirs = pip.asked
    assert ours == ["--no-deps", PUBLISHED]
    assert theirs[0] == "--constraint"
    assert theirs[2:] == ["theirs>=2"]
    names = [line.split("==")[0] for line in pip.constraints.splitlines()]
    assert len(names) == len(set(names))
    assert f"pytest=={pytest.__version__}" in pip.constraints
    assert colab == []  # no widget in this notebook


def test_widgets_of_others_are_switched_on_in_colab(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, colab: list[str]
) -> None:
    run(monkeypatch, tmp_path, Install({"anywidget": "anywidget"}, (PUBLISHED,)), Pip())
    assert colab == ["widgets"]


def test_cells_say_what_they_import() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("import nothing"),
        nbformat.v4.new_code_cell("%matplotlib inline\nimport os, torch.nn as nn\n!ls"),
        nbformat.v4.new_code_cell("def f():\n    from attn.torch import rotary"),
        nbformat.v4.new_code_cell("%%bash\nimport -window root shot.png"),
        nbformat.v4.new_code_cell("import mended(\n"),
    ]
    assert from_source(cells, "a.whl") == Install({"torch": "", "attn": ""}, ("a.whl",))


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
