"""Show a picture of an answer's value in a cell, as the page does with ``browser/drawn.ts``."""

from __future__ import annotations

from html import escape

from coursekit.judge.drawn import ROUNDED, Drawing, written


def as_html(drawing: Drawing) -> str:
    """Return the picture as HTML, which ``browser/drawn.css`` lays out."""
    if drawing.form == "lines":
        return (
            f'<pre class="ck-drawing" data-form="lines">{"".join(map(_line, drawing.rows))}</pre>'
        )
    part = f"<small>{drawing.part}</small>" if drawing.part else ""
    values = [_value(text) for row in drawing.rows for text, _ in row]
    top = max(1.0, *values)
    rows = "".join(f"<div>{_row(drawing.form, row, top)}</div>" for row in drawing.rows)
    return (
        f'<div class="ck-drawing" data-form="{drawing.form}" aria-hidden="true">{part}{rows}</div>'
    )


def _row(form: str, row: tuple[tuple[str, bool], ...], top: float) -> str:
    has_bars = form in ("bars", "share")
    cells = "".join(_cell(text, wrong, top if has_bars else 0) for text, wrong in row)
    sum_of = sum(_value(text) for text, _ in row)
    if form != "bars" or abs(sum_of - 1) <= ROUNDED:
        return cells
    return f"{cells}<small>sum {written(sum_of)}</small>"


def _cell(text: str, wrong: bool, top: float) -> str:
    names = " ".join([*(["ck-off"] if wrong else []), *(["ck-one"] if text == "1" else [])])
    bar = f'<i style="--w:{_value(text) / top:.4g}"></i>' if top else ""
    return f'<span class="{names}"><b>{text}</b>{bar}</span>'


def _line(row: tuple[tuple[str, bool], ...]) -> str:
    ((text, wrong),) = row
    code = escape(text, quote=False)
    return f'<span class="{"ck-off" if wrong else ""}">{code}</span>\n'


def _value(text: str) -> float:
    """Return the number of a cell that a bar has: pictures of bars have no others."""
    return float(text.replace("∞", "inf"))
