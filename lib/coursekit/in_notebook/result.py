"""Show how a check went, as HTML and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from coursekit.in_notebook import drawing
from coursekit.in_notebook.messages import as_html, as_text
from coursekit.in_notebook.shown import Shown
from coursekit.judge.expect import CheckFailed
from coursekit.judge.verdict import (
    NO_ANSWER,
    NOT_DEFINED,
    NOT_STARTED,
    Verdict,
    counted_points,
    decided_elsewhere,
    headline,
)

#: Sign and class: passed, wrong, no answer.
_PASSED, _WRONG, _OPEN = ("✓", "ck-pass"), ("✗", "ck-fail"), ("○", "ck-muted")
_START = "Not started: write your answer into the cell above, run it, then run this one."


@dataclass(frozen=True, kw_only=True)
class Result:
    """What the checks of one exercise found.

    Attributes
    ----------
    id : str
        The exercise.
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
    last : float, optional
        Points of an answer that was checked before and that this kernel has not run yet.
    """

    id: str
    verdicts: tuple[Verdict, ...]
    titles: Mapping[str, str]
    is_untouched: bool
    hidden: float = 0.0
    solution: str = ""
    last: float | None = None


def result_shown(result: Result) -> Shown:
    """Return what a check cell shows."""
    points = _points(result.verdicts)
    if result.last is not None:
        said = f"{_OPEN[0]} {_to_run(result.verdicts, result.last)}"
        return Shown(f'<p class="ck-muted">{said}</p>', said)
    if result.is_untouched:
        return Shown(
            f'<p class="ck-muted">{_OPEN[0]} {as_html(_to_start(result))} {points}.</p>',
            f"{_OPEN[0]} {_to_start(result)} {points}.",
        )
    sign, colour = _PASSED if all(v.passed for v in result.verdicts) else ("", "")
    mark = f'<b class="{colour}">{sign}</b> ' if sign else ""
    said, lines = headline(result.verdicts), list(_in_order(result.verdicts))
    html = [
        f'<p class="ck-headline">{mark}{said} <span class="ck-muted">{points}.</span></p>',
        "<ul>" + "".join(_item(v, result.titles) for v in lines) + "</ul>",
        *(
            [f'<p class="ck-muted">{decided_elsewhere(result.hidden)}</p>']
            if result.hidden and sign
            else []
        ),
        *([_solution(result.solution)] if result.solution else []),
    ]
    text = [
        f"{sign} {said} {points}.".strip(),
        *(_line(v, result.titles) for v in lines),
        *([decided_elsewhere(result.hidden)] if result.hidden and sign else []),
        *([f"Solution:\n{result.solution.strip()}"] if result.solution and sign else []),
    ]
    return Shown("".join(html), "\n".join(text))


def failure_shown(said: str) -> Shown:
    """Return what a check cell shows where one sentence is true of all checks."""
    sign, colour = _WRONG
    return Shown(f'<p><b class="{colour}">{sign}</b> {as_html(said)}</p>', f"{sign} {said}")


def _to_start(result: Result) -> str:
    missing = [v for v in result.verdicts if v.misconception == NOT_DEFINED]
    if not missing:
        return _START
    return f"Not started: {missing[0].message} Run the cell of your answer, then this one."


def _to_run(verdicts: Sequence[Verdict], last: float) -> str:
    most = counted_points(sum(verdict.max_points for verdict in verdicts))
    return (
        "This kernel has not run your answer yet: run its cell, then this one. "
        f"When last checked, it had {round(last, 2):g} of {most}."
    )


def _points(verdicts: Sequence[Verdict]) -> str:
    earned, most = sum(v.points for v in verdicts), sum(v.max_points for v in verdicts)
    return f"{round(earned, 2):g} of {counted_points(most)}"


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
    message = "No answer yet." if verdict.misconception == NOT_STARTED else verdict.message
    texts = (_title(verdict, titles), message, verdict.explanation)
    return [text for text in texts if text] or [verdict.check]


def _item(verdict: Verdict, titles: Mapping[str, str]) -> str:
    sign, colour = _mark(verdict)
    first, *rest = map(as_html, _texts(verdict, titles))
    said = "".join(f"<p>{text}</p>" for text in rest)
    picture = drawing.as_html(verdict.drawing) if verdict.drawing else ""
    return f'<li><b class="{colour}">{sign}</b>{first}{said}{picture}</li>'


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
