"""A link to a term carries its definition, on its own page and on another."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup

from tools.site.build import write_pages
from tools.site.execute import execute

WORDS = """# First

A {term}`token` here, and a [link](#second-words).

```{glossary}
token
    One element of a sequence:
    a *word*, say.

    Taught in [](second.md).

batch
    Several "sequences" together.
```
"""
OTHER = "(second-words)=\n# Second\n\n{term}`Many of them <batch>`, and [a heading](first.md).\n"


def test_links_to_terms_have_definitions_and_others_have_none(course: Any) -> None:
    course.write("first", WORDS, kernel=False)
    course.write("second", OTHER, kernel=False)
    execute(course)
    write_pages(course)
    texts = ((course.stage / f"{name}.html").read_text("utf-8") for name in ("first", "second"))
    pages = [BeautifulSoup(text, "html.parser") for text in texts]
    (token,), (batch,) = (page.select("article a.term") for page in pages)
    assert token["title"] == "One element of a sequence: a word, say."
    assert batch.get_text() == "Many of them"
    assert batch["title"] == "Several “sequences” together."
    assert batch["href"] == "first.html#term-batch"


def test_every_term_of_the_book_has_its_definition(site: Any) -> None:
    found = 0
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for link in page.select("article a.internal[href*='#term-']"):
            if "headerlink" not in link.get("class", []):
                found += 1
                assert len(link.get("title", "").split()) > 3, (path.name, link)
    assert found > 20
