"""Results as an HTML table: named rows and columns, aligned numbers, room to scroll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape, number

Value = float | str | None
"""What a cell holds: a number, a truth value, words, or ``None`` if it is empty."""

_EMPTY = "–"
_PHONE = 34  # characters of a table that a phone shows at once
_SENTENCE = 24  # characters from which the words of a cell wrap
_WRAPPED = 16  # characters that a column of such cells needs


@dataclass(frozen=True)
class _Table:
    """The texts of a table's cells, by row, and how its columns line up."""

    rows: Mapping[str, tuple[str, ...]]
    columns: tuple[str, ...]
    row_name: str
    column_name: str
    caption: str
    is_text: tuple[bool, ...]

    def html(self) -> str:
        """Return the table for a notebook and the book."""
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        # A table that may have to scroll must be reachable by keyboard. It is a group, as several
        # tables of a page may share a name, and landmarks may not.
        names, label = self._widths()[0], escape(self.caption or self.row_name or "Table")
        wide = f' tabindex="0" role="group" aria-label="{label}"' if self._is_wide() else ""
        return (
            f'<div class="attn-scroll"{wide}>'
            f'<table class="attn-values" style="--names:{names}">{caption}'
            f"<thead>{self._head()}</thead><tbody>{self._body()}</tbody></table></div>"
        )

    def _head(self) -> str:
        span = 2 if self.column_name else 1
        look = f'class="attn-corner" rowspan="{span}"'
        corner = f"<td {look}></td>"
        if self.row_name:
            corner = f'<th scope="col" {look}>{escape(self.row_name)}</th>'
        names = "".join(
            f'<th scope="col"{_look(is_text=is_text)}>{escape(column)}</th>'
            for column, is_text in zip(self.columns, self.is_text, strict=True)
        )
        if not self.column_name:
            return f"<tr>{corner}{names}</tr>"
        over = (
            f'<th scope="colgroup" class="attn-over" colspan="{len(self.columns)}">'
            f"{escape(self.column_name)}</th>"
        )
        return f"<tr>{corner}{over}</tr><tr>{names}</tr>"

    def _body(self) -> str:
        return "".join(
            f'<tr><th scope="row">{escape(name)}</th>{self._cells(texts)}</tr>'
            for name, texts in self.rows.items()
        )

    def _cells(self, texts: Iterable[str]) -> str:
        return "".join(
            f"<td{_look(is_text=is_text, wraps=_is_sentence(text))}>{escape(text)}</td>"
            for text, is_text in zip(texts, self.is_text, strict=True)
        )

    def _widths(self) -> list[int]:
        names = max(map(len, chain(self.rows, [self.row_name])))
        columns = zip(self.columns, *self.rows.values(), strict=True)
        return [names, *(max(map(len, column)) for column in columns)]

    def _is_wide(self) -> bool:
        names, *columns = self._widths()
        # On a phone the names of rows wrap, and so do sentences.
        sentences = (
            any(map(_is_sentence, cells)) for cells in zip(*self.rows.values(), strict=True)
        )
        needed = (
            min(width, _WRAPPED) if wraps else width
            for width, wraps in zip(columns, sentences, strict=True)
        )
        return min(names, 16) + sum(width + 2 for width in needed) > _PHONE

    def text(self) -> str:
        """Return the table for a terminal."""
        widths = self._widths()
        lines = [(self.row_name, *self.columns), *((n, *texts) for n, texts in self.rows.items())]
        sides = [True, *self.is_text]
        rows = [self.column_name.rjust(sum(widths) + 2 * len(self.columns))] * bool(
            self.column_name
        )
        for line in lines:
            cells = zip(line, widths, sides, strict=True)
            rows.append("  ".join(t.ljust(w) if left else t.rjust(w) for t, w, left in cells))
        return "\n".join(line.rstrip() for line in rows)


def _look(*, is_text: bool, wraps: bool = False) -> str:
    names = ["attn-text"] * is_text + ["attn-sentence"] * wraps
    return f' class="{" ".join(names)}"' if names else ""


def _is_sentence(text: str) -> bool:
    return len(text) >= _SENTENCE and " " in text


def _text(value: object, decimals: int) -> str:
    """Return a cell's text: words as they are, whole numbers in groups, others rounded."""
    if value is None:
        return _EMPTY
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    if isinstance(value, float | np.floating):
        return number(float(value), decimals)
    raise TypeError(
        f"a cell holds a {type(value).__name__}; expected a number, a truth value, a string or None"
    )


def table(
    rows: Mapping[str, Iterable[Value]],
    columns: Iterable[object],
    *,
    row_name: str = "",
    column_name: str = "",
    caption: str = "",
    decimals: int | Sequence[int] = 2,
) -> Picture:
    """Return results as a table, with one named row for each entry of ``rows``.

    Parameters
    ----------
    rows, columns
        Rows of one value for each column, and all their names; ``None`` leaves a cell empty.
    row_name, column_name
        What the names are, such as ``"model"`` or ``"tokens"``; it stands above them.
    caption
        What to look at, in one sentence.
    decimals
        Decimals of every number that is not whole, or one number for each column.

    Raises
    ------
    ValueError, TypeError
        If numbers of entries differ, there is no entry, or a cell has another type.

    Examples
    --------
    >>> table({"cross": [-0.25, 1024]}, ["mean", "pairs"], row_name="kind")
    kind    mean  pairs
    cross  −0.25  1,024
    """
    names = tuple(map(_column_name, columns))
    values = {str(name): tuple(row) for name, row in rows.items()}
    places = (decimals,) * len(names) if isinstance(decimals, int) else tuple(decimals)
    _check_sizes(values, names, places)
    texts = {name: tuple(map(_text, row, places)) for name, row in values.items()}
    by_column = zip(*values.values(), strict=True)
    is_text = tuple(any(isinstance(value, str) for value in cells) for cells in by_column)
    made = _Table(texts, names, row_name, column_name, caption, is_text)
    return Picture(made.html(), made.text())


def _column_name(name: object) -> str:
    return f"{name:g}" if isinstance(name, float) else str(name)


def _check_sizes(
    values: Mapping[str, tuple[Value, ...]], names: tuple[str, ...], places: tuple[int, ...]
) -> None:
    if not values or not names:
        raise ValueError(f"{len(values)} rows and {len(names)} columns; expected at least one each")
    for name, row in values.items():
        if len(row) != len(names):
            raise ValueError(f"row {name!r} has {len(row)} values; expected {len(names)}")
    if len(places) != len(names):
        raise ValueError(f"decimals has {len(places)} entries; expected {len(names)}")
