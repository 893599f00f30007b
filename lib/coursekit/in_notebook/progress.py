"""Show a reader's progress in a chapter: its exercises with their points so far."""

from __future__ import annotations

from coursekit.in_notebook.cells import callers, cells_of, shell_of, sources_of
from coursekit.in_notebook.messages import as_html
from coursekit.in_notebook.shown import Shown, not_loaded
from coursekit.in_notebook.state import Standing, digest_of, known, standings
from coursekit.judge.verdict import counted_points, decided_elsewhere

_BY_HAND = "yours to compare"


def progress() -> Shown:
    """Show each exercise of a notebook with its points so far, and what is left.

    Prose has no points here: the reader compares it with example answers. Points that only grading
    gives are named: those of checks that the notebook does not have, and those that a person gives.
    """
    if not known:
        return not_loaded()
    stale = _changed()
    rows = [
        (about["title"], *_row(standings.get(id), about["points"], id in stale))
        for id, about in known.items()
    ]
    most, hidden, by_hand = (
        sum(about[key] for about in known.values()) for key in ("points", "hidden", "by_hand")
    )
    earned = sum(standings[id].points for id in known if id in standings)
    done = sum(state == "done" for _, _, state in rows)
    counted = sum(about["points"] > 0 for about in known.values())
    said = f"{round(earned, 2):g} of {most:g} points; {done} of {counted} exercises done."
    more = [decided_elsewhere(hidden)] if hidden else []
    if by_hand:
        is_are = "is" if by_hand == 1 else "are"
        more.append(f"{counted_points(by_hand)} more {is_are} for prose, which a person grades.")
    note = "".join(f'<p class="ck-muted">{line}</p>' for line in more)
    body = "".join(
        f'<tr><td>{as_html(title)}</td><td class="ck-number">{points}</td><td class="ck-muted">'
        f"{state}</td></tr>"
        for title, points, state in rows
    )
    head = '<tr><th>Exercise</th><th class="ck-number">Points</th><th></th></tr>'
    width = max((len(title) for title, _, _ in rows), default=0)
    text = [f"{title:<{width}}  {points:>9}  {state}".rstrip() for title, points, state in rows]
    return Shown(
        f'<p class="ck-headline">{said}</p><table>{head}{body}</table>{note}',
        "\n".join([said, *text, *more]),
    )


def _changed() -> set[str]:
    """Return the exercises whose answers are not those that were checked."""
    shell = shell_of(callers())
    cells = cells_of(shell) if shell else []
    own = {id: sources_of(known[id], known, cells) for id in known if id in standings}
    return {id for id, code in own.items() if code and digest_of(code) != standings[id].digest}


def _row(standing: Standing | None, points: float, is_stale: bool = False) -> tuple[str, str]:
    """Return the points and the state of an exercise, as the table has them."""
    if not points:
        return "–", _BY_HAND
    if standing is None:
        return f"0 of {points:g}", "not checked yet"
    if not standing.is_started:
        return f"0 of {points:g}", "not started"
    is_complete = standing.answered == standing.of
    if is_stale:
        return f"{round(standing.points, 2):g} of {points:g}", "changed since: check it again"
    if not standing.is_graded:
        return f"? of {points:g}", "answered, not graded here" if is_complete else "begun"
    return f"{round(standing.points, 2):g} of {points:g}", "done" if is_complete else "begun"
