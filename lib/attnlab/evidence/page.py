"""Write the HTML of the page of claims and evidence.

Nothing on it is typed in: a verdict is computed from a stored result, and a correction's check runs
while the page is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from attnlab import experiments
from attnlab.claims import Claim, Level, Verdict
from attnlab.drawing.svg import html_of
from attnlab.drawing.text import escape
from attnlab.drawing.tokens import embedded_css
from attnlab.evidence import corrections
from attnlab.evidence.attempts import attempts_on
from attnlab.evidence.corrections import Correction
from attnlab.results import Result

SOURCE = "lib/attnlab/experiments"
#: The chapters whose claims stand on the second page: one page with all of them loads slowly.
IN_USE = (
    *("windows", "hashing", "fast-exact", "attention-today", "attention-memory"),
    *("at-work", "review"),
)
#: A verdict that holds under more conditions than these names its exceptions instead.
_MANY = 4
_LABELS: dict[str, str] = {level: level for level in get_args(Level)} | {
    "not learned": "not learned, so not tested"
}


@dataclass(frozen=True)
class Page:
    """HTML that displays in a notebook and in the book."""

    html: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {
            "text/html": embedded_css() + self.html,
            "text/plain": "(a table; see it in a browser)",
        }


def claims(*chapters: str) -> Page:
    """Return an entry for each claim of these chapters: verdict, source, figure, how to repeat it.

    Chapters come in the order given, the claims of each in the order of their names.
    """
    names = experiments.names()
    of_chapter = [n for c in chapters for n in names if experiments.claim(n).chapter == c]
    return Page("".join(map(_entry, of_chapter)))


def summary() -> Page:
    """Return how many of the claims made for attention have each verdict, and which they are.

    Background statements are not counted.
    """
    by_level: dict[str, list[str]] = {level: [] for level in get_args(Level)}
    for name in experiments.names():
        if not experiments.claim(name).background:
            by_level[experiments.verdict(name).level].append(name)
    rows = "".join(
        f'<tr><th scope="row">{_LABELS[level]}</th><td>{len(names)}</td>'
        f"<td>{', '.join(map(_to_claim, names))}</td></tr>"
        for level, names in by_level.items()
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("verdict", "claims", "which"))
    return Page(f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>')


def corrections_table(
    rows: Sequence[Correction] = corrections.ALL, label: str = "Corrections"
) -> Page:
    """Return a table of corrections, labelled for a screen reader; each check runs now."""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("often said", "correct", "evidence"))
    body = "".join(
        f'<tr><td data-label="often said">{_inline(row.statement)}</td>'
        f'<td data-label="correct">{_inline(row.correct)} {_link(row.chapter)}</td>'
        f'<td data-label="evidence">{_evidence_of(row)}</td></tr>'
        for row in rows
    )
    return Page(
        f'<div class="attn-scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="table attn-corrections"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def anchor(name: str) -> str:
    """Return the id of a claim on the page."""
    return f"claim-{name.replace('_', '-')}"


def place(name: str) -> str:
    """Return the address of a claim: its page, and its id there."""
    page = "evidence-in-use" if experiments.claim(name).chapter in IN_USE else "evidence"
    return f"{page}.html#{anchor(name)}"


def _to_claim(name: str) -> str:
    return f'<a href="{place(name)}">{name.replace("_", " ")}</a>'


def _link(chapter: str) -> str:
    return f'<a href="{chapter}.html">{chapter}</a>'


def _entry(name: str) -> str:
    claim, result = experiments.claim(name), experiments.load(name)
    verdict = experiments.verdict(name, result)
    kind = verdict.level.replace(" ", "-")
    # A section, so that each claim can be linked to and is a landmark for a screen reader.
    return (
        f'<section class="attn-claim" id="{anchor(name)}" aria-label="{escape(name)}">'
        f'<p class="attn-claim-sentence">{escape(claim.sentence)}</p>'
        f'<p><span class="attn-verdict attn-{kind}">{_LABELS[verdict.level]}</span> '
        f"{_conditions(verdict)}{escape(verdict.because)}</p>"
        f"{_range(verdict)}{_background(claim)}"
        f'<p class="attn-claim-source">{escape(claim.source)} · chapter: {_link(claim.chapter)}</p>'
        f"{html_of(experiments.figure(name, result))}"
        f"<details><summary>How it was tested</summary>{_method(name, claim, result)}"
        f"{_attempts(name)}{_numbers(name, result)}</details></section>"
    )


def _range(verdict: Verdict) -> str:
    """Return how many tests counted, and over which values of what, turned alone or at once."""
    lists = {
        "Tests that count": [f"{verdict.tested} of {verdict.total}"],
        "Refuted": () if _names_exceptions(verdict) else verdict.refuted,
        "Not learned, so not tested": verdict.not_learned,
        **{
            f"Tried at two values or more{f' ({where} only)' if where else ''}": knobs
            for where, knobs in verdict.swept.items()
        },
        "Turned together": verdict.together,
        "Tried at one value only": verdict.fixed,
    }
    items = "".join(
        f"<li><b>{escape(name)}:</b> {escape('; '.join(parts))}.</li>"
        for name, parts in lists.items()
        if parts
    )
    return f'<ul class="attn-claim-range">{items}</ul>'


def _attempts(name: str) -> str:
    """Return what readers tried who had the claim alone and were asked to refute it."""
    items = "".join(
        f"<li>{escape(attempt.tried)} {escape(attempt.found)}</li>" for attempt in attempts_on(name)
    )
    return f"<p>Attempts to refute it:</p><ul>{items}</ul>" if items else ""


def _names_exceptions(verdict: Verdict) -> bool:
    """Whether a claim holds under many conditions and is refuted under fewer."""
    return bool(verdict.refuted) and len(verdict.when) > max(_MANY, len(verdict.refuted))


def _conditions(verdict: Verdict) -> str:
    """Return under which conditions a claim holds, or the exceptions where these are fewer."""
    named = "; ".join(verdict.when)
    if _names_exceptions(verdict):
        named = f"the condition is none of these: {'; '.join(verdict.refuted)}"
    elif verdict.level == "holds when" and not named and (verdict.fixed or any(verdict.swept)):
        named = "what was tried at one value only stays as it was"
        if not verdict.fixed:
            named = f"the knobs stay as they were, except with {'; '.join(verdict.swept)}"
    return f"<strong>{escape(named)}.</strong> " if named else ""


def _background(claim: Claim) -> str:
    if not claim.background:
        return ""
    return f"<p>Background, not a claim made for attention. {escape(claim.background)}</p>"


def _method(name: str, claim: Claim, result: Result) -> str:
    versions = ", ".join(f"{key} {value}" for key, value in result.versions.items())
    rows = (
        ("would refute it", escape(claim.refuted_by)),
        ("seeds and time", f"{len(result.seeds)} seeds, {result.seconds:.0f} s; {versions}"),
        ("code", f"<code>{SOURCE}/{name}.py</code>"),
        ("repeat it", f"<code>python -m attnlab.experiments {name}</code>"),
    )
    return f"<dl>{''.join(f'<dt>{term}</dt><dd>{text}</dd>' for term, text in rows)}</dl>"


def _numbers(name: str, result: Result) -> str:
    """Return a table for each set of x: the mean over seeds, and lowest to highest."""
    by_x: dict[tuple[float, ...], list[str]] = {}
    for label, curve in result.curves.items():
        cells = "".join(
            f"<td>{_spread(*at)}</td>" for at in zip(curve.mean, curve.low, curve.high, strict=True)
        )
        row = f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>'
        by_x.setdefault(tuple(curve.x), []).append(row)
    return "".join(
        '<div class="attn-scroll" tabindex="0" role="region" '
        f'aria-label="Numbers of {name}, table {number}">'
        f'<table class="table"><thead><tr><td></td>{_columns(x)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        for number, (x, rows) in enumerate(by_x.items(), start=1)
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


def _evidence_of(row: Correction) -> str:
    evidence = escape(row.check()) if row.check else ""
    if row.experiment:
        evidence += f' <a href="{place(row.experiment)}">experiment: {row.experiment}</a>'
    return evidence.strip() or "in the chapter"


def _inline(text: str) -> str:
    """Return text with *emphasis* as HTML, all else escaped; formulas stay as their letters."""
    parts = escape(text.replace("$", "")).split("*")
    return "".join(f"<em>{part}</em>" if at % 2 else part for at, part in enumerate(parts))
