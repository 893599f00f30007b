"""Make documents for the printer: one chapter, or the whole book, as one page of HTML each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from coursekit.colours import on_paper

STYLES = [Path(__file__).with_name(name) for name in ("paper.css", "chapter.css")]
#: Attributes that name ids of the same page; the values of some are lists.
_NAMING = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls")
_WITHIN = re.compile(r"url\(#([^)]+)\)")


_CITED = "References of this chapter"


@dataclass(frozen=True)
class Chapter:
    """One chapter, ready for paper; ids in its article are those of its page.

    A tight chapter is set a little smaller, for its last page would be nearly empty otherwise.
    """

    name: str
    title: str
    part: str
    article: Tag
    is_tight: bool = False


@dataclass(frozen=True)
class Edition:
    """What all documents of one book say of it.

    ``site`` is the address where the book is published, "" where it is not; ``styles`` are
    addresses of style sheets; ``licence`` is HTML.
    """

    title: str
    author: str
    version: str
    date: str
    licence: str
    language: str
    site: str
    styles: tuple[str, ...]
    root: str


def chapter_document(chapter: Chapter, edition: Edition, cited: Iterable[Tag] = ()) -> str:
    """Return a chapter as a document; ``cited`` are entries of a page of references."""
    section = _section(chapter)
    entries = list(cited)
    if entries:
        list_ = _tag(f'<section class="paper-cited"><h2>{_CITED}</h2></section>')
        list_.extend(entries)
        (section.find("section") or section).append(list_)
    line = ", ".join(filter(None, [edition.title, _version(edition)]))
    foot = f'<div class="paper-colophon"><p>{escape(line)}</p>{edition.licence}</div>'
    section.append(_tag(foot))
    _aim([section], edition)
    return _document(chapter_title(chapter, edition), edition, [chapter], str(section))


def chapter_title(chapter: Chapter, edition: Edition) -> str:
    """Return the title of a chapter's file."""
    return " — ".join(dict.fromkeys([chapter.title, edition.title]))


def book_document(
    chapters: list[Chapter], edition: Edition, pages: Mapping[str, int] | None = None
) -> str:
    """Return the book as a document: a cover, the contents, and all chapters.

    Parameters
    ----------
    chapters : list of Chapter
        In their order.
    edition : Edition
        What the cover says.
    pages : mapping, optional
        The page on which each chapter and section begins, by the id that the contents link to.
    """
    sections = [_section(chapter) for chapter in chapters]
    _aim(sections, edition)
    cover = (
        f'<div class="paper-cover"><p class="paper-book">{escape(edition.title)}</p>'
        f"<p>{escape(edition.author)}</p><p>{escape(_version(edition))}</p>"
        f'<div class="paper-licence">{edition.licence}</div></div>'
    )
    contents = _contents(chapters, sections, pages or {})
    body = cover + contents + "".join(map(str, sections))
    return _document(edition.title, edition, chapters, body)


def _version(edition: Edition) -> str:
    return ", ".join(filter(None, [edition.version and f"version {edition.version}", edition.date]))


def _document(title: str, edition: Edition, chapters: list[Chapter], body: str) -> str:
    styles = on_paper("".join(style.read_text(encoding="utf-8") for style in STYLES))
    styles += _running(chapters, edition)
    links = "".join(f'<link rel="stylesheet" href="{escape(a)}">' for a in edition.styles)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(edition.language)}" data-theme="light"><head>'
        f'<meta charset="utf-8"><title>{escape(title)}</title>{links}'
        f"<style>{styles}</style></head>"
        f'<body class="paper"><main class="bd-main">{body}</main></body></html>\n'
    )


def _running(chapters: list[Chapter], edition: Edition) -> str:
    """Return rules that write the titles of book and chapter over its pages."""
    rules = []
    for chapter in chapters:
        right = chapter.title if chapter.title != edition.title else ""
        rules.append(
            f"@page {_page_name(chapter)} {{ @top-left {{ content: {_quoted(edition.title)} }} "
            f"@top-right {{ content: {_quoted(right)} }} }}\n"
            f"#{_id(chapter.name)} {{ page: {_page_name(chapter)} }}\n"
        )
    return "".join(rules)


def _quoted(text: str) -> str:
    """Return a string of CSS; it may stand in a ``style`` element."""
    plain = text.replace("\\", "\\5c ").replace('"', "\\22 ").replace("<", "\\3c ")
    return f'"{plain}"'


def _page_name(chapter: Chapter) -> str:
    return "paper-" + re.sub(r"[^a-z0-9-]", "-", chapter.name.lower())


def chapter_id(name: str) -> str:
    """Return the id of a chapter in the book."""
    return _id(name)


def _id(chapter: str, element: str = "") -> str:
    return f"{chapter}--{element}" if element else f"chapter--{chapter}"


def _tag(html: str) -> Tag:
    made = BeautifulSoup(html, "html.parser").find(True)
    assert isinstance(made, Tag)
    return made


def _section(chapter: Chapter) -> Tag:
    """Return a chapter in a section of its own, with ids that no other chapter has."""
    article = copy(chapter.article)
    make_unique(article, chapter.name)
    kind = "paper-chapter paper-tight" if chapter.is_tight else "paper-chapter"
    section = _tag(f'<div class="{kind}" id="{_id(chapter.name)}"></div>')
    if chapter.part:
        section.append(_tag(f'<p class="paper-part">{escape(chapter.part)}</p>'))
    section.append(article)
    return section


def make_unique(article: Tag, chapter: str) -> None:
    """Put the chapter's name before all ids and what names them; links say which page is meant."""
    for element in article.find_all(True):
        if element.get("id"):
            element["id"] = _id(chapter, str(element["id"]))
        for name in _NAMING:
            if element.get(name):
                # A list where Beautiful Soup knows that the attribute has several values.
                ids = " ".join(element.get_attribute_list(name)).split()
                element[name] = " ".join(_id(chapter, own) for own in ids)
        for name, value in list(element.attrs.items()):
            if isinstance(value, str) and "url(#" in value:
                element[name] = _WITHIN.sub(lambda m: f"url(#{_id(chapter, m[1])})", value)
        for name in ("href", "xlink:href"):
            address = element.get(name)
            if not isinstance(address, str) or not address.startswith("#"):
                continue
            if element.name == "a":
                element[name] = f"{chapter}.html{address if len(address) > 1 else ''}"
            else:  # a part of a picture that is used again
                element[name] = f"#{_id(chapter, address[1:])}"


def _aim(sections: list[Tag], edition: Edition) -> None:
    """Point links at what is in the document, else at the published site, else nowhere."""
    ids = {str(e["id"]) for section in sections for e in [section, *section.select("[id]")]}
    for section in sections:
        for link in section.select("a[href]"):
            address = str(link["href"])
            if "://" in address or address.startswith("mailto:"):
                if address.rstrip("/") not in link.get_text():
                    link["data-address"] = address  # to be read beside the link's text
                continue
            page, _, fragment = address.partition("#")
            target = _id(page.removesuffix(".html"), fragment)
            if target in ids:
                link["href"] = f"#{target}"
            elif edition.site:
                link["href"] = urljoin(edition.site, address)
            else:
                del link["href"]
        for image in section.select("img[src]"):
            if ":" not in str(image["src"]):
                image["src"] = edition.root + str(image["src"])


def _contents(chapters: list[Chapter], sections: list[Tag], pages: Mapping[str, int]) -> str:
    lines, part = [], ""
    for chapter, section in zip(chapters, sections, strict=True):
        if chapter.part != part:
            part = chapter.part
            if part:
                lines.append(f'<p class="paper-contents-part">{escape(part)}</p>')
        lines.append(_line(chapter.title, _id(chapter.name), pages, "paper-contents-chapter"))
        for title in section.select("article > section > section > h2"):
            place = title.find_parent("section")
            if place is not None and place.get("id"):
                text = title.get_text().strip()
                lines.append(_line(text, str(place["id"]), pages, "paper-contents-section"))
    return (
        f'<nav class="paper-contents" aria-label="Contents"><h1>Contents</h1>'
        f'<div class="paper-contents-lines">{"".join(lines)}</div></nav>'
    )


def _line(text: str, target: str, pages: Mapping[str, int], kind: str) -> str:
    # Figures of one width take the number's place before it is known.
    page = str(pages.get(target, "000"))
    return (
        f'<p class="{kind}"><a href="#{escape(target)}"><span>{escape(text)}</span>'
        f'<span class="paper-leader" aria-hidden="true"></span><span>{page}</span></a></p>'
    )
