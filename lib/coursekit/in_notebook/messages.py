"""Show messages of verdicts as HTML and as plain text: code, stressed words, arrays by row."""

from __future__ import annotations

import re
from html import escape
from textwrap import indent

from coursekit.marked import pieces

#: An array with two axes or more in NumPy's notation, without its line breaks.
_ARRAY = re.compile(r"(\[\[[-+\d.,\seinfaTrueFls\[\]]*\]\])")

_BREAK = "<br>"


def as_html(message: str) -> str:
    """Return a message as HTML, its arrays on lines of their own, also without a style sheet."""
    html = "".join(_marked(tag, piece) for tag, piece in pieces(message))
    return (
        html.replace(f"{_BREAK}{_BREAK}<code", f"{_BREAK}<code")
        .removeprefix(_BREAK)
        .removesuffix(_BREAK)
    )


def as_text(message: str) -> str:
    """Return a message as plain text, its arrays on lines of their own."""
    parts = [part.strip() for part in _split(message)]
    parts[1::2] = [indent(by_rows(array), "    ") for array in parts[1::2]]
    return "\n".join(filter(None, parts))


def _split(message: str) -> list[str]:
    """Return text and arrays in turn, without the sentence's marks behind an array."""
    first, *others = _ARRAY.split(message)
    others[1::2] = [re.sub(r"^[;.,]\s*", "", text) for text in others[1::2]]
    return [first, *others]


def by_rows(array: str) -> str:
    """Return an array with each row on its own line, as NumPy prints it.

    Examples
    --------
    >>> print(by_rows("[[ 0.5, -1.25], [10. ,  2.  ]]"))
    [[ 0.5, -1.25],
     [10. ,  2.  ]]
    """
    depth = len(array) - len(array.lstrip("["))

    def broken(closing: re.Match[str]) -> str:
        ends = len(closing[1])
        return closing[1] + "," + "\n" * ends + " " * (depth - ends)

    return re.sub(r"(\]+),\s*(?=\[)", broken, array)


def _marked(tag: str, piece: str) -> str:
    if tag:
        return f"<{tag}>{_plain(piece)}</{tag}>"
    parts = _split(piece)
    parts[::2] = _trimmed([_plain(text) for text in parts[::2]])
    parts[1::2] = map(_array, parts[1::2])
    return "".join(parts)


def _trimmed(texts: list[str]) -> list[str]:
    """Return texts without the spaces that arrays stand between."""
    texts[1:] = [text.lstrip() for text in texts[1:]]
    texts[:-1] = [text.rstrip() for text in texts[:-1]]
    return texts


def _array(array: str) -> str:
    rows = by_rows(array).replace("\n", _BREAK)
    return f'{_BREAK}<code class="ck-array">{rows}</code>{_BREAK}'


def _plain(text: str) -> str:
    # Dollars would be formulas to MathJax, which JupyterLab runs over HTML, too.
    return escape(text, quote=False).replace("$", "&#36;")
