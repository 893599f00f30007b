"""Compute the numbers that chapters quote, so that none is typed in the text.

In a chapter, ``{number}`sentiment.mean("one attention", 8):.2f``` stands for a number: an
expression and a format, as between the braces of an f-string. An expression may use ``math``, every
stored result under its experiment's name, and what the chapter's own module here defines, `at_work`
for ``at-work.md``, where a number is more than a lookup. These modules need NumPy only.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from attnlab import experiments

_CHAPTERS = {module.name for module in pkgutil.iter_modules(__path__)}


@cache
def names(chapter: str) -> Mapping[str, Any]:
    """Return what the expressions of a chapter may use, by name."""
    stored = (path.stem for path in experiments.RESULTS.glob("*.json"))
    found: dict[str, Any] = {"math": math, **{name: experiments.load(name) for name in stored}}
    if (own := chapter.replace("-", "_")) in _CHAPTERS:
        module = importlib.import_module(f"{__name__}.{own}")
        found |= {name: value for name, value in vars(module).items() if name[0] != "_"}
    return found
