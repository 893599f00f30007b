"""A section whose heading begins with "Deeper: " is folded; its heading stays where it is."""

from __future__ import annotations

from collections.abc import Callable

from bs4 import BeautifulSoup

from .conftest import Built

WriteBook = Callable[..., Built]

TEXT = f"""## Before

{"word " * 2600}

## Deeper: roots

{"word " * 1300}

```{{exercise}} graded-root
```

### Of cubes

Inside.

## Deeper, but needed

After.
"""


def test_what_stands_below_the_heading_is_folded(write_book: WriteBook) -> None:
    built = write_book(TEXT)
    assert built.warnings == []
    page = BeautifulSoup(built.text("index.html"), "html.parser")
    (fold,) = page.select("details.ck-deeper")
    assert fold.parent is not None
    assert fold.parent["id"] == "deeper-roots"
    assert [child.name for child in fold.parent.find_all(True, recursive=False)] == [
        "h2",
        "details",
    ]
    summary = fold.find("summary", recursive=False)
    assert summary is not None
    assert summary.get_text() == "What goes deeper: about 20 minutes"
    assert fold.select_one("#exercise-graded-root") is not None
    assert fold.select_one("section#of-cubes > h3") is not None
    told = page.select_one("h1 + .ck-time")
    assert told is not None
    assert told.get_text() == "About 20 minutes, and 20 for what goes deeper."
    links = [link["href"] for link in page.select(".sphinxsidebar a")]
    assert {"#deeper-roots", "#of-cubes", "#deeper-but-needed"} <= set(links)
