"""Prepare a chapter for paper: open what folds, drop what is pressed, give answers room.

Solutions and hints go to the end of the chapter, where nobody sees them by accident. The page has
solutions of practice only, so there are no others to print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

#: What only a screen can use, and what is the same text again.
_SCREEN_ONLY = (
    "script, noscript, a.headerlink, .ck-hidden, .ck-progress, .ck-start, .ck-cards, .ck-rubric, "
    ".ck-report, .toctree-wrapper, .sd-summary-state-marker, .copy, .notebook-menu"
)
_APPENDIX = "details.ck-hint, details.ck-solution"
#: Below an explorable's picture.
_INTERACTIVE = "In the page, this figure can be operated. Here it shows its first state."
#: Spaces by which a broken line of code goes on further in than it begins.
_HANGING = 4


def article_for_paper(html: str, elements: str) -> Tag:
    """Return the article of a finished page as it is printed.

    Parameters
    ----------
    html : str
        The page.
    elements : str
        How the names of the explorables' elements begin; "" where there are none.

    Raises
    ------
    ValueError
        If the page has no article.
    """
    article = BeautifulSoup(html, "html.parser").select_one("article")
    if article is None:
        raise ValueError("the page has no <article>")
    _formulas(article)
    for element in article.select('a[href^="sheet-"]'):
        (element.find_parent("p") or element).decompose()
    for element in article.select(_SCREEN_ONLY):
        element.decompose()
    _cells(article)
    _code_lines(article)
    _explorables(article, elements)
    _exercises(article)
    _appendix(article)
    _unfold(article)
    for area in article.select("[tabindex]"):
        for name in ("role", "tabindex", "aria-label"):
            area.attrs.pop(name, None)
    return article


def _make(tag: str, text: str = "", **attributes: str) -> Tag:
    made = BeautifulSoup("", "html.parser").new_tag(tag, attrs=attributes)
    if text:
        made.string = text
    return made


def _cells(article: Tag) -> None:
    """Leave out code that the page folds, and open folded outputs."""
    for fold in article.select("details.hide, details.ck-deeper"):
        if "hide" in fold.get_attribute_list("class"):
            for code in fold.select(".cell_input"):
                code.decompose()
        for label in fold.find_all("summary", recursive=False):
            label.decompose()
        fold.unwrap()


def _code_lines(article: Tag) -> None:
    """Put each line of code into an element which says how far in a broken line goes on."""
    for code in article.select("pre"):
        if any("\n" in part.get_text() for part in code.find_all(True, recursive=False)):
            continue  # an element of several lines: they cannot be taken apart
        lines = code.decode_contents().rstrip("\n").split("\n")
        html = "".join(f'<span class="paper-line">{line}\n</span>' for line in lines)
        # In a <pre>, for the parser would make one space of those that a line begins with.
        made = BeautifulSoup(f"<pre>{html}</pre>", "html.parser").find_all(class_="paper-line")
        for line in made:
            text = line.get_text()
            line["style"] = f"--indent: {len(text) - len(text.lstrip(' ')) + _HANGING}"
        code.clear()
        code.extend(made)


def _explorables(article: Tag, elements: str) -> None:
    """Turn each explorable into its static picture with its task."""
    if not elements:
        return
    for element in article.find_all(lambda tag: tag.name.startswith(elements)):
        state = json.loads(str(element.get("state") or "{}"))
        task = state.get("task") if isinstance(state, dict) else None
        element.name, element.attrs = "div", {"class": "paper-explorable"}
        if isinstance(task, str) and task:
            element.insert(0, _make("p", task))
        element.append(_make("p", _INTERACTIVE, **{"class": "paper-note"}))


def _exercises(article: Tag) -> None:
    """Give what is to be marked boxes, to tick or to write into, and answers room."""
    for option in article.select(".ck-tick > li, .ck-write > li"):
        box = _make("span", **{"class": "paper-box", "aria-hidden": "true"})
        (option.find("p", recursive=False) or option).insert(0, box)
    for question in article.select(".ck-question[data-room]"):
        room = _make("div", **{"class": "paper-room", "aria-hidden": "true"})
        room.extend(_make("div") for _ in range(int(str(question["data-room"]))))
        question.append(room)


def _appendix(article: Tag) -> None:
    """Move hints and solutions to the end of the chapter, under their exercises' titles."""
    groups = list(_folded(article))
    if not groups:
        return
    has_solutions = bool(article.select("details.ck-solution"))
    title = "Hints and solutions" if has_solutions else "Hints"
    section = _make("section", id="paper-hints", **{"class": "paper-hints"})
    section.append(_make("h2", title))
    for exercise, parts in groups:
        heading = exercise.select_one(".ck-title")
        name = heading.get_text().strip() if heading else str(exercise.get("id", ""))
        line = _make("p", **{"class": "paper-hints-of"})
        line.append(_make("a", name, href=f"#{exercise.get('id', '')}"))
        section.append(line)
        for part in parts:
            section.append(part.extract())
    (article.find("section", recursive=False) or article).append(section)


def _folded(article: Tag) -> Iterator[tuple[Tag, list[Tag]]]:
    for exercise in article.select(".ck-exercise"):
        parts = exercise.select(_APPENDIX)
        if parts:
            yield exercise, parts


def _unfold(article: Tag) -> None:
    """Turn what is still folded into its label and its content."""
    for label in article.find_all("summary"):
        label.name, label.attrs = "p", {"class": "paper-label"}
    for fold in article.find_all("details"):
        fold.name = "div"
        classes = [name for name in fold.get_attribute_list("class") if name]
        fold.attrs = {"class": " ".join(["paper-open", *classes])}


def _formulas(article: Tag) -> None:
    """Have a formula read as its text: a tagged file keeps what an image is called."""
    for formula in article.select("math"):
        formula["role"], formula["aria-label"] = "img", formula.get_text(" ", strip=True)
