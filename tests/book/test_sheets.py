"""A chapter's summary sheet: what it takes from the chapter, and what it leaves there."""

from __future__ import annotations

from bs4 import BeautifulSoup

from tools.site.publish.sheets import link_sheet, sheet_name, sheet_of

HEAD = '<html><head><link rel="stylesheet" href="_static/site.css"></head><body><article>'
FORMULA = '<section id="the-formula"><h2>The formula</h2><div class="math" id="eq">y = x</div>{}'
SHAPES = "<table><thead><tr><th>array</th><th>shape</th></tr></thead><tr><td>x</td></tr></table>"
OTHER = "<table><thead><tr><th>model</th><th>minutes</th></tr></thead></table></section>"
WORK = '<section id="e"><div class="ck-exercise"><div class="math">z = 1</div></div></section>'
PITFALLS = '<section id="what-goes-wrong"><h2>What goes wrong</h2>{}</section>'
TAKEAWAYS = (
    '<section id="key-takeaways"><h2>Key takeaways<a class="headerlink" href="#k">#</a></h2>'
    '<ul><li id="one">It is <em>short</em>.</li></ul><p>Next: more.</p></section>'
)
TITLE = '<h1>Sums<a class="headerlink" href="#sums">#</a></h1>'
LIST = "<ul><li><strong>Adding twice.</strong> Once is enough.</li></ul>"


def page(pitfalls: str = LIST, takeaways: str = TAKEAWAYS) -> str:
    formula = FORMULA.format(SHAPES + OTHER)
    return f"{HEAD}{TITLE}{formula}{WORK}{PITFALLS.format(pitfalls)}{takeaways}</article></body>"


def sheet(html: str) -> BeautifulSoup:
    made = sheet_of(BeautifulSoup(html, "html.parser"), "sums.html")
    return BeautifulSoup(made, "html.parser")


def test_a_sheet_has_formulas_with_shapes_pitfalls_and_takeaways() -> None:
    made = sheet(page())
    assert made.h1.get_text() == "Sums"
    assert [head.get_text() for head in made.select("h2")] == [
        "Formulas and shapes",
        "What goes wrong",
        "Key takeaways",
    ]
    assert [formula.get_text() for formula in made.select("div.math")] == ["y = x"]
    assert len(made.select("table")) == 1  # that of shapes
    assert "Once is enough." in made.get_text()
    assert made.select_one("em").get_text() == "short"
    assert "Next: more." not in made.get_text()
    assert made.select("main [id], .headerlink") == []
    assert made.select_one('link[rel="stylesheet"]')["href"] == "_static/sheets.css"
    assert made.select_one(".sheet-from a")["href"] == "sums.html"


def test_pitfalls_with_titles_of_their_own_give_title_and_first_paragraph() -> None:
    titles = (
        "<section><h3>The wrong axis</h3><p>It was <code>0</code>. See:</p><p>More.</p></section>"
    )
    item = sheet(page(titles)).select("section")[1].li
    assert item.get_text() == "The wrong axis. It was 0. See."


def test_a_list_that_a_pitfall_announces_is_on_the_sheet() -> None:
    announced = (
        "<section><h3>Signs</h3><p>There are two:</p><ul><li>plus</li><li>minus</li></ul>"
        "<p>More.</p></section>"
    )
    item = sheet(page(announced)).select("section")[1].li
    assert item.get_text(" ").split() == ["Signs.", "There", "are", "two:", "plus", "minus"]


def test_a_link_within_the_chapter_leads_from_the_sheet_into_the_chapter() -> None:
    linked = '<ul><li>See <a href="#one">one</a>, <a href="b.html#two">two</a>.</li></ul>'
    links = sheet(page(linked)).select(".sheet a")
    assert [link["href"] for link in links] == ["sums.html#one", "b.html#two"]


def test_what_waits_for_a_prediction_is_not_on_the_sheet() -> None:
    marked = '<div class="after-predict-sum docutils container">{}</div>'
    takeaways = TAKEAWAYS.replace(
        "<p>Next", marked.format("<ul><li>It is 7.</li></ul>") + "<p>Next"
    )
    made = sheet(page(marked.format(LIST), takeaways))
    assert "It is" in made.get_text()
    assert "7" not in made.get_text()
    assert "Once is enough" not in made.get_text()


def test_a_page_without_takeaways_has_no_sheet() -> None:
    made = BeautifulSoup(page(takeaways=""), "html.parser")
    link_sheet(made, "sums.html")
    assert made.select('a[href^="sheet-"]') == []
    assert sheet_of(made, "sums.html") == ""


def test_the_takeaways_end_with_a_link_to_the_sheet() -> None:
    linked = BeautifulSoup(page(), "html.parser")
    link_sheet(linked, "sums.html")
    assert linked.select_one("#key-takeaways > p:last-child > a")["href"] == sheet_name("sums.html")
