"""Where the reader stands in a chapter: its exercises with their points so far."""

from __future__ import annotations

from collections.abc import Mapping

from coursekit.kernel.messages import as_html
from coursekit.kernel.result import counted_points, hidden_points
from coursekit.kernel.shown import Shown
from coursekit.kernel.state import Standing, standings

_BY_HAND = "yours to compare"


def progress(
    exercises: Mapping[str, tuple[str, float]], *, hidden: float = 0.0, by_hand: float = 0.0
) -> Shown:
    """Show each exercise of a chapter with its points so far, and what is left.

    Parameters
    ----------
    exercises : mapping
        Id to title and points that the notebook's checks give; no points for prose, which the
        reader compares with example answers.
    hidden, by_hand : float
        Points of these exercises that only grading gives: by checks that the notebook does not
        have, and by a person.
    """
    rows = [(title, *_row(standings.get(id), points)) for id, (title, points) in exercises.items()]
    most = sum(points for _, points in exercises.values())
    earned = sum(standings[id].points for id in exercises if id in standings)
    done = sum(state == "done" for _, _, state in rows)
    counted = sum(points > 0 for _, points in exercises.values())
    said = f"{round(earned, 2):g} of {most:g} points; {done} of {counted} exercises done."
    more = [hidden_points(hidden)] if hidden else []
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


def _row(standing: Standing | None, points: float) -> tuple[str, str]:
    """Return the points and the state of an exercise, as the table has them."""
    if not points:
        return "–", _BY_HAND
    if standing is None:
        return f"0 of {points:g}", "not checked yet"
    if not standing.is_started:
        return f"0 of {points:g}", "not started"
    is_complete = standing.answered == standing.of
    if not standing.is_graded:
        return f"? of {points:g}", "answered, not graded here" if is_complete else "begun"
    return f"{round(standing.points, 2):g} of {points:g}", "done" if is_complete else "begun"
