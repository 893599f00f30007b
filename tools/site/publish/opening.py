"""Set the opening of a chapter: what one can do afterwards, then a line of what it takes."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag


def open_chapter(page: BeautifulSoup) -> None:
    """Set what stands between a page's title and its first section, in place.

    The first paragraph that is emphasised as a whole becomes the promise; time, exercises, the
    other such paragraphs and the menu of the notebook become one line below it.
    """
    article, title = page.article, page.h1
    if article is None or title is None:
        return
    for text in title.find_all(string=True):  # letters as large as these break at spaces only
        text.replace_with(text.replace("-", "-\N{WORD JOINER}"))
    promise, *needs = [*_emphasised(title), None]
    time, progress = (title.find_next_sibling(class_=line) for line in ("ck-time", "ck-progress"))
    menu, kicker = (article.find(class_=c, recursive=False) for c in ("notebook-menu", "kicker"))
    parts = [part for part in (time, *needs, menu, progress) if part is not None]
    if promise is not None:
        promise["class"] = "promise"
        title.insert_after(promise.extract())
    if parts:
        line = page.new_tag("div", attrs={"class": "meta"})
        for part in parts:
            line.append(part.extract())
        (promise or title).insert_after(line)
    if kicker is not None:
        title.insert_before(kicker.extract())


def _emphasised(title: Tag) -> list[Tag]:
    """Return the paragraphs below a title that are all emphasis, without it."""
    found = []
    for paragraph in title.find_next_siblings(["p", "section"]):
        if paragraph.name == "section":
            break
        children = [child for child in paragraph.children if str(child).strip()]
        if len(children) == 1 and isinstance(children[0], Tag) and children[0].name == "em":
            children[0].unwrap()
            found.append(paragraph)
    return found
