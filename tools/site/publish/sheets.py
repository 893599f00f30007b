"""Put a chapter on one page of paper: its formulas with shapes, its pitfalls, its takeaways.

Everything is taken from the finished chapter. A chapter with a section "Key takeaways" has a sheet,
`sheet-CHAPTER.html`, and that section ends with a link to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from coursekit.colours import on_paper
from coursekit.predictions import MARKED

#: Ids of the sections that a sheet is made of, as their titles give them.
_TAKEAWAYS, _PITFALLS = "section#key-takeaways", "section#what-goes-wrong"
_STYLE = Path(__file__).with_name("sheet.css")
#: The site's style sheet for sheets: a font that is not there at once waits for the next page.
SHEETS_STYLE = "sheets.css"
#: The class of the script that has fonts loaded early.
EARLY_FONTS = "early-fonts"
#: Gives a formula that scrolls a keyboard stop, as `frame.ts` does on the pages.
_STOPS = (
    'const stops=()=>document.querySelectorAll("div.math").forEach(e=>'
    'e.scrollWidth>e.clientWidth?e.tabIndex=0:e.removeAttribute("tabindex"));'
    'addEventListener("load",()=>{stops();document.fonts.ready.then(stops)});'
    'addEventListener("resize",stops)'
)
#: Parts of a chapter that are the reader's work, and not what is to be summarised.
_WORK = ".ck-exercise, details:not(.ck-deeper), .admonition"


def sheet_name(page: str) -> str:
    """Return the file name of a page's sheet."""
    return f"sheet-{page}"


def link_sheet(page: BeautifulSoup, name: str) -> None:
    """Put a link to its sheet into a page that has one."""
    takeaways = page.select_one(_TAKEAWAYS)
    if takeaways is None:
        return
    link = page.new_tag("a", href=sheet_name(name), string="This chapter on one page, to print")
    paragraph = page.new_tag("p")
    paragraph.append(link)
    takeaways.append(paragraph)


def sheet_of(page: BeautifulSoup, name: str) -> str:
    """Return the sheet that is left of a finished page; "" where it has no takeaways."""
    takeaways, title = page.select_one(_TAKEAWAYS), page.select_one("article h1")
    if takeaways is None or title is None:
        return ""
    for waiting in page.select(MARKED):
        waiting.decompose()  # a sheet is read before the questions are answered, too
    _lead_into(page, name)
    pitfalls = page.select_one(_PITFALLS)
    parts = {
        "Formulas and shapes": "".join(map(str, _formulas(page))),
        "What goes wrong": "".join(map(str, _pitfalls(pitfalls))) if pitfalls else "",
        "Key takeaways": "".join(str(_plain(list_)) for list_ in takeaways.select("ul, ol")),
    }
    body = "".join(
        f"<section><h2>{head}</h2>{text}</section>" for head, text in parts.items() if text
    )
    heading = _text(title)
    styles = "".join(map(str, page.select(f'script.{EARLY_FONTS}, link[rel="stylesheet"]')))
    styles = styles.replace("_static/site.css", f"_static/{SHEETS_STYLE}")
    icon = "".join(str(link) for link in page.select('link[rel~="icon"]'))
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'  # the chapter is what is to be found
        f"<title>{heading}: summary</title>{icon}{styles}"
        f"<style>{on_paper(_STYLE.read_text(encoding='utf-8'))}</style></head>"
        f'<body><main><h1>{heading}</h1><p class="sheet-from"><a href="{name}">The chapter</a> '
        f"in one page. Print it, fold it, and recall before you look.</p>"
        f'<div class="sheet">{body}</div></main><script>{_STOPS}</script></body></html>\n'
    )


def _lead_into(page: BeautifulSoup, name: str) -> None:
    """Let links within the chapter lead from its sheet to the same place of the chapter."""
    for link in page.select('article a[href^="#"]'):
        link["href"] = f"{name}{link['href']}"


def _formulas(page: BeautifulSoup) -> Iterator[Tag]:
    """Yield the displayed formulas of the chapter, and the tables of shapes beside them."""
    article = page.select_one("article")
    assert article is not None
    for section in article.select("section"):
        own = [e for e in section.find_all(["div", "table"]) if e.find_parent("section") is section]
        shown = [e for e in own if _is_formula(e) and not _is_work(e)]
        tables = [e for e in own if shown and e.name == "table" and _has_shapes(e)]
        yield from (_plain(element) for element in [*shown, *tables] if not _is_work(element))


def _is_formula(element: Tag) -> bool:
    return element.name == "div" and "math" in element.get_attribute_list("class")


def _is_work(element: Tag) -> bool:
    return element.css.closest(_WORK) is not None


def _has_shapes(table: Tag) -> bool:
    head = table.find("thead")
    return head is not None and "shape" in head.get_text().lower()


def _pitfalls(section: Tag) -> Iterator[Tag]:
    """Yield a list of pitfalls: as it stands, or made of the titles of subsections."""
    lists = section.find_all("ul", recursive=False)
    if lists:
        yield from map(_plain, lists)
        return
    made = BeautifulSoup("<ul></ul>", "html.parser")
    assert made.ul is not None
    for title in section.select("section > h3"):
        item = made.new_tag("li")
        strong = made.new_tag("strong", string=f"{_text(title)}.")
        item.append(strong)
        first = title.find_next_sibling("p")
        if first is not None:
            item.append(" ")
            item.extend(_plain(first).contents[:])
            _announced(item, first)
        made.ul.append(item)
    if made.ul.contents:
        yield made.ul


def _announced(item: Tag, first: Tag) -> None:
    """End an item with the list that its paragraph announces, or with a full stop."""
    last, following = item.contents[-1], first.find_next_sibling()
    if not last.get_text().endswith(":"):
        return
    if following is not None and following.name in ("ul", "ol"):
        item.append(_plain(following))
    else:  # code or a picture, which is not on the sheet
        last.replace_with(f"{last.get_text()[:-1]}.")


def _plain(element: Tag) -> Tag:
    """Return a copy without ids, which belong to the chapter, and without its links' marks."""
    made = copy(element)
    for part in [made, *made.find_all(True)]:
        part.attrs.pop("id", None)
    for link in made.select("a.headerlink, .headerlink"):
        link.decompose()
    return made


def _text(title: Tag) -> str:
    made = _plain(title)
    return made.get_text().strip()
