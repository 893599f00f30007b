"""Docstrings without their markup: reStructuredText and TeX as a line of plain text.

The page shows documentation beside the cursor, where only Python's standard library and NumPy are.
"""

from __future__ import annotations

import re
import unicodedata

_MARKUP = re.compile(
    r":[\w:]*math:`(?P<tex>[^`]*)`"
    r"|:[\w:]+:`(?P<role>[^`]*)`"
    r"|``(?P<literal>.+?)``"
    r"|`(?P<name>[^`]+)`_{0,2}"
    r"|(?<![\w*])\*{1,2}(?P<stress>\w[^*\n]*)(?<=\w)\*{1,2}(?![\w*])"
    r"|\s?\[\w+\]_(?!\w)"  # a citation
)
#: What is not shown of "the title <target>" and of "~module.name".
_TARGET = re.compile(r"\s*<[^>]*>$|^~(?:\w+\.)*(?=\w+$)")
_SYMBOLS = {
    **{"sum": "Σ", "prod": "Π", "partial": "∂", "nabla": "∇", "infty": "∞", "lambda": "λ"},
    **{"cdot": "·", "times": "×", "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥"},
    **{"geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "to": "→", "top": "ᵀ"},
    **{"ldots": "…", "dots": "…", "cdots": "…", "bmod": "mod", "quad": " ", "qquad": " "},
}
#: Commands that only set how their argument looks.
_LOOKS = re.compile(r"\\(?:mathrm|mathbf|mathit|mathcal|operatorname|text|bar|hat|left|right)\b\s*")
_GROUP = r"\{([^{}]*)\}"


def plain_text(doc: str) -> str:
    """Return a docstring's text without reStructuredText's marks and with readable formulas."""
    return _MARKUP.sub(_plain, doc)


def _plain(match: re.Match[str]) -> str:
    if match["tex"] is not None:
        return plain_formula(match["tex"])
    if titled := match["role"] or match["name"]:
        return _TARGET.sub("", titled)
    return match["literal"] or match["stress"] or ""


def plain_formula(tex: str) -> str:
    """Return a short formula in one line, such as "e^s_j / Σ_k e^s_k"."""
    text = re.sub(r"\\[,;:! ]", " ", _LOOKS.sub("", tex))
    before = ""
    while before != text:  # from the innermost braces outwards
        before = text
        text = re.sub(rf"\\[td]?frac\s*{_GROUP}\s*{_GROUP}", _fraction, text)
        text = re.sub(rf"(\\sqrt|[\^_])\s*{_GROUP}", _argument, text)
        text = re.sub(rf"(?<![\w^]){_GROUP}", r"\1", text)
    text = re.sub(r"\^\s*\\top\b", "ᵀ", text)
    text = re.sub(r"\\([A-Za-z]+)", _symbol, text)
    text = re.sub(r"([∂∇]) ", r"\1", text)
    return " ".join(re.sub(r"[{}\\]", "", text).split())


def _fraction(match: re.Match[str]) -> str:
    return f"{_one(match[1])}/{_one(match[2])}"


def _argument(match: re.Match[str]) -> str:
    return match[1].replace("\\sqrt", "√") + _one(match[2])


def _one(text: str) -> str:
    """Return a text as one thing: in brackets, unless it is a name, a number or indexed."""
    return text if re.fullmatch(r"\s*[-−]?(\w|\\[A-Za-z]+)*\s*", text) else f"({text.strip()})"


def _symbol(match: re.Match[str]) -> str:
    name = match[1]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        return name  # a function such as tanh
