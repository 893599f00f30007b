"""Turn a page of Jupyter Book into a page of the site: light, self-contained, accessible."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag

from coursekit.page.progress import PAGES
from tools.site.offline import REGISTRATION
from tools.site.publish import embeds
from tools.site.publish.code import set_code
from tools.site.publish.head import Site, describe
from tools.site.publish.stills import open_stills

#: What the site does without: sphinx-thebe's data and a widget's, whose state is an attribute.
_LEFTOVERS = re.compile(
    r'(?s)<script type="(?:text/x-thebe-config|application/vnd\.jupyter\.widget-state\+json)">'
    r".*?</script>|<script>kernelName = .*?</script>"
)
#: What every page does, whatever is on it.
_FRAME = "frame.js"
#: The scripts that the front end is bundled into: only pages that they bring to life load them.
#: The explorables' is what all of them share; each has one more, called as its element.
_EXERCISES, _EXPLORABLES = "coursekit.js", "explorables.js"
#: On every page, how far the reader is in each chapter: the list of chapters, and what reads it
#: where nothing else does.
_SIDEBAR = "sidebar.js"
#: Offers to keep the site in the browser, where a page has a place for it.
_KEEP, _PLACE = "keep.js", 'class="keep-offline'
#: docutils marks a bibliography as a list whose entries it does not mark as its items.
_ROLES = {"list", "listitem", "doc-biblioentry", "doc-backlink", "doc-noteref"}
#: What stresses or defines a name, which is coloured there as in formulas and code.
_STRESSED = ("strong", "dt", "td")


@dataclass(frozen=True)
class Assets:
    """What pages refer to, as addresses relative to the site's root.

    ``course`` is the distribution's name, ``elements`` how the names of explorables begin,
    ``early`` the fonts to load before the style sheet, ``hues`` the class of each coloured name,
    ``versions`` a short hash of each file.
    """

    course: str
    elements: str
    early: dict[str, str]
    hues: dict[str, str]
    versions: dict[str, str]


def finish(html: str, name: str, assets: Assets, site: Site) -> str:
    """Return the finished page of the file ``name``; pages stand side by side in one folder.

    ``html`` is the staged page, its formulas already rendered.
    """
    html = _LEFTOVERS.sub("", html)
    page = BeautifulSoup(set_code(html, assets.hues), "lxml")
    # Pages stand beside their files, but the page for what is not found may be shown anywhere.
    prefix = re.search(r'href="([^"]*?)_static/', html)
    root = prefix[1] if prefix else ""
    _load(page, html, assets, root)
    open_chapter(page)
    describe(page, name, site)
    _mend(page, assets.hues)
    figures = page.find_all(explorables_in(html, assets.elements))
    embeds.address(figures, assets.elements, name)
    open_stills(figures, page)
    return str(page)


def _load(page: BeautifulSoup, html: str, assets: Assets, prefix: str) -> None:
    """Have a page load its scripts, fonts and style sheet, each under its newest address."""
    head = page.head
    assert head is not None
    counted = f"_static/{PAGES}" in assets.versions
    files = [_FRAME, *((PAGES, _SIDEBAR) if counted else ())]
    if 'class="ck-' in html:
        files = [*files[:2], _EXERCISES]
    elements = explorables_in(html, assets.elements)
    files += [_EXPLORABLES, *(f"explorables/{name}.js" for name in elements)] if elements else []
    if _PLACE in html:
        files.append(_KEEP)
    for file in files:
        address = f"_static/{file}"
        if address in assets.versions:
            attributes = {"defer": "", "src": prefix + _versioned(address, assets)}
            if file in (_EXERCISES, _SIDEBAR):
                attributes["data-course"] = assets.course
            head.append(page.new_tag("script", attrs=attributes))
    if not prefix:  # the page for what is not found may be shown anywhere
        head.append(page.new_tag("script", string=REGISTRATION))
    sheet = head.select("link[rel=stylesheet]")[0].extract()
    sheet["href"] = prefix + _versioned(embeds.STYLE, assets)
    if fonts := [font for font, shown in assets.early.items() if page.select_one(shown)]:
        head.append(page.new_tag("script", string=_preload(prefix, fonts)))
    head.append(sheet)


def explorables_in(page: str, prefix: str) -> list[str]:
    """Return the names of a page's elements which begin as those of the explorables do."""
    return sorted(set(re.findall(rf"<({prefix}[a-z0-9-]+)", page))) if prefix else []


def _versioned(address: str, assets: Assets) -> str:
    """Put the file's hash into its address: a browser may keep it until it changes."""
    version = assets.versions.get(address)
    return f"{address}?v={version}" if version else address


def _preload(prefix: str, fonts: Iterable[str]) -> str:
    """Return a script that has the browser load fonts at once; it may not from a file."""
    addresses = json.dumps([prefix + font for font in fonts])
    return (
        f'if(location.protocol!="file:")for(const href of {addresses})'
        'document.head.append(Object.assign(document.createElement("link"),'
        '{rel:"preload",as:"font",type:"font/woff2",crossOrigin:"",href}))'
    )


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
    parts = [part.extract() for part in (time, *needs, menu, progress) if part is not None]
    if parts:
        line = page.new_tag("div", attrs={"class": "meta"})
        line.extend(parts)
        title.insert_after(line)
    if promise is not None:
        promise["class"] = "promise"
        title.insert_after(promise)
    if kicker is not None:
        title.insert_before(kicker)


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


def _mend(page: BeautifulSoup, hues: Mapping[str, str]) -> None:
    """Make names, roles, regions, pictures and colours of the text right, in place."""
    for element in page.find_all(True):  # each search of its own would read the page once more
        classes = element.get("class") or ()
        if element.get("role") in _ROLES:
            del element["role"]
        if element.name == "summary":  # what differs from the visible text cannot be spoken to
            del element["aria-label"]
        elif element.name == "img":
            # The file name of a figure does not describe it; the author's own text stays.
            if str(element.get("alt", "")).startswith("_images/"):
                element["alt"] = ""
            element["decoding"] = "async"
        elif "pst-scrollable-table-container" in classes:
            caption = element.find("caption")
            name = caption.get_text(" ", strip=True) if isinstance(caption, Tag) else "Table"
            element["role"], element["aria-label"] = "group", name
        elif element.name == "th" and not element.get_text(strip=True) and not element.find("img"):
            element.name = "td"  # the corner of a table heads nothing: below it stand names of rows
            for first in element.find_parents("table")[0].select("tbody > tr > td:first-child"):
                first.name, first["scope"] = "th", "row"
        elif element.name == "th" or "ck-options" in classes:  # no checker takes a name from MathML
            for formula in element.find_all("math"):
                formula["aria-label"] = formula.get_text(" ", strip=True)
        elif element.name in _STRESSED:
            for named in (element, *element.find_all("p", recursive=False)):
                words = "".join(named.find_all(string=True, recursive=False)).strip()
                if len(words) > 1 and words in hues:  # beside it a formula may stand
                    named["class"] = " ".join([*named.get_attribute_list("class"), hues[words]])
