"""How a check went, in the page's words (``web/results.ts``), as HTML and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from coursekit._expect import CheckFailed
from coursekit.command import counted
from coursekit.kernel.messages import as_html, as_text
from coursekit.kernel.shown import Shown
from coursekit.verdict import NO_ANSWER, NOT_DEFINED, NOT_STARTED, TEXT_CELL, Verdict

#: Sign and colour: passed, wrong, no answer.
_PASSED, _WRONG, _OPEN = ("✓", "ck-good"), ("✗", "ck-bad"), ("○", "ck-muted")
_START = "Not started: write your answer into the cell above, run it, then run this one."


@dataclass(frozen=True, kw_only=True)
class Result:
    """What the checks of one exercise found.

    Attributes
    ----------
    verdicts : tuple of Verdict
        In the checks' order.
    titles : mapping of str to str
        What each check looks at; empty where that need not be said.
    is_untouched : bool
        The answer is what the notebook began with.
    hidden : float
        Points that checks decide which the notebook does not have.
    solution : str
        The model solution, where the exercise is for practice and has been tried.
    """

    verdicts: tuple[Verdict, ...]
    titles: Mapping[str, str]
    is_untouched: bool
    hidden: float = 0.0
    solution: str = ""


def result_shown(result: Result) -> Shown:
    """Return what a check cell shows."""
    points = _points(result.verdicts)
    if result.is_untouched:
        return Shown(
            f'<p class="ck-muted">{_OPEN[0]} {as_html(_to_start(result))} {points}.</p>',
            f"{_OPEN[0]} {_to_start(result)} {points}.",
        )
    sign, colour = _PASSED if all(v.passed for v in result.verdicts) else ("", "")
    mark = f'<b class="{colour}">{sign}</b> ' if sign else ""
    headline, lines = _headline(result.verdicts), list(_in_order(result.verdicts))
    html = [
        f'<p class="ck-headline">{mark}{headline} <span class="ck-muted">{points}.</span></p>',
        "<ul>" + "".join(_item(v, result.titles) for v in lines) + "</ul>",
        *([f'<p class="ck-muted">{_hidden(result.hidden)}</p>'] if result.hidden and sign else []),
        *([_solution(result.solution)] if result.solution else []),
    ]
    text = [
        f"{sign} {headline} {points}.".strip(),
        *(_line(v, result.titles) for v in lines),
        *([_hidden(result.hidden)] if result.hidden and sign else []),
        *([f"Solution:\n{result.solution.strip()}"] if result.solution and sign else []),
    ]
    return Shown("".join(html), "\n".join(text))


def failure_shown(failure: str) -> Shown:
    """Return what a check cell shows where the newest attempt at the answer did not run."""
    sign, colour = _WRONG
    said = f"Your last change did not run: {failure}. Mend it, run its cell, then this one."
    html = f'<p><b class="{colour}">{sign}</b> {as_html(said)}</p>'
    return Shown(html, f"{sign} {said}")


def _to_start(result: Result) -> str:
    missing = [v for v in result.verdicts if v.misconception == NOT_DEFINED]
    if not missing:
        return _START
    run = "Run the cell of your answer, then this one."
    return f"Not started: {missing[0].message} {run} {TEXT_CELL}"


def _points(verdicts: Sequence[Verdict]) -> str:
    earned, most = sum(v.points for v in verdicts), sum(v.max_points for v in verdicts)
    return f"{round(earned, 2):g} of {counted(round(most, 2), 'point')}"


def _headline(verdicts: Sequence[Verdict]) -> str:
    passed, count = sum(v.passed for v in verdicts), len(verdicts)
    if passed == count:
        return f"Done. {'The check passes' if count == 1 else f'All {count} checks pass'}."
    if passed == 0:
        return "Not there yet." if count == 1 else "None of the checks passes yet."
    return f"{passed} of {count} checks {'passes' if passed == 1 else 'pass'}."


def _hidden(points: float) -> str:
    """Return how many points are decided by checks that the notebook does not have."""
    more = "is" if points == 1 else "are"
    some = counted(round(points, 2), "point")
    return f"{some} more {more} decided by other inputs when the notebook is graded."


def _in_order(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """Yield what is right first."""
    yield from (v for v in verdicts if v.passed)
    yield from (v for v in verdicts if not v.passed)


def _mark(verdict: Verdict) -> tuple[str, str]:
    if verdict.passed:
        return _PASSED
    return _OPEN if verdict.misconception in NO_ANSWER else _WRONG


def _title(verdict: Verdict, titles: Mapping[str, str]) -> str:
    title = titles.get(verdict.check, "")
    is_part = title and verdict.points and not verdict.passed
    return f"{title} ({_points([verdict])})" if is_part else title


def _texts(verdict: Verdict, titles: Mapping[str, str]) -> list[str]:
    """Return what is said of one check: its title, message and explanation, if there are any."""
    lines = ["No answer yet."] if verdict.misconception == NOT_STARTED else verdict.lines()
    title = _title(verdict, titles)
    return [*([title] if title else []), *lines] or [verdict.check]


def _item(verdict: Verdict, titles: Mapping[str, str]) -> str:
    sign, colour = _mark(verdict)
    first, *rest = map(as_html, _texts(verdict, titles))
    said = "".join(f"<p>{text}</p>" for text in rest)
    return f'<li><b class="{colour}">{sign}</b>{first}{said}</li>'


def _line(verdict: Verdict, titles: Mapping[str, str]) -> str:
    sign, _ = _mark(verdict)
    first, *rest = map(as_text, _texts(verdict, titles))
    return "\n".join([f"{sign} {first}", *(f"  {line}" for t in rest for line in t.splitlines())])


def _solution(code: str) -> str:
    shown = escape(code.strip(), quote=False)
    return f'<details><summary>Solution</summary><pre class="ck-solution">{shown}</pre></details>'


def forms_shown(said: Mapping[str, str | CheckFailed]) -> Shown:
    """Return what a cell shows that checks the form of answers."""
    items, lines = [], []
    for name, text in said.items():
        sign, colour = ("·", "ck-muted")
        if isinstance(text, CheckFailed):
            sign, colour = _OPEN if text.misconception in NO_ANSWER else _WRONG
            text = text.message
        first = f'<b class="{colour}">{sign}</b><code>{name}</code>'
        items.append(f"<li>{first}<p>{as_html(text)}</p></li>")
        lines.append(f"{sign} {name}\n  {text}")
    return Shown(f"<ul>{''.join(items)}</ul>", "\n".join(lines))
