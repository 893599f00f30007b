"""Set code as a book does: few colours, lines that wrap, a comment of shapes at the right end.

Pygments marks every token; most marks are dropped. What stays: keywords and comments (``b`` and
``i``), a comment behind code (``s``), the names that the course has hues for (``span``), and a
block for each line (``.ln``), so that a comment that does not fit goes below its own line. The text
of a block stays what it was, but for the blanks before a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

#: A block of code that Pygments has marked.
_BLOCK = re.compile(
    r'(<div class="highlight-(?:ipython3|python|default) notranslate">'
    r'<div class="highlight"><pre[^>]*>)'
    r"(?:<span></span>)?(.*?)(</pre>)",
    re.DOTALL,
)
_TOKEN = re.compile(r'<span class="([^"]*)">([^<]*)</span>|([^<]+)')


def set_code(page: str, hues: Mapping[str, str]) -> str:
    """Return a page with its code set; ``hues`` has the class of each name with a colour."""
    return _BLOCK.sub(lambda block: f"{block[1]}{_lines(block[2], hues)}{block[3]}", page)


def _lines(marked: str, hues: Mapping[str, str]) -> str:
    lines = [""]
    for token in _TOKEN.finditer(marked):
        kind, text = token[1] or "", token[2] if token[3] is None else token[3]
        first, *others = text.split("\n")
        lines[-1] = _joined(lines[-1], kind, first, hues)
        lines += [_joined("", kind, part, hues) for part in others]
    if not lines[-1]:
        lines.pop()
    return "".join(f'<span class="ln">{line}\n</span>' for line in lines)


def _joined(line: str, kind: str, text: str, hues: Mapping[str, str]) -> str:
    """Return a line of HTML with one more token."""
    if not text:
        return line
    if kind.startswith("c") and line.strip():
        return f"{line.rstrip()} <s>{text}</s>"
    if kind.startswith("c"):
        return f"{line}<i>{text}</i>"
    if kind.startswith("k") or kind == "ow":
        return f"{line}<b>{text}</b>"
    if kind.startswith("n") and text in hues:
        return f'{line}<span class="{hues[text]}">{text}</span>'
    return line + text
