"""A picture as HTML, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attnlab.drawing.tokens import embedded_css


@dataclass(frozen=True, repr=False)
class Picture:
    """HTML that displays in a notebook and in the book.

    Attributes
    ----------
    html
        What is shown, without a style sheet.
    description
        The alternative text: what a terminal shows.
    """

    html: str
    description: str

    def _repr_html_(self) -> str:
        return embedded_css() + self.html

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.description}

    def __repr__(self) -> str:
        return self.description
