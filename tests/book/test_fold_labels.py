"""The label of a folded cell says what is behind it: the figure, the table, the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from tools.site.build import write_pages
from tools.site.execute import execute
from tools.site.fold_labels import kind_of, label

SHOWN = ".cell details.hide .collapsed"
HIDDEN = ".cell details.hide .expanded"


def cell(*outputs: nodes.Node) -> nodes.container:
    """Return a code cell as MyST-NB makes it, with these outputs."""
    output = nodes.container("", *outputs, nb_element="cell_code_output")
    return nodes.container("", nodes.container(nb_element="cell_code_source"), output)


def html(text: str) -> nodes.raw:
    return nodes.raw(text, text, format="html")


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (nodes.image(uri="a.png"), "figure"),
        (html("<div><svg></svg></div>"), "figure"),
        (html("<course-figure><table></table></course-figure>"), "figure"),
        (html("<table><tr><td><svg></svg></td></tr></table>"), "table"),
        (nodes.table(), "table"),
        (nodes.literal_block("42", "42"), "result"),
        (html("<p>42</p>"), "result"),
    ],
)
def test_kind_is_read_off_the_output(output: nodes.Node, kind: str) -> None:
    assert kind_of(cell(nodes.container("", output))) == kind


def test_a_cell_without_output_has_no_kind() -> None:
    assert kind_of(cell()) is None
    assert label("input", None) == "the code"
    assert label("all", None) == "the code"


def test_labels_of_a_page(course: Any) -> None:
    figure = 'from IPython.display import HTML\nHTML("<svg></svg>")'
    own = "tags: [hide-output]\nmystnb:\n  code_prompt_show: Show the sum"
    cells = [
        ("tags: [hide-output]", "print(42)"),
        ("tags: [hide-input]", figure),
        ("tags: [hide-cell]", figure),
        ("tags: [hide-cell]", "x = 1"),
        (own, "print(43)"),
    ]
    blocks = [f"```{{code-cell}}\n---\n{tags}\n---\n{code}\n```\n" for tags, code in cells]
    course.write("first", "# First\n\n" + "\n".join(blocks))
    execute(course)
    write_pages(course)
    stage = next(course.build.rglob("stage/**/first.html"))
    page = BeautifulSoup(stage.read_text(encoding="utf-8"), "html.parser")
    assert [shown.get_text() for shown in page.select(SHOWN)] == [
        "Show the result",
        "Show the code of this figure",
        "Show the figure and its code",
        "Show the code",
        "Show the sum",
    ]
    assert page.select_one(HIDDEN).get_text() == "Hide the result"


def test_the_book_labels_every_fold(site: Path) -> None:
    pages = {
        path.stem: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.glob("*.html")
    }
    folds = [(name, fold) for name, page in pages.items() for fold in page.select("details.hide")]
    assert len(folds) > 50
    for name, fold in folds:
        for text in fold.select_one("summary").stripped_strings:
            assert "code cell" not in text, name
        said = fold.select_one(".collapsed").get_text()
        output = fold.find_parent(class_="cell").select_one(".cell_output")
        drawn = output and output.select("svg, img, [data-explorable]")
        assert ("figure" in said) <= bool(drawn), (name, said)
        assert ("table" in said) <= bool(output and output.select("table")), (name, said)
