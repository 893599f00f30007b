"""Give each explorable a page of its own, which others can embed, and list them in a gallery.

An embedded figure is ``embed/KIND.html``. The gallery stands where a chapter has a container of the
class ``figure-gallery``; its pictures are the embedded figures, loaded when they come into view.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

from bs4 import BeautifulSoup

from tools.site.publish.about import PageFacts, SiteFacts

FOLDER, GALLERY = "embed", "figure-gallery"
#: The style sheet of pages with one figure: the site's without what only chapters have.
STYLE = "embed.css"
#: How wide a figure is drawn for its picture in the gallery, and how wide the picture is (pixels).
_DRAWN, _SHOWN = 740, 300
_STATE = re.compile(r' state="([^"]*)"')
_GALLERY_STYLE = f"""\
.{GALLERY} ul {{ display: grid; gap: 2rem 1.5rem; list-style: none; margin: 1.5rem 0; padding: 0;
  grid-template-columns: repeat(auto-fill, minmax(min({_SHOWN}px, 100%), 1fr)) }}
.{GALLERY} li {{ margin: 0; max-width: {_SHOWN}px; position: relative }}
.{GALLERY} a::after {{ content: ""; inset: 0; position: absolute }}
.{GALLERY} p {{ margin: .4rem 0 0 }}
.{GALLERY} .in {{ color: var(--ck-muted); font-size: .85em }}
.{GALLERY} .picture {{ border: 1px solid var(--ck-line); display: block; height: 215px;
  overflow: hidden }}
.{GALLERY} li:is(:hover, :focus-within) .picture {{ border-color: currentcolor }}
.{GALLERY} iframe {{ border: 0; height: {215 * _DRAWN // _SHOWN}px; pointer-events: none;
  transform: scale({_SHOWN / _DRAWN:.4f}); transform-origin: 0 0; width: {_DRAWN}px }}
"""
#: An embedded figure follows the page around it where it may read it, and else the system.
_THEME = """\
{const own=document.documentElement,asked=new URLSearchParams(location.search).get("theme");
let outer;try{if(parent!==self)outer=parent.document.documentElement}catch{}
const dark=matchMedia("(prefers-color-scheme:dark)").matches?"dark":"light";
const set=()=>own.dataset.theme=asked||outer?.dataset.theme||dark;set();
if(outer)new MutationObserver(set).observe(outer,{attributeFilter:["data-theme"]})}"""
_EMBED_STYLE = """\
body { background: var(--ck-paper); font-family: var(--ck-ui-font); margin: 0; padding: 0 10px }
main { margin: 0; max-width: none; padding: 0 }
.from { font-size: .8rem; margin: .4rem 0; color: var(--ck-muted) }
.from a { color: inherit }"""


@dataclass(frozen=True)
class Figure:
    """An explorable as a page shows it: its kind and title, its HTML, and where it stands."""

    kind: str
    title: str
    html: str
    address: str
    chapter: str

    @property
    def file(self) -> str:
        """Its own page, relative to the site's root."""
        return f"{FOLDER}/{self.kind}.html"


def figures_of(staged: Mapping[str, str], site: SiteFacts, prefix: str) -> tuple[Figure, ...]:
    """Return the first figure of each kind in the order of the book.

    One of an exercise is taken only where there is no other: it starts at the exercise's question.
    Figures without ``data-title`` need the page around them.
    """
    found: dict[str, tuple[bool, Figure]] = {}
    for page in site.pages if prefix else ():
        for figure, is_asked in _figures(page, staged[page.file], prefix):
            if figure.kind not in found or (found[figure.kind][0] and not is_asked):
                found[figure.kind] = is_asked, figure
    return tuple(figure for _, figure in found.values())


def _figures(page: PageFacts, html: str, prefix: str) -> list[tuple[Figure, bool]]:
    """Return a page's figures, and whether an exercise asks something of them."""
    count: Counter[str] = Counter()
    figures = []
    for match in re.finditer(rf"<({prefix}[a-z0-9-]+)([^>]*)>.*?</\1>", html, re.DOTALL):
        kind = match[1].removeprefix(prefix)
        count[kind] += 1
        title = re.search(r' data-title="([^"]+)"', match[2])
        if title is None:
            continue
        name = kind if count[kind] == 1 else f"{kind}-{count[kind]}"
        address = f"{page.file}#figure={name}"
        element, is_asked = _unasked(match[0])
        figure = Figure(kind, unescape(title[1]), element, address, page.title)
        figures.append((figure, is_asked))
    return figures


def _unasked(element: str) -> tuple[str, bool]:
    """Return an element without the names of its exercise's answer, and whether it had any."""
    found = _STATE.search(element)
    state = json.loads(unescape(found[1])) if found else {}
    if found is None or not state.get("answers"):
        return element, False
    text = escape(json.dumps({**state, "answers": []}, ensure_ascii=False, separators=(",", ":")))
    return element.replace(found[0], f' state="{text}"', 1), True


def styled(figures: tuple[Figure, ...]) -> list[str]:
    """Return all that a style sheet of the figures' own pages is about."""
    around = '<html lang="" data-theme=""><body><main></main><p class="from"><a href=""></a></p>'
    return [around, _EMBED_STYLE, *(figure.html for figure in figures)]


def write_embeds(
    folder: Path, figures: tuple[Figure, ...], site: SiteFacts, versions: Mapping[str, str]
) -> None:
    """Write each figure's own page, and remove those of figures that are gone."""
    folder.mkdir(exist_ok=True)
    for path in {*folder.glob("*.html")} - {folder / Path(f.file).name for f in figures}:
        path.unlink()
    for figure in figures:
        page = _embed(figure, site, versions)
        path = folder / Path(figure.file).name
        if not path.exists() or path.read_text(encoding="utf-8") != page:
            path.write_text(page, encoding="utf-8")


def _embed(figure: Figure, site: SiteFacts, versions: Mapping[str, str]) -> str:
    element = re.match(r"<([a-z0-9-]+)", figure.html)
    assert element is not None
    named = ("_static/explorables.js", f"_static/explorables/{element[1]}.js")
    scripts = [f"../{name}?v={versions[name]}" for name in named if name in versions]
    style = f"../_static/{STYLE}?v={versions.get(f'_static/{STYLE}', '')}"
    loaded = "".join(f'<script defer src="{script}"></script>\n' for script in scripts)
    return f"""\
<!DOCTYPE html>
<html lang="{site.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(figure.title)} — {escape(site.title)}</title>
<script>{_THEME}</script>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{style}">
<style>{_EMBED_STYLE}</style>
{loaded}</head>
<body>
<main>{figure.html}</main>
<p class="from">From <a href="../{figure.address}" target="_blank">{escape(figure.chapter)}</a>
in {escape(site.title)}</p>
</body>
</html>
"""


def fill_gallery(page: BeautifulSoup, figures: tuple[Figure, ...]) -> None:
    """List the figures in the page's gallery, in place of what it says without them."""
    place = page.select_one(f".{GALLERY}")
    if place is None or not figures:
        return
    place.clear()
    cards = "".join(map(_card, figures))
    text = f"<style>{_GALLERY_STYLE}</style><ul>{cards}</ul>"
    place.append(BeautifulSoup(text, "html.parser"))


def _card(figure: Figure) -> str:
    # What is shown small cannot be used: a click leads to the figure in its chapter.
    return (
        f'<li><span class="picture" inert><iframe src="{figure.file}" loading="lazy" '
        f'title="{escape(figure.title)}"></iframe></span>'
        f'<p><a href="{figure.address}">{escape(figure.title)}</a><br>'
        f'<span class="in">in {escape(figure.chapter)}</span></p></li>'
    )
