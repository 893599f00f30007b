"""Write calls as Python source, in the layout of :mod:`pprint`."""

from __future__ import annotations

from dataclasses import make_dataclass
from pprint import pformat
from typing import Any

_WIDTH = 96


class Name:
    """An expression to be written as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def call(function: str, **arguments: Any) -> Any:
    """Return a value that `source_of` writes as a call of ``function`` with these arguments."""
    return make_dataclass(function, arguments)(**arguments)  # pprint lays dataclasses out as calls


def source_of(value: Any) -> str:
    """Return Python source whose value is ``value``: numbers, text, lists, dicts and calls."""
    return pformat(value, width=_WIDTH, sort_dicts=False)
