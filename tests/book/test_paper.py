"""A page for paper: nothing to press, nothing folded, room for answers, hints at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tools.site.pdf.document import Chapter, Edition, book_document, chapter_document
from tools.site.pdf.make import edition_of, version_date
from tools.site.pdf.paper import article_for_paper
from tools.site.pdf_offer import add_links
from tools.site.project import Project

FORMULA = "<math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>"
EXERCISE = (
    '<section class="ck-exercise ck-quiz" id="exercise-e"><h3 class="ck-title" id="t">Sums</h3>'
    '<div class="ck-question ck-choice"><ol class="ck-options ck-tick"><li><p>One</p></li>'
    "<li><p>Two</p></li></ol></div>"
    '<div class="ck-question ck-numeric" data-room="1"><p>How many?</p></div>'
    "<noscript>JavaScript is off.</noscript>"
    '<details class="ck-hint"><summary>Hint 1 of 1</summary><p>Count them.</p></details>'
    '<div class="ck-hidden"><script type="application/json">{"answer": 42}</script></div></section>'
)
CELL = (
    '<div class="cell"><details class="hide above-input"><summary>Show the code</summary>'
    '<div class="cell_input"><pre>secret = 1</pre></div></details>'
    '<div class="cell_output"><p>drawn</p></div></div>'
    '<div class="cell"><div class="cell_input"><pre>shown = 2</pre></div>'
    '<details class="admonition hide below-input"><summary>Show the table</summary>'
    '<div class="cell_output"><table><tr><td>7</td></tr></table></div></details></div>'
)
FIGURE = (
    '<my-figure data-explorable="figure" state=\'{"task": "Drag it."}\'>'
    '<div class="attn-static"><svg role="img" aria-label="A circle"></svg></div></my-figure>'
)
EDITION = Edition(
    title='Sums & "more"',
    author="A. Author",
    version="1.2",
    date="2026-01-31",
    licence="<p>Free.</p>",
    language="en",
    site="",
    styles=("site.css",),
    root="../html/",
)


def article(body: str) -> Tag:
    page = f'<body><nav>menu</nav><article><section id="s"><h1>One</h1>{body}</section></article>'
    return article_for_paper(page, "my-")


def chapter(name: str, body: str, part: str = "") -> Chapter:
    return Chapter(name, name.title(), part, article(body))


def read(document: str) -> BeautifulSoup:
    return BeautifulSoup(document, "html.parser")


def test_folded_outputs_are_open_and_folded_code_is_left_out() -> None:
    made = article(CELL)
    text = made.get_text(" ")
    assert "drawn" in text
    assert "7" in text
    assert "shown = 2" in text
    assert "secret" not in text
    assert "Show the" not in text
    assert made.select("details, summary") == []


def test_other_folds_are_open_below_their_labels() -> None:
    made = article('<details class="sd-dropdown"><summary>More</summary><p>Text</p></details>')
    fold = made.select_one(".paper-open")
    assert fold.select_one(".paper-label").get_text() == "More"
    assert fold.get_text() == "MoreText"
    assert made.select("details, summary") == []


def test_options_have_boxes_and_numbers_have_room() -> None:
    made = article(EXERCISE)
    assert len(made.select(".ck-options > li > p > .paper-box")) == 2
    assert len(made.select(".ck-numeric > .paper-room > div")) == 1
    assert made.select(".ck-choice .paper-room") == []


def test_hints_go_to_the_end_under_their_exercise_and_answers_nowhere() -> None:
    made = article(EXERCISE + "<p>After it.</p>")
    hints = made.select_one("section > section:last-child")
    assert hints.h2.get_text() == "Hints"
    assert hints.select_one('a[href="#exercise-e"]').get_text() == "Sums"
    assert "Count them." in hints.get_text()
    assert made.get_text().count("Count them.") == 1
    assert "42" not in str(made)
    assert "JavaScript" not in str(made)


def test_an_exercise_that_pages_cannot_run_is_printed() -> None:
    made = article(EXERCISE.replace("ck-quiz", "ck-quiz ck-notebook-only"))
    assert "How many?" in made.get_text()


def test_solutions_of_practice_are_announced_with_the_hints() -> None:
    solution = '<details class="ck-solution"><summary>Solution</summary><p>41 + 1</p></details>'
    made = article(EXERCISE.replace("<noscript>", f"{solution}<noscript>"))
    hints = made.select_one("section > section:last-child")
    assert hints.h2.get_text() == "Hints and solutions"
    assert "41 + 1" in hints.get_text()


def test_an_explorable_is_its_picture_with_its_task() -> None:
    made = article(FIGURE)
    figure = made.select_one(".paper-explorable")
    assert figure.p.get_text() == "Drag it."
    assert figure.svg["aria-label"] == "A circle"
    assert made.find("my-figure") is None


def test_a_formula_is_read_as_its_text() -> None:
    made = article(FORMULA).math
    assert (made["role"], made["aria-label"]) == ("img", "x 2")


def test_ids_of_chapters_stay_apart_and_links_between_them_stay_in_the_book() -> None:
    body = (
        '<h2 id="a">A</h2><a href="#a">here</a><a href="{}.html#a">there</a><a href="{}.html">x</a>'
    )
    chapters = [
        chapter("one", body.format("two", "two")),
        chapter("two", body.format("one", "one")),
    ]
    made = read(book_document(chapters, EDITION))
    ids = [element["id"] for element in made.select("[id]")]
    assert len(ids) == len({*ids})
    links = [link["href"] for link in made.select(".paper-chapter a")]
    assert links == ["#one--a", "#two--a", "#chapter--two", "#two--a", "#one--a", "#chapter--one"]
    assert {link.removeprefix("#") for link in links} <= {*ids}


def test_parts_of_a_picture_are_found_under_their_new_names() -> None:
    picture = '<svg><defs><path id="p"/></defs><use href="#p"/><g clip-path="url(#p)"></g></svg>'
    table = '<table><tr><th id="h">H</th><td headers="h p">1</td></tr></table>'
    made = read(book_document([chapter("one", picture + table)], EDITION))
    assert made.find("use")["href"] == "#one--p"
    assert made.find("g")["clip-path"] == "url(#one--p)"
    assert made.find("td")["headers"] == ["one--h", "one--p"]


def test_a_chapter_alone_links_to_the_site_or_nowhere() -> None:
    body = '<a href="other.html#x">there</a><a href="https://example.org/a">Example</a>'
    made = read(chapter_document(chapter("one", body), EDITION)).select("article a")
    assert "href" not in made[0].attrs
    assert made[1]["data-address"] == "https://example.org/a"
    published = Edition(**{**vars(EDITION), "site": "https://me.example/course/"})
    made = read(chapter_document(chapter("one", body), published)).select("article a")
    assert made[0]["href"] == "https://me.example/course/other.html#x"


def test_a_chapter_alone_has_the_references_that_it_cites() -> None:
    entry = BeautifulSoup('<div class="citation" id="refs--id7">Seven</div>', "html.parser").div
    made = read(chapter_document(chapter("one", '<a href="refs.html#id7">7</a>'), EDITION, [entry]))
    assert made.select_one("article a")["href"] == "#refs--id7"
    assert made.select_one(".paper-cited .citation").get_text() == "Seven"


def test_the_book_has_a_cover_and_contents_with_pages() -> None:
    chapters = [
        chapter("one", "", "Part I"),
        chapter("two", "<section id='b'><h2>B</h2></section>"),
    ]
    made = read(book_document(chapters, EDITION, {"chapter--one": 3, "two--b": 12}))
    assert made.html["lang"] == "en"
    assert made.title.get_text() == 'Sums & "more"'
    cover = made.select_one(".paper-cover").get_text(" ")
    assert "version 1.2, 2026-01-31" in cover
    assert "Free." in cover
    lines = [line.get_text(" ") for line in made.select(".paper-contents p")]
    assert lines == ["Part I", "One 3", "Two 000", "B 12"]


def test_titles_over_the_pages_cannot_end_the_style_sheet() -> None:
    odd = Chapter("one", 'A </style> "B" \\ C', "", article(""))
    made = read(book_document([odd], EDITION))
    assert len(made.select("style")) == 1
    assert "\\22 B\\22  \\5c  C" in made.style.get_text()


def test_a_page_without_an_article_is_refused() -> None:
    with pytest.raises(ValueError, match="no <article>"):
        article_for_paper("<body></body>", "")


def test_each_line_of_code_says_how_far_in_it_goes_on() -> None:
    lines = '<span class="k">def</span> f():\n    <span class="k">pass</span>\n\nf()\n'
    code = article(f"<pre><span></span>{lines}</pre>").pre
    assert code.get_text() == "def f():\n    pass\n\nf()\n"
    assert [line["style"] for line in code.select(".paper-line")] == [
        f"--indent: {spaces}" for spaces in (4, 8, 4, 4)
    ]
    text = article('<pre><span class="s">"""One.\n\nTwo."""</span>\n</pre>').pre
    assert text.get_text() == '"""One.\n\nTwo."""\n'


def test_the_licence_speaks_to_readers_of_the_pdf(project: Project) -> None:
    licence = read(edition_of(project).licence)
    text = " ".join(licence.get_text().split())
    assert "CC BY 4.0" in text
    assert "MIT" in text
    assert "repository" not in text.lower()
    assert licence.select("code, h1, h2") == []
    assert {link["href"].split("/")[2] for link in licence.select("a[href]")} == {
        "creativecommons.org",
        "opensource.org",
    }


def test_the_date_is_that_of_the_version(tmp_path: Path) -> None:
    assert version_date(tmp_path) == ""
    (tmp_path / "CITATION.cff").write_text("date-released: 2026-02-03\n", encoding="utf-8")
    assert version_date(tmp_path) == "2026-02-03"


def test_the_menu_offers_what_is_there() -> None:
    item = '<li><a href="n.ipynb">Download the notebook alone</a></li>'
    menu = f'<ul>{item}<li class="notebook-note">Notes</li></ul>'
    assert add_links(menu, []) == menu
    made = read(add_links(menu, [("This chapter as PDF", "pdf/one.pdf")])).select("li")
    assert made[1].a["href"] == "pdf/one.pdf"
    assert made[1].get_text() == "This chapter as PDF"
    assert made[2]["class"] == ["notebook-note"]


def test_chapters_stand_in_the_parts_of_the_contents(project: Project, tmp_path: Path) -> None:
    parts = project.parts()
    assert {*parts} < {chapter.stem for chapter in project.chapters()}
    assert parts[project.chapters()[1].stem] == "The mechanism"
    assert project.chapters()[0].stem not in parts
    (tmp_path / "_toc.yml").write_text("root: a\nchapters:\n  - file: b\n", encoding="utf-8")
    assert Project(tmp_path).parts() == {}
