"""Patterns of mannered English, and what to write instead. `test_prose.py` looks for them.

Each was in this book once. A rule that has a good use beside the bad one names the good ones in
its pattern.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Rule(NamedTuple):
    """A pattern that prose must not have, and the advice that the test prints."""

    pattern: re.Pattern[str]
    advice: str


def _rule(pattern: str, advice: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), advice)


_IDIOMS = "longer|more|better|worse|less|fewer|such|doubt|need|way|reason|exception|use|one|point"
RULES = (
    _rule(
        rf"(?<!\bthere )\b(?:is|are|was|were|be) no (?!(?:{_IDIOMS})\b)\w+",
        "“X is no Y” reads as translated: say what X is not, or what there is not",
    ),
    _rule(r"\b(?:whoever|whomever|whosoever)\b", "say who: a reader, an instructor, anyone who …"),
    _rule(r"\bfor whom\b", "say what it is for, with the person as the subject"),
    _rule(r"\bby lot\b", "at random"),
    _rule(r"\bdearer\b", "more expensive, slower, larger: say which"),
    _rule(r"\b(?:bring|brings|brought|bringing) (?:it |them )?home\b", "return, give, compute"),
    _rule(r"\b(?:hand|hands|handed|handing) (?:it |them )?over\b", "pass, give, send, return"),
    _rule(
        r"\b(?:share|shares|shared|sharing) (?:it |them )?out\b", "distribute, normalise, weight"
    ),
    _rule(r"(?-i:\bOne) (?:says|sees|calls|asks|takes)\b", "name the subject"),
    _rule(r"\b(?:nobody|no one)'s\b", "say it of the thing"),
    _rule(r"\bhas a mind of its own\b", "say what it does"),
    _rule(r"\bdoes not stand\b|\bstands? no\b", "is missing, is not there"),
    _rule(r"\b(?:simply|obviously|of course|needless to say|as we all know)\b", "leave it out"),
    _rule(r"\b(?:so to speak|as it were)\b", "leave it out, or say the thing itself"),
    _rule(r"\bheld? (?:\w+ ){1,3}against\b", "compare with, check against"),
)
