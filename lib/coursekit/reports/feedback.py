"""``coursekit feedback``: one page a student, with everything escaped."""

from __future__ import annotations

import argparse
import hashlib
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from coursekit.colours import css
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    counted,
    decimal,
    names,
    open_bank,
    tell,
)
from coursekit.errors import MissingExtraError
from coursekit.marked import message_html
from coursekit.model import Exercise
from coursekit.private_files import make_private_folder, write_private
from coursekit.reports.marks import Mark, add_marks_options, of_assignments, present, with_policy
from coursekit.results import Outcome, Row, read_results
from coursekit.verdict import Status, Verdict

#: The sign before a check, and its class in the style sheet.
_SIGNS = {
    Status.PASSED: ("✓", "good"),
    Status.FAILED: ("✗", "bad"),
    Status.MANUAL: ("…", "open"),
    Status.NOT_RUN: ("–", "bad"),
}
_PARTLY = ("~", "open")
_NOTES = {
    Outcome.GRADED: "",
    Outcome.NEEDS_REVIEW: "A person will look at this result",
    Outcome.TIMEOUT: "Your code took too long and was stopped",
    Outcome.MEMORY: "Your code needed too much memory and was stopped",
    Outcome.CRASHED: "Your code ended the program that ran it",
    Outcome.UNREADABLE: "Your notebook could not be read",
    Outcome.NOT_SUBMITTED: "No notebook was handed in",
}
#: What Windows takes for a device, whatever follows the point.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)", re.IGNORECASE)
_STYLE = (
    css()
    + """
:root { color-scheme: light dark; background: var(--ck-paper); color: var(--ck-ink) }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem } h3 { margin-bottom: .3rem }
ul { list-style: none; padding: 0 } li { padding: .4rem 0 .4rem 1.6rem; text-indent: -1.6rem }
li > * { text-indent: 0 } p { margin: .3rem 0 }
.mark { display: inline-block; width: 1.2rem; margin-right: .4rem; font-weight: bold }
.mark { text-align: center; text-indent: 0 }
.good .mark { background: var(--ck-marker); color: var(--ck-on-marker) }
.bad .mark { outline: 1.5px dashed }
.open .mark { outline: 1.5px solid var(--ck-line) }
.points { float: right; font-variant-numeric: tabular-nums }
.message { white-space: pre-wrap; overflow-wrap: anywhere }
"""
)
#: The page runs and fetches nothing, whatever a submission put into it.
_CSP = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{{ csp | safe }}">
<title>Feedback for {{ student }}</title>
<style>{{ style | safe }}</style>
</head>
<body>
<main>
<h1>Feedback for {{ student }}</h1>
{% for part in assignments %}
<h2>{{ part.name }}: {{ part.points }}</h2>
{% for note in part.notes %}
<p class="message">{{ note }}</p>
{% endfor %}
{% for exercise in part.exercises %}
<section>
<h3>{{ exercise.title }}</h3>
<ul>
{% for check in exercise.checks %}
<li class="{{ check.kind }}"><span class="mark">{{ check.sign }}</span> {{ check.title | marked }} \
<span class="points">{{ check.points }}</span>\
{% if check.text %}<p class="message">{{ check.text | marked(with_strong=False) }}</p>{% endif %}
</li>
{% endfor %}
</ul>
</section>
{% endfor %}
{% endfor %}
</main>
</body>
</html>
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "feedback",
        run,
        """
        Write a page for each student: what was checked, what was seen, and which misconception it
        points to. Of a hidden check the page shows the verdict and the misconception, but not the
        inputs. --policy adds what late work loses. The page of a student whose work was withdrawn
        is removed. Points and comments that you gave in formgrader are in the pages that
        `nbgrader generate_feedback` makes.
        """,
        "coursekit feedback results.jsonl -o feedback --policy policy.toml --assignment masking",
    )
    add_marks_options(parser)
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=Path, required=True, help="write DIR/STUDENT.html"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the pages, and print where they are."""
    stored = read_results(args.results)
    chosen = of_assignments(stored, args.assignment)
    rows = present(chosen, args.results)
    marks = with_policy([Mark.of(row) for row in rows], args.policy, args.results)
    bank = open_bank(args)
    make_private_folder(args.output)
    by_student: dict[str, list[tuple[Row, Mark]]] = {}
    for row, mark in zip(rows, marks, strict=True):
        by_student.setdefault(row.student, []).append((row, mark))
    files = file_names(row.student for row in stored)
    for student, own in by_student.items():
        write_private(args.output / files[student], page(student, own, bank))
    gone = sorted({row.student for row in chosen} - by_student.keys())
    _remove_pages(args.output, {student: files[student] for student in gone})
    print(f"{args.output}: {counted(len(by_student), 'page')}")
    return 0


def _remove_pages(folder: Path, files: Mapping[str, str]) -> None:
    """Remove pages that an earlier run wrote."""
    stale = [student for student, file in files.items() if (folder / file).is_file()]
    for student in stale:
        (folder / files[student]).unlink()
    if stale:
        tell(f"{folder}: removed the pages of {names(stale)}")


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return a file name for each student's page; no two differ only in case."""
    students = set(students)
    folded = Counter(student.casefold() for student in students)
    return {student: _file_name(student, folded[student.casefold()] > 1) for student in students}


def _file_name(student: str, is_shared: bool) -> str:
    """Return a name that cannot lead out of its folder and that Windows accepts."""
    name = quote(student, safe="@+ ")
    is_device = bool(_DEVICE.match(name))
    if is_device or name.startswith(".") or name.endswith((".", " ")):
        name = name.replace(".", "%2E").replace(" ", "%20")
    if is_shared or len(name) > 120 or is_device:
        name = f"{name[:100]}-{hashlib.sha256(student.encode()).hexdigest()[:16]}"
    return f"{name}.html"


def page(student: str, graded: Iterable[tuple[Row, Mark]], bank: Mapping[str, Exercise]) -> str:
    """Return the HTML page of one student, for whom there is a row and a mark an assignment."""
    try:
        from jinja2 import Environment
        from markupsafe import Markup
    except ImportError:
        raise MissingExtraError("Jinja2", "grading") from None
    environment = Environment(autoescape=True, trim_blocks=True)
    # What `message_html` returns is escaped but for the marks of code and stress.
    environment.filters["marked"] = lambda text, **how: Markup(message_html(text, **how))
    assignments = [_assignment(row, mark, bank) for row, mark in graded]
    return environment.from_string(_PAGE).render(
        student=student, assignments=assignments, style=_STYLE, csp=_CSP
    )


def _assignment(row: Row, mark: Mark, bank: Mapping[str, Exercise]) -> dict[str, Any]:
    points = f"{decimal(mark.final_score)} of {counted(mark.max_score, 'point')}"
    by_exercise = groupby(() if row.is_missing else row.checks, lambda check: check.exercise)
    return {
        "name": row.assignment,
        "points": "not handed in" if row.is_missing else points,
        "notes": [*_notes(row, mark)],
        "exercises": [_exercise(id, checks, bank.get(id)) for id, checks in by_exercise],
    }


def _notes(row: Row, mark: Mark) -> Iterator[str]:
    """Yield what concerns the whole assignment."""
    if mark.lateness:
        yield mark.lateness
    if note := ": ".join(filter(None, [_NOTES[row.status], row.reason])):
        yield f"{note}."
    if row.needs_manual:
        yield "Prose answers are graded by a person, and their points are not in these."


def _exercise(id: str, checks: Iterable[Verdict], exercise: Exercise | None) -> dict[str, Any]:
    titles = {known.name: known.title for known in exercise.checks} if exercise else {}
    for question in exercise.questions if exercise else ():
        titles[question.name] = question.statement.partition("\n\n")[0]
    shown, above = [], ""
    for check in checks:
        text = " ".join(check.lines())
        # An error that keeps all checks of an exercise from running is told once.
        shown.append(_check(check, titles) | {"text": "" if text == above else text})
        above = text
    return {"title": exercise.title if exercise else id, "checks": shown}


def _check(check: Verdict, titles: Mapping[str, str]) -> dict[str, Any]:
    is_partly = check.status is Status.FAILED and check.points > 0
    sign, kind = _PARTLY if is_partly else _SIGNS[check.status]
    earned = "–" if check.status is Status.MANUAL else decimal(check.points)
    title = titles.get(check.check) or check.check.replace("_", " ")
    return {
        "sign": sign,
        "kind": kind,
        "title": "A hidden check" if check.hidden else title,
        "points": f"{earned} / {decimal(check.max_points)}",
    }
