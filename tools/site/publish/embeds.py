"""Give each figure of a page an address, a page of its own to embed, and a place in the gallery.

A figure's address is ``PAGE.html#figure=KIND``, its own page ``embed/PAGE.KIND.html``. The gallery
stands where a page has a container of the class ``figure-gallery``.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

#: Where the pages of single figures are, and the style sheet of all pages.
FOLDER, STYLE = "embed", "_static/site.css"
_FIGURE = re.compile(
    r'(?P<tag><(?P<name>[a-z][\w-]*) [^<>]*\bdata-embed="(?P<file>[^"]+)"[^<>]*>)'
    r'(?P<still><template shadowrootmode="open">.*?</template>).*?</(?P=name)>',
    re.DOTALL,
)
_TITLE = re.compile(r'<section [^>]*aria-label="([^"]+)"')
_CHAPTER = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_RUNS_AN_ANSWER = re.compile(r"^tag_runs-")
_ID = re.compile(r' id="([^"]+)"')
#: The gallery as it is written, or as an earlier build has filled it: figures have divisions, too.
_END = "<!--figures-->"
_GALLERY = re.compile(
    rf'(<div class="[^"]*\bfigure-gallery\b[^"]*">)(?:.*?{_END}|.*?)(</div>)', re.DOTALL
)
_OWN = """body{margin:0;padding:0 10px}main{display:block;margin:0;max-width:none;padding:0}
.from{font:.875rem var(--ck-ui-font);margin:.4rem 0}"""
#: An embedded figure follows the page around it where it may read it, and else the system.
_THEME = """{const own=document.documentElement;let outer;
try{if(parent!=self)outer=parent.document.documentElement}catch{}
const dark=matchMedia("(prefers-color-scheme:dark)").matches?"dark":"light",
set=()=>own.dataset.theme=outer?.dataset.theme||dark;set();
if(outer)new MutationObserver(set).observe(outer,{attributeFilter:["data-theme"]})}"""


@dataclass(frozen=True)
class Figure:
    """A figure as a finished page has it: its names and HTML, where it is there and alone."""

    name: str
    title: str
    tag: str
    still: str
    address: str
    file: str


def address(figures: Iterable[Tag], prefix: str, page: str) -> None:
    """Give the figures of a page their addresses; their elements' names begin with ``prefix``.

    What runs a reader's own answer has none: elsewhere nobody has given it.
    """
    count: Counter[str] = Counter()
    for figure in figures:
        if figure.find_parent(class_=_RUNS_AN_ANSWER):
            continue
        kind = figure.name.removeprefix(prefix)
        count[kind] += 1
        own = kind if count[kind] == 1 else f"{kind}-{count[kind]}"
        figure["id"] = f"figure={own}"
        figure["data-embed"] = f"{FOLDER}/{page.removesuffix('html')}{own}.html"


def figures_of(page: str, name: str) -> Iterator[Figure]:
    """Yield the figures of a page that has its stills."""
    for match in _FIGURE.finditer(page):
        title, own = _TITLE.search(match["still"]), _ID.search(match["tag"])
        if title and own:
            said, address = html.unescape(title[1]), f"{name}#{own[1]}"
            yield Figure(match["name"], said, match["tag"], match["still"], address, match["file"])


def write_embeds(site: Path, name: str, page: str, files: Iterable[str]) -> None:
    """Write the pages of a finished page's figures, and remove those of figures that are gone.

    ``files`` are the addresses of all scripts and style sheets in the site, with their versions.
    """
    for old in (site / FOLDER).glob(f"{name.removesuffix('html')}*.html"):
        old.unlink()
    (site / FOLDER).mkdir(exist_ok=True)
    for figure in figures_of(page, name):
        needed = (STYLE, "_static/explorables.js", f"_static/explorables/{figure.name}.js")
        own = [file for file in files if file.partition("?")[0] in needed]
        made = _embed(figure, _CHAPTER.findall(page)[0], own)
        (site / figure.file).write_text(made, encoding="utf-8")


def _embed(figure: Figure, chapter: str, files: Iterable[str]) -> str:
    loaded = "".join(
        f'<link rel="stylesheet" href="{file}">\n'
        if ".css" in file
        else f'<script defer src="{file}"></script>\n'
        for file in files
    )
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base href="../">
<title>{html.escape(figure.title)}</title>
<script>{_THEME}</script>
<link rel="icon" href="data:,">
{loaded}<style>{_OWN}</style>
</head>
<body>
<main>{_alone(figure)}</main>
<p class="from">From <a href="{figure.address}" target="_blank">{chapter}</a></p>
</body>
</html>
"""


def _alone(figure: Figure) -> str:
    """Return a figure that asks for no answer and offers no page of its own."""
    element = BeautifulSoup(figure.tag, "html.parser").find(figure.name)
    assert element is not None
    del element["data-embed"]
    state = json.loads(str(element["state"])) | {"answers": []}
    element["state"] = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return str(element).replace("></", f">{figure.still}</", 1)


def fill_gallery(site: Path, pages: Iterable[str]) -> None:
    """List the first figure of each kind where a page has a place for them.

    A card shows the figure's still, small, and leads to the figure in its chapter.
    """
    texts = {name: (site / name).read_text(encoding="utf-8") for name in pages}
    first: dict[str, Figure] = {}
    for name, text in texts.items():
        for figure in figures_of(text, name):
            first.setdefault(figure.name, figure)
    cards = "".join(
        f"<li><div inert>{figure.still}</div>"
        f'<a href="{figure.address}">{html.escape(figure.title)}</a></li>'
        for figure in first.values()
    )
    for name, text in texts.items():
        if _GALLERY.search(text):
            filled = _GALLERY.sub(lambda m: f"{m[1]}<ul>{cards}</ul>{_END}{m[2]}", text)
            (site / name).write_text(filled, encoding="utf-8")
