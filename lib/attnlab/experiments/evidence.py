"""The page of claims and evidence, made from the registry, the stored results and the corrections.

Nothing on it is typed in: a verdict is computed from a stored result, and a correction's check runs
while the page is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attnlab.experiments import corrections, registry, results
from attnlab.experiments.corrections import Correction
from attnlab.experiments.results import Result
from attnlab.style.inline import embedded_css, escape, svg_of

#: Experiment: the chapter that explains it. The others are explained on the page itself.
CHAPTERS = {
    "agreement": "motivation",
    "memory": "motivation",
    "bottleneck": "motivation",
    "heads": "multi-head",
    "scaling": "scaled-dot-product",
    "hard_attention": "soft-and-hard",
    "positions": "positions",
    "reach": "windows",
    "cost": "windows",
    "peaked": "hashing",
    "hashing": "hashing",
    "axial": "hashing",
    "real_heads": "interpretation",
    "applications.sentiment": "at-work",
    "applications.questions": "at-work",
    "applications.summaries": "at-work",
    "applications.detection": "at-work",
    "applications.captions": "at-work",
    "applications.speech": "at-work",
}
SOURCE = "lib/attnlab/experiments"


@dataclass(frozen=True)
class Page:
    """HTML that displays in a notebook and in the book."""

    html: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {
            "text/html": embedded_css() + self.html,
            "text/plain": "(a table; see it in a browser)",
        }


def claims(*names: str) -> Page:
    """Return an entry for each claim: the verdict, who says it, a figure, how to run it again."""
    return Page("".join(_claim(name) for name in names))


def summary() -> Page:
    """Return how many claims hold, hold under a condition, and do not hold."""
    levels = [registry.verdict(name).holds for name in registry.CLAIMS]
    rows = "".join(
        f'<tr><th scope="row">{level}</th><td>{levels.count(level)}</td></tr>'
        for level in ("holds", "holds when", "does not hold")
    )
    head = '<thead><tr><th scope="col">the claim</th><th scope="col">claims</th></tr></thead>'
    return Page(f'<table class="table">{head}<tbody>{rows}</tbody></table>')


def table(rows: Sequence[Correction] = corrections.ALL, label: str = "Corrections") -> Page:
    """Return a table of corrections, named for a screen reader; each check runs now."""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("said", "right", "seen"))
    body = "".join(
        f'<tr><td data-label="said">{_inline(row.said)}</td>'
        f'<td data-label="right">{_inline(row.right)} {link(row.chapter)}</td>'
        f'<td data-label="seen">{_seen(row)}</td></tr>'
        for row in rows
    )
    return Page(
        f'<div class="attn-scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="table attn-corrections"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def link(chapter: str) -> str:
    """Return a link to a chapter of the built book."""
    return f'<a href="{chapter}.html">{chapter}</a>'


def anchor(name: str) -> str:
    """Return the id of a claim on the page."""
    return f"claim-{name.replace('_', '-').replace('.', '-')}"


def _claim(name: str) -> str:
    stated, found = registry.claim(name), results.load(name)
    verdict = registry.verdict(name, found)
    kind = verdict.holds.replace(" ", "-")
    shown = f" · explained in {link(CHAPTERS[name])}" if name in CHAPTERS else ""
    # A section, so that each claim can be linked to and is a landmark for a screen reader.
    return (
        f'<section class="attn-claim" id="{anchor(name)}" aria-label="{escape(name)}">'
        f'<p class="attn-claim-said">{escape(stated.claim)}</p>'
        f'<p><span class="attn-verdict attn-{kind}">{verdict.holds}</span> '
        f"{escape(verdict.because)}</p>"
        f'<p class="attn-claim-source">{escape(stated.source)}{shown}</p>'
        f'<div class="attn-figure">{svg_of(registry.figure(name, found))}</div>'
        f"<details><summary>How it was tried</summary>{_tried(name, found)}{_numbers(found)}"
        "</details></section>"
    )


def _tried(name: str, found: Result) -> str:
    versions = ", ".join(f"{key} {value}" for key, value in found.versions.items())
    rows = (
        ("would refute it", escape(found.claim.refuted_by)),
        ("seeds and time", f"{len(found.seeds)} seeds, {found.seconds:.0f} s; {versions}"),
        ("code", f"<code>{SOURCE}/{name.replace('.', '/')}.py</code>"),
        ("again", f"<code>python -m attnlab.experiments {name}</code>"),
    )
    return f"<dl>{''.join(f'<dt>{term}</dt><dd>{text}</dd>' for term, text in rows)}</dl>"


def _numbers(found: Result) -> str:
    """Return a table for each set of x: the mean over seeds, and lowest to highest."""
    by_x: dict[tuple[float, ...], list[str]] = {}
    for name, curve in found.curves.items():
        cells = "".join(
            f"<td>{_spread(*at)}</td>" for at in zip(curve.mean, curve.low, curve.high, strict=True)
        )
        row = f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
        by_x.setdefault(tuple(curve.x), []).append(row)
    return "".join(
        '<div class="attn-scroll" tabindex="0" role="region" '
        f'aria-label="Numbers of {found.claim.name}, table {at}">'
        f'<table class="table"><thead><tr><td></td>{_columns(x)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        for at, (x, rows) in enumerate(by_x.items(), start=1)
    )


def _columns(x: Sequence[float]) -> str:
    return "".join(f'<th scope="col">{value:g}</th>' for value in x)


def _spread(mean: float, low: float, high: float) -> str:
    """Return the mean, and in brackets the lowest and highest seed where they differ.

    Examples
    --------
    >>> _spread(0.5, 0.25, 0.75), _spread(1.0, 1.0, 1.0)
    ('0.5 (0.25–0.75)', '1')
    """
    ends = [f"{value:.3g}" for value in (low, high)]
    return f"{mean:.3g}" + (f" ({'–'.join(ends)})" if ends[0] != ends[1] else "")


def _seen(row: Correction) -> str:
    seen = escape(row.check()) if row.check else ""
    if row.experiment:
        seen += f' <a href="#{anchor(row.experiment)}">experiment: {row.experiment}</a>'
    return seen.strip() or "in the chapter"


def _inline(text: str) -> str:
    """Return text with *emphasis* as HTML, all else escaped; formulas stay as their letters."""
    parts = escape(text.replace("$", "")).split("*")
    return "".join(f"<em>{part}</em>" if at % 2 else part for at, part in enumerate(parts))
