"""Cards as a deck for Anki: a text file that it imports as it is, in HTML.

Anki's own file format would need a library at build, and the date of a build in every file; from
a text Anki takes the same: deck, ids, tags and formulas.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from coursekit.cards import Card
from coursekit.marked import message_html
from coursekit.notebook.commonmark import to_commonmark

#: The columns of a deck.
GUID, FRONT, BACK, TAGS = range(4)
_HEADER = """\
#separator:tab
#html:true
#notetype:Basic
#deck:{name}
#guid column:1
#tags column:4
"""
#: The marks that Anki takes for formulas.
_MARKS = {
    "math_inline": r"\({}\)",
    "math_inline_double": r"\[{}\]",
    "math_block": r"\[{}\]",
}


def deck(cards: Iterable[Card], name: str, course: str) -> str:
    """Return cards as a text that Anki imports: id, question, answer, and the chapter as a tag.

    The ids stay from one edition of a course to the next, so that importing a later one changes
    what is on a card and not when it is due.

    Parameters
    ----------
    cards : iterable of Card
        What is asked.
    name : str
        The deck's name.
    course : str
        Begins the ids: no other course's are the same.
    """
    text = io.StringIO()
    text.write(_HEADER.format(name=name))
    rows = csv.writer(text, delimiter="\t", lineterminator="\n")
    for card in cards:
        front = _html(f"{card.exercise.statement}\n\n{card.asked}")
        back = f"{_html(card.answer)}<p>{message_html(card.why)}</p>"
        # The note type centres its text, which code and options do not bear.
        sides = (f'<div style="text-align: left">{side}</div>' for side in (front, back))
        rows.writerow((f"{course}/{card.id}", *sides, card.exercise.chapter))
    return text.getvalue()


def _html(text: str) -> str:
    """Return MyST as HTML with formulas between the marks that Anki takes for them."""
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.use(dollarmath_plugin, double_inline=True)
    for rule in _MARKS:
        markdown.add_render_rule(rule, _formula)
    return str(markdown.render(to_commonmark(text)))


def _formula(_: object, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return _MARKS[tokens[at].type].format(escape(tokens[at].content, quote=False))
