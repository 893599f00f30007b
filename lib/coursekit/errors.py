"""End a command with one line: what was seen, what was expected, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CoursekitError(Exception):
    """What the command line prints as ``coursekit: <message>`` before it exits with status 2."""


class DefinitionError(CoursekitError, ValueError):
    """An exercise file is not well formed; the message says what to change."""


class UnknownError(CoursekitError, KeyError):
    """An id that is not known; the message names the nearest that are."""

    def __init__(self, what: str, asked: str, known: Iterable[str]) -> None:
        self.message = f"no {what} {asked!r}; {_nearest(asked, list(known))}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message  # KeyError would print it in quotes.


def carrier() -> str:
    """Return what pip calls the distribution that brought coursekit; "" if none did."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    scripts = entry_points(group="console_scripts", name="coursekit")
    return next((script.dist.name for script in scripts if script.dist), "")


class MissingExtraError(CoursekitError):
    """A library of an optional extra is not installed.

    The extra is that of ``distribution``, by default of the one that brought coursekit.
    """

    def __init__(self, library: str, extra: str, distribution: str = "") -> None:
        name = distribution or carrier()
        asked = f"'{name}[{extra}]'" if name else library
        super().__init__(f"{library} is not installed; run: pip install {asked}")


#: A course has at most some two dozen chapters, and many more exercises.
_MOST_NAMED = 24


def _nearest(asked: str, known: list[str]) -> str:
    near = difflib.get_close_matches(asked, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if not known:
        return "there are none"
    more = ", …" if len(known) > _MOST_NAMED else ""
    return f"known: {', '.join(known[:_MOST_NAMED])}{more}"
