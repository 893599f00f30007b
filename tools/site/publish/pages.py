"""Turn a page of Jupyter Book into a page of the site: light, self-contained, accessible."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from coursekit.page.progress import PAGES
from tools.site.offline import REGISTRATION
from tools.site.publish import icons
from tools.site.publish.accessibility import fix_accessibility
from tools.site.publish.head import Site, describe
from tools.site.search.loader import add_search

#: Scripts of the theme that the site does without: formulas are rendered, nothing runs in a
#: remote kernel, icons are pictures, and menus and tooltips are the browser's own.
_UNUSED = ("fontawesome.js", "mathjax", "MathJax", "thebe", "THEBE", "kernelName", "bootstrap.js")
#: Data for scripts that the site does without: a widget's state is its element's attribute.
_LEFTOVERS = ("text/x-thebe-config", "application/vnd.jupyter.widget-state+json")
#: Sphinx's search, in whose place stands the site's own; the last two mark what it found, and
#: put its key on every page.
_SPHINX_SEARCH = (
    "searchtools.js",
    "language_data.js",
    "searchindex.js",
    "sphinx_highlight.js",
    "doctools.js",
)
#: Scripts that only pages with a certain element need.
_NEEDED_FOR = {
    "togglebutton": ".toggle, .admonition.dropdown",
    "toggleHint": ".toggle, .admonition.dropdown",
    "toggleOpenOnPrint": ".toggle, .admonition.dropdown",
    "design-tabs.js": ".sd-tab-set",
    "copybutton": "div.highlight pre:not(.ck-cards *)",
    "clipboard": "div.highlight pre:not(.ck-cards *)",
}
#: The scripts that the front end is bundled into: only pages that they bring to life load them.
#: The explorables' is what all of them share; each has one more, called as its element.
_EXERCISES, _EXPLORABLES = "coursekit.js", "explorables.js"
#: On every page, how far the reader is in each chapter: the list of chapters, and what reads it
#: where nothing else does.
_SIDEBAR = "sidebar.js"
_SOURCE = re.compile(r'<script [^>]*src="([^"?]+)')
#: Offers to keep the site in the browser, where a page has a place for it.
_KEEP, _PLACE = "keep.js", ".keep-offline"
#: The class of the script that has fonts loaded early.
EARLY_FONTS = "early-fonts"
_EMPTY = "#ethical-ad-placement, #searchbox, #jb-print-docs-body, .pst-async-banner-revealer"


@dataclass(frozen=True)
class Assets:
    """What pages refer to, as addresses relative to the site's root.

    ``course`` is the distribution's name, ``elements`` how the names of explorables begin,
    ``theme`` the theme's folder of files, ``options`` the text of Sphinx's options script,
    ``versions`` a short hash of each file, ``offline`` whether browsers keep the site.
    """

    course: str
    elements: str
    theme: Path
    options: str
    preloaded: tuple[str, ...]
    versions: dict[str, str]
    offline: bool = False


def finish(html: str, name: str, assets: Assets, site: Site, *, formulas: bool) -> str:
    """Return the finished page.

    Parameters
    ----------
    html : str
        The staged page, its formulas already rendered.
    name : str
        Its file name; pages stand side by side in one folder.
    assets : Assets
        What pages refer to.
    site : Site
        What the page says of itself and its site.
    formulas : bool
        Whether the page shows formulas.
    """
    page = BeautifulSoup(icons.inline_icons(html, assets.theme), "html.parser")
    for element in page.select(_EMPTY):
        element.decompose()
    # Pages stand beside their files, but the page for what is not found may be shown anywhere.
    prefix = re.search(r'href="([^"]*?)_static/', html)
    root = prefix[1] if prefix else ""
    _scripts(page, html, name, assets, root)
    _styles(page, assets, root, formulas)
    describe(page, name, site)
    _images(page)
    fix_accessibility(page)
    return str(page)


def redirect(html: str, title: str, icon: str, address: str) -> str:
    """Return Jupyter Book's bare redirect to the first page as a whole page with its own icon.

    ``address`` is the site's, or "": with it, the page says that the first page is meant.
    """
    target = re.search(r"url=([^\s\"]+)", html)
    assert target is not None
    canonical = f'<link rel="canonical" href="{address}{target[1]}">' if address else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta http-equiv="refresh" content="0; url={target[1]}">\n'
        f'<link rel="icon" href="{icon}">{canonical}</head>\n'
        f'<body><main><p><a href="{target[1]}">{title}</a></p></main></body></html>\n'
    )


def assets_of(name: str, assets: Assets) -> Assets:
    """Return what a page may refer to."""
    versions = dict(assets.versions)
    if (chapters := f"_static/{PAGES}") in versions:
        versions[chapters] = ""  # it changes with every exercise, and pages need not
    return replace(assets, versions=versions)


def is_unused(script: str) -> bool:
    """Whether a script of the theme, by its address or its first words, is left out."""
    return any(word in script for word in (*_UNUSED, *_SPHINX_SEARCH))


def scripts_of(page: str) -> list[str]:
    """Return the addresses of the site's own scripts that a staged page names."""
    return [name for name in _SOURCE.findall(page) if "://" not in name]


def _scripts(page: BeautifulSoup, html: str, name: str, assets: Assets, prefix: str) -> None:
    there = {selector for selector in {*_NEEDED_FOR.values()} if page.select_one(selector)}
    needless = [word for word, selector in _NEEDED_FOR.items() if selector not in there]
    for script in page.find_all("script"):
        source = str(script.get("src", ""))
        if script.get("type") == "application/json":
            continue
        if _leave_out(script, name, needless):
            script.decompose()
        elif "documentation_options.js" in source:
            script.attrs = {}
            script.string = assets.options
        elif source:
            address = source.split("?")[0].removeprefix(prefix)
            script["src"] = prefix + _versioned(address, assets)
            script.attrs.pop("async", None)
            script["defer"] = ""
    for link in page.select('link[rel="preload"][as="script"]'):
        link.decompose()
    _add_own_scripts(page, html, assets, prefix)
    add_search(page, name, prefix, _versioned("_static/search.js", assets))


def _add_own_scripts(page: BeautifulSoup, html: str, assets: Assets, prefix: str) -> None:
    counted = f"_static/{PAGES}" in assets.versions
    files = [PAGES, _SIDEBAR] if counted else []
    if 'class="ck-' in html:
        files = [*files[:1], _EXERCISES]
    elements = explorables_in(html, assets.elements)
    files += [_EXPLORABLES, *(f"explorables/{name}.js" for name in elements)] if elements else []
    if assets.offline and page.select_one(_PLACE):
        files.append(_KEEP)
    for file in files:
        address = f"_static/{file}"
        if address in assets.versions:
            attributes = {"defer": "", "src": prefix + _versioned(address, assets)}
            if file in (_EXERCISES, _SIDEBAR):
                attributes["data-course"] = assets.course
            _head_of(page).append(page.new_tag("script", attrs=attributes))
    if assets.offline and not prefix:  # the page for what is not found may be shown anywhere
        _head_of(page).append(page.new_tag("script", string=REGISTRATION))


def explorables_in(page: str, prefix: str) -> list[str]:
    """Return the names of a page's elements which begin as those of the explorables do."""
    return sorted(set(re.findall(rf"<({prefix}[a-z0-9-]+)", page))) if prefix else []


def _leave_out(script: Tag, name: str, needless: list[str]) -> bool:
    source, start = str(script.get("src", "")), (script.string or "")[:400]
    if is_unused(source + start) or script.get("type") in _LEFTOVERS:
        return True
    if any(f"/{ours}" in source for ours in (PAGES, _EXERCISES, _EXPLORABLES)):
        return True
    return any(word in source + start[:80] for word in needless)


def _versioned(address: str, assets: Assets) -> str:
    """Put the file's hash into its address: a browser may keep it until it changes."""
    version = assets.versions.get(address)
    return f"{address}?v={version}" if version else address


def _styles(page: BeautifulSoup, assets: Assets, prefix: str, formulas: bool) -> None:
    for link in page.select('link[rel="stylesheet"]'):
        link.decompose()
    head = _head_of(page)
    addresses = ["_static/site.css"]
    if formulas:
        addresses.insert(0, "_static/katex/katex.css")
        early = _preload(prefix, assets.preloaded)
        head.append(page.new_tag("script", attrs={"class": EARLY_FONTS}, string=early))
    for address in addresses:
        attributes = {"rel": "stylesheet", "href": prefix + _versioned(address, assets)}
        head.append(page.new_tag("link", attrs=attributes))


def _head_of(page: BeautifulSoup) -> Tag:
    head = page.head
    assert head is not None
    return head


def _preload(prefix: str, fonts: tuple[str, ...]) -> str:
    """Return a script that has the browser load fonts at once; it may not from a file."""
    addresses = json.dumps([prefix + font for font in fonts])
    return (
        f'if(location.protocol!="file:")for(const href of {addresses})'
        'document.head.append(Object.assign(document.createElement("link"),'
        '{rel:"preload",as:"font",type:"font/woff2",crossOrigin:"",href}))'
    )


def _images(page: BeautifulSoup) -> None:
    for image in page.select("article img"):
        # The file name of a figure is no text for it; the author's own stays.
        if str(image.get("alt", "")).startswith("_images/"):
            image["alt"] = ""
        image["decoding"] = "async"
