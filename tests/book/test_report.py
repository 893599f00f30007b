"""The links that report a mistake: what they say already, and where there are none."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup

from tools.site.publish.report import add_reports, issue_page

PAGE = """<body><article><section id="a"><h1>Walks<a class="headerlink" href="#a">#</a></h1>
  <section id="b"><h2>How <em>far</em>?</h2>
    <section class="ck-exercise" id="exercise-home" data-exercise="home" data-version="3">
      <h3 id="exercise-home-title">Way home</h3></section></section></section></article>
  <footer class="bd-footer-content"><p class="copyright">Text</p></footer></body>"""


def reported(page: BeautifulSoup) -> list[tuple[str, dict[str, list[str]]]]:
    """Return the address and the fields of each link."""
    links = [urlsplit(str(link["href"])) for link in page.select("a[data-report]")]
    return [(link._replace(query="").geturl(), parse_qs(link.query)) for link in links]


def test_links_say_where_the_mistake_is() -> None:
    page = BeautifulSoup(PAGE, "html.parser")
    add_reports(page, "walks.html", issue_page("https://github.com/Ada/walks"), "walks 1.0")
    (place, of_exercise), (other, of_page) = reported(page)
    assert place == other == "https://github.com/Ada/walks/issues/new"
    assert of_exercise["title"] == ["home, version 3: "]
    assert of_exercise["body"][0].splitlines()[:4] == [
        "Page: Walks (walks.html)",
        "Section: How far?",
        "Exercise: home, version 3",
        "Course: walks 1.0",
    ]
    assert of_page["title"] == ["Walks: "]
    assert of_page["body"][0].splitlines()[:2] == ["Page: Walks (walks.html)", "Course: walks 1.0"]
    assert page.select_one(".ck-exercise > .ck-report a") is not None
    assert page.select_one("footer a[data-report]") is not None


def test_without_a_repository_there_are_none() -> None:
    page = BeautifulSoup(PAGE, "html.parser")
    add_reports(page, "walks.html", issue_page(""), "walks 1.0")
    assert str(page) == str(BeautifulSoup(PAGE, "html.parser"))
